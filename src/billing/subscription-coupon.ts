/** The coupons on a subscription: how each of them stands there, and what of that a decision changes. */
import type { Changes } from './changes.ts'
import type { AppliedCoupon } from './coupon.ts'

export type CouponStanding = { couponId: number; code: string; useCount: number; usesAllowed: number | null }

/** As it is kept: places count from 1, in the order in which coupons take off. */
export type SubscriptionCoupon = CouponStanding & { siteId: number; subscriptionId: number; place: number }

type Owner = { siteId: number; id: number }

export const standingOf = ({ coupon, code, useCount, usesAllowed }: AppliedCoupon): CouponStanding => ({
  couponId: coupon.id,
  code,
  useCount,
  usesAllowed,
})

/** One more use of each that was used; a coupon that is not on the subscription any more counts nothing. */
export const counted = (standings: readonly CouponStanding[], usedIds: readonly number[]): CouponStanding[] =>
  standings.map((one) => (usedIds.includes(one.couponId) ? { ...one, useCount: one.useCount + 1 } : one))

/** The rows that make `before` into `after`; places follow from the order of both. */
export function couponChanges(
  { siteId, id: subscriptionId }: Owner,
  before: readonly CouponStanding[],
  after: readonly CouponStanding[],
): Pick<Changes, 'subscriptionCoupons' | 'removedCoupons'> {
  const written = after.filter((one, place) => !isSame(one, before[place]))
  const removed = before.filter(({ couponId }) => after.every((one) => one.couponId !== couponId))
  return {
    ...(written.length > 0 && {
      subscriptionCoupons: written.map((one) => ({ ...one, siteId, subscriptionId, place: after.indexOf(one) + 1 })),
    }),
    ...(removed.length > 0 && { removedCoupons: removed.map(({ couponId }) => ({ subscriptionId, couponId })) }),
  }
}

const isSame = (one: CouponStanding, other: CouponStanding | undefined): boolean =>
  one.couponId === other?.couponId &&
  one.code === other.code &&
  one.useCount === other.useCount &&
  one.usesAllowed === other.usesAllowed

/**
 * What is written of the coupons that discounted what a decision writes. What was priced earlier may name some that were taken off
 * meanwhile, and such a use is not one of those that are on it now.
 */
export const usesOf = (
  owner: Owner,
  coupons: readonly AppliedCoupon[],
  usedIds: readonly number[],
): Pick<Changes, 'subscriptionCoupons'> => {
  if (usedIds.length === 0) return {}
  const before = coupons.map(standingOf)
  return couponChanges(owner, before, counted(before, usedIds))
}
