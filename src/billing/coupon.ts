/** What a coupon takes off, for how long, and for whom; after its last use it stays on the subscription and takes nothing off. */
import { isAtOrBefore } from './calendar.ts'
import { type Cents, cents, type DecimalText, type MinorUnit, percentageOf } from './money.ts'
import type { Subscription } from './subscription.ts'

export type CouponTerms = {
  name: string
  /** Upper case. */
  code: string
  description: string
  /** Exactly one of the two is set. Percentages are whole numbers from 1 to 100. */
  amount: Cents | null
  percentage: DecimalText | null
  recurring: boolean
  /** How many assessments a recurring coupon lasts; null is for good. */
  durationPeriodCount: number | null
  /** What the charges do not use up stays as credit. */
  allowNegativeBalance: boolean
  startDate: Temporal.Instant | null
  /** The last moment at which it may be put on a subscription. */
  endDate: Temporal.Instant | null
  /** How often each of its codes may be put on a subscription. */
  conversionLimit: number | null
}

export type Coupon = CouponTerms & {
  siteId: number
  id: number
  productFamilyId: number
  archivedAt: Temporal.Instant | null
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
}

/** A coupon that was asked for, under the code by which it was. */
export type CouponByCode = { coupon: Coupon; code: string }

/** A coupon on a subscription, under the code by which it came. */
export type AppliedCoupon = CouponByCode & { useCount: number; usesAllowed: number | null }

/** One time that a coupon was put on a subscription; redemption limits count these. */
export type CouponRedemption = {
  siteId: number
  couponId: number
  code: string
  subscriptionId: number
  createdAt: Temporal.Instant
}

const codeForm = /^[A-Z0-9%@+\-_.]{1,255}$/

export const isCouponCode = (code: string): boolean => codeForm.test(code)

/** Codes are compared as they are stored. */
export const asCouponCode = (text: string): string => text.trim().toUpperCase()

/** Percentages are whole: decimals are cut off, so that 5.5 percent is 5. */
export const wholePercentage = (percentage: DecimalText): DecimalText => String(Math.trunc(Number(percentage)))

/** How many assessments it may discount; null is for good. */
export const usesAllowedBy = (coupon: Coupon): number | null => (coupon.recurring ? coupon.durationPeriodCount : 1)

export const isUsedUp = ({ useCount, usesAllowed }: AppliedCoupon): boolean =>
  usesAllowed !== null && useCount >= usesAllowed

/** A coupon that has just been put on, also when it was on before: it was not used yet. */
export const newlyApplied = ({ coupon, code }: CouponByCode): AppliedCoupon => ({
  coupon,
  code,
  useCount: 0,
  usesAllowed: usesAllowedBy(coupon),
})

/** What a subscription says of the coupon that is on it. */
export const couponFields = (
  applied: AppliedCoupon | null,
): Pick<Subscription, 'couponId' | 'couponCode' | 'couponUseCount' | 'couponUsesAllowed'> => ({
  couponId: applied?.coupon.id ?? null,
  couponCode: applied?.code ?? null,
  couponUseCount: applied?.useCount ?? 0,
  couponUsesAllowed: applied?.usesAllowed ?? null,
})

/**
 * How often the coupon on a subscription was used, once something is written that a coupon discounted: what was priced earlier may have
 * counted on one that was taken off or replaced meanwhile, and such a use is not one of the coupon that is on it now.
 */
export const usesAfter = (
  { couponId, couponUseCount }: Pick<Subscription, 'couponId' | 'couponUseCount'>,
  usedCouponId: number | null,
): number => couponUseCount + (usedCouponId !== null && usedCouponId === couponId ? 1 : 0)

/** Why it may not be put on a subscription now; its redemption limit is judged where redemptions are counted. */
export function whyNotNow(coupon: Coupon, now: Temporal.Instant): 'archived' | 'not_started' | 'expired' | null {
  if (coupon.archivedAt !== null) return 'archived'
  if (coupon.startDate !== null && !isAtOrBefore(coupon.startDate, now)) return 'not_started'
  return coupon.endDate !== null && !isAtOrBefore(now, coupon.endDate) ? 'expired' : null
}

/**
 * What it takes off charges: `written` is its ledger row, `shared` the part that falls on the lines, which never exceeds them.
 * The two differ only where a coupon may leave a credit.
 */
export function discountOf(coupon: Coupon, charges: Cents, unit: MinorUnit): { written: Cents; shared: Cents } {
  const { amount, percentage } = coupon
  const whole = percentage !== null ? percentageOf(charges, percentage, unit) : (amount ?? cents(0))
  const shared = cents(Math.min(whole, charges))
  return { written: coupon.allowNegativeBalance ? whole : shared, shared }
}

/** `Coupon: SAVE10 - Ten percent off`, with the code by which it came. */
export const couponMemo = ({ coupon, code }: AppliedCoupon): string =>
  coupon.description === '' ? `Coupon: ${code}` : `Coupon: ${code} - ${coupon.description}`
