/** Ledger rows as they are read: each with the payment that covered it, what was given back of it, and the taxes that fell on it. */
import type { Transaction } from '../billing/ledger.ts'
import type { Cents } from '../billing/money.ts'
import type { Taxation } from '../billing/tax.ts'
import type { Connection } from './database.ts'
import { bigints, type Sql, sql } from './sql.ts'
import { transactions } from './tables.ts'
import { listTaxations } from './taxes.ts'

/**
 * `paymentId` is the payment that covered a charge, or that a refund gives back; what was refunded is known of payments only,
 * taxes fall on charges only.
 */
export type TransactionRecord = {
  transaction: Transaction
  paymentId: number | null
  refundedAmount: Cents | null
  taxations: readonly Taxation[]
}

const coveredBy = sql`(
  select p.id from transactions p
  where p.site_id = t.site_id and p.subscription_id = t.subscription_id and p.covers_after_id is not null
    and p.id > t.id and p.covers_after_id < t.id
  order by p.id limit 1)`

const refundedOf = sql`(
  select coalesce(sum(r.amount_in_cents), 0)::bigint from transactions r
  where r.site_id = t.site_id and r.subscription_id = t.subscription_id and r.refunded_payment_id = t.id and r.success)`

/** The select list of rows of `transactions t`, as `readTransactionRecords` takes it. */
export const transactionRecordList: Sql = sql`${transactions.list('t')},
  case t.type when 'charge' then ${coveredBy} when 'refund' then t.refunded_payment_id end,
  case when t.type = 'payment' then ${refundedOf} end`

/** How many places of a row that list takes. */
export const transactionRecordWidth: number = transactions.width + 2

/** Rows that begin with `transactionRecordList`, with their taxes. */
export async function readTransactionRecords(
  connection: Connection,
  siteId: number,
  rows: readonly (readonly unknown[])[],
): Promise<TransactionRecord[]> {
  const read = rows.map((row) => ({
    transaction: transactions.read(row),
    paymentId: row[transactions.width] as number | null,
    refundedAmount: row[transactions.width + 1] as Cents | null,
  }))
  const taxable = read.filter(({ transaction }) => transaction.type === 'charge' && transaction.taxableAmount > 0)
  const taxations = await listTaxations(
    connection,
    siteId,
    taxable.map(({ transaction }) => transaction.id),
  )
  return read.map((record) => ({ ...record, taxations: taxations.get(record.transaction.id) ?? [] }))
}

export async function findTransactionRecord(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<TransactionRecord | undefined> {
  const rows = await connection.arrays(sql`
    select ${transactionRecordList} from transactions t where t.site_id = ${siteId} and t.id = ${id}`)
  return (await readTransactionRecords(connection, siteId, rows))[0]
}

/** With the payments that refunds among them give back; in no order. */
export async function listTransactionRecordsById(
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<TransactionRecord[]> {
  const rows = await connection.arrays(sql`
    select ${transactionRecordList} from transactions t
    where t.site_id = ${siteId} and t.id in (
      select w.id from unnest(${bigints(ids)}::bigint[]) as w (id)
      union
      select r.refunded_payment_id from transactions r
      where r.site_id = ${siteId} and r.id = any(${bigints(ids)}::bigint[]) and r.refunded_payment_id is not null)`)
  return readTransactionRecords(connection, siteId, rows)
}
