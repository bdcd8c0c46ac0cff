/** What coupons take off changes in the middle of a period, and what of it goes back with them. */
import type { Assessment } from './assessment.ts'
import type { AppliedCoupon, CouponByCode } from './coupon.ts'
import { type Discountable, discountsOf } from './discount.ts'
import type { LineItem } from './line-item.ts'
import { type Cents, cents, type MinorUnit, negate, sumCents, zeroCents } from './money.ts'

/** What a period costs so far, less what was given back, of its product or a component; by changes of quantities since the coupon took off, or before. */
export type ChargedInPeriod = Discountable & { isAllocatedSince: boolean }

/**
 * A coupon in a period that goes on: what it has taken off in it so far, and what was charged in it. Null is not known, as of a period
 * that was billed elsewhere.
 */
export type PeriodCoupon = CouponByCode & { inPeriod: { taken: Cents; charged: readonly ChargedInPeriod[] } | null }

/** With the last of its rows in the period, and when that was written. */
export type CouponInLedger = PeriodCoupon & { lastRowId: number; lastRowAt: Temporal.Instant }

const find = <One extends CouponByCode>(list: readonly One[], { coupon }: CouponByCode): One | undefined =>
  list.find((one) => one.coupon.id === coupon.id)

/**
 * Of the coupons with rows in a period, those by which what it cost is judged, in their order: the ones that are on the subscription; where
 * none of them took part, the ones that took off together last.
 */
export function tookPart(rows: readonly CouponInLedger[], on: readonly AppliedCoupon[]): PeriodCoupon[] {
  const present = on.map((one) => find(rows, one)).filter((one) => one !== undefined)
  if (present.length > 0) return present
  const inTime = rows.toSorted((one, other) => one.lastRowId - other.lastRowId)
  const newest = inTime.at(-1)
  return inTime.filter(({ lastRowAt }) => newest?.lastRowAt.equals(lastRowAt))
}

/** They take part in what is charged until they are used up, and all through a period in which they had their last use. */
export const couponsOfCharges = (
  coupons: readonly AppliedCoupon[],
  periodCoupons: readonly PeriodCoupon[],
): AppliedCoupon[] =>
  coupons
    .filter(({ coupon }) => !coupon.excludeMidPeriodAllocations)
    .map((applied) => ({
      ...inTheMiddle(applied),
      usesAllowed: find(periodCoupons, applied) ? null : applied.usesAllowed,
      useCount: applied.useCount,
    }))

/** What a coupon leaves over does not become a credit with every change in the middle of a period. */
const inTheMiddle = ({ coupon, code }: CouponByCode): AppliedCoupon => ({
  coupon: { ...coupon, allowNegativeBalance: false },
  code,
  useCount: 0,
  usesAllowed: null,
})

/** How coupons stand in the period: one that took no part in it yet has taken nothing, whatever was charged. */
export const standingIn = (coupons: readonly CouponByCode[], periodCoupons: readonly PeriodCoupon[]): PeriodCoupon[] =>
  coupons.map(
    ({ coupon, code }) =>
      find(periodCoupons, { coupon, code }) ?? { coupon, code, inPeriod: { taken: zeroCents, charged: [] } },
  )

/** The charges among the lines of an assessment, as coupons see them. What is taxed of them makes no difference in the course of a period. */
export const itemsOf = (lines: readonly LineItem[], { productId }: { productId: number }): Discountable[] =>
  lines
    .filter(({ type, taxId }) => type === 'charge' && taxId === null)
    .map(({ amount, componentId }) => ({ amount, componentId, productId, isTaxable: false }))

/** With what one more assessment charged and took off. */
export const after = (
  standing: readonly PeriodCoupon[],
  { lines }: Assessment,
  subscription: { productId: number },
): PeriodCoupon[] =>
  standing.map((one) => {
    const { inPeriod } = one
    if (inPeriod === null) return one
    const off = sumCents(lines.filter(({ couponId }) => couponId === one.coupon.id).map(({ amount }) => amount))
    const fresh = itemsOf(lines, subscription).map((item) => ({ ...item, isAllocatedSince: true }))
    const charged = [...inPeriod.charged, ...fresh]
    return { ...one, inPeriod: { taken: cents(inPeriod.taken - off), charged } }
  })

const upTo = (applied: AppliedCoupon, amount: number): AppliedCoupon[] =>
  amount <= 0 ? [] : [{ ...applied, coupon: { ...applied.coupon, percentage: null, amount: cents(amount) } }]

/** A fixed amount is taken off a period once, in however many pieces it is charged. */
export const whatIsLeft = (coupons: readonly AppliedCoupon[], standing: readonly PeriodCoupon[]): AppliedCoupon[] =>
  coupons.flatMap((applied) => {
    const { amount } = applied.coupon
    const inPeriod = find(standing, applied)?.inPeriod ?? null
    return amount === null || inPeriod === null ? [applied] : upTo(applied, amount - inPeriod.taken)
  })

/**
 * Of a fixed amount only that goes back which the charges that remain, less what the coupons before it take, would not have used. So it is
 * with a coupon that leaves changes of quantities out: what these charged goes back first, and it took nothing off that.
 */
export const whatGoesBack = (
  paidWith: readonly PeriodCoupon[],
  credited: readonly Discountable[],
  unit: MinorUnit,
): AppliedCoupon[] =>
  paidWith.flatMap((one, place) => {
    const applied = inTheMiddle(one)
    const { amount, excludeMidPeriodAllocations } = applied.coupon
    if (one.inPeriod === null || (amount === null && !excludeMidPeriodAllocations)) return [applied]
    const { taken, charged } = one.inPeriod
    const back = credited.map((item) => ({ ...item, amount: negate(item.amount) }))
    const remaining = excludeMidPeriodAllocations ? discountedOf(charged, back) : [...charged, ...back]
    const until = discountsOf(paidWith.slice(0, place + 1).flatMap(asTaken), remaining, unit)
    const usable = until.find(({ coupon }) => coupon.coupon.id === one.coupon.id)?.shared ?? zeroCents
    return upTo(applied, taken - usable)
  })

/** Of each item that a coupon took something off, how much of it remains when something is given back. */
const discountedOf = (charged: readonly ChargedInPeriod[], back: readonly Discountable[]): Discountable[] =>
  charged
    .filter(({ isAllocatedSince }) => !isAllocatedSince)
    .map((item) => {
      const isOfIt = ({ componentId, productId }: Discountable): boolean =>
        item.componentId === null
          ? componentId === null && productId === item.productId
          : componentId === item.componentId
      const all = sumCents([...charged, ...back].filter(isOfIt).map(({ amount }) => amount))
      return { ...item, amount: cents(Math.min(item.amount, all)) }
    })

/** A coupon of which there was as much as it has taken. */
function asTaken(one: PeriodCoupon): AppliedCoupon[] {
  const applied = inTheMiddle(one)
  return applied.coupon.amount === null || one.inPeriod === null ? [applied] : upTo(applied, one.inPeriod.taken)
}
