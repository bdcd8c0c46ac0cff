/** Acts over TLS through our server, against a bare Fastify that sends the same statements by heart. */
import { writeFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hashKey } from '../../src/host/secrets.ts'
import { tlsMaterial } from '../../src/host/tls.ts'
import { answerTo, inRounds, type Measured, measure, type Server, startClient, startServer, stop } from '../crowd.ts'
import { median, percent, print, spread, whole } from '../figures.ts'
import { type Place, withPlace } from '../place.ts'
import { type DueSite, makeDueSite, settleDown } from '../renewals/data.ts'
import { type Learnt, learning } from './learn.ts'

const apiKey = 'a-key-for-the-bench'
const credentials = Buffer.from(`${apiKey}:x`).toString('base64')
const subscriptionCount = 1_000
const connections = 16
const warmUpSeconds = 1

/** The path and body of the request for one of the subscriptions, asked for the `lap`-th time. */
type Act = (site: DueSite, componentId: number) => (id: number, lap: number) => { path: string; body: object }

const preview: Act = () => (id) => ({ path: `/subscriptions/${id}/renewals/preview.json`, body: {} })

const allocate: Act = (_, componentId) => (id, lap) => ({
  path: `/subscriptions/${id}/components/${componentId}/allocations.json`,
  body: { allocation: { quantity: lap % 2 === 0 ? 5 : 9, memo: 'Bench', ...prorated } },
})
const prorated = { upgrade_scheme: 'prorate-delay-capture', downgrade_scheme: 'prorate' }

const signUp: Act = (site) => (id, lap) => ({
  path: '/subscriptions.json',
  body: {
    subscription: {
      product_id: site.id,
      customer_attributes: { first_name: 'First', last_name: 'Last', email: `new${id}-${lap}@example.com` },
      payment_profile_attributes: { full_number: '1', expiration_month: 12, expiration_year: 2031 },
    },
  },
})

export const benchPreview = (args: string[]): Promise<void> => bench(preview, args)
export const benchAllocations = (args: string[]): Promise<void> => bench(allocate, args)
export const benchSignUps = (args: string[]): Promise<void> => bench(signUp, args)

async function bench(act: Act, args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
  })
  await withPlace(async (place) => {
    const site = await makeDueSite(place, subscriptionCount)
    const componentId = await openForSale(place, site)
    const tlsFiles = { siteSubdomain: 'bench', tlsCertFile: undefined, tlsKeyFile: undefined }
    const tls = await tlsMaterial({ dataDir: place.directory, ...tlsFiles })
    const request = act(site, componentId)
    const ours = await startServer(
      new URL('./our-server.ts', import.meta.url),
      JSON.stringify({ connection: place.connection, tls }),
    )
    const learnt = await learn(place, tls, site, request)
    const file = join(place.directory, 'learnt.json')
    const last = site.firstId + site.count - 1
    const subscription = { id: last, pair: site.firstId - 1 + 2 * site.count }
    writeFileSync(file, JSON.stringify({ ...learnt, connection: place.connection, tls, subscription }))
    const hand = await startServer(new URL('./hand-server.ts', import.meta.url), file)
    const client = startClient()
    await settleDown(place)
    print('statements for each request, connections', `${learnt.steps.length}, ${connections}; ${values.rounds} rounds`)
    const run = (server: Server, seconds: number) =>
      measure(place, client, server, {
        ca: tls.cert,
        requests: requestsFor(site, request, server.port),
        connections,
        seconds,
      })
    const lengths = { rounds: Number(values.rounds), seconds: Number(values.seconds), warmUpSeconds }
    show(await inRounds([hand, ours], run, lengths))
    for (const child of [client, hand.child, ours.child]) await stop(child)
  })
}

/** A key to ask with, a component with a bracket, and sequences so far apart that no two kinds of rows share an id. */
async function openForSale({ pool }: Place, { id }: DueSite): Promise<number> {
  await pool.query('insert into api_keys (key_hash, site_id, created_at) values ($1, $2, now())', [hashKey(apiKey), id])
  const { rows } = await pool.query<{ name: string }>(
    "select sequencename as name from pg_sequences where sequencename like '%\\_id\\_seq' and schemaname = 'public' order by 1",
  )
  for (const [place, { name }] of rows.entries()) {
    await pool.query('select setval($1, (select nextval($1)) + $2)', [name, (place + 1) * 10_000_000])
  }
  const component = await pool.query<{ id: string }>(
    `insert into components (site_id, id, product_family_id, name, handle, unit_name, kind, pricing_scheme, unit_price, taxable,
        allow_fractional_quantities, created_at, updated_at)
      values ($1, nextval('components_id_seq'), $1, 'Users', 'users', 'user', 'quantity_based_component', 'per_unit', 3.3333, false,
        false, now(), now())
      returning id`,
    [id],
  )
  return Number(component.rows[0]!.id)
}

/** The second answer is the one to learn: by then nothing happens for the first time. */
async function learn(
  place: Place,
  tls: { cert: string; key: string },
  site: DueSite,
  request: ReturnType<Act>,
): Promise<Learnt> {
  const last = site.firstId + site.count - 1
  let learnt: Learnt | undefined
  await learning(place, tls, async (ask) => {
    for (const lap of [0, 1]) learnt = await ask((port) => askOnce(port, tls.cert, request(last, lap)))
  })
  if (learnt === undefined || learnt.status >= 300) throw new Error(`the request is refused: ${learnt?.answer}`)
  return learnt
}

function askOnce(
  port: number,
  ca: string,
  { path, body }: { path: string; body: object },
): Promise<{ status: number; text: string }> {
  const headers = { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/json' }
  const request = https.request({ host: 'localhost', port, ca, path, method: 'POST', headers, agent: false })
  request.end(JSON.stringify(body))
  return answerTo(request)
}

function requestsFor(site: DueSite, request: ReturnType<Act>, port: number): string[] {
  return [0, 1].flatMap((lap) =>
    Array.from({ length: site.count }, (_, place) => {
      const { path, body } = request(site.firstId + place, lap)
      const text = JSON.stringify(body)
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Basic ${credentials}\r\n`
      return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    }),
  )
}

function show(rounds: readonly Measured[][]): void {
  for (const [place, title] of ['the same statements by hand', 'our server'].entries()) {
    const of = (pick: (measured: Measured) => number) => rounds.map((round) => pick(round[place]!))
    const micros = (pick: (measured: Measured) => number) => whole(median(of(pick)))
    const each = `server ${micros((one) => one.serverMicros)} µs, database ${micros((one) => one.databaseMicros)} µs`
    print(
      title,
      `${spread(
        of((one) => one.perSecond),
        '/s',
      )}; processor time each: ${each}`,
    )
  }
  const ratio = (pick: (measured: Measured) => number) =>
    percent(median(rounds.map(([hand, ours]) => pick(ours!) / pick(hand!))))
  print(
    'our server / by hand',
    ratio((one) => one.perSecond),
  )
  print(
    '  by processor time of server and database',
    ratio((one) => 1 / (one.serverMicros + one.databaseMicros)),
  )
}
