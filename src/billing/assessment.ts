/** Prices one billing event: its charges, what the coupon takes off, the taxes on the rest, and what it all comes to. */
import { type AppliedCoupon, couponMemo, discountOf, isUsedUp } from './coupon.ts'
import type { LineItem } from './line-item.ts'
import { addCents, type Cents, cents, negate, shareByLargestRemainder, sumCents } from './money.ts'
import { type Tax, taxMemo, taxOn } from './tax.ts'

export type Assessment = {
  /** Charges in their order, then the coupon, then the taxes: the rows that the ledger gets. */
  lines: LineItem[]
  /** Charges before discount and tax. */
  subtotal: Cents
  discount: Cents
  tax: Cents
  total: Cents
  /** The coupon took part in this assessment, which counts as one of its uses. */
  usedCoupon: boolean
}

/**
 * A percentage is taken of the subtotal, a tax rate of the taxable amounts after discount; each is rounded once and shared over
 * the lines by largest remainder, so lines always sum to the total. A coupon waits while there is nothing to charge.
 */
export function assess(
  charges: readonly LineItem[],
  { coupon, taxes }: { coupon: AppliedCoupon | null; taxes: readonly Tax[] },
): Assessment {
  const subtotal = sumCents(charges.map((line) => line.amount))
  const applies = coupon !== null && !isUsedUp(coupon) && subtotal > 0
  const { written, shared } = applies ? discountOf(coupon.coupon, subtotal) : { written: cents(0), shared: cents(0) }
  const shares = shareByLargestRemainder(
    shared,
    charges.map((line) => line.amount),
  )
  const discounted = charges.map((line, index) => discount(line, shares[index] ?? cents(0)))
  const taxable = sumCents(discounted.map((line) => line.taxableAmount))
  const taxLines = taxes.map((tax) => taxLine(tax, taxOn(tax, taxable))).filter((line) => line.amount !== 0)
  const tax = sumCents(taxLines.map((line) => line.amount))
  return {
    lines: [...discounted, ...(applies && written > 0 ? [couponLine(coupon, written)] : []), ...taxLines],
    subtotal,
    discount: written,
    tax,
    total: addCents(subtotal, negate(written), tax),
    usedCoupon: applies,
  }
}

const discount = (line: LineItem, share: Cents): LineItem => ({
  ...line,
  discountAmount: share,
  taxableAmount: line.isTaxable ? cents(line.amount - share) : cents(0),
})

const couponLine = (coupon: AppliedCoupon, amount: Cents): LineItem => ({
  type: 'adjustment',
  kind: 'coupon',
  amount: negate(amount),
  memo: couponMemo(coupon),
  isTaxable: false,
  discountAmount: cents(0),
  taxableAmount: cents(0),
  componentId: null,
  taxId: null,
})

const taxLine = (tax: Tax, amount: Cents): LineItem => ({
  type: 'charge',
  kind: 'tax',
  amount,
  memo: taxMemo(tax),
  isTaxable: false,
  discountAmount: cents(0),
  taxableAmount: cents(0),
  componentId: null,
  taxId: tax.id,
})
