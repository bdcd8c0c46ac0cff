/** Records usage of a metered component; it is billed at the end of the period. */
import type { ComponentName } from '../billing/component-choice.ts'
import type { DecimalText } from '../billing/money.ts'
import { notFound } from '../billing/refusal.ts'
import { decideUsage } from '../billing/usage.ts'
import { listFacts } from '../store/facts.ts'
import { drawIds, nextIds } from '../store/ids.ts'
import { findOfferedComponent } from '../store/subscription-components.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { refuseUnlessSold } from './allocate-components.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'

/** Gives the id of the usage. Refuses, as missing, what the subscription cannot have. */
export const recordUsage = (
  app: App,
  siteId: number,
  subscriptionId: number,
  componentName: ComponentName,
  usage: { quantity: DecimalText; memo: string | null },
): Promise<number> =>
  write(app, async (tx) => {
    await lockSubscriptions(tx, siteId, [subscriptionId])
    const { site, now } = await siteAndNow(app, tx, siteId)
    const [facts, found, ids, [usageId]] = await Promise.all([
      listFacts(tx, site, [subscriptionId]),
      findOfferedComponent(tx, siteId, subscriptionId, componentName),
      drawIds(tx, siteId, { transactions: 0, statements: 0, attempts: 0 }),
      nextIds(tx, 'usages'),
    ])
    const known = facts.get(subscriptionId)
    if (known === undefined || found === undefined) throw notFound()
    refuseUnlessSold(found)
    await commit(app, tx, siteId, [decideUsage(known, found.component, usage, now, ids, usageId!)])
    return usageId!
  })
