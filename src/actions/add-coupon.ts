/** Puts a coupon on a subscription; it discounts from the next assessment on. */
import { decideAddCoupon } from '../billing/coupon-change.ts'
import { invalid } from '../billing/refusal.ts'
import { type App, write } from './app.ts'
import { commit } from './commit.ts'
import { lockSubscription } from './lock-subscription.ts'
import { claimUse, findRedeemable } from './redeem-coupon.ts'

/** Refuses a code that is unknown to the family of the product, out of its time, or used up. */
export const addCoupon = (app: App, siteId: number, subscriptionId: number, code: string): Promise<number> =>
  write(app, async (tx) => {
    const { facts, now } = await lockSubscription(app, tx, siteId, subscriptionId)
    const asked = await findRedeemable(tx, siteId, code, facts.subscription.productId, now)
    if (asked === undefined) throw invalid('Coupon is invalid')
    const changes = decideAddCoupon(facts, asked, now)
    if (!(await claimUse(tx, siteId, asked))) throw invalid('Coupon is invalid')
    await commit(app, tx, siteId, [changes])
    return subscriptionId
  })
