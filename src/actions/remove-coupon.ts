/** Takes the coupon off a subscription; what it discounted stays discounted, and its use stays counted. */
import { decideRemoveCoupon } from '../billing/coupon-change.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import { listFacts } from '../store/facts.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'

export const noCoupon = "There's no coupon applied to this subscription"

/** `code` null is whatever coupon there is. Refuses a subscription that does not have it. */
export const removeCoupon = (app: App, siteId: number, subscriptionId: number, code: string | null): Promise<number> =>
  write(app, async (tx) => {
    const [{ site, now }] = await Promise.all([
      siteAndNow(app, tx, siteId),
      lockSubscriptions(tx, siteId, [subscriptionId]),
    ])
    const facts = (await listFacts(tx, site, [subscriptionId])).get(subscriptionId)
    if (facts === undefined) throw notFound()
    const changes = decideRemoveCoupon(facts, code, now)
    if (changes === undefined) throw invalid(noCoupon)
    await commit(app, tx, siteId, [changes])
    return subscriptionId
  })
