/** An act that somebody asks for and that needs money at once: decided and on record, then the gateway is asked, then settled. */
import type { Changes, Ids, Outcome, PaymentAttempt } from '../billing/changes.ts'
import { refuseUnderWay } from '../billing/payment-attempt.ts'
import { invalid, pending } from '../billing/refusal.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import type { Connection, Transaction } from '../store/database.ts'
import { drawIds } from '../store/ids.ts'
import { findAttemptOfRequest } from '../store/payment-attempts.ts'
import type { PaymentAttemptRow } from '../store/tables.ts'
import { keepHours } from './answer-once.ts'
import type { App } from './app.ts'
import { askGateway, settlePayments } from './collect-payments.ts'
import { commit } from './commit.ts'
import { lockSubscription } from './lock-subscription.ts'
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

/**
 * Decides on facts of a locked subscription and commits. If the changes carry a payment attempt, asks for it and settles it by
 * `settlements`; gives the outcome, or null when nothing was asked for. Refuses a subscription that the site does not have, and
 * one for which a payment is under way. A request that is repeated goes on with the payment that it asked for before. An outcome that stays unknown is left to recovery and told as such.
 */
export async function collectOnRequest(
  app: App,
  siteId: number,
  subscriptionId: number,
  decide: Decide,
  { rowsMax = rowsPerDecisionMax, made = () => subscriptionId }: Options = {},
): Promise<Outcome | null> {
  const { attempt } = await app.db.transaction(async (tx): Promise<Changes> => {
    const { facts, now } = await lockSubscription(app, tx, siteId, subscriptionId)
    const repeated = await findRepeatedAttempt(app, tx, siteId, subscriptionId)
    if (repeated !== undefined) return { attempt: repeated }
    refuseUnderWay(facts.subscription)
    const ids = await drawIds(tx, siteId, { transactions: rowsMax(facts), statements: 2, attempts: 1 })
    const changes = await decide(facts, now, ids, tx)
    await commit(app, tx, siteId, [changes])
    if (changes.attempt === undefined) await app.beforeCommit?.(tx, made(changes))
    return changes
  })
  return attempt === undefined ? null : askAndSettle(app, siteId, attempt)
}

/**
 * What this same request asked a gateway for when it came before: its process was lost, or the gateway fell silent. It is not asked
 * for a second time, so that nothing is taken or given back twice.
 */
export async function findRepeatedAttempt(
  app: App,
  connection: Connection,
  siteId: number,
  subscriptionId: number,
): Promise<PaymentAttemptRow | undefined> {
  if (app.requestHashes === undefined) return undefined
  const since = app.clock.now().subtract({ hours: keepHours })
  const { requestHashes } = app
  return findAttemptOfRequest(connection, siteId, subscriptionId, { requestHashes, since })
}

type Answered = Partial<Pick<PaymentAttemptRow, 'outcome' | 'outcomeMessage' | 'gatewayTransactionId'>>

/** What a gateway said already, where it did. */
function answerOf({ outcome, outcomeMessage, gatewayTransactionId }: Answered): Outcome | undefined {
  const message = outcomeMessage ?? ''
  if (outcome === 'approved') return { result: outcome, gatewayTransactionId: gatewayTransactionId ?? '', message }
  return outcome === 'declined' || outcome === 'error' ? { result: outcome, message } : undefined
}

/** Asks for a payment whose attempt is on record, and settles what the gateway answers; one that was answered already is done. */
export async function askAndSettle(app: App, siteId: number, attempt: PaymentAttempt & Answered): Promise<Outcome> {
  app.began?.()
  const answered = answerOf(attempt)
  if (answered !== undefined) return answered
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
  throw outcome.result === 'unknown' ? pending(beingVerified) : invalid(words ?? outcome.message)
}
