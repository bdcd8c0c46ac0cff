/** What customers see of their own records, over all their subscriptions: payments, closed statements and invoices. */
import type { InvoiceState } from '../billing/invoice.ts'
import type { Transaction } from '../billing/ledger.ts'
import type { Cents } from '../billing/money.ts'
import type { Connection } from './database.ts'
import { sql } from './sql.ts'
import { transactions } from './tables.ts'

type Part = { perPage: number; offset: number }

export type PaymentLine = { transaction: Transaction; productName: string }

/** Payments and refunds, newest first; failed ones are among them. */
export const listPaymentsOfCustomer = async (
  connection: Connection,
  siteId: number,
  customerId: number,
  { perPage, offset }: Part,
): Promise<PaymentLine[]> =>
  (
    await connection.arrays(sql`
      select ${transactions.list('t')}, p.name from subscriptions s
      join transactions t on t.site_id = s.site_id and t.subscription_id = s.id
      join products p on p.site_id = t.site_id and p.id = t.product_id
      where s.site_id = ${siteId} and s.customer_id = ${customerId} and s.deleted_at is null and t.type in ('payment', 'refund')
      order by t.id desc limit ${perPage} offset ${offset}`)
  ).map((row) => ({ transaction: transactions.read(row), productName: row[transactions.width] as string }))

export type StatementLine = {
  id: number
  subscriptionId: number
  productName: string
  openedAt: Temporal.Instant
  closedAt: Temporal.Instant
  settledAt: Temporal.Instant | null
  total: Cents
}

/** Closed statements, newest first. */
export const listStatementsOfCustomer = async (
  connection: Connection,
  siteId: number,
  customerId: number,
  { perPage, offset }: Part,
): Promise<StatementLine[]> =>
  (
    await connection.arrays(sql`
      select t.id, t.subscription_id, p.name, t.opened_at, t.closed_at, t.settled_at, t.total_in_cents
      from subscriptions s
      join statements t on t.site_id = s.site_id and t.subscription_id = s.id
      join products p on p.site_id = s.site_id and p.id = s.product_id
      where s.site_id = ${siteId} and s.customer_id = ${customerId} and s.deleted_at is null and t.closed_at is not null
      order by t.id desc limit ${perPage} offset ${offset}`)
  ).map(([id, subscriptionId, productName, openedAt, closedAt, settledAt, total]) => ({
    id: id as number,
    subscriptionId: subscriptionId as number,
    productName: productName as string,
    openedAt: openedAt as Temporal.Instant,
    closedAt: closedAt as Temporal.Instant,
    settledAt: settledAt as Temporal.Instant | null,
    total: total as Cents,
  }))

export type InvoiceLine = {
  id: number
  number: number
  state: InvoiceState
  createdAt: Temporal.Instant
  total: Cents
  due: Cents
}

/** Newest first; archived ones were withdrawn. */
export const listInvoicesOfCustomer = async (
  connection: Connection,
  siteId: number,
  customerId: number,
  { perPage, offset }: Part,
): Promise<InvoiceLine[]> =>
  (
    await connection.arrays(sql`
      select i.id, i.number, i.state, i.created_at, i.total_in_cents, i.due_in_cents
      from subscriptions s
      join invoices i on i.site_id = s.site_id and i.subscription_id = s.id
      where s.site_id = ${siteId} and s.customer_id = ${customerId} and s.deleted_at is null and i.state <> 'archived'
      order by i.id desc limit ${perPage} offset ${offset}`)
  ).map(([id, number, state, createdAt, total, due]) => ({ id, number, state, createdAt, total, due }) as InvoiceLine)
