/** The one subscription that an act is about: locked, with what there is to decide on and the time of the act. */
import { notFound } from '../billing/refusal.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import type { Transaction } from '../store/database.ts'
import { listFacts } from '../store/facts.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, siteAndNow } from './app.ts'

/** The site and its time are read once the lock is there. Refuses a subscription that the site does not have. */
export async function lockSubscription(
  app: App,
  tx: Transaction,
  siteId: number,
  subscriptionId: number,
): Promise<{ facts: SubscriptionFacts; now: Temporal.Instant }> {
  await lockSubscriptions(tx, siteId, [subscriptionId])
  const { site, now } = await siteAndNow(app, tx, siteId)
  const facts = (await listFacts(tx, site, [subscriptionId])).get(subscriptionId)
  if (facts === undefined) throw notFound()
  return { facts, now }
}
