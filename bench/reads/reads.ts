/** Reads: one subscription over TLS through our server, against a bare Fastify that runs the same select. */
import https from 'node:https'
import { parseArgs } from 'node:util'
import { hashKey } from '../../src/host/secrets.ts'
import { tlsMaterial } from '../../src/host/tls.ts'
import { answerTo, inRounds, type Measured, measure, type Server, startClient, startServer, stop } from '../crowd.ts'
import { median, percent, print, spread, whole } from '../figures.ts'
import { withPlace } from '../place.ts'
import { makeDueSite, settleDown } from '../renewals/data.ts'

const apiKey = 'a-key-for-the-bench'
const subscriptionCount = 1_000
const connections = 32
const warmUpSeconds = 2

type Way = { title: string; server: Server; suffix: string; accept: string }
export async function benchReads(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
  })
  await withPlace(async (place) => {
    const site = await makeDueSite(place, subscriptionCount)
    await place.pool.query('insert into api_keys (key_hash, site_id, created_at) values ($1, $2, now())', [
      hashKey(apiKey),
      site.id,
    ])
    await settleDown(place)
    const tls = await tlsMaterial({
      dataDir: place.directory,
      siteSubdomain: 'bench',
      tlsCertFile: undefined,
      tlsKeyFile: undefined,
    })
    const { connection } = place
    const ours = await startServer(new URL('./our-server.ts', import.meta.url), JSON.stringify({ connection, tls }))
    const example = JSON.parse(await readOne(ours.port, tls.cert, site.firstId))
    const bare = await startServer(
      new URL('./bare-server.ts', import.meta.url),
      JSON.stringify({ connection, tls, siteId: site.id, example }),
    )
    const client = startClient()
    const ways: Way[] = [
      { title: 'bare Fastify, JSON', server: bare, suffix: '', accept: 'application/json' },
      { title: 'our server, JSON', server: ours, suffix: '.json', accept: '*/*' },
      { title: 'our server, XML', server: ours, suffix: '.xml', accept: '*/*' },
    ]
    print('connections, seconds of each way and round', `${connections}, ${values.seconds}; ${values.rounds} rounds`)
    const run = (way: Way, seconds: number) =>
      measure(place, client, way.server, {
        ca: tls.cert,
        requests: requestsFor(way, site.firstId),
        connections,
        seconds,
      })
    const lengths = { rounds: Number(values.rounds), seconds: Number(values.seconds), warmUpSeconds }
    show(ways, await inRounds(ways, run, lengths))
    for (const child of [client, bare.child, ours.child]) await stop(child)
  })
}

const credentials = Buffer.from(`${apiKey}:x`).toString('base64')

const requestsFor = ({ server, suffix, accept }: Way, firstId: number): string[] =>
  Array.from({ length: subscriptionCount }, (_, place) => {
    const head = `GET /subscriptions/${firstId + place}${suffix} HTTP/1.1\r\nHost: localhost:${server.port}\r\n`
    return `${head}Authorization: Basic ${credentials}\r\nAccept: ${accept}\r\n\r\n`
  })

/** The answer that the bare server copies. */
async function readOne(port: number, ca: string, id: number): Promise<string> {
  const headers = { Authorization: `Basic ${credentials}` }
  const request = https.get({ host: 'localhost', port, ca, path: `/subscriptions/${id}.json`, headers, agent: false })
  const { status, text } = await answerTo(request)
  if (status !== 200) throw new Error(`the subscription could not be read: ${text}`)
  return text
}

function show(ways: readonly Way[], rounds: readonly Measured[][]): void {
  const of = (place: number, pick: (measured: Measured) => number) => rounds.map((round) => pick(round[place]!))
  for (const [place, { title }] of ways.entries()) {
    const each = (pick: (measured: Measured) => number) => whole(median(of(place, pick)))
    const processor = `server ${each((one) => one.serverMicros)} µs, database ${each((one) => one.databaseMicros)} µs`
    const busy = percent(median(of(place, (one) => one.clientBusy)))
    print(
      title,
      `${spread(
        of(place, (one) => one.perSecond),
        '/s',
      )}; processor time each: ${processor}; client busy ${busy}`,
    )
  }
  for (const place of [1, 2]) {
    const ratio = (pick: (measured: Measured) => number) =>
      percent(median(rounds.map((round) => pick(round[place]!) / pick(round[0]!))))
    print(
      `${ways[place]!.title} / bare`,
      ratio((one) => one.perSecond),
    )
    print(
      `  by processor time of server and database`,
      ratio((one) => 1 / (one.serverMicros + one.databaseMicros)),
    )
  }
  print('our server, peak memory', `${whole(Math.max(...of(1, (one) => one.memory)))} MB`)
}
