/** The audit: it finds nothing in books that our acts have written, and finds by name whatever else is planted in them. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { assessDueSubscriptions } from '../src/actions/assess-due-subscriptions.ts'
import { verify } from '../src/actions/verify.ts'
import { happen, listStories } from './stories/library.ts'
import { testDatabase } from './support/database.ts'
import { parseStory } from './support/story.ts'
import { runStory } from './support/story-run.ts'
import { openWorld, setClock, type World } from './support/story-world.ts'

const books = `
dunning: 3 attempts, 24 hours apart, then unpaid
product pro: 50.00 every month, setup fee 20.00
product lite: 10.00 every month, trial of 14 days without obligation, card optional
product plus: 30.00 every month, trial of 7 days for 1.00 with payment expected, setup fee 5.00 after the trial
2026-01-01  sign up ada to pro with card 1
2026-01-01  sign up grace to pro with card 1
2026-01-01  sign up alan to pro with card 1, billed next 2026-01-20
2026-01-01  sign up mary to lite without a card
2026-01-01  sign up joan to plus with card 1
2026-01-01  sign up emmy to pro without a card, by invoice
2026-01-01  sign up rosa to pro with card 1
2026-01-15  card of grace declines
2026-01-15  sign up hedy to pro with card 2
2026-02-01 12:00  card of grace recovers
2026-02-10  cancel joan "enough"
2026-03-20  card of rosa declines
2026-04-02 12:00  so far`

/** Tables whose rows are planted in, and put back afterwards. */
const tables = [
  'subscriptions',
  'periods',
  'statements',
  'transactions',
  'payment_attempts',
  'events',
  'product_versions',
  'bogus_gateway.calls',
]

let world: World
let url: string
let client: pg.Client
let ids: Record<string, number>
const closing: (() => unknown)[] = []

before(async () => {
  const database = await testDatabase({ after: (close) => closing.push(close as () => unknown) })
  url = database.url
  world = await openWorld(database.connection)
  client = new pg.Client(database.connection)
  await client.connect()
  const { siteId, subscriptions } = await runStory(world, parseStory(books))
  ids = Object.fromEntries(subscriptions)
  await crashAt(siteId, '2026-04-20T00:00:00Z')
})

after(async () => {
  await client.end()
  await world.close()
  for (const close of closing) await close()
})

/** A renewal and a retry are on record when the process goes; nobody has asked the gateway yet. */
async function crashAt(siteId: number, at: string): Promise<void> {
  await setClock(world.app, siteId, Temporal.Instant.from(at))
  const reach = (point: string): void => {
    if (point === 'renewal: attempts on record') throw new Error('crashed')
  }
  const round = assessDueSubscriptions({ ...world.app, reach }, siteId, { limit: 100, asDue: false })
  await assert.rejects(round, /crashed/)
  const { rows } = await client.query(`select reason from payment_attempts where settled_at is null order by reason`)
  assert.deepEqual(
    rows.map(({ reason }) => reason),
    ['renewal', 'retry'],
  )
}

/** For each check what makes it fail, and no other. Names stand for the ids of their subscriptions. */
const plants: readonly [sentence: string, ...statements: string[]][] = [
  [
    'transactions: each row starts where the one before it ended, the first at 0',
    `update transactions set starting_balance_in_cents = 1, ending_balance_in_cents = ending_balance_in_cents + 1
      where id = (select min(id) from transactions where subscription_id = :ada)`,
  ],
  [
    'transactions: each row moves the balance as its type says',
    `update transactions set ending_balance_in_cents = 5001 where id = (select min(id) from transactions where subscription_id = :ada)`,
    `update transactions set starting_balance_in_cents = 5001
      where id = (select min(id) + 1 from transactions where subscription_id = :ada)`,
  ],
  [
    'transactions: each period and trial costs what a version of its product costs',
    `update product_versions set trial_price_in_cents = 101 where trial_price_in_cents = 100`,
  ],
  [
    'transactions: each payment of the whole balance covers what came after the one before it',
    `update transactions set covers_after_id = covers_after_id - 1
      where id = (select max(id) from transactions where subscription_id = :ada and covers_after_id is not null)`,
  ],
  [
    'subscriptions: the balance is that of the newest transaction',
    `update subscriptions set balance_in_cents = balance_in_cents + 1 where id = :ada`,
  ],
  [
    'subscriptions: the total revenue is the sum of the payments, less refunds',
    `update subscriptions set total_revenue_in_cents = total_revenue_in_cents - 1 where id = :ada`,
  ],
  [
    'subscriptions: the sign-up revenue is what was paid at the sign-up',
    `update subscriptions set signup_revenue_in_cents = 0 where id = :ada`,
  ],
  [
    'subscriptions: the last payment of the whole balance is known',
    `update subscriptions set covered_through_id = 0 where id = :ada`,
  ],
  [
    'subscriptions: the current period is the newest one',
    `update subscriptions set current_period_started_at = current_period_started_at - interval '1 second' where id = :ada`,
  ],
  [
    'subscriptions: each has exactly one open statement, none after a trial that ended for good',
    `update subscriptions set open_statement_id = (select open_statement_id from subscriptions where id = :grace) where id = :ada`,
  ],
  [
    'subscriptions: what is collected is an open payment attempt',
    `update subscriptions set collecting_attempt_id = (select min(id) from payment_attempts where subscription_id = :ada)
      where id = :ada`,
  ],
  [
    'subscriptions: the next assessment is at the retry or the end of the period, whichever is first',
    `update subscriptions set next_assessment_at = next_assessment_at + interval '1 second' where id = :ada`,
  ],
  [
    'subscriptions: a retry is set exactly while a failed payment is asked for again',
    `update subscriptions set retry_at = next_assessment_at + interval '1 day' where id = :ada`,
  ],
  [
    'subscriptions: each is paid with a card of its own customer',
    `update subscriptions set payment_profile_id = (select payment_profile_id from subscriptions where id = :grace) where id = :ada`,
  ],
  ['subscriptions: none is parked', `update subscriptions set parked_reason = 'its product is gone' where id = :ada`],
  [
    'statements: the total of each is the sum of what it lists, payments left out',
    `update statements set total_in_cents = total_in_cents + 1
      where id = (select min(id) from statements where subscription_id = :ada)`,
  ],
  [
    'statements: the open one amounts to what its subscription says',
    `update subscriptions set open_statement_total_in_cents = 1 where id = :ada`,
  ],
  [
    'statements: each begins with the balance at which the one before it was closed',
    `update statements set starting_balance_in_cents = 1 where subscription_id = :ada and closed_at is null`,
  ],
  [
    'statements: each ends with its starting balance and what it lists',
    `update statements set ending_balance_in_cents = -1
      where id = (select max(id) from statements where subscription_id = :ada and closed_at is not null)`,
    `update statements set starting_balance_in_cents = -1 where subscription_id = :ada and closed_at is null`,
  ],
  [
    'statements: those that are settled are closed and covered, unless they are paid by invoice',
    `update statements set settled_at = closed_at where subscription_id = :rosa and closed_at is not null and settled_at is null`,
    `update events set key = 'statement_settled', message = replace(message, 'closed (but not settled)', 'settled successfully')
      where key = 'statement_closed' and subscription_id = :rosa`,
  ],
  [
    'periods: they are numbered from 1 without a gap',
    `update periods set number = 9 where number = 4 and subscription_id = :ada`,
    `update subscriptions set period_number = 9 where id = :ada`,
    `update transactions set period_number = 9 where period_number = 4 and subscription_id = :ada`,
  ],
  [
    'periods: each begins at the instant at which the one before it ends',
    `update periods set started_at = started_at - interval '1 second' where number = 2 and subscription_id = :ada`,
  ],
  [
    'periods: none is assessed before it begins',
    `update periods set assessed_at = started_at - interval '1 second' where number = 2 and subscription_id = :ada`,
  ],
  [
    'periods: each is billed exactly once, the first of an import never',
    `update transactions set kind = 'one_time' where kind = 'baseline' and period_number = 2 and subscription_id = :ada`,
  ],
  [
    'payment attempts: each that was approved is one successful payment of its amount',
    `update payment_attempts set amount_in_cents = amount_in_cents + 1
      where id = (select min(id) from payment_attempts where subscription_id = :ada)`,
  ],
  [
    'payment attempts: each that failed is one failed payment, a sign-up leaves none',
    `update payment_attempts set amount_in_cents = amount_in_cents + 1 where outcome = 'declined' and subscription_id = :grace`,
  ],
  [
    'payment attempts: each open one is what its subscription waits for, a sign-up has none yet',
    `insert into payment_attempts (site_id, id, subscription_id, reason, period_number, idempotency_key, amount_in_cents, gateway,
        vault_token, created_at, asked_by, asked_at, next_check_at)
      select site_id, 1, subscription_id, 'retry', 1, 'lost', 5000, gateway, vault_token, created_at, 1, asked_at, next_check_at
      from payment_attempts where id = (select min(id) from payment_attempts where subscription_id = :ada)`,
  ],
  [
    'payments: each that a gateway answered was asked for by an attempt',
    `insert into transactions (site_id, id, subscription_id, customer_id, product_id, period_number, type, success, amount_in_cents,
        memo, starting_balance_in_cents, ending_balance_in_cents, payment_attempt_id, gateway_used, created_at)
      select site_id, 999999, subscription_id, customer_id, product_id, period_number, 'payment', true, 0, 'out of nowhere',
        ending_balance_in_cents, ending_balance_in_cents, 1, 'bogus', created_at
      from transactions where id = (select max(id) from transactions where subscription_id = :ada)`,
    `insert into events (site_id, key, message, subscription_id, created_at, event_specific_data)
      select site_id, 'payment_success', 'A payment', subscription_id, created_at, '{"account_transaction_id": 999999}'
      from transactions where id = 999999`,
  ],
  [
    'events: each payment is told once, as the success or failure that it was',
    `delete from events where id = (select min(id) from events where key = 'payment_success' and subscription_id = :ada)`,
  ],
  [
    'events: each closing of a statement is told once, as settled or not, and a later settlement too',
    `insert into events (site_id, key, message, subscription_id, created_at)
      select site_id, key, message, subscription_id, created_at from events
      where id = (select min(id) from events where key = 'statement_settled' and subscription_id = :ada)`,
  ],
  ['events: each sign-up is told once', `delete from events where key = 'signup_success' and subscription_id = :ada`],
  [
    'events: each renewal is told once, as a success or a failure',
    `delete from events where id = (select min(id) from events where key = 'renewal_success' and subscription_id = :ada)`,
  ],
  [
    'events: the state of each subscription is the one told last',
    `update subscriptions set state = 'unpaid' where id = :ada`,
  ],
  [
    'events: each change of state leaves the state that the one before it led to',
    `update events set event_specific_data = event_specific_data || '{"previous_subscription_state": "expired"}'
      where key = 'subscription_state_change' and subscription_id = :grace`,
  ],
  [
    'gateway bogus: what it captured for each subscription is what the ledger says was paid',
    `insert into bogus_gateway.calls (site_id, idempotency_key, kind, amount_in_cents, outcome, message, subscription_id, created_at)
      select site_id, 'again', kind, amount_in_cents, outcome, message, subscription_id, created_at from bogus_gateway.calls
      where id = (select min(id) from bogus_gateway.calls where kind = 'purchase' and subscription_id = :ada)`,
  ],
]

/** The lines of a report that do not end in 0 differences, by their sentences, with the examples under them. */
function failuresOf(text: string): Map<string, string[]> {
  const failures = new Map<string, string[]>()
  let examples: string[] | undefined
  for (const line of text.split('\n')) {
    const [, sentence, differences] = /^(\S.*?) +[\d,]+ rows?, ([\d,]+) differences?$/.exec(line) ?? []
    if (sentence !== undefined) {
      examples = differences === '0' ? undefined : []
      if (examples) failures.set(sentence, examples)
    } else if (line.startsWith('    ')) examples?.push(line.trim())
  }
  return failures
}

const plant = async (statements: readonly string[]): Promise<void> => {
  for (const statement of statements) {
    const { rowCount } = await client.query(statement.replaceAll(/:([a-z]+)\b/g, (_, name) => String(ids[name])))
    assert.ok(rowCount, `plants nothing: ${statement}`)
  }
}

const run = (command: string, ...options: string[]): Promise<{ code: number | null; output: string }> =>
  new Promise((done, failed) => {
    const program = join(import.meta.dirname, '../bin/kalends')
    const child = spawn(program, [command, ...options], { env: { ...process.env, DATABASE_URL: url } })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', failed)
    child.on('close', (code) => done({ code, output }))
  })

describe('verify', () => {
  test('finds nothing where payments failed, recovered, were imported, given up, invoiced, or are under way', async () => {
    const { text, differences } = await verify(world.app)
    assert.equal(differences, 0, text)
    assert.match(text, /^0 differences in 1 site$/m)
    const { code, output } = await run('verify')
    assert.equal(code, 0, output)
    assert.ok(output.includes(text))
  })

  test('finds every planted difference by name, and nothing else', async (t) => {
    await loosen()
    for (const [sentence, ...statements] of plants) {
      await t.test(sentence, async () => {
        await plant(statements)
        const { text, differences } = await verify(world.app)
        await putBack()
        const failures = failuresOf(text)
        assert.deepEqual([...failures.keys()], [sentence], text)
        assert.ok(differences > 0 && failures.get(sentence)![0]!.startsWith('story-1: '), text)
      })
    }
    const { text, differences } = await verify(world.app)
    assert.equal(differences, 0, text)
  })

  test('has a planted difference for each of its checks', async () => {
    const { text } = await verify(world.app)
    const sentences = text.split('\n').flatMap((line) => /^(\S.*?) +[\d,]+ rows?, /.exec(line)?.[1] ?? [])
    assert.deepEqual(sentences.toSorted(), plants.map(([sentence]) => sentence).toSorted())
  })

  test('exits 1 on the first difference and says in words what it is', async () => {
    await plant([`update subscriptions set balance_in_cents = 1234 where id = :ada`])
    const { code, output } = await run('verify')
    await putBack()
    assert.equal(code, 1, output)
    assert.match(output, new RegExp(`subscription ${ids.ada} has a balance of 1234 cents, its ledger ends at 0`))
    assert.match(output, /^1 difference in 1 site$/m)
  })

  test('finds nothing in any story', async () => {
    for (const name of listStories()) await happen(world, name)
    const { text, differences } = await verify(world.app)
    assert.equal(differences, 0, text)
  })
})

/** What the database would refuse by itself is planted too: the audit trusts no constraint. */
async function loosen(): Promise<void> {
  const { rows } = await client.query(
    `
    select conrelid::regclass as table, conname as name from pg_constraint
    where contype in ('f', 'c') and conrelid::regclass::text = any($1)`,
    [tables],
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const table of tables) await client.query(`create table ${copyOf(table)} as table ${table}`)
}

const copyOf = (table: string): string => `copy_of_${table.replace('.', '_')}`

async function putBack(): Promise<void> {
  for (const table of tables) {
    await client.query(`delete from ${table}`)
    await client.query(`insert into ${table} select * from ${copyOf(table)}`)
  }
}
