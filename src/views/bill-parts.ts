/** What stands on a bill, as the later form of invoices shows it: lines, discounts, taxes, credits, payments, refunds. */
import type { Bill } from '../billing/bill.ts'
import type { BillDiscount, BillLine, BillTax } from '../billing/bill-lines.ts'
import type { AppliedRecord } from '../billing/bill-money.ts'
import type { Transaction } from '../billing/ledger.ts'
import { type Cents, formatDollars, minorUnitOf } from '../billing/money.ts'
import type { PaymentMethod } from '../billing/payment.ts'
import { lastFourOf } from '../billing/payment-profile.ts'
import type { Fields, List } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

/** `methods` say how payments were made that came past every gateway, by their rows. */
export type BillViewer = { timeZone: string; methods: ReadonlyMap<number, PaymentMethod> }

/** '50.00'; of a currency without cents '5000'. */
export const decimalOf = (amount: Cents, currency: string): string =>
  minorUnitOf(currency) === 100 && amount % 100 === 0 ? String(amount / 100) : formatDollars(amount)

export const dayOf = (at: Temporal.Instant, timeZone: string): string =>
  at.toZonedDateTimeISO(timeZone).toPlainDate().toString()

const listOf = (item: string, fields: Fields['fields']): List => ({ list: { fields }, item })
const breakouts = (base: string, amount: string): List =>
  listOf('line_item_breakout', { uid: 'string', [base]: 'string', [amount]: 'string' })

export const partShapes = {
  line_items: listOf('line_item', {
    uid: 'string',
    title: 'string',
    description: 'string',
    quantity: 'string',
    unit_price: 'string',
    subtotal_amount: 'string',
    discount_amount: 'string',
    tax_amount: 'string',
    total_amount: 'string',
    tiered_unit_price: 'boolean',
    period_range_start: 'date',
    period_range_end: 'date',
    transaction_id: 'integer',
    product_id: 'integer',
    product_version: 'integer',
    component_id: 'integer',
    price_point_id: 'integer',
    billing_schedule_item_id: 'integer',
    hide: 'boolean',
    component_cost_data: { fields: {} },
    product_price_point_id: 'integer',
    custom_item: 'boolean',
    kind: 'string',
  }),
  discounts: listOf('discount', {
    uid: 'string',
    title: 'string',
    description: 'string',
    code: 'string',
    source_type: 'string',
    source_id: 'integer',
    discount_type: 'string',
    percentage: 'string',
    eligible_amount: 'string',
    discount_amount: 'string',
    transaction_id: 'integer',
    line_item_breakouts: breakouts('eligible_amount', 'discount_amount'),
  }),
  taxes: listOf('tax', {
    uid: 'string',
    title: 'string',
    description: 'string',
    source_type: 'string',
    source_id: 'integer',
    percentage: 'string',
    taxable_amount: 'string',
    tax_amount: 'string',
    transaction_id: 'integer',
    line_item_breakouts: breakouts('taxable_amount', 'tax_amount'),
    tax_component_breakouts: { list: { fields: {} }, item: 'tax_component_breakout' },
  }),
  credits: listOf('credit', {
    uid: 'string',
    transaction_time: 'datetime',
    memo: 'string',
    original_amount: 'string',
    applied_amount: 'string',
  }),
  payments: listOf('payment', {
    uid: 'string',
    transaction_time: 'datetime',
    memo: 'string',
    original_amount: 'string',
    applied_amount: 'string',
    payment_method: {
      fields: {
        type: 'string',
        kind: 'string',
        details: 'string',
        memo: 'string',
        card_brand: 'string',
        card_expiration: 'string',
        last_four: 'string',
        masked_card_number: 'string',
        masked_account_number: 'string',
        masked_routing_number: 'string',
      },
    },
    transaction_id: 'integer',
    prepayment: 'boolean',
    gateway_handle: 'string',
    gateway_used: 'string',
    gateway_transaction_id: 'string',
    received_on: 'date',
  }),
  refunds: listOf('refund', {
    transaction_id: 'integer',
    payment_id: 'integer',
    memo: 'string',
    original_amount: 'string',
    applied_amount: 'string',
    gateway_transaction_id: 'string',
    gateway_used: 'string',
    gateway_handle: 'string',
    ach_late_reject: 'boolean',
  }),
  custom_fields: listOf('custom_field', { name: 'string', value: 'string' }),
} as const

export type BillPartName = keyof typeof partShapes
export const billPartNames = Object.keys(partShapes) as BillPartName[]

type Money = (amount: Cents) => string

const lineUid = (transactionId: number): string => `li_${transactionId}`

/** The ledger keeps what a line comes to and not how many units it is for: a line is one unit at its price, and its description tells more. */
const presentLine = (line: BillLine, money: Money, { timeZone }: BillViewer) => ({
  uid: lineUid(line.transactionId),
  title: line.title,
  description: line.memo,
  quantity: '1.0',
  unit_price: money(line.amount),
  subtotal_amount: money(line.amount),
  discount_amount: money(line.discount),
  tax_amount: money(line.tax),
  total_amount: money((line.amount - line.discount + line.tax) as Cents),
  tiered_unit_price: false,
  period_range_start: dayOf(line.startedAt, timeZone),
  period_range_end: dayOf(line.endsAt, timeZone),
  transaction_id: line.transactionId,
  product_id: line.productId,
  product_version: null,
  component_id: line.componentId,
  price_point_id: null,
  billing_schedule_item_id: null,
  hide: false,
  component_cost_data: null,
  product_price_point_id: null,
  custom_item: false,
  kind: line.kind ?? 'adjustment',
})

const presentDiscount = ({ coupon, ...discount }: BillDiscount, money: Money) => ({
  uid: `dis_${discount.transactionId}`,
  title: coupon?.name ?? discount.memo,
  description: discount.memo,
  code: coupon?.code ?? '',
  source_type: 'Coupon',
  ...(discount.couponId !== null && { source_id: discount.couponId }),
  discount_type: coupon?.percentage ? 'percentage' : 'flat_amount',
  ...(coupon?.percentage && { percentage: coupon.percentage }),
  eligible_amount: money(discount.eligible),
  discount_amount: money(discount.amount),
  transaction_id: discount.transactionId,
  line_item_breakouts: discount.breakouts.map(({ transactionId, base, amount }) => ({
    uid: lineUid(transactionId),
    eligible_amount: money(base),
    discount_amount: money(amount),
  })),
})

const presentTax = (tax: BillTax, money: Money) => ({
  uid: `tax_${tax.transactionId}`,
  title: tax.name,
  description: null,
  source_type: 'Tax',
  ...(tax.taxId !== null && { source_id: tax.taxId }),
  percentage: tax.rate,
  taxable_amount: money(tax.taxable),
  tax_amount: money(tax.amount),
  transaction_id: tax.transactionId,
  line_item_breakouts: tax.breakouts.map(({ transactionId, base, amount }) => ({
    uid: lineUid(transactionId),
    taxable_amount: money(base),
    tax_amount: money(amount),
  })),
  tax_component_breakouts: [],
})

const presentCredit = ({ transaction, applied }: AppliedRecord, money: Money, { timeZone }: BillViewer) => ({
  uid: `cdt_${transaction.id}`,
  transaction_time: formatTimestamp(transaction.createdAt, timeZone),
  memo: transaction.memo,
  original_amount: money(Math.abs(transaction.amount) as Cents),
  applied_amount: money(applied),
})

/** What no row of the bill tells of: credit that stood on the balance, or came to it later. */
const presentBalanceCredit = (bill: Bill, money: Money, { timeZone }: BillViewer) => ({
  uid: `cdt_${bill.kind === 'invoice' ? 'i' : 's'}${bill.id}`,
  transaction_time: formatTimestamp(bill.createdAt, timeZone),
  memo: 'Credit on the balance',
  original_amount: money(bill.balanceCredit),
  applied_amount: money(bill.balanceCredit),
})

export function presentPaymentMethod(payment: Transaction, { methods }: Pick<BillViewer, 'methods'>) {
  const { cardNumber, cardType, cardExpiration, gatewayUsed } = payment
  if (cardType === 'bank_account' && cardNumber !== null) {
    // A payment keeps the mask of the account alone; typed clients need a text for that of the bank.
    const masks = { masked_account_number: cardNumber, masked_routing_number: '' }
    return { type: cardType, last_four: lastFourOf(cardNumber) || null, ...masks }
  }
  if (cardNumber !== null || gatewayUsed !== null) {
    return {
      type: 'credit_card',
      card_brand: cardType ?? '',
      ...(cardExpiration !== null && { card_expiration: cardExpiration }),
      last_four: cardNumber?.split('-').at(-1) ?? null,
      masked_card_number: cardNumber ?? '',
    }
  }
  const { method, details } = methods.get(payment.id) ?? { method: 'other', details: null }
  return { type: 'external', kind: method, details: details ?? '', memo: payment.memo }
}

const presentPayment = ({ transaction, applied }: AppliedRecord, money: Money, viewer: BillViewer) => ({
  uid: `pmt_${transaction.id}`,
  transaction_time: formatTimestamp(transaction.createdAt, viewer.timeZone),
  memo: transaction.memo,
  original_amount: money(transaction.amount),
  applied_amount: money(applied),
  payment_method: presentPaymentMethod(transaction, viewer),
  transaction_id: transaction.id,
  prepayment: false,
  gateway_handle: null,
  gateway_used: transaction.gatewayUsed ?? '',
  gateway_transaction_id: transaction.gatewayTransactionId,
  received_on: viewer.methods.get(transaction.id)?.receivedOn ?? null,
})

const presentRefund = ({ transaction, applied }: Bill['refunds'][number], money: Money) => ({
  transaction_id: transaction.id,
  payment_id: transaction.refundedPaymentId,
  memo: transaction.memo,
  original_amount: money(transaction.amount),
  applied_amount: money(applied),
  gateway_transaction_id: transaction.gatewayTransactionId,
  gateway_used: transaction.gatewayUsed ?? '',
  gateway_handle: null,
  ach_late_reject: null,
})

/** Each list by its name. */
export function presentParts(bill: Bill, viewer: BillViewer): { readonly [Name in BillPartName]: readonly object[] } {
  const money: Money = (amount) => decimalOf(amount, bill.currency)
  return {
    line_items: bill.lines.map((line) => presentLine(line, money, viewer)),
    discounts: bill.discounts.map((discount) => presentDiscount(discount, money)),
    taxes: bill.taxes.map((tax) => presentTax(tax, money)),
    credits: [
      ...(bill.balanceCredit === 0 ? [] : [presentBalanceCredit(bill, money, viewer)]),
      ...bill.credits.map((credit) => presentCredit(credit, money, viewer)),
    ],
    payments: bill.payments.map((payment) => presentPayment(payment, money, viewer)),
    refunds: bill.refunds.map((refund) => presentRefund(refund, money)),
    custom_fields: [],
  }
}
