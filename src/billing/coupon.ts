/** What a coupon takes off, for how long, and for whom; after its last use it stays on the subscription and takes nothing off. */
import { isAtOrBefore } from './calendar.ts'
import type { Cents, DecimalText } from './money.ts'

/** Of what the coupons before it have left, or of the full price. */
export const compoundingStrategies = ['compound', 'full-price'] as const

/** The kinds of things that a coupon may be good for alone. */
export const restrictionTypes = ['Product', 'Component'] as const

/** One of the things that a coupon is good for. */
export type RestrictedTo = { itemType: (typeof restrictionTypes)[number]; itemId: number }

export type CouponTerms = {
  name: string
  /** Upper case. */
  code: string
  description: string
  /** Exactly one of the two is set. Percentages are above 0 and at most 100, exact to eight decimals. */
  amount: Cents | null
  percentage: DecimalText | null
  recurring: boolean
  /** How many assessments a recurring coupon lasts; null is for good. */
  durationPeriodCount: number | null
  /** What the charges do not use up stays as credit. */
  allowNegativeBalance: boolean
  /** It may be on a subscription beside others. */
  stackable: boolean
  /** What a percentage is taken of where others came before it. */
  compoundingStrategy: (typeof compoundingStrategies)[number]
  startDate: Temporal.Instant | null
  /** The last moment at which it may be put on a subscription. */
  endDate: Temporal.Instant | null
  /** How often each of its codes may be put on a subscription. */
  conversionLimit: number | null
  /** It discounts these alone; where there are none, everything that is sold in its family. */
  restrictions: readonly RestrictedTo[]
  /** It takes no part in what changes of quantities charge in the course of a period. */
  excludeMidPeriodAllocations: boolean
  /** Kept for clients that ask for it: nothing is billed when a subscription is canceled or expires. */
  applyOnCancelAtEndOfPeriod: boolean
  applyOnSubscriptionExpiration: boolean
}

export type CouponRestriction = RestrictedTo & { id: number }

export type Coupon = Omit<CouponTerms, 'restrictions'> & {
  restrictions: readonly CouponRestriction[]
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

/** How many may be on one subscription. */
export const couponsMax = 10

const codeForm = /^[A-Z0-9%@+\-_.]{1,255}$/

export const isCouponCode = (code: string): boolean => codeForm.test(code)

/** Codes are compared as they are stored. */
export const asCouponCode = (text: string): string => text.trim().toUpperCase()

/** The codes of a list in their order, each once; an item may itself be several with commas between them. */
export const asCouponCodes = (texts: readonly (string | null | undefined)[]): string[] => [
  ...new Set(texts.flatMap((text) => (text ?? '').split(',').map(asCouponCode)).filter((code) => code !== '')),
]

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

/** Whether it can take something off a subscription to a product, now or once there are components on it. */
export const isGoodFor = ({ restrictions }: Coupon, productId: number): boolean =>
  restrictions.length === 0 ||
  restrictions.some(({ itemType, itemId }) => itemType === 'Component' || itemId === productId)

/** Why it may not be put on a subscription now; its redemption limit is judged where redemptions are counted. */
export function whyNotNow(coupon: Coupon, now: Temporal.Instant): 'archived' | 'not_started' | 'expired' | null {
  if (coupon.archivedAt !== null) return 'archived'
  if (coupon.startDate !== null && !isAtOrBefore(coupon.startDate, now)) return 'not_started'
  return coupon.endDate !== null && !isAtOrBefore(now, coupon.endDate) ? 'expired' : null
}

/** `Coupon: SAVE10 - Ten percent off`, with the code by which it came. */
export const couponMemo = ({ coupon, code }: AppliedCoupon): string =>
  coupon.description.trim() === '' ? `Coupon: ${code}` : `Coupon: ${code} - ${coupon.description.trim()}`
