/** The invoices of a set of changes as rows: part of what the one writer does. */
import type { Changes } from '../billing/changes.ts'
import type { Transaction } from '../store/database.ts'
import {
  drawInvoiceIds,
  type InvoiceEntryRow,
  type InvoiceLineRow,
  insertInvoiceLines,
  invoiceEntries,
  type NewInvoiceRow,
  updateInvoices,
} from '../store/invoices.ts'

export type InvoiceRows = {
  made: NewInvoiceRow[]
  changed: NonNullable<Changes['invoices']>
  lines: InvoiceLineRow[]
  entries: InvoiceEntryRow[]
}

/** Undefined where no change concerns an invoice, which then costs nothing. Draws the ids of new ones. */
export async function prepareInvoices(tx: Transaction, changes: readonly Changes[]): Promise<InvoiceRows | undefined> {
  const wanted = changes.map(({ newInvoice }) => newInvoice).filter((one) => one !== undefined)
  const changed = changes.flatMap(({ invoices }) => invoices ?? [])
  if (wanted.length === 0 && changed.length === 0) return undefined
  const ids = wanted.length === 0 ? [] : await drawInvoiceIds(tx, wanted.length)
  const made = wanted.map((one, place) => ({ ...one, id: ids[place]!, updatedAt: one.createdAt }))
  const both = [...made, ...changed]
  return {
    made,
    changed,
    lines: both.flatMap(({ siteId, id, chargeIds }) =>
      chargeIds.map((transactionId) => ({ siteId, invoiceId: id, transactionId })),
    ),
    entries: both.flatMap(({ siteId, id, entries }) => entries.map((entry) => ({ siteId, invoiceId: id, ...entry }))),
  }
}

/** Everything but new invoices themselves, whose numbers are drawn by the last statement of a transaction. */
export async function writeInvoiceParts(tx: Transaction, siteId: number, rows: InvoiceRows): Promise<void> {
  await Promise.all([
    updateInvoices(tx, siteId, rows.changed),
    insertInvoiceLines(tx, siteId, rows.lines),
    invoiceEntries.insert(tx, siteId, rows.entries),
  ])
}
