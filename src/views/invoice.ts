/** How an invoice is shown: its state and amounts, its charges, and what lowered the amount due. */
import { formatInvoiceNumber, type Invoice } from '../billing/invoice.ts'
import type { Cents } from '../billing/money.ts'
import type { Fields, List } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'
import { presentTransaction, transactionShape } from './transaction.ts'

const chargeFields = [
  'created_at',
  'subscription_id',
  'type',
  'memo',
  'kind',
  'amount_in_cents',
  'starting_balance_in_cents',
  'ending_balance_in_cents',
  'success',
  'id',
  'payment_id',
  'product_id',
  'transaction_type',
  'gateway_transaction_id',
  'gateway_order_id',
  'gateway_used',
  'component_id',
  'tax_id',
  'statement_id',
  'customer_id',
] as const
const paymentFields = [
  ...chargeFields,
  'card_number',
  'card_expiration',
  'card_type',
  'refunded_amount_in_cents',
] as const

const charges: List = { list: transactionShape, item: 'charge' }
const paymentsAndCredits: List = { list: transactionShape, item: 'payments_and_credit' }

export const invoiceShape: Fields = {
  fields: {
    id: 'integer',
    subscription_id: 'integer',
    statement_id: 'integer',
    site_id: 'integer',
    state: 'string',
    total_amount_in_cents: 'integer',
    amount_due_in_cents: 'integer',
    paid_at: 'datetime',
    created_at: 'datetime',
    updated_at: 'datetime',
    number: 'string',
    charges,
    payments_and_credits: paymentsAndCredits,
  },
}

type LedgerRecord = Parameters<typeof presentTransaction>[0]
type Presented = {
  invoice: Invoice
  charges: readonly LedgerRecord[]
  entries: readonly (LedgerRecord & { amount: Cents })[]
}

export const presentInvoice = ({ invoice, charges, entries }: Presented, timeZone: string) => ({
  id: invoice.id,
  subscription_id: invoice.subscriptionId,
  statement_id: invoice.statementId,
  site_id: invoice.siteId,
  state: invoice.state,
  total_amount_in_cents: invoice.total,
  amount_due_in_cents: invoice.due,
  paid_at: invoice.paidAt && formatTimestamp(invoice.paidAt, timeZone),
  created_at: formatTimestamp(invoice.createdAt, timeZone),
  updated_at: formatTimestamp(invoice.updatedAt, timeZone),
  number: formatInvoiceNumber(invoice.number),
  charges: charges.map((charge) => presentInvoiceCharge(charge, timeZone)),
  payments_and_credits: entries.map((entry) => presentInvoiceEntry(entry, timeZone)),
})

export const presentInvoiceCharge = (record: LedgerRecord, timeZone: string): object =>
  only(chargeFields, presentTransaction(record, timeZone))

/** The amount is the part that falls on this invoice: negative of a credit. */
export function presentInvoiceEntry({ amount, ...record }: LedgerRecord & { amount: Cents }, timeZone: string): object {
  const isPayment = record.transaction.type === 'payment'
  const whole = presentTransaction(record, timeZone)
  return only(isPayment ? paymentFields : chargeFields, { ...whole, amount_in_cents: isPayment ? amount : -amount })
}

const only = (fields: readonly string[], whole: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(fields.map((field) => [field, whole[field]]))
