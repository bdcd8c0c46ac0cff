/** An act that somebody asks for and that needs money at once: decided and on record, then the gateway is asked, then settled. */
import { assert } from '../billing/assert.ts'
import type { Changes, Ids, Outcome } from '../billing/changes.ts'
import { refuseUnderWay } from '../billing/payment-attempt.ts'
import { invalid, pending } from '../billing/refusal.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import type { Connection, Transaction } from '../store/database.ts'
import { drawIds } from '../store/ids.ts'
import { findAttempt, findAttemptOfRequest } from '../store/payment-attempts.ts'
import type { PaymentAttemptRow } from '../store/tables.ts'
import { keepHours } from './answer-once.ts'
import type { App } from './app.ts'
import { beforeRecording, firstCall, makeCall, type Recorded } from './ask-gateway.ts'
import { commit } from './commit.ts'
import type { Answered } from './gateway-answers.ts'
import { lockSubscription } from './lock-subscription.ts'
import { recoverPayment } from './recover-payments.ts'
import { rowsPerDecisionMax } from './rows.ts'
import { settlePayments } from './settle-payments.ts'

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
  const recorded = beforeRecording(app)
  const wish = await app.db.transaction(async (tx): Promise<Pick<Changes, 'attempt'> & Repeated> => {
    const { facts, now } = await lockSubscription(app, tx, siteId, subscriptionId)
    const repeated = await findRepeatedAttempt(app, tx, siteId, subscriptionId)
    if (repeated !== undefined) return { repeated }
    refuseUnderWay(facts.subscription)
    const ids = await drawIds(tx, siteId, { transactions: rowsMax(facts), statements: 2, attempts: 1 })
    const changes = await decide(facts, now, ids, tx)
    await commit(app, tx, siteId, [changes])
    if (changes.attempt === undefined) await app.beforeCommit?.(tx, made(changes))
    return changes
  })
  return wish.attempt === undefined && wish.repeated === undefined ? null : askAndSettle(app, siteId, wish, recorded)
}

/** The payment of an act: asked for anew, or asked for by the same request before. */
export type Repeated = { repeated?: PaymentAttemptRow }

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
  const { requestHashes } = app
  if (requestHashes === undefined) return undefined
  return findAttemptOfRequest(connection, siteId, subscriptionId, { requestHashes, hours: keepHours })
}

/** What a gateway said already, where it did. */
function answerOf({ outcome, outcomeMessage, gatewayTransactionId }: PaymentAttemptRow): Outcome | undefined {
  const message = outcomeMessage ?? ''
  if (outcome === 'approved') return { result: outcome, gatewayTransactionId: gatewayTransactionId ?? '', message }
  return outcome === 'declined' || outcome === 'error' ? { result: outcome, message } : undefined
}

/**
 * Asks for a payment whose attempt is on record, and settles what the gateway answers. One that was answered already is done; one that
 * the same request asked for before is looked up first. `unknown` where nobody knows yet, or another call may still come to more.
 */
export async function askAndSettle(
  app: App,
  siteId: number,
  { attempt, repeated }: Pick<Changes, 'attempt'> & Repeated,
  recorded: Recorded,
): Promise<Outcome> {
  app.began?.()
  if (repeated !== undefined) return goOn(app, siteId, repeated)
  assert(attempt !== undefined, 'there is a payment to ask for')
  app.reach('renewal: attempts on record')
  const answered = await makeCall(app, firstCall(attempt, recorded))
  app.reach('renewal: gateway answered')
  const ended = await settlePayments(app, siteId, [answered], { asDue: false })
  return ended.has(attempt.id) ? answered.outcome : notYet(answered)
}

/** Nobody may be told of an end that is none: another call under the same key may still capture. */
const notYet = ({ outcome: { message } }: Answered): Outcome => ({ result: 'unknown', message })

async function goOn(app: App, siteId: number, repeated: PaymentAttemptRow): Promise<Outcome> {
  const known = answerOf(repeated)
  if (known !== undefined) return known
  const answered = await recoverPayment(app, siteId, repeated.id)
  const now = await findAttempt(app.db, siteId, repeated.id)
  const outcome = now === undefined ? undefined : answerOf(now)
  return outcome ?? { result: 'unknown', message: answered?.outcome.message ?? '' }
}

const beingVerified =
  'The payment is being verified, since the gateway has not said what became of it. What was asked for is done if it went through.'

/** Refuses, once everything is on record, what a gateway did not approve: in its words, or in those of the act. */
export function refuseUnlessApproved(outcome: Outcome | null, words?: string): void {
  if (outcome === null || outcome.result === 'approved') return
  throw outcome.result === 'unknown' ? pending(beingVerified) : invalid(words ?? outcome.message)
}
