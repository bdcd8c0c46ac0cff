/** Invoices with everything that stands on them, as they are printed. */
import type { Invoice, InvoiceDocument, InvoiceEntry, InvoiceLine, InvoiceTax, Logo } from '../billing/invoice.ts'
import type { Transaction as LedgerRow } from '../billing/ledger.ts'
import type { Cents } from '../billing/money.ts'
import type { Connection } from './database.ts'
import { invoices } from './invoices.ts'
import { sql } from './sql.ts'
import { transactions } from './tables.ts'

/** Undefined when the site has no such invoice. Everything but state, amount due and entries is as it was when it was made. */
export async function findInvoiceDocument(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<InvoiceDocument | undefined> {
  const [[row], lines, entries] = await Promise.all([
    connection.arrays(sql`
      select ${invoices.list('i')}, l.media_type, encode(l.data, 'base64') from invoices i
      left join site_logos l on l.site_id = i.site_id and l.digest = i.snapshot -> 'seller' ->> 'logoDigest'
      where i.site_id = ${siteId} and i.id = ${id}`),
    listLines(connection, siteId, id),
    listEntries(connection, siteId, id),
  ])
  if (row === undefined) return undefined
  const { snapshot, ...invoice } = invoices.read(row)
  const mediaType = row[invoices.width] as Logo['mediaType'] | null
  const data = Buffer.from((row[invoices.width + 1] as string | null) ?? '', 'base64')
  const logo = mediaType === null ? null : { mediaType, data }
  return { ...snapshot, invoice: invoice as Invoice, ...lines, entries, logo }
}

/** What falls of each tax on a charge, by the charge. */
type Taxed = InvoiceTax & { chargeId: number; taxChargeId: number }

async function listLines(
  connection: Connection,
  siteId: number,
  invoiceId: number,
): Promise<Pick<InvoiceDocument, 'lines' | 'taxes'>> {
  const [rows, taxedRows] = await Promise.all([
    connection.arrays(sql`
      select ${transactions.list('t')}, l.product_name, l.component_name, l.period_started_at, l.period_ends_at
      from invoice_lines l
      join transactions t on t.site_id = l.site_id and t.id = l.transaction_id
      where l.site_id = ${siteId} and l.invoice_id = ${invoiceId}
      order by t.id`),
    connection.arrays(sql`
      select x.charge_id, x.tax_charge_id, x.tax_name, trim_scale(x.rate), x.amount_in_cents from invoice_lines l
      join taxations x on x.site_id = l.site_id and x.charge_id = l.transaction_id
      where l.site_id = ${siteId} and l.invoice_id = ${invoiceId}
      order by x.charge_id, x.tax_charge_id`),
  ])
  const taxed = taxedRows.map(
    ([chargeId, taxChargeId, name, rate, amount]) => ({ chargeId, taxChargeId, name, rate, amount }) as Taxed,
  )
  const charges = rows.map((row) => ({ charge: transactions.read(row), rest: row.slice(transactions.width) }))
  return {
    lines: charges
      .filter(({ charge }) => charge.kind !== 'tax')
      .map(({ charge, rest }) => readLine(charge, rest, taxed)),
    taxes: charges.filter(({ charge }) => charge.kind === 'tax').map(({ charge }) => readTax(charge, charges, taxed)),
  }
}

const readLine = (
  charge: LedgerRow,
  [productName, componentName, periodStartedAt, periodEndsAt]: readonly unknown[],
  taxed: readonly Taxed[],
): InvoiceLine =>
  ({
    transactionId: charge.id,
    kind: charge.kind,
    memo: charge.memo,
    amount: charge.amount,
    discountAmount: charge.discountAmount,
    taxableAmount: charge.taxableAmount,
    taxes: taxed
      .filter(({ chargeId }) => chargeId === charge.id)
      .map(({ name, rate, amount }) => ({ name, rate, amount })),
    productName,
    componentName,
    periodStartedAt,
    periodEndsAt,
    createdAt: charge.createdAt,
  }) as InvoiceLine

function readTax(
  tax: LedgerRow,
  charges: readonly { charge: LedgerRow }[],
  taxed: readonly Taxed[],
): InvoiceDocument['taxes'][number] {
  const parts = taxed.filter(({ taxChargeId }) => taxChargeId === tax.id)
  const bases = new Set(parts.map(({ chargeId }) => chargeId))
  const taxable = charges.reduce((sum, { charge }) => sum + (bases.has(charge.id) ? charge.taxableAmount : 0), 0)
  const [{ name, rate } = { name: tax.memo, rate: '0' }] = parts
  return { name, rate, amount: tax.amount, taxable: taxable as Cents, memo: tax.memo }
}

const listEntries = async (connection: Connection, siteId: number, invoiceId: number): Promise<InvoiceEntry[]> =>
  (
    await connection.arrays(sql`
      select t.id, t.type, t.kind, t.memo, e.amount_in_cents, t.card_number, t.card_type, t.created_at from invoice_entries e
      join transactions t on t.site_id = e.site_id and t.id = e.transaction_id
      where e.site_id = ${siteId} and e.invoice_id = ${invoiceId}
      order by t.id`)
  ).map(
    ([transactionId, type, kind, memo, amount, cardNumber, cardType, createdAt]) =>
      ({ transactionId, type, kind, memo, amount, cardNumber, cardType, createdAt }) as InvoiceEntry,
  )
