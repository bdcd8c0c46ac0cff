/** Makes another stored card of the customer the one that pays a subscription. */
import { invalid, notFound } from '../billing/refusal.ts'
import { listFacts } from '../store/facts.ts'
import { lockPaymentProfile } from '../store/payment-profiles.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'

/** Gives the card's id. Nothing is collected. Refuses the card that pays already. */
export const changePaymentProfile = (
  app: App,
  siteId: number,
  subscriptionId: number,
  profileId: number,
): Promise<number> =>
  write(app, async (tx) => {
    await lockSubscriptions(tx, siteId, [subscriptionId])
    const [{ site, now }, profile] = await Promise.all([
      siteAndNow(app, tx, siteId),
      lockPaymentProfile(tx, siteId, profileId),
    ])
    const subscription = (await listFacts(tx, site, [subscriptionId])).get(subscriptionId)?.subscription
    if (subscription === undefined || profile?.customerId !== subscription.customerId) throw notFound()
    if (subscription.paymentProfileId === profileId) throw invalid('This is already the current payment profile')
    await commit(app, tx, siteId, [{ subscription: { ...subscription, paymentProfileId: profileId, updatedAt: now } }])
    return profileId
  })
