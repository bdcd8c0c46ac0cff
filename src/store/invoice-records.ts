/** Invoices as they are listed and read: with the ledger rows of their charges, and of what lowered the amount due. */
import { latestInstant } from '../billing/calendar.ts'
import type { InvoiceDate, InvoiceSort, InvoiceState } from '../billing/invoice.ts'
import type { Cents } from '../billing/money.ts'
import type { Connection } from './database.ts'
import { type InvoiceRow, invoices } from './invoices.ts'
import { allOf, bigints, fragment, type Sql, sql, texts } from './sql.ts'
import { listTransactionRecordsById, type TransactionRecord } from './transaction-records.ts'

/** `amount` is the part of the row that falls on the invoice. */
type InvoiceEntryRecord = TransactionRecord & { amount: Cents }

export type InvoiceRecord = {
  invoice: InvoiceRow
  charges: readonly TransactionRecord[]
  entries: readonly InvoiceEntryRecord[]
}

/** Null is no limit; both ends of the window belong to it, and an invoice without that date is outside of it. */
export type InvoiceFilter = {
  dateField: InvoiceDate
  since: Temporal.Instant | null
  until: Temporal.Instant | null
  states: readonly InvoiceState[] | null
  subscriptionId: number | null
  customerIds: readonly number[] | null
  /** At least one of the charges is for one of them. */
  productIds: readonly number[] | null
  numbers: readonly number[] | null
}

export const everyInvoice: InvoiceFilter = {
  dateField: 'created_at',
  since: null,
  until: null,
  states: null,
  subscriptionId: null,
  customerIds: null,
  productIds: null,
  numbers: null,
}

export type InvoicePart = { perPage: number; offset: number; sort?: InvoiceSort; direction?: 'asc' | 'desc' }

const dateColumns: { [Name in InvoiceDate]: string } = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  issue_date: 'created_at',
  paid_date: 'paid_at',
}

const firstMoment = Temporal.Instant.from('1970-01-01T00:00:00Z')

function conditionsOf(siteId: number, filter: InvoiceFilter): Sql[] {
  const { dateField, since, until, subscriptionId, customerIds, productIds, numbers } = filter
  const date = fragment(`i.${dateColumns[dateField]}`)
  return [
    sql`i.site_id = ${siteId}`,
    // Instants are whole seconds, and the last one belongs to the window.
    ...(since === null && until === null
      ? []
      : [sql`${date} between ${since ?? firstMoment} and ${until ?? latestInstant}`]),
    ...(subscriptionId === null ? [] : [sql`i.subscription_id = ${subscriptionId}`]),
    ...(customerIds === null ? [] : [sql`i.customer_id = any(${bigints(customerIds)}::bigint[])`]),
    ...(numbers === null ? [] : [sql`i.number = any(${bigints(numbers)}::bigint[])`]),
    ...(productIds === null
      ? []
      : [
          sql`exists (select from invoice_lines l where l.site_id = i.site_id and l.invoice_id = i.id
            and l.product_id = any(${bigints(productIds)}::bigint[]))`,
        ]),
  ]
}

/** Invoices of one state are listed the newest first among those that come up, the oldest first the other way around. */
function orderOf(sort: InvoiceSort, direction: 'asc' | 'desc'): Sql {
  if (sort === 'status') {
    const within = direction === 'asc' ? 'desc' : 'asc'
    return fragment(`i.state ${direction}, i.created_at ${within}, i.id ${within}`)
  }
  return fragment(
    sort === 'number' ? `i.number ${direction}` : `i.${sortColumns[sort]} ${direction}, i.id ${direction}`,
  )
}

const sortColumns: { [Name in Exclude<InvoiceSort, 'status' | 'number'>]: string } = {
  created_at: 'created_at',
  issue_date: 'created_at',
  updated_at: 'updated_at',
  total_amount: 'total_in_cents',
  due_amount: 'due_in_cents',
}

/** Newest first where nothing is said. The page is cut before anything is joined to it. */
export async function listInvoiceRecords(
  connection: Connection,
  siteId: number,
  filter: InvoiceFilter,
  { perPage, offset, sort = 'created_at', direction = 'desc' }: InvoicePart,
): Promise<InvoiceRecord[]> {
  const { states } = filter
  const conditions = conditionsOf(siteId, filter)
  const order = orderOf(sort, direction)
  // The first of each state are few, however many invoices there are of the others.
  const found =
    states === null
      ? sql`invoices i where ${allOf(conditions)}`
      : sql`unnest(${texts(states)}::text[]) as w (state) cross join lateral (
          select i.* from invoices i where ${allOf([...conditions, sql`i.state = w.state`])}
          order by ${order} limit ${offset + perPage}) i`
  const rows = await connection.arrays(sql`
    select ${invoices.list('i')} from ${found}
    order by ${order} limit ${perPage} offset ${offset}`)
  return withRows(
    connection,
    siteId,
    rows.map((row) => invoices.read(row)),
  )
}

/** In no order; what is no invoice of the site is left out. */
export async function listInvoiceRecordsById(
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<InvoiceRecord[]> {
  if (ids.length === 0) return []
  const rows = await connection.arrays(sql`
    select ${invoices.list('i')} from invoices i where i.site_id = ${siteId} and i.id = any(${bigints(ids)}::bigint[])`)
  return withRows(
    connection,
    siteId,
    rows.map((row) => invoices.read(row)),
  )
}

export async function findInvoiceRecord(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<InvoiceRecord | undefined> {
  const rows = await connection.arrays(sql`
    select ${invoices.list('i')} from invoices i where i.site_id = ${siteId} and i.id = ${id}`)
  const [record] = await withRows(
    connection,
    siteId,
    rows.map((row) => invoices.read(row)),
  )
  return record
}

async function withRows(
  connection: Connection,
  siteId: number,
  found: readonly InvoiceRow[],
): Promise<InvoiceRecord[]> {
  if (found.length === 0) return []
  const ids = bigints(found.map(({ id }) => id))
  const [lines, entries] = await Promise.all([
    connection.arrays(sql`
      select l.invoice_id, l.transaction_id from invoice_lines l
      where l.site_id = ${siteId} and l.invoice_id = any(${ids}::bigint[]) order by l.transaction_id`),
    connection.arrays(sql`
      select e.invoice_id, e.transaction_id, e.amount_in_cents from invoice_entries e
      where e.site_id = ${siteId} and e.invoice_id = any(${ids}::bigint[]) order by e.transaction_id`),
  ])
  const listed = [...lines, ...entries].map((row) => row[1] as number)
  const records = await listTransactionRecordsById(connection, siteId, listed)
  const known = new Map(records.map((record) => [record.transaction.id, record]))
  const linesOf = Map.groupBy(lines, (row) => row[0] as number)
  const entriesOf = Map.groupBy(entries, (row) => row[0] as number)
  return found.map((invoice) => ({
    invoice,
    charges: (linesOf.get(invoice.id) ?? []).map((row) => known.get(row[1] as number)!),
    entries: (entriesOf.get(invoice.id) ?? []).map((row) => ({
      ...known.get(row[1] as number)!,
      amount: row[2] as Cents,
    })),
  }))
}
