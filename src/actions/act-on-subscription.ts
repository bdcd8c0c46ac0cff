/** An act on one subscription that asks nobody for money: load, decide, commit. */
import type { Changes, Ids } from '../billing/changes.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import { drawIds } from '../store/ids.ts'
import { type App, write } from './app.ts'
import { commit } from './commit.ts'
import { lockSubscription } from './lock-subscription.ts'
import { rowsPerDecisionMax } from './rows.ts'

type Decide = (facts: SubscriptionFacts, now: Temporal.Instant, ids: Ids) => Changes

/** Gives the subscription's id. Refuses a subscription that the site does not have, and whatever the decision refuses. */
export const actOnSubscription = (app: App, siteId: number, subscriptionId: number, decide: Decide): Promise<number> =>
  write(app, async (tx) => {
    const { facts, now } = await lockSubscription(app, tx, siteId, subscriptionId)
    const ids = await drawIds(tx, siteId, { transactions: rowsPerDecisionMax(facts), statements: 1, attempts: 0 })
    await commit(app, tx, siteId, [decide(facts, now, ids)])
    return subscriptionId
  })
