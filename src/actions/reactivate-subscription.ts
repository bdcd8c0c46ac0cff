/** Brings a canceled subscription back: charged at once, or not at all. */
import { type AppliedCoupon, newlyApplied } from '../billing/coupon.ts'
import { cannotBeCharged, decideReactivation, type Reactivation } from '../billing/reactivation.ts'
import { invalid } from '../billing/refusal.ts'
import type { Transaction } from '../store/database.ts'
import type { App } from './app.ts'
import { collectOnRequest, refuseUnlessApproved } from './collect-on-request.ts'
import { claimUses, findRedeemable } from './redeem-coupon.ts'

export type ReactivateSubscription = Omit<Reactivation, 'coupon'> & { couponCode: string | null }

/** Refuses a code that cannot be used, and a card that cannot be charged: then only the failed payment is on record. */
export async function reactivateSubscription(
  app: App,
  siteId: number,
  subscriptionId: number,
  { couponCode, ...wish }: ReactivateSubscription,
): Promise<number> {
  const outcome = await collectOnRequest(app, siteId, subscriptionId, async (facts, now, ids, tx) => {
    const { productId } = facts.subscription
    const coupon = couponCode === null ? null : await findCoupon(tx, siteId, couponCode, productId, now)
    return decideReactivation(facts, { ...wish, coupon }, now, ids)
  })
  refuseUnlessApproved(outcome, cannotBeCharged)
  return subscriptionId
}

async function findCoupon(
  tx: Transaction,
  siteId: number,
  code: string,
  productId: number,
  now: Temporal.Instant,
): Promise<AppliedCoupon> {
  const found = await findRedeemable(tx, siteId, code, productId, now)
  if (found === undefined || (await claimUses(tx, siteId, [found])).length > 0) throw invalid('Coupon Code: is invalid')
  return newlyApplied(found)
}
