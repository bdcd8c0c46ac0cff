/** A number of a card or bank account is never kept: marked numbers and codes go in by every door, and are found nowhere afterwards. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { createLog } from '../src/host/log.ts'
import { startPostgres } from '../src/host/postgres/postgres.ts'
import { type Reply, type Service, type ServiceOptions, startService } from './crashes/service.ts'
import { goodAccounts, misplacedAccounts } from './support/account-forms.ts'
import { cardForms } from './support/card-forms.ts'
import {
  findInFiles,
  findInText,
  grouped,
  markedBadCode,
  markedCodes,
  markedNumber,
  planted,
} from './support/marked-cards.ts'
import { until } from './support/patience.ts'

/** Everything that anybody outside was shown. */
type Heard = { replies: string[]; output: string[] }

let numbers = 0
const place = (): number => numbers++
const number = (): string => markedNumber(place())
const [code, shortCode] = markedCodes

const customer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
const expiry = { expiration_month: 12, expiration_year: 2099 }
const card = (full_number: unknown = number()) => ({ full_number, cvv: code, ...expiry })

const signupWith = (attributes: object, more: object = {}) => ({
  subscription: {
    product_handle: 'monthly',
    customer_attributes: customer,
    credit_card_attributes: attributes,
    ...more,
  },
})

const bankSignup = (account: object) => signupWith({}, { bank_account_attributes: account })

const xmlSignup = (full: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<subscription><product_handle>monthly</product_handle>
<customer_attributes><first_name>Ada</first_name><last_name>L</last_name><email>a@example.com</email></customer_attributes>
<payment_profile_attributes><full_number>${full}</full_number><cvv>${shortCode}</cvv>
<expiration_month>12</expiration_month><expiration_year>2099</expiration_year></payment_profile_attributes></subscription>`

const xml = { 'Content-Type': 'application/xml', Accept: 'application/xml' }

type Asking = [line: string, body?: unknown, headers?: Record<string, string>]

/** Sign-ups that are accepted while the gateway is in a good mood. */
const welcome = (mood: string): Asking[] => [
  ['POST /subscriptions.json', signupWith(card(grouped(number(), ' ')))],
  ['POST /subscriptions.json', signupWith(card(grouped(number(), '-')))],
  ['POST /subscriptions.xml', xmlSignup(number()), xml],
  ['POST /subscriptions.json', signupWith(card(), { customer_attributes: { ...customer, organization: planted } })],
  ['POST /subscriptions.json', signupWith(card()), { 'Idempotency-Key': mood }],
  ['POST /subscriptions.json', { ...signupWith(card()), uniqueness_token: mood }],
  ...goodAccounts(number, place).map(
    (account, at): Asking => ['POST /subscriptions.json', bankSignup(account), { 'Idempotency-Key': `${at} ${mood}` }],
  ),
]

/** Numbers and codes where they do not belong. */
const misplaced = (): Asking[] => [
  ...[
    { vault_token: number(), current_vault: 'bogus' },
    { vault_token: grouped(number(), ' '), last_four: '1111' },
    { vault_token: 'tok_1', customer_vault_token: number() },
    { ...card(), cvv: markedBadCode },
    { ...card(), cvv: number() },
    { ...card(), expiration_month: number() },
    { ...card(), expiration_year: Number(number()) },
    { ...card(), card_type: number() },
    { ...card(), current_vault: number() },
    { vault_token: 'tok_2', last_four: number() },
    card([number(), number()]),
    card({ digits: number() }),
    card(Number(number())),
    card(`${number()}${number()}`),
    card(`${number()}x`),
    { ...card(), expiration_year: 2001 },
    { full_number: number(), cvv: code },
    [card()],
  ].map((attributes): Asking => ['POST /subscriptions.json', signupWith(attributes)]),
  ...misplacedAccounts(number, place).flatMap((account): Asking[] => [
    ['POST /subscriptions.json', bankSignup(account)],
    ['POST /payment_profiles.json', { payment_profile: { customer_id: 500_001, ...account } }],
    ['PUT /payment_profiles/500001.json', { payment_profile: account }],
  ]),
  ['PUT /bank_accounts/500001/verification.json', { bank_account_verification: { deposit_1_in_cents: number() } }],
  ['POST /subscriptions.json', signupWith(card(), { payment_profile_attributes: card() })],
  ['POST /subscriptions.json', signupWith(card(), { payment_profile_id: number() })],
  ['POST /subscriptions.json', signupWith(card(), { product_id: number(), product_handle: null })],
  ['POST /subscriptions.json', signupWith(card(), { next_billing_at: number() })],
  ['POST /subscriptions.json', signupWith(card(), { coupon_code: number(), card_number: number() })],
  ['POST /subscriptions.json', { card: card(), subscription: [card()] }],
  ['POST /payment_profiles.json', { payment_profile: { customer_id: 500_001, ...card() } }],
  ['PUT /payment_profiles/500001.json', { payment_profile: card() }],
  ['PUT /payment_profiles/500001.json', { payment_profile: { full_number: `${number()}1` } }],
]

/** Documents that cannot be read, and requests that are no requests. */
const malformed = (): Asking[] => {
  const whole = JSON.stringify(signupWith(card()))
  const json = { 'Content-Type': 'application/json' }
  return [
    ['POST /subscriptions.json', whole.slice(0, -3), json],
    ['POST /subscriptions.json', whole.replace('"full_number":', '"full_number" '), json],
    ['POST /subscriptions.json', `${number()} ${number()}`, json],
    ['POST /subscriptions.json', `"${number()}`, json],
    // Parsers quote short documents whole.
    ['POST /subscriptions.json', `[${number()},x]`, json],
    ['POST /subscriptions.json', `x${number()}`, json],
    ['POST /subscriptions.json', `{"subscription":{"${number()}":{"__proto__":1}}}`, json],
    ['POST /subscriptions.xml', xmlSignup(number()).slice(0, -20), xml],
    ['POST /subscriptions.xml', xmlSignup(`<${number()}/>`), xml],
    ['POST /subscriptions.xml', xmlSignup(`&n${number()};`), xml],
    ['POST /subscriptions.xml', `<!DOCTYPE s [<!ENTITY n "${number()}">]>${xmlSignup('&n;')}`, xml],
    ['POST /subscriptions.json', `full_number=${number()}`, { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['POST /subscriptions.json', whole, { 'Content-Type': number() }],
    ['POST /subscriptions.json', whole, { 'Content-Encoding': 'gzip' }],
    ['POST /subscriptions.json', `${whole}${' '.repeat(2_000_000)}`, json],
    ['POST /nothing.json', whole, json],
    ['POST /subscriptions.json', whole, { Authorization: `Basic ${Buffer.from(`${number()}:X`).toString('base64')}` }],
    ['POST /subscriptions.json', whole, { Authorization: `Bearer ${number()}` }],
  ]
}

/** Numbers in headers, in queries and in paths. */
const aside = (): Asking[] => [
  [
    'GET /subscriptions.json',
    undefined,
    { 'X-Card-Number': number(), 'User-Agent': number(), Cookie: `card=${number()}` },
  ],
  ['GET /subscriptions.json', undefined, { Referer: `https://shop.example.com/?card=${number()}`, Accept: number() }],
  ['GET /subscriptions.json', undefined, { Host: `${number()}.example.com` }],
  [`GET /subscriptions.json?full_number=${number()}&page=${number()}&per_page=${number()}`],
  [`GET /customers.json?q=${number()}`],
  [`GET /customers/lookup.json?reference=${number()}`],
  [`GET /subscriptions/${number()}.json`],
  [`GET /${number()}.json`],
  [`GET /payment_profiles/${grouped(number(), '-')}.json`],
  [`POST /subscriptions.json?credit_card_attributes[full_number]=${number()}`, {}],
  ['POST /subscriptions.json', signupWith(card()), { 'Idempotency-Key': number() }],
  ['POST /subscriptions.json', { ...signupWith(card()), uniqueness_token: number() }],
  ['POST /subscriptions.json', signupWith(card()), { 'X-Http-Method-Override': number() }],
]

/** The portal's doors: its forms, as they are meant and otherwise, in a good mood of the gateway and in bad ones. */
async function visitPortal(heard: Heard, service: Service): Promise<void> {
  const { subscription } = JSON.parse((await service.ask('POST /subscriptions.json', signupWith(card()))).text)
  const { id } = subscription.customer
  await service.ask(`POST /portal/customers/${id}/enable.json`)
  const { url } = JSON.parse((await service.ask(`GET /portal/customers/${id}/management_link.json`)).text)
  const { pathname, origin } = new URL(url)
  const opened = await hear(heard, service, [`GET ${pathname}`])
  const [cookie = ''] = opened.headers
    .filter((value) => value.startsWith('__Host-portal='))
    .map((value) => value.split(';', 1)[0]!)
  const headers = { Cookie: cookie, Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' }
  const path = `/account/subscriptions/${subscription.id}/card`
  const [plain = '', ...others] = cardForms(number)
  assert.equal((await hear(heard, service, [`POST ${path}`, plain, headers])).status, 303)
  for (const form of others) await hear(heard, service, [`POST ${path}`, form, headers])
  for (const headersOfOthers of [
    { ...headers, Origin: 'https://evil.example' },
    { ...headers, Cookie: '' },
    { ...headers, 'Content-Type': 'text/plain' },
  ]) {
    await hear(heard, service, [`POST ${path}`, plain, headersOfOthers])
  }
  await hear(heard, service, [`GET ${path}?number=${number()}`, undefined, headers])
  await hear(heard, service, [`GET /account/${number()}`, undefined, headers])
  await hear(heard, service, [`GET /manage/${number()}/1/${'0'.repeat(33)}`, undefined, headers])
}

test('marked card numbers and codes are in no file, no output and no answer, whatever was done with them', async (t) => {
  const heard: Heard = { replies: [], output: [] }
  const { dataDir, sql } = await embeddedPostgres(t)
  const open = async (options: ServiceOptions = {}) => startService({ dataDir, logLevel: 'trace', ...options })

  const service = await open()
  await offer(service)
  for (const asking of welcome('calm')) assert.equal((await hear(heard, service, asking)).status, 201)
  for (const asking of [...misplaced(), ...malformed(), ...aside()]) await hear(heard, service, asking)
  await visitPortal(heard, service)
  for (const behaviour of [{ decline_rate: 1 }, { error_rate: 1 }, { lose_answer_rate: 1 }]) {
    await service.ask('PUT /bogus_gateway/behaviour.json', { behaviour: { ...calm, ...behaviour } })
    for (const asking of welcome(Object.keys(behaviour).join()))
      assert.equal((await hear(heard, service, asking)).status, 422)
  }
  await service.ask('PUT /bogus_gateway/behaviour.json', { behaviour: calm })
  await crashDatabase(sql, service, heard)
  assert.equal(await service.stop(), '0', service.said())
  heard.output.push(service.said())

  for (const failPoint of [
    'request: key on record',
    'signup: attempt on record',
    'signup: card stored',
    'signup: before commit',
  ]) {
    const dying = await open({ failPoint })
    await hear(heard, dying, ['POST /subscriptions.json', signupWith(card()), { 'Idempotency-Key': failPoint }])
    assert.equal(await dying.ended, 'SIGKILL')
    heard.output.push(dying.said())
  }
  const last = await open()
  await hear(heard, last, [
    'POST /subscriptions.json',
    signupWith(card()),
    { 'Idempotency-Key': 'signup: card stored' },
  ])

  assert.deepEqual(findInText(await everyRow(sql)), [], 'no row holds one')
  assertClean(dataDir, 'before a checkpoint')
  await sql.query('checkpoint')
  assertClean(dataDir, 'after a checkpoint')
  assert.equal(await last.stop(), '0', last.said())
  const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8')
  assert.doesNotMatch(log, new RegExp(`${planted}|insert into|parameters|statement:`, 'i'))
  heard.output.push(last.said(), log)
  assert.deepEqual(heard.output.flatMap(findInText), [])
  assert.deepEqual(heard.replies.flatMap(findInText), [])
  t.diagnostic(`${heard.replies.length} answers, ${numbers} marked numbers`)
})

const calm = { latency_in_ms: 0, decline_rate: 0, error_rate: 0, lose_answer_rate: 0 }

/** The service joins this server. Page images are not compressed here, so that what they hold can be seen. */
async function embeddedPostgres(t: TestContext): Promise<{ dataDir: string; sql: pg.Pool }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kalends-card-hygiene-'))
  const settings = { wal_compression: 'off', autovacuum: 'off' }
  const server = await startPostgres({ dataDir, log: createLog('silent'), settings })
  const sql = new pg.Pool({ ...server.connection, max: 1 })
  sql.on('error', () => {})
  t.after(async () => {
    await sql.end()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { dataDir, sql }
}

async function offer(service: Service): Promise<void> {
  const made = await service.ask('POST /product_families.json', { product_family: { name: 'Hygiene' } })
  const { id } = JSON.parse(made.text).product_family
  const product = { name: 'monthly', handle: 'monthly', price_in_cents: 1000, interval: 1, interval_unit: 'month' }
  assert.equal((await service.ask(`POST /product_families/${id}/products.json`, { product })).status, 201)
}

/** Asks, and keeps everything that came back. A connection that broke gives status 0. */
async function hear(heard: Heard, service: Service, [line, body, headers]: Asking): Promise<Reply> {
  const reply = await service.ask(line, body, headers).catch(() => ({ status: 0, headers: [], text: '' }))
  heard.replies.push(JSON.stringify(reply))
  return reply
}

/** One of the server's processes dies as if by a fault of its own; the server tells its log and starts anew. */
async function crashDatabase(sql: pg.Pool, service: Service, heard: Heard): Promise<void> {
  const { rows } = await sql.query(
    `select pid from pg_stat_activity where query like '%$1%' and pid <> pg_backend_pid() limit 1`,
  )
  process.kill(rows[0].pid, 'SIGKILL')
  const signsUp = async () =>
    (await hear(heard, service, ['POST /subscriptions.json', signupWith(card())])).status === 201
  await until('the service after its database', signsUp, { everyMs: 100 })
}

async function everyRow(sql: pg.Pool): Promise<string> {
  const { rows: tables } = await sql.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema in ('public', 'bogus_gateway')`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql.query(`select coalesce(string_agg(t::text, chr(10)), '') as rows from ${name} t`)
    texts.push(rows[0].rows)
  }
  const all = texts.join('\n')
  assert.ok(all.includes(planted), 'the search sees what was sent')
  return all
}

function assertClean(dataDir: string, when: string): void {
  const { hits, bytes, planted: seen } = findInFiles(dataDir)
  assert.deepEqual(hits, [], when)
  assert.ok(bytes > 30_000_000 && seen > 0, `the search sees what was sent, ${when}: ${bytes} bytes, ${seen} files`)
}
