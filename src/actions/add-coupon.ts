/** Puts coupons on a subscription; they discount from the next assessment on. */
import { decideAddCoupon, decideCoupons, withAdded } from '../billing/coupon-change.ts'
import { invalid } from '../billing/refusal.ts'
import { type App, write } from './app.ts'
import { commit } from './commit.ts'
import { lockSubscription } from './lock-subscription.ts'
import { claimUses, findRedeemable, findRedeemables } from './redeem-coupon.ts'

/** In place of all that are on. Refuses a code that is unknown to the family of the product, out of its time, or used up. */
export const addCoupon = (app: App, siteId: number, subscriptionId: number, code: string): Promise<number> =>
  write(app, async (tx) => {
    const { facts, now } = await lockSubscription(app, tx, siteId, subscriptionId)
    const asked = await findRedeemable(tx, siteId, code, facts.subscription.productId, now)
    if (asked === undefined) throw invalid('Coupon is invalid')
    const changes = decideAddCoupon(facts, asked, now)
    if ((await claimUses(tx, siteId, [asked])).length > 0) throw invalid('Coupon is invalid')
    await commit(app, tx, siteId, [changes])
    return subscriptionId
  })

/** Beside those that are on. Refuses, each by its code, what may not be put on, and coupons that cannot be combined. */
export const addCoupons = (
  app: App,
  siteId: number,
  subscriptionId: number,
  codes: readonly string[],
): Promise<number> =>
  write(app, async (tx) => {
    const { facts, now } = await lockSubscription(app, tx, siteId, subscriptionId)
    const { coupons, refused } = await findRedeemables(tx, siteId, codes, facts.subscription.productId, now)
    if (refused.length > 0) throw invalid(...refused)
    const changes = decideCoupons(facts, withAdded(facts.pricing.coupons, coupons), now)
    const usedUp = await claimUses(tx, siteId, coupons)
    if (usedUp.length > 0) throw invalid(...usedUp)
    await commit(app, tx, siteId, [changes])
    return subscriptionId
  })
