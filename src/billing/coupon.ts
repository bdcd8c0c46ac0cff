/** What a coupon takes off, for how long, and for whom. */
import { isAtOrBefore } from './calendar.ts'
import { type Cents, cents, type DecimalText, percentageOf } from './money.ts'

export type Coupon = {
  siteId: number
  id: number
  productFamilyId: number
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
  conversionLimit: number | null
  archivedAt: Temporal.Instant | null
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
}

/** A coupon on a subscription, under the code by which it came. */
export type AppliedCoupon = { coupon: Coupon; code: string; useCount: number; usesAllowed: number | null }

/** How many assessments it may discount; null is for good. */
export const usesAllowedBy = (coupon: Coupon): number | null => (coupon.recurring ? coupon.durationPeriodCount : 1)

export const isUsedUp = ({ useCount, usesAllowed }: AppliedCoupon): boolean =>
  usesAllowed !== null && useCount >= usesAllowed

/** Whether it may be put on a subscription now; its redemption limit is judged where redemptions are counted. */
export const isCurrent = (coupon: Coupon, now: Temporal.Instant): boolean =>
  coupon.archivedAt === null &&
  (coupon.startDate === null || isAtOrBefore(coupon.startDate, now)) &&
  (coupon.endDate === null || isAtOrBefore(now, coupon.endDate))

/**
 * What it takes off charges: `written` is its ledger row, `shared` the part that falls on the lines, which never exceeds them.
 * The two differ only where a coupon may leave a credit.
 */
export function discountOf(coupon: Coupon, charges: Cents): { written: Cents; shared: Cents } {
  const whole = coupon.percentage !== null ? percentageOf(charges, coupon.percentage) : (coupon.amount ?? cents(0))
  const shared = cents(Math.min(whole, charges))
  return { written: coupon.allowNegativeBalance ? whole : shared, shared }
}

export const couponMemo = ({ coupon, code }: AppliedCoupon): string => `Coupon: ${code} - ${coupon.description}`
