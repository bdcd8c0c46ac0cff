/** An act that somebody asks for and that needs money at once: decided and on record, then the gateway is asked, then settled. */
import type { Changes, Ids, Outcome, PaymentAttempt } from '../billing/changes.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import type { Transaction } from '../store/database.ts'
import { listFacts } from '../store/facts.ts'
import { drawIds } from '../store/ids.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, siteAndNow } from './app.ts'
import { askGateway, settlePayments } from './collect-payments.ts'
import { commit } from './commit.ts'
import { rowsPerDecisionMax } from './rows.ts'

export type Decide = (
  facts: SubscriptionFacts,
  now: Temporal.Instant,
  ids: Ids,
  tx: Transaction,
) => Changes | Promise<Changes>

type Options = {
  rowsMax?: (facts: SubscriptionFacts) => number
  /** The id of what the act made when it needed no payment; the subscription itself where nothing is said. */
  made?: (changes: Changes) => number
}

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
  { rowsMax = rowsPerDecisionMax, made = () => subscriptionId }: Options = {},
): Promise<Outcome | null> {
  const { attempt } = await app.db.transaction(async (tx) => {
    await lockSubscriptions(tx, siteId, [subscriptionId])
    const { site, now } = await siteAndNow(app, tx, siteId)
    const facts = (await listFacts(tx, site, [subscriptionId])).get(subscriptionId)
    if (facts === undefined) throw notFound()
    if (facts.subscription.collectingAttemptId !== null) throw invalid(underWay)
    const ids = await drawIds(tx, { transactions: rowsMax(facts), statements: 2, attempts: 1 })
    const changes = await decide(facts, now, ids, tx)
    await commit(app, tx, siteId, [changes])
    if (changes.attempt === undefined) await app.beforeCommit?.(tx, made(changes))
    return changes
  })
  return attempt === undefined ? null : askAndSettle(app, siteId, attempt)
}

/** Asks for a payment whose attempt has just been committed, and settles what the gateway answers. */
export async function askAndSettle(app: App, siteId: number, attempt: PaymentAttempt): Promise<Outcome> {
  app.reach('renewal: attempts on record')
  const outcome = await askGateway(app, attempt)
  app.reach('renewal: gateway answered')
  await settlePayments(app, siteId, [{ attempt, outcome }], { asDue: false })
  return outcome
}

const beingVerified =
  'The payment is being verified, since the gateway has not said what became of it. What was asked for is done if it went through.'

/** Refuses, once everything is on record, what a gateway did not approve: in its words, or in those of the act. */
export function refuseUnlessApproved(outcome: Outcome | null, words?: string): void {
  if (outcome === null || outcome.result === 'approved') return
  throw invalid(outcome.result === 'unknown' ? beingVerified : (words ?? outcome.message))
}
