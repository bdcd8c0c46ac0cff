/** Makes another stored card of the customer the one that pays a subscription. */
import { subjectOf } from '../billing/act.ts'
import { cardUpdate } from '../billing/life-event.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import { lockPaymentProfile } from '../store/payment-profiles.ts'
import { type App, write } from './app.ts'
import { commit } from './commit.ts'
import { lockSubscription } from './lock-subscription.ts'

/** Gives the card's id. Nothing is collected. Refuses the card that pays already. */
export const changePaymentProfile = (
  app: App,
  siteId: number,
  subscriptionId: number,
  profileId: number,
): Promise<number> =>
  write(app, async (tx) => {
    const { facts, now } = await lockSubscription(app, tx, siteId, subscriptionId)
    const { subscription } = facts
    const profile = await lockPaymentProfile(tx, siteId, profileId)
    if (profile?.customerId !== subscription.customerId) throw notFound()
    if (subscription.paymentProfileId === profileId) throw invalid('This is already the current payment profile')
    const told = cardUpdate(subjectOf(facts, now), { previousProfileId: subscription.paymentProfileId })
    const changed = { ...subscription, paymentProfileId: profileId, updatedAt: now }
    await commit(app, tx, siteId, [{ subscription: changed, events: [told] }])
    return profileId
  })
