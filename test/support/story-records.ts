/** Everything that one subscription left in the database, in the order in which it was written. */

import type { Interval } from '../../src/billing/calendar.ts'
import type { Period } from '../../src/billing/changes.ts'
import type { AppliedCoupon } from '../../src/billing/coupon.ts'
import type { Subscription } from '../../src/billing/subscription.ts'
import type { Connection } from '../../src/store/database.ts'
import { type EventRecord, eventsPerPageMax, listEvents } from '../../src/store/events.ts'
import { everyInvoice, type InvoiceRecord, listInvoiceRecords } from '../../src/store/invoice-records.ts'
import { sql } from '../../src/store/sql.ts'
import type { StatementDetails } from '../../src/store/statement-details.ts'
import { listStatements } from '../../src/store/statement-lists.ts'
import { listAppliedCoupons } from '../../src/store/subscription-coupons.ts'
import { events, periods, subscriptions } from '../../src/store/tables.ts'
import { listTransactionRecords, transactionsPerPageMax } from '../../src/store/transaction-lists.ts'
import type { TransactionRecord } from '../../src/store/transaction-records.ts'

export type Records = {
  subscription: Subscription
  coupons: AppliedCoupon[]
  productName: string
  /** Of its product, or of the price that is its own. */
  interval: Interval
  customerName: string
  periods: Period[]
  transactions: TransactionRecord[]
  statements: StatementDetails['statement'][]
  /** The same statements with all that they show. */
  details: StatementDetails[]
  events: EventRecord[]
  /** Oldest first. */
  invoices: InvoiceRecord[]
}

const unfiltered = { sinceId: null, maxId: null, keys: null, since: null, until: null }
const everything = { perPage: 100_000, offset: 0, direction: 'asc' } as const

export async function readRecords(db: Connection, siteId: number, id: number): Promise<Records> {
  const [[row], periodRows, transactionRecords, statementRecords, eventRecords, invoiceRecords, coupons] =
    await Promise.all([
      db.arrays(sql`
      select ${subscriptions.list('s')}, p.name, c.first_name || ' ' || c.last_name, v.interval_count, v.interval_unit from subscriptions s
      join product_versions v on v.site_id = s.site_id and v.product_id = s.product_id and v.version_number = s.product_version_number
      join products p on p.site_id = s.site_id and p.id = s.product_id
      join customers c on c.site_id = s.site_id and c.id = s.customer_id
      where s.site_id = ${siteId} and s.id = ${id}`),
      db.arrays(sql`
      select ${periods.list('p')} from periods p where p.site_id = ${siteId} and p.subscription_id = ${id} order by p.number`),
      readTransactions(db, siteId, id),
      listStatements(db, siteId, { subscriptionId: id }, { ...everything, sort: 'created_at' }),
      readEvents(db, siteId, id),
      listInvoiceRecords(db, siteId, { ...everyInvoice, subscriptionId: id }, everything),
      listAppliedCoupons(db, siteId, [id]),
    ])
  return {
    subscription: subscriptions.read(row!),
    coupons: coupons.get(id) ?? [],
    productName: row![subscriptions.width] as string,
    customerName: row![subscriptions.width + 1] as string,
    interval: { count: row![subscriptions.width + 2], unit: row![subscriptions.width + 3] } as Interval,
    periods: periodRows.map((values) => periods.read(values)),
    transactions: transactionRecords,
    statements: statementRecords.map(({ statement }) => statement),
    details: statementRecords,
    events: eventRecords,
    invoices: invoiceRecords,
  }
}

/** Page by page, as a client would. */
async function readTransactions(db: Connection, siteId: number, subscriptionId: number): Promise<TransactionRecord[]> {
  const perPage = transactionsPerPageMax
  const read: TransactionRecord[] = []
  for (let page: TransactionRecord[] | undefined; page === undefined || page.length === perPage; read.push(...page)) {
    const sinceId = (read.at(-1)?.transaction.id ?? 0) + 1
    const part = { orderBy: 'id', direction: 'asc', perPage, offset: 0 } as const
    page = await listTransactionRecords(db, siteId, { subscriptionId, sinceId }, part)
  }
  return read
}

async function readEvents(db: Connection, siteId: number, subscriptionId: number): Promise<EventRecord[]> {
  const read: EventRecord[] = []
  for (
    let page: EventRecord[] | undefined;
    page === undefined || page.length === eventsPerPageMax;
    read.push(...page)
  ) {
    const filter = { ...unfiltered, subscriptionId, sinceId: (read.at(-1)?.id ?? 0) + 1 }
    page = await listEvents(db, siteId, filter, { perPage: eventsPerPageMax, offset: 0, direction: 'asc' })
  }
  return read
}

/** Events of the site that belong to no subscription. */
export const readSiteEvents = async (db: Connection, siteId: number): Promise<EventRecord[]> =>
  (
    await db.arrays(sql`
      select ${events.list('e')}, e.id from events e where e.site_id = ${siteId} and e.subscription_id is null order by e.id`)
  ).map((row) => ({ ...events.read(row), id: row[events.width] as number }))

export type Capture = { subscriptionId: number | null; idempotencyKey: string; amount: number }

/** What the test gateway took and did not give back, by its own record. */
export const readCaptures = (db: Connection, siteId: number): Promise<Capture[]> =>
  db.rows<Capture>(sql`
    select c.subscription_id as "subscriptionId", c.idempotency_key as "idempotencyKey", c.amount_in_cents as amount
    from bogus_gateway.calls c
    where c.site_id = ${siteId} and c.kind = 'purchase' and c.outcome = 'approved' and not exists (
      select from bogus_gateway.calls v
      where v.site_id = ${siteId} and v.kind = 'void' and v.outcome = 'approved' and v.idempotency_key = c.idempotency_key)
    order by c.id`)
