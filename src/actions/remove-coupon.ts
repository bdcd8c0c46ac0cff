/** Takes coupons off a subscription; what they discounted stays discounted, and their uses stay counted. */
import { decideRemoveCoupon } from '../billing/coupon-change.ts'
import { invalid } from '../billing/refusal.ts'
import { type App, write } from './app.ts'
import { commit } from './commit.ts'
import { lockSubscription } from './lock-subscription.ts'

export const noCoupon = "There's no coupon applied to this subscription"

/** `code` null is every coupon that there is. Refuses a subscription that does not have it. */
export const removeCoupon = (app: App, siteId: number, subscriptionId: number, code: string | null): Promise<number> =>
  write(app, async (tx) => {
    const { facts, now } = await lockSubscription(app, tx, siteId, subscriptionId)
    const changes = decideRemoveCoupon(facts, code, now)
    if (changes === undefined) throw invalid(noCoupon)
    await commit(app, tx, siteId, [changes])
    return subscriptionId
  })
