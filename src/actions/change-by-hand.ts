/** What a merchant does to a ledger by hand and no gateway is asked for: decided on facts of a locked subscription, and written. */
import { assert } from '../billing/assert.ts'
import type { Changes, Ids } from '../billing/changes.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import { drawIds } from '../store/ids.ts'
import { type App, write } from './app.ts'
import { commit } from './commit.ts'
import { lockSubscription } from './lock-subscription.ts'

type Decide = (facts: SubscriptionFacts, now: Temporal.Instant, ids: Ids) => Changes

/** One row, and one for each tax on it. */
const rowsMax = ({ pricing }: SubscriptionFacts): number => 1 + pricing.taxes.length

/** Gives the id of the row that the decision writes first. Refuses a subscription that the site does not have. */
export const changeByHand = (app: App, siteId: number, subscriptionId: number, decide: Decide): Promise<number> =>
  write(app, async (tx) => {
    const { facts, now } = await lockSubscription(app, tx, siteId, subscriptionId)
    const ids = await drawIds(tx, siteId, { transactions: rowsMax(facts), statements: 0, attempts: 0 })
    const changes = decide(facts, now, ids)
    await commit(app, tx, siteId, [changes])
    const [row] = changes.transactions ?? []
    assert(row !== undefined, 'a change by hand writes a row')
    return row.id
  })
