/** How a ledger row is shown to whoever has just made it: shorter than in the list of transactions. */
import { presentTransaction, transactionShape } from './transaction.ts'

const fields = [
  'id',
  'success',
  'memo',
  'amount_in_cents',
  'starting_balance_in_cents',
  'ending_balance_in_cents',
  'type',
  'kind',
  'transaction_type',
  'subscription_id',
  'customer_id',
  'product_id',
  'created_at',
  'payment_id',
  'statement_id',
  'tax_id',
  'component_id',
  'gateway_used',
  'gateway_transaction_id',
  'gateway_order_id',
] as const

export const entryShape = transactionShape

type Entry = Parameters<typeof presentTransaction>[0]

export function presentEntry(entry: Entry, timeZone: string): object {
  const whole: Record<string, unknown> = presentTransaction(entry, timeZone)
  return Object.fromEntries(fields.map((field) => [field, whole[field]]))
}
