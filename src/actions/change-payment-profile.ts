/** Makes another stored card or bank account of the customer the one that pays a subscription. */
import { subjectOf } from '../billing/act.ts'
import { profileUpdate } from '../billing/life-event.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import { lockPaymentProfile } from '../store/payment-profiles.ts'
import { type App, write } from './app.ts'
import { commit } from './commit.ts'
import { lockSubscription } from './lock-subscription.ts'

/** Gives the profile's id. Nothing is collected. Refuses what pays already. */
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
    const { paymentProfileId: previousProfileId } = subscription
    const told = profileUpdate(subjectOf(facts, now), profile.paymentType, { previousProfileId })
    const changed = { ...subscription, paymentProfileId: profileId, updatedAt: now }
    await commit(app, tx, siteId, [{ subscription: changed, events: [told] }])
    return profileId
  })
