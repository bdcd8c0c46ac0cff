/** Lists of transactions, of a site or of one subscription: the page is found in an index, and only its rows are read. */
import { assert } from '../billing/assert.ts'
import { latestInstant } from '../billing/calendar.ts'
import { type TransactionType, transactionTypes } from '../billing/ledger.ts'
import type { Connection } from './database.ts'
import { settledWindow } from './open-writers.ts'
import { allOf, fragment, type Sql, sql, texts } from './sql.ts'
import { readTransactionRecords, type TransactionRecord, transactionRecordList } from './transaction-records.ts'

/** Both ends of a window belong to it; null is an open end, or no filter. Filters by id and by time may stand together. */
export type TransactionFilter = {
  subscriptionId?: number | null
  sinceId?: number | null
  maxId?: number | null
  since?: Temporal.Instant | null
  until?: Temporal.Instant | null
  /** None of them is a list without rows. */
  types?: readonly TransactionType[] | null
}

/** `created_at` is that and then the id, since many rows share a second. */
type TransactionOrder = 'id' | 'created_at'

export type TransactionPart = {
  orderBy: TransactionOrder
  direction: 'asc' | 'desc'
  perPage: number
  offset: number
}

/** What is in nearly every period; the other types have indexes of their own, which cost the renewals nothing. */
const commonTypes: readonly TransactionType[] = ['charge', 'payment']

const lastId = Number.MAX_SAFE_INTEGER
const firstMoment = Temporal.Instant.from('1970-01-01T00:00:00Z')

export const transactionsPerPageMax = 200

/**
 * Changes nothing about the rows. Statements are planned once for all values, and of a limit that it does not know PostgreSQL
 * believes that it lets a tenth of the table through, which it would then read from end to end.
 */
const pageEnd = fragment(`limit ${transactionsPerPageMax}`)

/** Windows are asked with both ends, so that the same statement serves all of them. */
function conditions(siteId: number, filter: TransactionFilter): Sql[] {
  const { subscriptionId = null, sinceId = null, maxId = null, since = null, until = null } = filter
  return [
    sql`t.site_id = ${siteId}`,
    ...(subscriptionId === null ? [] : [sql`t.subscription_id = ${subscriptionId}`]),
    ...(sinceId === null && maxId === null ? [] : [sql`t.id between ${sinceId ?? 0} and ${maxId ?? lastId}`]),
    ...(since === null && until === null
      ? []
      : [sql`t.created_at between ${since ?? firstMoment} and ${until ?? latestInstant}`]),
  ]
}

const isOfTypes = (types: readonly TransactionType[]): Sql => sql`t.type = any(${texts(types)}::text[])`

/** A subscription's rows are written one after the other and never backwards in time: its order by time is that of the ids. */
function orderOf(filter: TransactionFilter, { orderBy, direction }: TransactionPart, alias: string): Sql {
  const byId = orderBy === 'id' || (filter.subscriptionId ?? null) !== null
  return fragment(byId ? `${alias}.id ${direction}` : `${alias}.created_at ${direction}, ${alias}.id ${direction}`)
}

/** The ids of one page, with the time by which they are sorted. */
function pageOf(siteId: number, filter: TransactionFilter, part: TransactionPart): Sql {
  const { perPage, offset } = part
  const within = conditions(siteId, filter)
  const types = filter.types ?? transactionTypes
  const order = orderOf(filter, part, 't')
  const cut = sql`order by ${order} limit ${perPage} offset ${offset}`
  const isAny = transactionTypes.every((type) => types.includes(type))
  if (isAny || (filter.subscriptionId ?? null) !== null) {
    const all = isAny ? within : [...within, isOfTypes(types)]
    return sql`select t.id, t.created_at from transactions t where ${allOf(all)} ${cut}`
  }
  const common = types.filter((type) => commonTypes.includes(type))
  const rare = types.filter((type) => !commonTypes.includes(type))
  const branches = [
    ...(common.length === 0 ? [] : [pageOfCommonTypes([...within, isOfTypes(common)], order, perPage + offset)]),
    ...(rare.length === 0 ? [] : [pageOfRareTypes(within, rare, order, perPage + offset)]),
  ]
  const [one, other] = branches
  const all = other === undefined ? one! : sql`${one!} union all ${other}`
  return sql`select t.id, t.created_at from (${all}) t ${cut}`
}

const pageOfCommonTypes = (within: readonly Sql[], order: Sql, rowsMax: number): Sql =>
  sql`(select t.id, t.created_at from transactions t where ${allOf(within)} order by ${order} limit ${rowsMax})`

/** Each type has its own walk through its own part of the index. */
const pageOfRareTypes = (within: readonly Sql[], types: readonly TransactionType[], order: Sql, rowsMax: number): Sql =>
  sql`(select r.id, r.created_at from unnest(${texts(types)}::text[]) as k (type) cross join lateral (
    select t.id, t.created_at from transactions t
    where ${allOf([...within, sql`t.type = k.type`, sql`t.type not in ('charge', 'payment')`])}
    order by ${order} limit ${rowsMax}) r)`

/** Asked for those since an id, it leaves out what is not settled yet. */
export async function listTransactionRecords(
  connection: Connection,
  siteId: number,
  filter: TransactionFilter,
  part: TransactionPart,
): Promise<TransactionRecord[]> {
  assert(part.perPage <= transactionsPerPageMax, 'a page is no longer than the statement that reads it expects')
  if (filter.types?.length === 0) return []
  const settled = await settledWindow(connection, siteId, 'transactions', filter)
  const rows = await connection.arrays(sql`
    select ${transactionRecordList} from (select p.id from (${pageOf(siteId, settled, part)}) p ${pageEnd}) page
    join transactions t on t.site_id = ${siteId} and t.id = page.id
    order by ${orderOf(filter, part, 't')}`)
  return readTransactionRecords(connection, siteId, rows)
}

export async function findTransactionCount(
  connection: Connection,
  siteId: number,
  filter: TransactionFilter,
): Promise<number> {
  const { types = null } = filter
  const settled = await settledWindow(connection, siteId, 'transactions', filter)
  const within = [...conditions(siteId, settled), ...(types === null ? [] : [isOfTypes(types)])]
  const [row] = await connection.arrays(sql`select count(*) from transactions t where ${allOf(within)}`)
  return row![0] as number
}
