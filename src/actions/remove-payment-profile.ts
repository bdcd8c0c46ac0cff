/** Deletes a stored card or bank account and leaves every subscription that it paid without one. */
import { subjectOf } from '../billing/act.ts'
import { profileRemoval } from '../billing/life-event.ts'
import { notFound } from '../billing/refusal.ts'
import { listFacts } from '../store/facts.ts'
import { lockPaymentProfile, markPaymentProfileDeleted } from '../store/payment-profiles.ts'
import { findCustomerIdOfSubscription, lockSubscriptionsOfCustomer } from '../store/subscriptions.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'

/** It must be one of the subscription's customer. */
export const removePaymentProfile = (
  app: App,
  siteId: number,
  subscriptionId: number,
  profileId: number,
): Promise<number> =>
  write(app, async (tx) => {
    const customerId = await findCustomerIdOfSubscription(tx, siteId, subscriptionId)
    if (customerId === undefined) throw notFound()
    const subscriptionIds = await lockSubscriptionsOfCustomer(tx, siteId, customerId)
    const [{ site, now }, profile] = await Promise.all([
      siteAndNow(app, tx, siteId),
      lockPaymentProfile(tx, siteId, profileId),
    ])
    if (profile?.customerId !== customerId) throw notFound()
    const facts = await listFacts(tx, site, subscriptionIds)
    const changes = [...facts.values()]
      .filter(({ subscription }) => subscription.paymentProfileId === profileId)
      .map((known) => ({
        subscription: { ...known.subscription, paymentProfileId: null, updatedAt: now },
        events: [profileRemoval(subjectOf(known, now), profile)],
      }))
    await Promise.all([markPaymentProfileDeleted(tx, siteId, profileId, now), commit(app, tx, siteId, changes)])
    return profileId
  })
