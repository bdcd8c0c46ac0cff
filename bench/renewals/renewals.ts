/** Renewals: our engine between the most that SQL can do and what one transaction for each subscription gives. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { lanes as lanesOfService } from '../../src/workers/workers.ts'
import { median, percent, print, spread, timed, whole } from '../figures.ts'
import { type Place, withPlace } from '../place.ts'
import { serverSeconds } from '../processor-time.ts'
import { renewBySetsAlone } from './ceiling.ts'
import { type DueSite, makeDueSite, settleDown } from './data.ts'
import type { Renewed } from './engine.ts'
import { renewOneByOne } from './one-by-one.ts'
import { expectSame, type Rows, readRows } from './same-rows.ts'

/** Renews the site that is due; what it needs is there and warm. */
type Work = (site: DueSite) => Promise<{ renewed: number; seconds: number; processes: Renewed[] }>
type Way = { key: string; title: string; prepare(place: Place): Promise<{ work: Work; end(): Promise<void> }> }

const setSize = 500
const warmUpCount = 2_000
const slowCount = 12_000
const slowLatencyMs = 200
const bogusConcurrency = 256

const bySets =
  (workers: number): Way['prepare'] =>
  async (place) => {
    const clients = await Promise.all(Array.from({ length: workers }, () => place.pool.connect()))
    return {
      work: async (site) => {
        const { result, seconds } = await timed(() =>
          Promise.all(clients.map((client) => renewBySetsAlone(client, site, setSize))),
        )
        return { renewed: sum(result), seconds, processes: [] }
      },
      end: async () => {
        for (const client of clients) client.release()
      },
    }
  }

const byEngine =
  (processes: number, lanes: number): Way['prepare'] =>
  async ({ connection }) => {
    const engines = Array.from({ length: processes }, () =>
      fork(new URL('./engine.ts', import.meta.url), [JSON.stringify({ connection, lanes })]),
    )
    await Promise.all(engines.map((engine) => once(engine, 'message')))
    return {
      work: async () => {
        const { result, seconds } = await timed(() => Promise.all(engines.map(workOf)))
        return { renewed: sum(result.map((each) => each.renewed)), seconds, processes: result }
      },
      end: async () => {
        await Promise.all(
          engines.map((engine) => {
            engine.disconnect()
            return once(engine, 'exit')
          }),
        )
      },
    }
  }

async function workOf(engine: ChildProcess): Promise<Renewed> {
  engine.send('work')
  const [renewed] = await once(engine, 'message')
  return renewed
}

const ways: readonly Way[] = [
  { key: 'a1', title: '(a) SQL alone, in sets, 1 worker', prepare: bySets(1) },
  { key: 'b1', title: '(b) engine, 1 process with 1 lane', prepare: byEngine(1, 1) },
  { key: 'a2', title: '(a) SQL alone, in sets, 2 workers', prepare: bySets(2) },
  { key: 'b2', title: '(b) engine, 2 processes with 1 lane each', prepare: byEngine(2, 1) },
  { key: 'b', title: `(b) engine, 1 process with ${lanesOfService} lanes`, prepare: byEngine(1, lanesOfService) },
  {
    key: 'c',
    title: '(c) one transaction each, 16 at a time',
    prepare: async ({ connection }) => ({
      work: async (site) => ({ ...(await renewOneByOne(connection, site)), processes: [] }),
      end: async () => {},
    }),
  },
]

type Measured = { perSecond: number; databaseMicros: number; nodeMicros: number; memoryMegabytes: number; rows: Rows }

const micros = ({ databaseMicros, nodeMicros }: Measured): number => databaseMicros + nodeMicros

async function measure(place: Place, way: Way, count: number): Promise<Measured> {
  const { work, end } = await way.prepare(place)
  await work(await makeDueSite(place, warmUpCount))
  const site = await makeDueSite(place, count)
  await settleDown(place)
  const before = await serverSeconds(place)
  const { renewed, seconds, processes } = await work(site)
  const databaseSeconds = (await serverSeconds(place)) - before
  await end()
  if (renewed !== count) throw new Error(`${way.title}: renewed ${renewed} of ${count}`)
  return {
    perSecond: renewed / seconds,
    databaseMicros: (databaseSeconds * 1e6) / renewed,
    nodeMicros: (sum(processes.map((each) => each.processorSeconds)) * 1e6) / renewed,
    memoryMegabytes: Math.max(0, ...processes.map((each) => each.memoryMegabytes)),
    rows: await readRows(place, site),
  }
}

export async function benchRenewals(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { count: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '3' } },
  })
  const count = Number(values.count)
  await withPlace(async (place) => {
    // Ids of the gateway's record have as many digits as all others, so that rows can be compared.
    await place.run(`select setval('bogus_gateway.calls_id_seq', 1000000)`)
    const rounds: Record<string, Measured>[] = []
    print('due subscriptions for each way and round', `${whole(count)}; ${values.rounds} rounds`)
    for (let round = 0; round < Number(values.rounds); round++) {
      const measured: Record<string, Measured> = {}
      for (const way of ways) measured[way.key] = await measure(place, way, count)
      for (const { key, title } of ways) expectSame(measured[key]!.rows, measured.a1!.rows, title)
      rounds.push(measured)
    }
    show(rounds)
    await benchSlowGateway(place)
  })
}

function show(rounds: readonly Record<string, Measured>[]): void {
  const of = (key: string, pick: (measured: Measured) => number) => rounds.map((round) => pick(round[key]!))
  const ratio = (key: string, base: string) =>
    median(rounds.map((round) => round[key]!.perSecond / round[base]!.perSecond))
  const processorRatio = (key: string, base: string) =>
    median(rounds.map((round) => micros(round[base]!) / micros(round[key]!)))
  for (const { key, title } of ways) {
    const database = whole(median(of(key, (each) => each.databaseMicros)))
    const node = whole(median(of(key, (each) => each.nodeMicros)))
    const processor = key.startsWith('b') ? `database ${database} µs, Node ${node} µs` : `database ${database} µs`
    print(
      title,
      `${spread(
        of(key, (each) => each.perSecond),
        '/s',
      )}; processor time each: ${processor}`,
    )
  }
  const printRatio = (label: string, key: string, base: string) =>
    print(label, `${percent(ratio(key, base))}; by processor time ${percent(processorRatio(key, base))}`)
  printRatio('(b) / (a), 1 worker', 'b1', 'a1')
  printRatio('(b) / (a), 2 workers', 'b2', 'a2')
  printRatio('(b) as one service / (a), 2 workers', 'b', 'a2')
  print('(b) as one service / (c)', `${ratio('b', 'c').toFixed(1)} times`)
  const engines = ways.filter(({ key }) => key.startsWith('b'))
  print(
    '(b) peak memory of one process',
    `${whole(Math.max(...engines.flatMap(({ key }) => of(key, (each) => each.memoryMegabytes))))} MB`,
  )
  const { rows } = rounds[0]!.a1!
  const counts = Object.entries(rows).map(([table, each]) => `${table} ${whole(each.count)}`)
  print('rows, the same in all ways', counts.join(', '))
}

/** How close the engine comes to what a gateway bears that takes its time. */
async function benchSlowGateway(place: Place): Promise<void> {
  const { work, end } = await byEngine(1, lanesOfService)(place)
  await work(await makeDueSite(place, warmUpCount))
  const site = await makeDueSite(place, slowCount)
  await place.pool.query('insert into bogus_gateway.behaviours (site_id, latency_in_ms) values ($1, $2)', [
    site.id,
    slowLatencyMs,
  ])
  await settleDown(place)
  const { renewed, seconds, processes } = await work(site)
  await end()
  const took = processes[0]!.paymentSecondsMean
  const borne = bogusConcurrency / took
  const perSecond = renewed / seconds
  print(
    `gateway that takes ${slowLatencyMs} ms, ${bogusConcurrency} at a time`,
    `${whole(perSecond)}/s; with its own record it took ${whole(took * 1000)} ms and bore ${whole(borne)}/s: ${percent(perSecond / borne)}`,
  )
}

const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0)
