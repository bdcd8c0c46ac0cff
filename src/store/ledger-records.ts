/** What a subscription leaves behind, as it is read: transactions with the payments that covered them, statements. */
import type { Transaction } from '../billing/ledger.ts'
import type { Cents } from '../billing/money.ts'
import type { Statement } from '../billing/statement.ts'
import type { Connection } from './database.ts'
import { bigints, fragment, sql } from './sql.ts'
import { statements, transactions } from './tables.ts'

export type Window = { perPage: number; offset: number; direction: 'asc' | 'desc' }

/** `paymentId` is the payment that covered a charge, or that a refund gives back; what was refunded is known of payments only. */
export type TransactionRecord = { transaction: Transaction; paymentId: number | null; refundedAmount: Cents | null }

const coveredBy = sql`(
  select p.id from transactions p
  where p.site_id = t.site_id and p.subscription_id = t.subscription_id and p.covers_after_id is not null
    and p.id > t.id and p.covers_after_id < t.id
  order by p.id limit 1)`

const refundedOf = sql`(
  select coalesce(sum(r.amount_in_cents), 0)::bigint from transactions r
  where r.site_id = t.site_id and r.subscription_id = t.subscription_id and r.refunded_payment_id = t.id and r.success)`

const transactionRecordList = sql`${transactions.list('t')},
  case t.type when 'charge' then ${coveredBy} when 'refund' then t.refunded_payment_id end,
  case when t.type = 'payment' then ${refundedOf} end`

const readTransactionRecord = (row: readonly unknown[]): TransactionRecord => ({
  transaction: transactions.read(row),
  paymentId: row[transactions.width] as number | null,
  refundedAmount: row[transactions.width + 1] as Cents | null,
})

export async function findTransactionRecord(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<TransactionRecord | undefined> {
  const [row] = await connection.arrays(sql`
    select ${transactionRecordList} from transactions t where t.site_id = ${siteId} and t.id = ${id}`)
  return row && readTransactionRecord(row)
}

/** With the payments that refunds among them give back; in no order. */
export const listTransactionRecordsById = async (
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<TransactionRecord[]> =>
  (
    await connection.arrays(sql`
      select ${transactionRecordList} from transactions t
      where t.site_id = ${siteId} and t.id in (
        select w.id from unnest(${bigints(ids)}::bigint[]) as w (id)
        union
        select r.refunded_payment_id from transactions r
        where r.site_id = ${siteId} and r.id = any(${bigints(ids)}::bigint[]) and r.refunded_payment_id is not null)`)
  ).map(readTransactionRecord)

export const listTransactionRecords = async (
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  { perPage, offset, direction }: Window,
): Promise<TransactionRecord[]> =>
  (
    await connection.arrays(sql`
      select ${transactionRecordList} from transactions t
      where t.site_id = ${siteId} and t.subscription_id = ${subscriptionId}
      order by t.id ${fragment(direction)} limit ${perPage} offset ${offset}`)
  ).map(readTransactionRecord)

export type StatementRecord = Statement & {
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
  transactions: readonly TransactionRecord[]
}

/** The open statement shows what it amounts to so far. Each lists its own rows. */
export async function listStatementRecords(
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  { perPage, offset, direction }: Window,
): Promise<StatementRecord[]> {
  const rows = await connection.arrays(sql`
    select ${statements.list('t')}, s.open_statement_total_in_cents from statements t
    join subscriptions s on s.site_id = t.site_id and s.id = t.subscription_id
    where t.site_id = ${siteId} and t.subscription_id = ${subscriptionId}
    order by t.id ${fragment(direction)} limit ${perPage} offset ${offset}`)
  const found = rows.map((row) => {
    const statement = statements.read(row)
    return { ...statement, total: statement.closedAt === null ? (row[statements.width] as Cents) : statement.total }
  })
  const listed = await listRowsOfStatements(
    connection,
    siteId,
    subscriptionId,
    found.map(({ id }) => id),
  )
  return found.map((statement) => ({ ...statement, transactions: listed.get(statement.id) ?? [] }))
}

async function listRowsOfStatements(
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  ids: readonly number[],
): Promise<Map<number, TransactionRecord[]>> {
  const rows = await connection.arrays(sql`
    select ${transactionRecordList} from transactions t
    where t.site_id = ${siteId} and t.subscription_id = ${subscriptionId}
      and t.statement_id = any(${{ literal: `{${ids.join(',')}}` }}::bigint[])
    order by t.id`)
  return Map.groupBy(rows.map(readTransactionRecord), ({ transaction }) => transaction.statementId ?? 0)
}
