/** Lists that are read on by id miss nothing: ids that an open transaction may still fill are held back until it has ended. */
import type { Connection, Transaction } from './database.ts'
import { fragment, type Sql, sql } from './sql.ts'

/** What is read on by `since_id` and numbered by a sequence that several transactions draw from at once. */
export type OrderedList = 'transactions' | 'events'

/** The upper half of a lock's class; the site is the lower half. */
const lockClasses: Record<OrderedList, number> = { transactions: 0x6b62, events: 0x6b63 }

/** Sites whose ids agree in so many bits wait for each other's writers, which does no harm. */
const siteBits = 16

const lockClass = (list: OrderedList, siteId: number): number =>
  lockClasses[list] * 2 ** siteBits + (siteId % 2 ** siteBits)

const sequenceOf = (list: OrderedList): Sql => fragment(`${list}_id_seq`)

/** The id that a sequence gives next. */
const nextId = fragment('last_value + is_called::int')

/**
 * To be sent before the first id is drawn that the transaction writes to the list. A shared lock, so nobody ever waits for it;
 * PostgreSQL frees it after the rows are visible, or gone. It carries the lower half of the id that was next.
 */
export async function markWriter(tx: Transaction, siteId: number, list: OrderedList): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock_shared(${lockClass(list, siteId)}::int, (((${nextId}) << 32) >> 32)::int)
    from ${sequenceOf(list)}`)
}

type IdWindow = { sinceId?: number | null; maxId?: number | null }

/**
 * The filter of a list, ended where the list is settled if it begins at an id: a client that goes on after the last id it was
 * shown then misses nothing. For statements that begin after this one has been answered.
 */
export async function settledWindow<Filter extends IdWindow>(
  connection: Connection,
  siteId: number,
  list: OrderedList,
  filter: Filter,
): Promise<Filter> {
  if ((filter.sinceId ?? null) === null) return filter
  const settledId = await findSettledId(connection, siteId, list)
  return { ...filter, maxId: Math.min(filter.maxId ?? settledId, settledId) }
}

/**
 * Every row up to this id is visible to statements that begin later, or never will be. The sequence is read before the locks:
 * whoever drew an id by then held a lock already, and whoever draws later draws a greater one.
 */
async function findSettledId(connection: Connection, siteId: number, list: OrderedList): Promise<number> {
  const [row] = await connection.arrays(sql`
    with s as materialized (select ${nextId} as next from ${sequenceOf(list)})
    select s.next - 1 - (
      select coalesce(max(w.behind), 0) from (
        select (s.next - l.objid::bigint) & 4294967295 as behind from pg_locks l
        where l.locktype = 'advisory' and l.classid = ${lockClass(list, siteId)}::oid and l.objsubid = 2
          and l.database = (select d.oid from pg_database d where d.datname = current_database())) w
      where w.behind < 2147483648)
    from s`)
  return row![0] as number
}
