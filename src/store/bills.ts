/** Bills with everything that stands on them: a page of invoices and statements in a fixed number of statements. */
import { type Bill, type BillContext, type BillRef, billOfInvoice, billOfStatement } from '../billing/bill.ts'
import type { CouponOfBill, LineSource } from '../billing/bill-lines.ts'
import type { Customer } from '../billing/customer.ts'
import type { InvoiceBuyer } from '../billing/invoice.ts'
import type { Transaction as LedgerRow } from '../billing/ledger.ts'
import { type Cents, cents } from '../billing/money.ts'
import type { BillingAddress } from '../billing/payment-profile.ts'
import type { Connection } from './database.ts'
import { type InvoiceRecord, listInvoiceRecordsById } from './invoice-records.ts'
import { getLetterhead } from './letterheads.ts'
import { paidSince } from './paid-since.ts'
import { bigints, fragment, sql } from './sql.ts'
import { listStatementDetails, type StatementDetails } from './statement-details.ts'
import { transactions } from './tables.ts'

type Around = Omit<BillContext, 'currency' | 'seller' | 'buyer' | 'subscribedAt' | 'wasInvoiced' | 'netTerms'>

/** In the order of the refs, of which some may be the same; what is no bill of the site is left out. `currency` is the site's. */
export async function listBills(
  connection: Connection,
  { id: siteId, currency }: { id: number; currency: string },
  refs: readonly BillRef[],
): Promise<Bill[]> {
  if (refs.length === 0) return []
  const idsOf = (kind: BillRef['kind']) => [...new Set(refs.filter((ref) => ref.kind === kind).map(({ id }) => id))]
  const [invoices, statements] = await Promise.all([
    listInvoiceRecordsById(connection, siteId, idsOf('invoice')),
    listStatementDetails(connection, siteId, idsOf('statement')),
  ])
  const rows = [...invoices.flatMap(({ charges, entries }) => [...charges, ...entries]), ...statements.flatMap(rowsOf)]
  const subscriptionIds = [
    ...invoices.map(({ invoice }) => invoice),
    ...statements.map(({ statement }) => statement),
  ].map(({ subscriptionId }) => subscriptionId)
  const [around, subscribed, owed, letterhead] = await Promise.all([
    listAround(
      connection,
      siteId,
      rows.map(({ transaction }) => transaction),
    ),
    listSubscribed(connection, siteId, subscriptionIds),
    listOwed(connection, siteId, statements),
    statements.length === 0 ? undefined : getLetterhead(connection, siteId),
  ])
  const found = new Map<string, Bill>()
  for (const record of invoices) {
    const { snapshot, subscriptionId } = record.invoice
    const { seller, buyer, currency: then, netTerms = null } = snapshot
    const context = { ...around, seller, buyer, currency: then, netTerms, ...subscribed.get(subscriptionId)! }
    keep(found, billOfInvoice(record.invoice, record.charges, record.entries, context))
  }
  for (const one of statements) {
    const { statement, customer, billingAddress, transactions: own, futurePayments } = one
    const buyer = buyerOf(customer, billingAddress)
    const since = subscribed.get(statement.subscriptionId)!
    const context = { ...around, seller: letterhead!.seller, buyer, currency, ...since }
    const money = { rows: own, laterPayments: futurePayments, owed: owed.get(statement.id)! }
    keep(found, billOfStatement({ statement, customerId: customer.id, ...money }, context))
  }
  return refs.map((ref) => found.get(keyOf(ref))).filter((bill) => bill !== undefined)
}

const keyOf = ({ kind, id }: BillRef): string => `${kind} ${id}`
const keep = (found: Map<string, Bill>, bill: Bill | undefined) => bill && found.set(keyOf(bill), bill)

const rowsOf = ({ transactions: own, futurePayments }: StatementDetails): InvoiceRecord['charges'] => [
  ...own,
  ...futurePayments,
]

const buyerOf = (customer: Customer, billing: BillingAddress | null): InvoiceBuyer => ({
  ...customer,
  billing: billing && {
    address: billing.billingAddress,
    address2: billing.billingAddress2,
    city: billing.billingCity,
    state: billing.billingState,
    zip: billing.billingZip,
    country: billing.billingCountry,
  },
})

/** What the rows name: lines as they are called, coupons, and what was given back of payments. */
async function listAround(connection: Connection, siteId: number, rows: readonly LedgerRow[]): Promise<Around> {
  const lines = rows.filter(({ type }) => type === 'charge' || type === 'adjustment')
  const payments = rows.filter(({ type }) => type === 'payment')
  const [lineSources, coupons, refunds] = await Promise.all([
    listLineSources(
      connection,
      siteId,
      lines.map(({ id }) => id),
    ),
    listCouponNames(
      connection,
      siteId,
      rows.map(({ couponId }) => couponId).filter((id) => id !== null),
    ),
    listRefunds(connection, siteId, payments),
  ])
  return { lineSources, coupons, refunds }
}

/** As the invoice of a charge kept them; of one that is on none, as they are now, and the period as an invoice would say it. */
async function listLineSources(
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<Map<number, LineSource>> {
  if (ids.length === 0) return new Map()
  const rows = await connection.arrays(sql`
    select t.id, l.invoice_id, coalesce(l.product_name, p.name), f.name, coalesce(l.component_name, k.name),
      coalesce(l.period_started_at, case
        when t.kind in ('quantity_based_component', 'on_off_component') and t.created_at between d.started_at and d.ends_at
          and t.created_at <> d.assessed_at then t.created_at else d.started_at end),
      coalesce(l.period_ends_at, d.ends_at)
    from transactions t
    join products p on p.site_id = t.site_id and p.id = t.product_id
    join product_families f on f.site_id = p.site_id and f.id = p.product_family_id
    left join components k on k.site_id = t.site_id and k.id = t.component_id
    left join invoice_lines l on l.site_id = t.site_id and l.transaction_id = t.id
    left join periods d on d.site_id = t.site_id and d.subscription_id = t.subscription_id
      and t.kind in ('baseline', 'trial', 'quantity_based_component', 'on_off_component', 'metered_component')
      and d.number = t.period_number - case when t.kind = 'metered_component' then 1 else 0 end
    where t.site_id = ${siteId} and t.id = any(${bigints(ids)}::bigint[])`)
  return new Map(
    rows.map(([id, invoiceId, productName, familyName, componentName, startedAt, endsAt]) => [
      id as number,
      { invoiceId, productName, familyName, componentName, startedAt, endsAt } as LineSource,
    ]),
  )
}

async function listCouponNames(
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<Map<number, CouponOfBill>> {
  if (ids.length === 0) return new Map()
  const rows = await connection.arrays(sql`
    select c.id, c.name, c.code, c.description, trim_scale(c.percentage)::text from coupons c
    where c.site_id = ${siteId} and c.id = any(${bigints(ids)}::bigint[])`)
  return new Map(
    rows.map(([id, name, code, description, percentage]) => [
      id as number,
      { name, code, description, percentage } as CouponOfBill,
    ]),
  )
}

async function listRefunds(
  connection: Connection,
  siteId: number,
  payments: readonly LedgerRow[],
): Promise<Map<number, LedgerRow[]>> {
  if (payments.length === 0) return new Map()
  const rows = await connection.arrays(sql`
    select ${transactions.list('r')}
    from unnest(${bigints(payments.map(({ subscriptionId }) => subscriptionId))}::bigint[],
      ${bigints(payments.map(({ id }) => id))}::bigint[]) as u (subscription_id, id)
    join transactions r on r.site_id = ${siteId} and r.subscription_id = u.subscription_id and r.refunded_payment_id = u.id
      and r.success
    order by r.id`)
  return Map.groupBy(
    rows.map((row) => transactions.read(row)),
    ({ refundedPaymentId }) => refundedPaymentId!,
  )
}

async function listSubscribed(
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<Map<number, Pick<BillContext, 'subscribedAt' | 'wasInvoiced'>>> {
  const rows = await connection.arrays(sql`
    select s.id, s.created_at, s.invoiced_through_id is not null from subscriptions s
    where s.site_id = ${siteId} and s.id = any(${bigints(ids)}::bigint[])`)
  return new Map(
    rows.map(([id, createdAt, wasInvoiced]) => [
      id as number,
      { subscribedAt: createdAt as Temporal.Instant, wasInvoiced: wasInvoiced as boolean },
    ]),
  )
}

/** What nothing has paid so far of what each statement left unpaid; of the open one, the balance as it stands. */
async function listOwed(
  connection: Connection,
  siteId: number,
  found: readonly StatementDetails[],
): Promise<Map<number, Cents>> {
  const owed = new Map(found.map(({ statement, balance }) => [statement.id, balance]))
  const unsettled = found.filter(({ statement: { closedAt, settledAt } }) => closedAt !== null && settledAt === null)
  if (unsettled.length === 0) return owed
  const rows = await connection.arrays(sql`
    select u.id, u.ending_balance_in_cents - ${paidSince(fragment('u'))} from statements u
    where u.site_id = ${siteId} and u.id = any(${bigints(unsettled.map(({ statement }) => statement.id))}::bigint[])`)
  for (const [id, left] of rows) owed.set(id as number, cents(Number(left)))
  return owed
}
