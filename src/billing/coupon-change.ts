/** Decides what happens when a coupon is put on a subscription, or taken off it. */
import type { Changes } from './changes.ts'
import { asCouponCode, type CouponByCode, couponFields, newlyApplied } from './coupon.ts'
import { invalid } from './refusal.ts'
import { may, momentOfAct, type SubscriptionFacts } from './subscription.ts'

/** It takes the place of the one that is on it. Its count starts at 0, also when it is the same code. */
export function decideAddCoupon(
  { subscription }: SubscriptionFacts,
  asked: CouponByCode,
  now: Temporal.Instant,
): Changes {
  if (!may('addCoupon', subscription.state)) {
    throw invalid(`A coupon cannot be added to a subscription that is ${subscription.state}.`)
  }
  const at = momentOfAct(subscription, now)
  const { siteId, id: subscriptionId } = subscription
  return {
    subscription: { ...subscription, ...couponFields(newlyApplied(asked)), updatedAt: at },
    redemption: { siteId, couponId: asked.coupon.id, code: asked.code, subscriptionId, createdAt: at },
  }
}

/** `code` names the coupon that is meant; null is whatever there is. Undefined when there is no such coupon on it. */
export function decideRemoveCoupon(
  { subscription }: SubscriptionFacts,
  code: string | null,
  now: Temporal.Instant,
): Changes | undefined {
  const { couponCode } = subscription
  if (couponCode === null || (code !== null && asCouponCode(code) !== couponCode)) return undefined
  return { subscription: { ...subscription, ...couponFields(null), updatedAt: momentOfAct(subscription, now) } }
}
