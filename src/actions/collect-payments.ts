/** Asks gateways for payments that are on record, outside any transaction, and settles what they answer. */
import { assert } from '../billing/assert.ts'
import type { Changes, Outcome, PaymentAttempt, SettledOutcome } from '../billing/changes.ts'
import { settlements } from '../billing/settlement.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Transaction } from '../store/database.ts'
import { listFacts } from '../store/facts.ts'
import { drawIds } from '../store/ids.ts'
import { markUnknown, settleAttempts } from '../store/payment-attempts.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, gatewayOf, siteAndNow } from './app.ts'
import { commit } from './commit.ts'
import { rowsPerDecisionMax } from './rows.ts'

/** How long an unknown outcome waits for its first check; later checks wait longer. */
const firstCheckSeconds = 5

export type Answered<Attempt extends PaymentAttempt = PaymentAttempt> = { attempt: Attempt; outcome: Outcome }

/**
 * Asks for many payments at a time, as many as the gateway bears, and settles them together.
 * `asDue` dates the settlement at the attempt's own moment instead of now: a clock on its way does everything when it was due.
 */
export async function collectPayments(
  app: App,
  siteId: number,
  attempts: readonly PaymentAttempt[],
  { asDue }: { asDue: boolean },
): Promise<void> {
  if (attempts.length === 0) return
  const answered = await askAll(app, attempts)
  app.reach('renewal: gateway answered')
  await settlePayments(app, siteId, answered, { asDue })
  app.reach('renewal: settled')
}

/** Many at a time, as many as the gateway bears; in no particular order. */
export async function askAll<Attempt extends PaymentAttempt>(
  app: App,
  attempts: readonly Attempt[],
): Promise<Answered<Attempt>[]> {
  const answered: Answered<Attempt>[] = []
  const waiting = attempts.values()
  const concurrency = Math.min(...attempts.map((attempt) => gatewayOf(app, attempt.gateway)?.concurrencyMax ?? 1))
  const askNext = async (): Promise<void> => {
    for (const attempt of waiting) {
      answered.push({ attempt, outcome: await askGateway(app, attempt) })
      app.reach('renewal: gateway asked')
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, attempts.length) }, askNext))
  // Answers come in any order; what they lead to is written in the order in which it fell due.
  return answered.sort((left, right) => left.attempt.id - right.attempt.id)
}

/**
 * One payment, by its key. A conversation that broke is followed by a question: the gateway may know what became of it.
 * `unknown` comes back only when that question goes unanswered too.
 */
export async function askGateway(app: App, attempt: PaymentAttempt): Promise<Outcome> {
  const gateway = gatewayOf(app, attempt.gateway)
  if (gateway === undefined)
    return { result: 'error', message: `No gateway keeps cards of the vault ${attempt.gateway}.` }
  assert(attempt.vaultToken !== null, 'a payment is asked for with a stored card')
  const { siteId, subscriptionId, idempotencyKey, amount, vaultToken } = attempt
  const outcome = await orUnknown(gateway.purchase({ siteId, subscriptionId, idempotencyKey, amount, vaultToken }))
  if (outcome.result !== 'unknown') return outcome
  app.reach('payment: answer lost')
  return inquire(gateway, attempt, outcome.message)
}

/** Asks what became of a payment. A gateway that has no record of it captured nothing, but may do so late: that stays unknown. */
async function inquire(gateway: Gateway, attempt: PaymentAttempt, message: string): Promise<Outcome> {
  const found = await gateway.find(attempt).catch(() => ({ result: 'not_found' }) as const)
  return found.result === 'not_found' ? { result: 'unknown', message } : found
}

/** A thrown error is a conversation that broke: whether money moved is unknown. Its message may quote anything, so it is dropped. */
export const orUnknown = (asked: Promise<Outcome>): Promise<Outcome> =>
  asked.catch(() => ({ result: 'unknown', message: 'The conversation with the gateway broke.' }))

/** Writes what gateways answered: outcomes that stand move the ledger, unknown ones wait for recovery. */
export async function settlePayments(
  app: App,
  siteId: number,
  answered: readonly Answered[],
  { asDue }: { asDue: boolean },
): Promise<void> {
  const known: { attempt: PaymentAttempt; outcome: SettledOutcome }[] = []
  const unknown: { id: number; message: string }[] = []
  for (const { attempt, outcome } of answered) {
    if (outcome.result === 'unknown') unknown.push({ id: attempt.id, message: outcome.message })
    else known.push({ attempt, outcome })
  }
  if (unknown.length > 0) {
    await markUnknown(app.db, siteId, unknown, app.clock.now().add({ seconds: firstCheckSeconds }))
    app.reach('renewal: unknown on record')
    app.log.warn({ siteId, attempts: unknown.length }, 'payments with an unknown outcome')
  }
  if (known.length > 0) await app.db.transaction((tx) => settle(app, tx, siteId, known, asDue))
}

async function settle(
  app: App,
  tx: Transaction,
  siteId: number,
  known: readonly { attempt: PaymentAttempt; outcome: SettledOutcome }[],
  asDue: boolean,
): Promise<void> {
  // Subscriptions are locked first, in the order of their ids: everybody who settles or acts takes the same order.
  await lockSubscriptions(
    tx,
    siteId,
    known.map(({ attempt }) => attempt.subscriptionId),
  )
  const [{ site, now, row }, ours] = await Promise.all([
    siteAndNow(app, tx, siteId),
    settleAttempts(tx, siteId, known, app.clock.now()),
  ])
  app.reach('renewal: outcomes written')
  const mine = known.filter(({ attempt }) => ours.has(attempt.id))
  const facts = await listFacts(
    tx,
    site,
    mine.map(({ attempt }) => attempt.subscriptionId),
  )
  const ids = await drawIds(tx, { transactions: rowsToSettle(mine, facts), statements: 2 * mine.length, attempts: 0 })
  const changes = mine.flatMap(({ attempt, outcome }): Changes[] => {
    const known = facts.get(attempt.subscriptionId)
    // The customer was deleted while the gateway was asked: the attempt keeps the outcome, there is no ledger to move.
    if (known === undefined) return []
    const at = asDue || row.clock.advancingTo !== null ? attempt.createdAt : now
    assert(attempt.reason !== 'signup', 'a sign-up settles before its subscription exists')
    return [settlements[attempt.reason](known, attempt, outcome, at, ids)]
  })
  await commit(app, tx, siteId, changes)
  app.reach('renewal: before settlement commits')
}

/** A renewal or a retry settles with the payment alone; an act that was waiting for its money writes all its rows then. */
const rowsToSettle = (
  settled: readonly { attempt: PaymentAttempt }[],
  facts: ReadonlyMap<number, SubscriptionFacts>,
): number =>
  settled.reduce((sum, { attempt }) => {
    const known = facts.get(attempt.subscriptionId)
    return sum + (known === undefined || attempt.intent === null ? 1 : rowsPerDecisionMax(known))
  }, 0)
