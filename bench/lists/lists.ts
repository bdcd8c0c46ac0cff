/** Lists: every list and filter at its beginning and far in, on a site with ten thousand transactions and on one with ten million. */
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { median, print, timed, whole } from '../figures.ts'
import { type Place, withPlace } from '../place.ts'
import { type Asked, eventLists, invoiceLists, statementLists, transactionLists, webhookLists } from './asked.ts'
import { type ListSite, makeListSites } from './data.ts'
import { findScans, noting } from './plans.ts'

const smallRows = 10_000
/** Of the median times, where a list goes on from an id, a moment or one thing. */
const ratioMax = 1.3
const roundsMax = 201
const secondsMax = 2
const warmUpRounds = 5

/** Throws when a list that goes on costs more far in than at its beginning, or when any plan reads a large table from end to end. */
export async function benchLists(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rows: { type: 'string', default: '10000000' } } })
  const problems: string[] = []
  await withPlace(async (place) => {
    const { result: sites, seconds } = await timed(() => makeListSites(place, [smallRows, Number(values.rows)]))
    const [small, large] = sites as [ListSite, ListSite]
    const shown = [small, large].map(({ transactions }) => whole(transactions)).join(' and ')
    print('transactions of the two sites', `${shown}, loaded in ${seconds.toFixed(0)} s`)
    print('', 'near, small | near, large | far, large | far / near')
    const db = openDatabase(place.connection, { size: 1 })
    try {
      for (const asked of [...transactionLists, ...statementLists, ...eventLists, ...invoiceLists, ...webhookLists]) {
        problems.push(...(await benchOne(place, db, { asked, small, large })))
      }
    } finally {
      await db.close()
    }
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  print('no sequential scan, and nothing that goes on costs more', `than ${ratioMax} times its beginning`)
}

type Bench = { asked: Asked; small: ListSite; large: ListSite }

async function benchOne(place: Place, db: Database, { asked, small, large }: Bench): Promise<string[]> {
  const { title, near, far, isContinuation = false } = asked
  const { connection, texts } = noting(db)
  const [nearSmall] = await measure([() => near(connection, small)])
  const [nearLarge, farLarge] = await measure([
    () => near(connection, large),
    ...(far === undefined ? [] : [() => far(connection, large)]),
  ])
  const ratio = farLarge === undefined ? undefined : farLarge / nearLarge!
  const figures = [nearSmall, nearLarge, farLarge].map((ms) => (ms === undefined ? '-' : `${ms.toFixed(2)} ms`))
  print(
    title,
    `${figures.join(' | ')} | ${ratio === undefined ? '-' : ratio.toFixed(2)}${isContinuation ? '' : ' (not held to)'}`,
  )
  const scans = (await Promise.all([...texts].map((text) => findScans(place, text)))).flat()
  return [
    ...(isContinuation && ratio !== undefined && ratio > ratioMax
      ? [`${title}: ${ratio.toFixed(2)} times as long far in`]
      : []),
    ...scans.map((table) => `${title}: reads ${table} from end to end`),
  ]
}

/** Median milliseconds of each reading, taken in turns, so that what else the machine does falls on all of them. */
async function measure(readings: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const taken: number[][] = readings.map(() => [])
  const start = performance.now()
  for (let round = 0; round < roundsMax; round++) {
    for (const [place, read] of readings.entries()) {
      const { seconds } = await timed(read)
      taken[place]!.push(seconds * 1000)
    }
    if (performance.now() - start > secondsMax * 1000 && round >= 2) break
  }
  return taken.map((times) => median(times.length > 2 * warmUpRounds ? times.slice(warmUpRounds) : times))
}
