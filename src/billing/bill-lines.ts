/** What stands on a bill: a line for each charge, and discounts and taxes with what falls of them on which line. */
import type { Transaction, TransactionKind } from './ledger.ts'
import { type Cents, cents, type DecimalText, type MinorUnit, shareByLargestRemainder, sumCents } from './money.ts'
import type { Taxation } from './tax.ts'

/** A row of the ledger with the payment that covered it and the taxes that fell on it. */
export type BillRecord = { transaction: Transaction; paymentId: number | null; taxations: readonly Taxation[] }

export type CouponOfBill = { name: string; code: string; description: string; percentage: DecimalText | null }

/** What a charge is for, as an invoice kept it or else as it is named now; and the invoice that lists it. */
export type LineSource = {
  invoiceId: number | null
  productName: string
  familyName: string
  componentName: string | null
  startedAt: Temporal.Instant | null
  endsAt: Temporal.Instant | null
}

/** One charge that is no tax, or a correction that raised the balance. */
export type BillLine = {
  transactionId: number
  title: string
  memo: string
  kind: TransactionKind | null
  amount: Cents
  discount: Cents
  tax: Cents
  taxable: Cents
  productId: number
  componentId: number | null
  productName: string
  familyName: string
  /** Both ends are the moment of the charge where it is for no period. */
  startedAt: Temporal.Instant
  endsAt: Temporal.Instant
}

type Breakout = { transactionId: number; base: Cents; amount: Cents }

export type BillDiscount = {
  transactionId: number
  couponId: number | null
  coupon: CouponOfBill | null
  memo: string
  amount: Cents
  eligible: Cents
  breakouts: readonly Breakout[]
}

export type BillTax = {
  transactionId: number
  taxId: number | null
  name: string
  rate: DecimalText
  amount: Cents
  taxable: Cents
  breakouts: readonly Breakout[]
}

const namedByProduct: readonly (TransactionKind | null)[] = ['baseline', 'trial']

export function linesOf(charges: readonly BillRecord[], sources: ReadonlyMap<number, LineSource>): BillLine[] {
  return charges
    .filter(({ transaction }) => transaction.kind !== 'tax')
    .map(({ transaction, taxations }) => {
      const source = sources.get(transaction.id)
      const named =
        source && (source.componentName ?? (namedByProduct.includes(transaction.kind) && source.productName))
      return {
        transactionId: transaction.id,
        title: named || transaction.memo,
        memo: transaction.memo,
        kind: transaction.kind,
        amount: transaction.amount,
        discount: transaction.discountAmount,
        tax: sumCents(taxations.map(({ amount }) => amount)),
        taxable: transaction.taxableAmount,
        productId: transaction.productId,
        componentId: transaction.componentId,
        productName: source?.productName ?? '',
        familyName: source?.familyName ?? '',
        startedAt: source?.startedAt ?? transaction.createdAt,
        endsAt: source?.endsAt ?? transaction.createdAt,
      }
    })
}

/**
 * One for each coupon. The ledger keeps what all coupons together took off a line, so where several did, each has its share of it; a
 * discount that was given back with its charge takes nothing off.
 */
export function discountsOf(
  rows: readonly { transaction: Transaction; amount: Cents }[],
  lines: readonly BillLine[],
  coupons: ReadonlyMap<number, CouponOfBill>,
  unit: MinorUnit,
): BillDiscount[] {
  const discounted = lines.filter(({ discount }) => discount > 0)
  const eligible = sumCents(discounted.map(({ amount }) => amount))
  return rows
    .filter(({ amount }) => amount !== 0)
    .map(({ transaction, amount }) => {
      const parts =
        discounted.length === 0
          ? []
          : shareByLargestRemainder(
              amount,
              discounted.map((line) => line.discount),
              unit,
            )
      return {
        transactionId: transaction.id,
        couponId: transaction.couponId,
        coupon: (transaction.couponId !== null && coupons.get(transaction.couponId)) || null,
        memo: transaction.memo,
        amount,
        eligible,
        breakouts: discounted.map((line, place) => ({
          transactionId: line.transactionId,
          base: line.amount,
          amount: parts[place]!,
        })),
      }
    })
}

export function taxesOf(charges: readonly BillRecord[]): BillTax[] {
  const taxations = charges.flatMap(({ transaction, taxations }) =>
    taxations.map((one) => ({ ...one, taxable: transaction.taxableAmount })),
  )
  return charges
    .filter(({ transaction }) => transaction.kind === 'tax')
    .map(({ transaction }) => {
      const parts = taxations.filter(({ taxChargeId }) => taxChargeId === transaction.id)
      return {
        transactionId: transaction.id,
        taxId: transaction.taxId,
        name: parts[0]?.taxName ?? transaction.memo,
        rate: parts[0]?.rate ?? '0',
        amount: transaction.amount,
        taxable: cents(parts.reduce((sum, { taxable }) => sum + taxable, 0)),
        breakouts: parts.map(({ chargeId, taxable, amount }) => ({ transactionId: chargeId, base: taxable, amount })),
      }
    })
}
