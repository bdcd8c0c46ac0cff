/** Prices one billing event: its charges, what coupons take off, the taxes on the rest, and what it all comes to. */
import { type AppliedCoupon, couponMemo } from './coupon.ts'
import { type Discount, discountCharges } from './discount.ts'
import type { LineItem } from './line-item.ts'
import {
  addCents,
  type Cents,
  cents,
  type MinorUnit,
  negate,
  shareByLargestRemainder,
  sumCents,
  zeroCents,
} from './money.ts'
import { type Tax, taxMemo, taxOn } from './tax.ts'

export type Assessment = {
  /** Charges in their order, then the coupons in theirs, then the taxes: the rows that the ledger gets. */
  lines: LineItem[]
  /** Charges before discount and tax. */
  subtotal: Cents
  discount: Cents
  tax: Cents
  total: Cents
  /** The coupons that took part in this assessment, which counts as one of their uses. */
  usedCouponIds: number[]
}

/**
 * A percentage is taken of the subtotal, a tax rate of the taxable amounts after discount; each is rounded once and shared over
 * the lines by largest remainder, so lines always sum to the total. Coupons wait while there is nothing to charge.
 * Taxes come in the order in which they are given; no charge is negative. Lines that are of no component are of the product named.
 */
export function assess(
  charges: readonly LineItem[],
  { coupons, taxes, minorUnit }: { coupons: readonly AppliedCoupon[]; taxes: readonly Tax[]; minorUnit: MinorUnit },
  productId: number,
): Assessment {
  const subtotal = sumCents(charges.map((line) => line.amount))
  const items = charges.map(({ amount, isTaxable, componentId }) => ({ amount, isTaxable, componentId, productId }))
  const { discounts, shares } = discountCharges(coupons, items, minorUnit)
  const discount = sumCents(discounts.map(({ written }) => written))
  const net = charges.map((line, place) => discounted(line, shares[place]!))
  const taxed = taxAll(net, taxes, minorUnit)
  const tax = sumCents(taxed.taxLines.map((line) => line.amount))
  return {
    lines: [...taxed.charges, ...discounts.filter(({ written }) => written > 0).map(couponLine), ...taxed.taxLines],
    subtotal,
    discount,
    tax,
    total: addCents(subtotal, negate(discount), tax),
    usedCouponIds: discounts.map(({ coupon }) => coupon.coupon.id),
  }
}

function discounted(line: LineItem, share: Cents): LineItem {
  const taxableAmount = line.isTaxable ? cents(line.amount - share) : zeroCents
  return { ...line, discountAmount: share, taxableAmount }
}

/** The line of each tax that comes to anything, and on every charge what falls on it of each. */
function taxAll(
  discounted: readonly LineItem[],
  taxes: readonly Tax[],
  unit: MinorUnit,
): { charges: LineItem[]; taxLines: LineItem[] } {
  const weights = discounted.map((line) => line.taxableAmount)
  const taxable = sumCents(weights)
  const levied = taxes
    .map((tax) => ({ tax, amount: taxOn(tax, taxable, unit) }))
    .filter(({ amount }) => amount !== 0)
    .map(({ tax, amount }) => ({ tax, amount, shares: shareByLargestRemainder(amount, weights, unit) }))
  const charges = discounted.map((line, place) => {
    const taxShares = levied
      .map(({ tax, shares }) => ({ tax, amount: shares[place] ?? zeroCents }))
      .filter(({ amount }) => amount !== 0)
    return taxShares.length === 0 ? line : { ...line, taxShares }
  })
  return { charges, taxLines: levied.map(({ tax, amount }) => taxLine(tax, amount)) }
}

/** A line that no other discount or tax touches. */
const plainLine = {
  isTaxable: false,
  discountAmount: zeroCents,
  taxableAmount: zeroCents,
  componentId: null,
  taxId: null,
} as const

const couponLine = ({ coupon, written }: Discount): LineItem => ({
  ...plainLine,
  type: 'adjustment',
  kind: 'coupon',
  amount: negate(written),
  memo: couponMemo(coupon),
  couponId: coupon.coupon.id,
})

const taxLine = (tax: Tax, amount: Cents): LineItem => ({
  ...plainLine,
  type: 'charge',
  kind: 'tax',
  amount,
  memo: taxMemo(tax),
  taxId: tax.id,
})
