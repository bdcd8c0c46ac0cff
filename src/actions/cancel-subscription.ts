/** Cancels a subscription at once. */
import { type Cancellation, decideCancellation } from '../billing/cancellation.ts'
import { drawIds } from '../store/ids.ts'
import { type App, write } from './app.ts'
import { commit } from './commit.ts'
import { lockSubscription } from './lock-subscription.ts'

/** Cancelling a canceled subscription succeeds and notes what is said of it. Refuses a subscription that the site does not have. */
export const cancelSubscription = (
  app: App,
  siteId: number,
  subscriptionId: number,
  cancellation: Cancellation,
): Promise<number> =>
  write(app, async (tx) => {
    const { facts, now } = await lockSubscription(app, tx, siteId, subscriptionId)
    const ids = await drawIds(tx, siteId, { transactions: 0, statements: 0, attempts: 0 })
    await commit(app, tx, siteId, [decideCancellation(facts, cancellation, now, ids)])
    return subscriptionId
  })
