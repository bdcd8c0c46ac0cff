/** An act on one subscription that asks nobody for money: load, decide, commit. */
import type { Changes, Ids } from '../billing/changes.ts'
import { notFound } from '../billing/refusal.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import { listFacts } from '../store/facts.ts'
import { drawIds } from '../store/ids.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'
import { rowsPerDecisionMax } from './rows.ts'

type Decide = (facts: SubscriptionFacts, now: Temporal.Instant, ids: Ids) => Changes

/** Gives the subscription's id. Refuses a subscription that the site does not have, and whatever the decision refuses. */
export const actOnSubscription = (app: App, siteId: number, subscriptionId: number, decide: Decide): Promise<number> =>
  write(app, async (tx) => {
    await lockSubscriptions(tx, siteId, [subscriptionId])
    const { site, now } = await siteAndNow(app, tx, siteId)
    const facts = (await listFacts(tx, site, [subscriptionId])).get(subscriptionId)
    if (facts === undefined) throw notFound()
    const ids = await drawIds(tx, { transactions: rowsPerDecisionMax(facts), statements: 1, attempts: 0 })
    await commit(app, tx, siteId, [decide(facts, now, ids)])
    return subscriptionId
  })
