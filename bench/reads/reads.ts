/** Reads: one subscription over TLS through our server, against a bare Fastify that runs the same select. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import https from 'node:https'
import { parseArgs } from 'node:util'
import { hashKey } from '../../src/host/secrets.ts'
import { tlsMaterial } from '../../src/host/tls.ts'
import { median, percent, print, spread, whole } from '../figures.ts'
import { type Place, withPlace } from '../place.ts'
import { serverSeconds } from '../processor-time.ts'
import { makeDueSite, settleDown } from '../renewals/data.ts'
import type { Asked, Asking } from './client.ts'
import type { Usage } from './served.ts'

const apiKey = 'a-key-for-the-bench'
const subscriptionCount = 1_000
const connections = 32
const warmUpSeconds = 2

type Server = { child: ChildProcess; port: number }
type Way = { title: string; server: Server; suffix: string; accept: string }
type Measured = { perSecond: number; serverMicros: number; databaseMicros: number; clientBusy: number; memory: number }

async function start(file: string, told: object): Promise<Server> {
  const child = fork(new URL(file, import.meta.url), [JSON.stringify(told)])
  const [port] = await once(child, 'message')
  return { child, port }
}

async function usageOf({ child }: Server): Promise<Usage> {
  child.send('usage')
  const [usage] = await once(child, 'message')
  return usage
}

async function stop(child: ChildProcess): Promise<void> {
  child.disconnect()
  await once(child, 'exit')
}

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
    const ours = await start('./our-server.ts', { connection, tls })
    const example = JSON.parse(await readOne(ours.port, tls.cert, site.firstId))
    const bare = await start('./bare-server.ts', { connection, tls, siteId: site.id, example })
    const client = fork(new URL('./client.ts', import.meta.url))
    const ways: Way[] = [
      { title: 'bare Fastify, JSON', server: bare, suffix: '', accept: 'application/json' },
      { title: 'our server, JSON', server: ours, suffix: '.json', accept: '*/*' },
      { title: 'our server, XML', server: ours, suffix: '.xml', accept: '*/*' },
    ]
    print('connections, seconds of each way and round', `${connections}, ${values.seconds}; ${values.rounds} rounds`)
    const run = (way: Way, seconds: number) =>
      measure(place, client, way, { ca: tls.cert, firstId: site.firstId, seconds })
    for (const way of ways) await run(way, warmUpSeconds)
    const rounds: Measured[][] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      const measured: Measured[] = []
      for (const way of ways) measured.push(await run(way, Number(values.seconds)))
      rounds.push(measured)
    }
    show(ways, rounds)
    for (const child of [client, bare.child, ours.child]) await stop(child)
  })
}

async function measure(
  place: Place,
  client: ChildProcess,
  { server, suffix, accept }: Way,
  { ca, firstId, seconds }: { ca: string; firstId: number; seconds: number },
): Promise<Measured> {
  const requests = Array.from({ length: subscriptionCount }, (_, place) =>
    requestFor(`/subscriptions/${firstId + place}${suffix}`, server.port, accept),
  )
  const [before, databaseBefore] = [await usageOf(server), await serverSeconds(place)]
  client.send({ port: server.port, ca, requests, connections, seconds } satisfies Asking)
  const [asked]: [Asked] = (await once(client, 'message')) as [Asked]
  const [after, databaseAfter] = [await usageOf(server), await serverSeconds(place)]
  const micros = (used: number): number => (used * 1e6) / asked.answered
  return {
    perSecond: asked.answered / asked.seconds,
    serverMicros: micros(after.processorSeconds - before.processorSeconds),
    databaseMicros: micros(databaseAfter - databaseBefore),
    clientBusy: asked.processorSeconds / asked.seconds,
    memory: after.memoryMegabytes,
  }
}

const credentials = Buffer.from(`${apiKey}:x`).toString('base64')

const requestFor = (path: string, port: number, accept: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Basic ${credentials}\r\nAccept: ${accept}\r\n\r\n`

/** The answer that the bare server copies. */
async function readOne(port: number, ca: string, id: number): Promise<string> {
  const headers = { Authorization: `Basic ${credentials}` }
  const request = https.get({ host: 'localhost', port, ca, path: `/subscriptions/${id}.json`, headers, agent: false })
  const [response] = await once(request, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  if (response.statusCode !== 200) throw new Error(`the subscription could not be read: ${text}`)
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
