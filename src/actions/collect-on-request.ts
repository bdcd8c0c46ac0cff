/** An act that somebody asks for and that needs money at once: decided and on record, then the gateway is asked, then settled. */
import type { Changes, Ids, Outcome } from '../billing/changes.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import { listFacts } from '../store/facts.ts'
import { drawIds } from '../store/ids.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, siteAndNow } from './app.ts'
import { askGateway, settlePayments } from './collect-payments.ts'
import { commit } from './commit.ts'
import { rowsPerDecisionMax } from './rows.ts'

export type Decide = (facts: SubscriptionFacts, now: Temporal.Instant, ids: Ids) => Changes | Promise<Changes>

const underWay = 'A payment for this subscription is being processed.'

/**
 * Decides on facts of a locked subscription and commits. If the changes carry a payment attempt, asks for it and settles it by
 * `settlements`; gives the outcome, or null when nothing was asked for. Refuses a subscription that the site does not have, and
 * one for which a payment is under way. An outcome that stays unknown is left to recovery and told as such.
 */
export async function collectOnRequest(
  app: App,
  siteId: number,
  subscriptionId: number,
  decide: Decide,
): Promise<Outcome | null> {
  const { attempt } = await app.db.transaction(async (tx) => {
    await lockSubscriptions(tx, siteId, [subscriptionId])
    const { site, now } = await siteAndNow(app, tx, siteId)
    const facts = (await listFacts(tx, site, [subscriptionId])).get(subscriptionId)
    if (facts === undefined) throw notFound()
    if (facts.subscription.collectingAttemptId !== null) throw invalid(underWay)
    const ids = await drawIds(tx, { transactions: rowsPerDecisionMax(facts), statements: 1, attempts: 1 })
    const changes = await decide(facts, now, ids)
    await commit(app, tx, siteId, [changes])
    return changes
  })
  app.reach('renewal: attempts on record')
  if (attempt === undefined) return null
  const outcome = await askGateway(app, attempt)
  app.reach('renewal: gateway answered')
  await settlePayments(app, siteId, [{ attempt, outcome }], { asDue: false })
  return outcome
}
