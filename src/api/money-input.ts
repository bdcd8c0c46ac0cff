/** Charges, adjustments, credits, payments and refunds as requests describe them. */
import type { Adjustment } from '../billing/adjustment.ts'
import type { Charge } from '../billing/charge.ts'
import type { InvoiceCharge } from '../billing/invoice-charge.ts'
import { type Cents, cents } from '../billing/money.ts'
import type { ExternalPayment } from '../billing/payment.ts'
import type { Refund } from '../billing/refund.ts'
import { collectionMethodNames, collectionMethodOf } from '../billing/subscription.ts'
import {
  boolean,
  type Command,
  idNumber,
  longTextMax,
  money,
  moneyInCents,
  object,
  oneOf,
  readInput,
  text,
} from '../wire/input.ts'
import { Problems } from './problems.ts'

const neededMemo = text('Memo', { required: true, max: longTextMax })
const memo = text('Memo', { max: longTextMax })

export const chargeInput = object({
  memo: neededMemo,
  use_negative_balance: boolean('Use negative balance'),
  delay_capture: boolean('Delay capture'),
  accrue_on_failure: boolean('Accrue on failure'),
  taxable: boolean('Taxable'),
  payment_collection_method: oneOf('Payment collection method', collectionMethodNames),
})

export function readCharge(tree: object): Charge {
  const { fields, amount } = readWithAmount(chargeInput, tree, { min: 0 })
  return {
    amount,
    memo: fields.memo,
    useNegativeBalance: fields.use_negative_balance === true,
    delayCapture: fields.delay_capture === true,
    accrueOnFailure: fields.accrue_on_failure === true,
    taxable: fields.taxable === true,
    collectionMethod: fields.payment_collection_method ? collectionMethodOf(fields.payment_collection_method) : null,
  }
}

export const invoiceChargeInput = object({ memo: neededMemo, taxable: boolean('Taxable') })

export function readInvoiceCharge(tree: object): InvoiceCharge {
  const { fields, amount } = readWithAmount(invoiceChargeInput, tree, { min: 0 })
  return { amount, memo: fields.memo, taxable: fields.taxable === true }
}

export const adjustmentInput = object({
  memo,
  adjustment_method: oneOf('Adjustment method', ['default', 'target']),
})

export function readAdjustment(tree: object): Adjustment {
  const { fields, amount } = readWithAmount(adjustmentInput, tree, {})
  return { amount, memo: fields.memo ?? '', isTarget: fields.adjustment_method === 'target' }
}

export const memoInput = object({ memo })

export function readCredit(tree: object): { amount: Cents; memo: string } {
  const { fields, amount } = readWithAmount(memoInput, tree, { min: 0 })
  return { amount, memo: fields.memo ?? '' }
}

export function readPayment(tree: object): ExternalPayment {
  const { fields, amount } = readWithAmount(memoInput, tree, { min: 0 })
  return { amount, memo: fields.memo ?? '' }
}

export const refundInput = object({
  payment_id: idNumber('Payment'),
  memo: neededMemo,
  external: boolean('External'),
})

export function readRefund(tree: object): Refund {
  const { fields, amount } = readWithAmount(refundInput, tree, { min: 1 })
  return {
    amount,
    memo: fields.memo,
    paymentId: fields.payment_id ?? null,
    isExternal: fields.external === true,
  }
}

/** Both ways to say how much. */
export const amountInput = object(money('Amount'))

type Amount = { min?: 0 | 1 }

/** Throws `InputErrors` with every problem at once, those of the amount last; of the two ways to send it, cents win. */
function readWithAmount<Schema extends Parameters<typeof readInput>[0]>(
  schema: Schema,
  tree: object,
  { min }: Amount,
): { fields: Command<Schema>; amount: Cents } {
  const problems = new Problems()
  const fields = problems.gather(() => readInput(schema, tree))
  const sent = problems.gather(() => readInput(amountInput, tree))
  const amount = sent && moneyInCents(sent)
  if (amount === null) problems.add('Amount: is not a number.')
  if (amount !== undefined && amount !== null && min !== undefined && amount < min) {
    problems.add(`Amount: must be greater than ${min === 0 ? 'or equal to 0' : '0'}.`)
  }
  problems.tell()
  return { fields: fields as Command<Schema>, amount: cents(amount ?? 0) }
}
