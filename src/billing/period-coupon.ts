/** What a coupon takes off changes in the middle of a period, and what of it goes back with them. */
import type { Assessment } from './assessment.ts'
import type { AppliedCoupon, CouponByCode } from './coupon.ts'
import { addCents, type Cents, cents, zeroCents } from './money.ts'

/**
 * A coupon in a period that goes on: what it has taken off in it so far, and what was charged in it before that. Null is not known, as of
 * a period that was billed elsewhere.
 */
export type PeriodCoupon = CouponByCode & { inPeriod: { taken: Cents; charged: Cents } | null }

/** It takes part in what is charged until it is used up, and all through a period in which it had its last use. */
export const couponOfCharges = (applied: AppliedCoupon, periodCoupon: PeriodCoupon | null): AppliedCoupon => ({
  ...inTheMiddle(applied),
  usesAllowed: periodCoupon?.coupon.id === applied.coupon.id ? null : applied.usesAllowed,
  useCount: applied.useCount,
})

/** What a coupon leaves over does not become a credit with every change in the middle of a period. */
const inTheMiddle = ({ coupon, code }: CouponByCode): AppliedCoupon => ({
  coupon: { ...coupon, allowNegativeBalance: false },
  code,
  useCount: 0,
  usesAllowed: null,
})

type InPeriod = PeriodCoupon['inPeriod']

/** How the coupon stands in the period: one that took no part in it yet has taken nothing, whatever was charged. */
export const periodOf = (coupon: CouponByCode | null, periodCoupon: PeriodCoupon | null): InPeriod =>
  periodCoupon !== null && periodCoupon.coupon.id === coupon?.coupon.id
    ? periodCoupon.inPeriod
    : { taken: zeroCents, charged: zeroCents }

/** With what one more assessment charged and took off. */
export const after = (
  { taken, charged }: NonNullable<InPeriod>,
  { discount, subtotal }: Assessment,
): NonNullable<InPeriod> => ({
  taken: addCents(taken, discount),
  charged: addCents(charged, subtotal),
})

const upTo = (applied: AppliedCoupon, amount: number): AppliedCoupon | null =>
  amount <= 0 ? null : { ...applied, coupon: { ...applied.coupon, amount: cents(amount) } }

/** A fixed amount is taken off a period once, in however many pieces it is charged. */
export function whatIsLeft(applied: AppliedCoupon, period: InPeriod): AppliedCoupon | null {
  const { amount } = applied.coupon
  return amount === null || period === null ? applied : upTo(applied, amount - period.taken)
}

/** Of a fixed amount only that goes back which the charges that remain would not have used. */
export function whatGoesBack(paidWith: CouponByCode, period: InPeriod, credited: Cents): AppliedCoupon | null {
  const applied = inTheMiddle(paidWith)
  if (applied.coupon.amount === null || period === null) return applied
  const { taken, charged } = period
  return upTo(applied, Math.min(taken, taken - (charged - credited)))
}
