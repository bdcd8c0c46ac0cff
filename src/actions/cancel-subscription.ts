/** Cancels a subscription at once. */
import { type Cancellation, decideCancellation } from '../billing/cancellation.ts'
import { notFound } from '../billing/refusal.ts'
import { listFacts } from '../store/facts.ts'
import { drawIds } from '../store/ids.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'

/** Cancelling a canceled subscription succeeds and replaces its message. Refuses a subscription that the site does not have. */
export const cancelSubscription = (
  app: App,
  siteId: number,
  subscriptionId: number,
  cancellation: Cancellation,
): Promise<number> =>
  write(app, async (tx) => {
    const [{ site, now }] = await Promise.all([
      siteAndNow(app, tx, siteId),
      lockSubscriptions(tx, siteId, [subscriptionId]),
    ])
    const [facts, ids] = await Promise.all([
      listFacts(tx, site, [subscriptionId]),
      drawIds(tx, { transactions: 0, statements: 0, attempts: 0 }),
    ])
    const known = facts.get(subscriptionId)
    if (known === undefined) throw notFound()
    await commit(app, tx, siteId, [decideCancellation(known, cancellation, now, ids)])
    return subscriptionId
  })
