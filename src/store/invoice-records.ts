/** Invoices as they are listed and read: with the ledger rows of their charges, and of what lowered the amount due. */
import type { Invoice, InvoiceState } from '../billing/invoice.ts'
import type { Cents } from '../billing/money.ts'
import type { Connection } from './database.ts'
import { invoices } from './invoices.ts'
import { allOf, bigints, type Sql, sql, texts } from './sql.ts'
import { listTransactionRecordsById, type TransactionRecord } from './transaction-records.ts'

/** `amount` is the part of the row that falls on the invoice. */
export type InvoiceEntryRecord = TransactionRecord & { amount: Cents }

export type InvoiceRecord = {
  invoice: Invoice
  charges: readonly TransactionRecord[]
  entries: readonly InvoiceEntryRecord[]
}

export type InvoiceFilter = {
  since: Temporal.Instant | null
  until: Temporal.Instant | null
  states: readonly InvoiceState[] | null
  subscriptionId: number | null
}

/** Newest first. The page is cut before anything is joined to it. */
export async function listInvoiceRecords(
  connection: Connection,
  siteId: number,
  { since, until, states, subscriptionId }: InvoiceFilter,
  { perPage, offset }: { perPage: number; offset: number },
): Promise<InvoiceRecord[]> {
  const conditions: Sql[] = [sql`i.site_id = ${siteId}`]
  if (since !== null) conditions.push(sql`i.created_at >= ${since}`)
  // Instants are whole seconds, and the last one belongs to the window.
  if (until !== null) conditions.push(sql`i.created_at <= ${until}`)
  if (subscriptionId !== null) conditions.push(sql`i.subscription_id = ${subscriptionId}`)
  // The newest of each state are few, however many invoices there are of the others.
  const found =
    states === null
      ? sql`invoices i where ${allOf(conditions)}`
      : sql`unnest(${texts(states)}::text[]) as w (state) cross join lateral (
          select i.* from invoices i where ${allOf([...conditions, sql`i.state = w.state`])}
          order by i.created_at desc, i.id desc limit ${offset + perPage}) i`
  const rows = await connection.arrays(sql`
    select ${invoices.list('i')} from ${found}
    order by i.created_at desc, i.id desc limit ${perPage} offset ${offset}`)
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

async function withRows(connection: Connection, siteId: number, found: readonly Invoice[]): Promise<InvoiceRecord[]> {
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
