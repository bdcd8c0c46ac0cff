/** Makes another stored card of the customer the one that pays a subscription. */
import { subjectOf } from '../billing/act.ts'
import { cardUpdate } from '../billing/life-event.ts'
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
    const facts = (await listFacts(tx, site, [subscriptionId])).get(subscriptionId)
    const subscription = facts?.subscription
    if (facts === undefined || subscription === undefined || profile?.customerId !== subscription.customerId)
      throw notFound()
    if (subscription.paymentProfileId === profileId) throw invalid('This is already the current payment profile')
    const told = cardUpdate(subjectOf(facts, now), { previousProfileId: subscription.paymentProfileId })
    const changed = { ...subscription, paymentProfileId: profileId, updatedAt: now }
    await commit(app, tx, siteId, [{ subscription: changed, events: [told] }])
    return profileId
  })
