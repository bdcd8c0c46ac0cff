/** How a ledger row is shown: every field that clients know, those without a value as null. */
import type { Transaction, TransactionType } from '../billing/ledger.ts'
import type { Cents, DecimalText } from '../billing/money.ts'
import type { Taxation } from '../billing/tax.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

export const transactionShape: Fields = {
  fields: {
    id: 'integer',
    subscription_id: 'integer',
    type: 'string',
    kind: 'string',
    transaction_type: 'string',
    success: 'boolean',
    amount_in_cents: 'integer',
    memo: 'string',
    created_at: 'datetime',
    starting_balance_in_cents: 'integer',
    ending_balance_in_cents: 'integer',
    gateway_used: 'string',
    gateway_transaction_id: 'string',
    gateway_order_id: 'string',
    payment_id: 'integer',
    product_id: 'integer',
    tax_id: 'integer',
    component_id: 'integer',
    statement_id: 'integer',
    customer_id: 'integer',
    item_name: 'string',
    parent_id: 'integer',
    role: 'string',
    card_number: 'string',
    card_expiration: 'string',
    card_type: 'string',
    refunded_amount_in_cents: 'integer',
    original_amount_in_cents: 'integer',
    discount_amount_in_cents: 'integer',
    taxable_amount_in_cents: 'integer',
    taxations: {
      list: {
        fields: {
          tax_id: 'integer',
          tax_name: 'string',
          rate: 'string',
          tax_amount_in_cents: 'integer',
          tax_charge_id: 'integer',
        },
      },
      item: 'taxation',
    },
  },
}

/** The older spelling of the type, as a class name. */
const classNames: Record<TransactionType, string> = {
  charge: 'Charge',
  credit: 'Credit',
  adjustment: 'Adjustment',
  payment: 'Payment',
  refund: 'Refund',
  info: 'InfoTransaction',
}

type Presented = {
  transaction: Transaction
  paymentId: number | null
  refundedAmount: Cents | null
  taxations: readonly Taxation[]
}

/** Only charges carry discount and taxable amounts and taxes; only payments carry a card and what was refunded of them. */
export function presentTransaction({ transaction, paymentId, refundedAmount, taxations }: Presented, timeZone: string) {
  const isCharge = transaction.type === 'charge'
  return {
    id: transaction.id,
    subscription_id: transaction.subscriptionId,
    type: classNames[transaction.type],
    kind: transaction.kind,
    transaction_type: transaction.type,
    success: transaction.success,
    amount_in_cents: transaction.amount,
    memo: transaction.memo,
    created_at: formatTimestamp(transaction.createdAt, timeZone),
    starting_balance_in_cents: transaction.startingBalance,
    ending_balance_in_cents: transaction.endingBalance,
    gateway_used: transaction.gatewayUsed,
    gateway_transaction_id: transaction.gatewayTransactionId,
    gateway_order_id: null,
    payment_id: paymentId,
    product_id: transaction.productId,
    tax_id: transaction.taxId,
    component_id: transaction.componentId,
    statement_id: transaction.statementId,
    customer_id: transaction.customerId,
    item_name: null,
    parent_id: null,
    role: null,
    card_number: transaction.cardNumber,
    card_expiration: transaction.cardExpiration,
    card_type: transaction.cardType,
    refunded_amount_in_cents: refundedAmount,
    original_amount_in_cents: isCharge ? transaction.amount : null,
    discount_amount_in_cents: isCharge ? transaction.discountAmount : null,
    taxable_amount_in_cents: isCharge ? transaction.taxableAmount : null,
    taxations: isCharge ? taxations.map(presentTaxation) : null,
  }
}

const presentTaxation = ({ taxId, taxName, rate, amount, taxChargeId }: Taxation) => ({
  tax_id: taxId,
  tax_name: taxName,
  rate: fractionOf(rate),
  tax_amount_in_cents: amount,
  tax_charge_id: taxChargeId,
})

/** 6.25 percent is shown as 0.0625. */
function fractionOf(percent: DecimalText): string {
  const [whole = '', decimals = ''] = percent.split('.')
  const digits = whole.padStart(3, '0')
  const fraction = `${digits.slice(-2)}${decimals}`.replace(/0+$/, '')
  return `${Number(digits.slice(0, -2))}.${fraction === '' ? '0' : fraction}`
}
