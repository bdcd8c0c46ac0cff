/** What happened to bills, read from the site's events: they were issued, paid, not paid, or money was given back of them. */
import type { BillRef } from '../billing/bill.ts'
import { type BillEventFilter, type BillEventType, billEventTypes } from '../billing/bill-list.ts'
import type { Transaction } from '../billing/ledger.ts'
import { ownPayments } from '../billing/statement.ts'
import { isBill } from './billed-statements.ts'
import type { Connection } from './database.ts'
import { settledWindow } from './open-writers.ts'
import { allOf, bigints, fragment, type Sql, sql, texts } from './sql.ts'
import { transactions } from './tables.ts'

const keysOf: Record<BillEventType, readonly string[]> = {
  issue_invoice: ['statement_closed', 'statement_settled', 'invoice_issued'],
  apply_payment: ['payment_success'],
  failed_payment: ['payment_failure'],
  refund_invoice: ['refund_success'],
}
const typeOf = new Map(billEventTypes.flatMap((type) => keysOf[type].map((key) => [key, type] as const)))

/** `transaction` is the payment or the refund; null of an issue. */
export type BillEvent = {
  id: number
  type: BillEventType
  at: Temporal.Instant
  ref: BillRef
  transaction: Transaction | null
}

/** A payment may go to several invoices: its site event becomes one event of each, and so many ids are kept free for them. */
const idsPerEvent = 100

/** The first of the two events that a statement may have at the moment of its closing. */
const issuedStatements = sql`
  select 1 as kind, m.id as bill, null::bigint as row_id from statements m
  where e.key in ('statement_closed', 'statement_settled') and m.site_id = e.site_id
    and m.id = substring(e.message from '^Statement ([0-9]+) ')::bigint and m.closed_at = e.created_at and ${isBill('m')}
    and not exists (
      select from events x
      where x.site_id = e.site_id and x.subscription_id = e.subscription_id and x.id < e.id and x.created_at = e.created_at
        and x.key = 'statement_closed' and x.message like 'Statement ' || m.id || ' %')`

/** Those that were issued at one moment come in the order of their events. */
const issuedInvoices = sql`
  select 0, one.id, null::bigint from (
    select i.id from invoices i
    where e.key = 'invoice_issued' and i.site_id = e.site_id and i.subscription_id = e.subscription_id
      and i.created_at = e.created_at
    order by i.id limit 1 offset (
      select count(*) from events x
      where x.site_id = e.site_id and x.subscription_id = e.subscription_id and x.key = 'invoice_issued'
        and x.created_at = e.created_at and x.id < e.id)) one`

/** The invoices that a payment is listed on; else the oldest statement that was unpaid when it came, or its own. */
const paidBills = sql`
  select c.kind, c.bill, w.id from transactions w
  join transactions p on p.site_id = w.site_id and p.id = coalesce(w.refunded_payment_id, w.id)
  cross join lateral (
    select 0 as kind, n.invoice_id as bill from invoice_entries n where n.site_id = p.site_id and n.transaction_id = p.id
    union all
    select 1, one.id from (
      select m.id from statements m
      where m.site_id = p.site_id and m.subscription_id = p.subscription_id and ${isBill('m')}
        and (m.id = p.statement_id or (coalesce(p.kind, '') <> all(${texts(ownPayments)}::text[])
          and m.closed_at <= p.created_at and (m.settled_at is null or m.settled_at >= p.created_at)))
      order by m.id limit 1) one
    where not exists (select from invoice_entries n where n.site_id = p.site_id and n.transaction_id = p.id)) c
  where e.key in ('payment_success', 'payment_failure', 'refund_success') and w.site_id = e.site_id and w.type <> 'charge'
    and w.id = coalesce(e.event_specific_data ->> 'account_transaction_id', e.event_specific_data ->> 'refund_id')::bigint
    and (w.type <> 'refund' or w.refunded_payment_id is not null)`

/** Oldest first. Asked for those after an id, it leaves out what an act that is still being written may come before. */
export async function listBillEvents(
  connection: Connection,
  siteId: number,
  { afterId, since, ref, types }: BillEventFilter,
  { perPage, offset }: { perPage: number; offset: number },
): Promise<BillEvent[]> {
  const sinceId = afterId === null ? null : Math.floor(afterId / idsPerEvent)
  const { maxId } = await settledWindow(connection, siteId, 'events', { sinceId, maxId: null })
  const conditions = [
    sql`e.site_id = ${siteId}`,
    sql`e.key = any(${texts(types.flatMap((type) => keysOf[type]))}::text[])`,
    ...(sinceId === null ? [] : [sql`e.id >= ${sinceId}`]),
    ...(maxId === null ? [] : [sql`e.id <= ${maxId}`]),
    ...(since === null ? [] : [sql`e.created_at >= ${since}`]),
    ...(ref === null ? [] : [sql`e.subscription_id = ${subscriptionOf(siteId, ref)}`]),
  ]
  const rows = await connection.arrays(sql`
    select b.id, e.key, e.created_at, b.kind, b.bill, b.row_id from events e
    cross join lateral (
      select e.id * ${idsPerEvent}::bigint + row_number() over (order by a.kind, a.bill) - 1 as id, a.* from (
        ${issuedStatements} union all ${issuedInvoices} union all ${paidBills}) a) b
    where ${allOf([
      ...conditions,
      ...(afterId === null ? [] : [sql`b.id > ${afterId}`]),
      ...(ref === null ? [] : [sql`b.kind = ${ref.kind === 'invoice' ? 0 : 1}`, sql`b.bill = ${ref.id}`]),
    ])}
    order by e.id, b.id limit ${perPage} offset ${offset}`)
  const named = await listRows(
    connection,
    siteId,
    rows.map((row) => row[5] as number | null).filter((id) => id !== null),
  )
  return rows.map(([id, key, at, kind, bill, rowId]) => ({
    id: id as number,
    type: typeOf.get(key as string)!,
    at: at as Temporal.Instant,
    ref: { kind: kind === 0 ? 'invoice' : 'statement', id: bill as number },
    transaction: rowId === null ? null : named.get(rowId as number)!,
  }))
}

const subscriptionOf = (siteId: number, { kind, id }: BillRef): Sql => sql`(
  select o.subscription_id from ${fragment(kind === 'invoice' ? 'invoices' : 'statements')} o
  where o.site_id = ${siteId} and o.id = ${id})`

async function listRows(
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<Map<number, Transaction>> {
  if (ids.length === 0) return new Map()
  const rows = await connection.arrays(sql`
    select ${transactions.list('t')} from transactions t
    where t.site_id = ${siteId} and t.id = any(${bigints(ids)}::bigint[])`)
  return new Map(rows.map((row) => transactions.read(row)).map((row) => [row.id, row]))
}

/** What a payment may have gone to: invoices that list it, statements that were unpaid when it came, and its own. */
export async function listBillsPaidBy(connection: Connection, siteId: number, paymentId: number): Promise<BillRef[]> {
  const rows = await connection.arrays(sql`
    select 0, n.invoice_id from invoice_entries n where n.site_id = ${siteId} and n.transaction_id = ${paymentId}
    union all
    select 1, m.id from transactions p
    join statements m on m.site_id = p.site_id and m.subscription_id = p.subscription_id
      and (m.id = p.statement_id or (m.closed_at <= p.created_at and (m.settled_at is null or m.settled_at >= p.created_at)))
    where p.site_id = ${siteId} and p.id = ${paymentId}
    order by 1, 2`)
  return rows.map(([kind, id]) => ({ kind: kind === 0 ? 'invoice' : 'statement', id: id as number }))
}
