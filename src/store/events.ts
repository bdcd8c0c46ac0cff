/** Site events: written, and read as the newest page, the ones since an id, those of a key, of a subscription or of a time. */
import { assert } from '../billing/assert.ts'
import type { SiteEvent } from '../billing/event.ts'
import type { Connection, Transaction } from './database.ts'
import { markWriter, settledWindow } from './open-writers.ts'
import { allOf, fragment, type Sql, sql, texts } from './sql.ts'
import { events } from './tables.ts'
import { type Receiver, receivers } from './webhooks.ts'

export type EventRecord = Omit<SiteEvent, 'particulars'> & { id: number }

/**
 * Writes events and gives the endpoints that are told of anything, in the same statement; with the ids of the events, in their
 * order, where there is such an endpoint. Nothing else inserts events, and its caller tells the endpoints.
 */
export async function insertEvents(
  tx: Transaction,
  siteId: number,
  rows: readonly SiteEvent[],
): Promise<{ ids: readonly number[]; receivers: readonly Receiver[] }> {
  if (rows.length === 0) return { ids: [], receivers: [] }
  const [, found] = await Promise.all([
    markWriter(tx, siteId, 'events'),
    tx.arrays(sql`
      with told as (${events.insertion(siteId, rows)} returning id)
      select r.id, r.event_keys, (select array_agg(told.id order by told.id) from told) from (${receivers(siteId)}) r order by r.id`),
  ])
  return {
    ids: (found[0]?.[2] ?? []) as number[],
    receivers: found.map(([id, eventKeys]) => ({ id: id as number, eventKeys: eventKeys as string[] })),
  }
}

/** Null is no limit; both ends of a window belong to it. */
export type EventFilter = {
  subscriptionId: number | null
  sinceId: number | null
  maxId: number | null
  keys: readonly string[] | null
  /** Left out; few rows have such a key. */
  exceptKeys?: readonly string[]
  since: Temporal.Instant | null
  until: Temporal.Instant | null
}

type Window = { perPage: number; offset: number; direction: 'asc' | 'desc' }

const conditions = (siteId: number, filter: EventFilter): Sql[] => [
  sql`e.site_id = ${siteId}`,
  ...(filter.subscriptionId === null ? [] : [sql`e.subscription_id = ${filter.subscriptionId}`]),
  ...(filter.sinceId === null ? [] : [sql`e.id >= ${filter.sinceId}`]),
  ...(filter.maxId === null ? [] : [sql`e.id <= ${filter.maxId}`]),
  ...(filter.since === null ? [] : [sql`e.created_at >= ${filter.since}`]),
  ...(filter.until === null ? [] : [sql`e.created_at <= ${filter.until}`]),
  ...(filter.exceptKeys === undefined ? [] : [sql`e.id <> all(array(${idsOfKeys(siteId, filter.exceptKeys)}))`]),
]

/** By their ids and not by their keys, so that a page is still found in an index that has no keys. */
const idsOfKeys = (siteId: number, keys: readonly string[]): Sql =>
  sql`select x.id from events x where x.site_id = ${siteId} and x.key = any(${texts(keys)}::text[])`

export const eventsPerPageMax = 200

/** Changes nothing about the rows; without it PostgreSQL, which plans for any limit, would expect a tenth of the table on a page. */
const pageEnd = fragment(`limit ${eventsPerPageMax}`)

/** The ids of one page, found in an index alone: whoever turns far back passes over entries of an index, not over rows. */
function pageOf(
  siteId: number,
  filter: EventFilter,
  { perPage, offset }: Window,
  { byTime, order }: { byTime: boolean; order: Sql },
): Sql {
  const ours = conditions(siteId, filter)
  const { keys } = filter
  const cut = sql`order by ${order} limit ${perPage} offset ${offset}`
  if (keys === null) return sql`select e.id from events e where ${allOf(ours)} ${cut}`
  const sought = fragment(byTime ? 'e.id, e.created_at' : 'e.id')
  // The newest of each key, then the newest of those: a rare key is not looked for among all the others.
  return sql`
    select e.id from unnest(${texts(keys)}::text[]) as k (key)
    cross join lateral (
      select ${sought} from events e where ${allOf([...ours, sql`e.key = k.key`])}
      order by ${order} limit ${perPage}::bigint + ${offset}::bigint) e ${cut}`
}

/**
 * By id; within a window of time by time, so that either walks along an index however many events there are. Asked for those since
 * an id, it leaves out what is not settled yet.
 */
export async function listEvents(
  connection: Connection,
  siteId: number,
  filter: EventFilter,
  window: Window,
): Promise<EventRecord[]> {
  const { perPage, direction } = window
  assert(perPage <= eventsPerPageMax, 'a page is no longer than the statement that reads it expects')
  const byTime = filter.since !== null || filter.until !== null
  const order = fragment(byTime ? `e.created_at ${direction}, e.id ${direction}` : `e.id ${direction}`)
  const settled = await settledWindow(connection, siteId, 'events', filter)
  const page = pageOf(siteId, settled, window, { byTime, order })
  const rows = await connection.arrays(sql`
    select ${events.list('e')}, e.id from (select p.id from (${page}) p ${pageEnd}) page
    join events e on e.site_id = ${siteId} and e.id = page.id
    order by ${order}`)
  return rows.map((row) => ({ ...events.read(row), id: row[events.width] as number }))
}

export async function findEventCount(connection: Connection, siteId: number, filter: EventFilter): Promise<number> {
  const { keys } = filter
  const ofKeys = keys === null ? [] : [sql`e.key = any(${texts(keys)}::text[])`]
  const settled = await settledWindow(connection, siteId, 'events', filter)
  const [row] = await connection.arrays(sql`
    select count(*) from events e where ${allOf([...conditions(siteId, settled), ...ofKeys])}`)
  return row![0] as number
}
