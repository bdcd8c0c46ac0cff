/** What a merchant does to a ledger by hand and no gateway is asked for: decided on facts of a locked subscription, and written. */
import { assert } from '../billing/assert.ts'
import type { Changes, Ids } from '../billing/changes.ts'
import { notFound } from '../billing/refusal.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import { listFacts } from '../store/facts.ts'
import { drawIds } from '../store/ids.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'

type Decide = (facts: SubscriptionFacts, now: Temporal.Instant, ids: Ids) => Changes

/** One row, and one for each tax on it. */
const rowsMax = ({ pricing }: SubscriptionFacts): number => 1 + pricing.taxes.length

/** Gives the id of the row that the decision writes first. Refuses a subscription that the site does not have. */
export const changeByHand = (app: App, siteId: number, subscriptionId: number, decide: Decide): Promise<number> =>
  write(app, async (tx) => {
    await lockSubscriptions(tx, siteId, [subscriptionId])
    const { site, now } = await siteAndNow(app, tx, siteId)
    const facts = (await listFacts(tx, site, [subscriptionId])).get(subscriptionId)
    if (facts === undefined) throw notFound()
    const ids = await drawIds(tx, { transactions: rowsMax(facts), statements: 0, attempts: 0 })
    const changes = decide(facts, now, ids)
    await commit(app, tx, siteId, [changes])
    const [row] = changes.transactions ?? []
    assert(row !== undefined, 'a change by hand writes a row')
    return row.id
  })
