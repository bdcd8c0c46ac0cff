/** Asks gateways for payments that are on record, outside any transaction, and settles what they answer. */
import { assert } from '../billing/assert.ts'
import type { Changes, Outcome, PaymentAttempt, SettledOutcome } from '../billing/changes.ts'
import type { RefundIntent } from '../billing/refund.ts'
import { settlements } from '../billing/settlement.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { Turns } from '../gateway/turns.ts'
import type { Transaction } from '../store/database.ts'
import { listFacts } from '../store/facts.ts'
import { drawIds } from '../store/ids.ts'
import { markUnknown, settleAttempts } from '../store/payment-attempts.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, gatewayOf, siteAndNow } from './app.ts'
import { commit } from './commit.ts'
import { noteGatewayAnswers } from './note-gateway-answers.ts'
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

/** Of the gateway itself, not of what is wrapped around it: sets that are under way at the same time share what it bears. */
const turns = new WeakMap<Gateway, Turns>()

function turnsOf(gateway: Gateway): Turns {
  const known = turns.get(gateway) ?? new Turns(gateway.concurrencyMax)
  turns.set(gateway, known)
  return known
}

/** Many at a time, as many as the gateway bears. */
export async function askAll<Attempt extends PaymentAttempt>(
  app: App,
  attempts: readonly Attempt[],
): Promise<Answered<Attempt>[]> {
  const ask = async (attempt: Attempt): Promise<Answered<Attempt>> => {
    const outcome = await askGateway(app, attempt)
    app.reach('renewal: gateway asked')
    return { attempt, outcome }
  }
  const answered = await Promise.all(
    attempts.map((attempt) => {
      const gateway = app.gateways.get(attempt.gateway)
      return gateway === undefined ? ask(attempt) : turnsOf(gateway).take(() => ask(attempt), attempt.siteId)
    }),
  )
  // What answers lead to is written in the order in which it fell due.
  return answered.sort((left, right) => left.attempt.id - right.attempt.id)
}

/**
 * One payment or refund, by its key. A conversation that broke is followed by a question: the gateway may know what became of it.
 * `unknown` comes back only when that question goes unanswered too.
 */
export async function askGateway(app: App, attempt: PaymentAttempt): Promise<Outcome> {
  const gateway = gatewayOf(app, attempt.gateway)
  if (gateway === undefined)
    return { result: 'error', message: `No gateway keeps cards of the vault ${attempt.gateway}.` }
  const outcome = await orUnknown(ask(gateway, attempt))
  if (outcome.result !== 'unknown') return outcome
  app.reach('payment: answer lost')
  return inquire(gateway, attempt, outcome.message)
}

async function ask(gateway: Gateway, attempt: PaymentAttempt): Promise<Outcome> {
  const { siteId, subscriptionId, idempotencyKey, amount, vaultToken } = attempt
  const request = { siteId, subscriptionId, idempotencyKey, amount }
  if (attempt.reason === 'refund') {
    const { gatewayTransactionId } = attempt.intent as RefundIntent
    return gateway.refund({ ...request, gatewayTransactionId })
  }
  assert(vaultToken !== null, 'a payment is asked for with a stored card')
  return gateway.purchase({ ...request, vaultToken })
}

/** Asks what became of a payment. A gateway that has no record of it captured nothing, but may do so late: that stays unknown. */
async function inquire(gateway: Gateway, attempt: PaymentAttempt, message: string): Promise<Outcome> {
  const asked = attempt.reason === 'refund' ? gateway.findRefund(attempt) : gateway.find(attempt)
  const found = await asked.catch(() => ({ result: 'not_found' }) as const)
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
  for (const round of roundsOf(known)) await app.db.transaction((tx) => settle(app, tx, siteId, round, asDue))
}

/** A refund may be under way beside a payment: each settlement is decided on what the one before it left. */
function roundsOf<One extends { attempt: PaymentAttempt }>(known: readonly One[]): One[][] {
  const rounds: One[][] = []
  const seen = new Map<number, number>()
  for (const one of known) {
    const place = seen.get(one.attempt.subscriptionId) ?? 0
    seen.set(one.attempt.subscriptionId, place + 1)
    rounds[place] ??= []
    rounds[place].push(one)
  }
  return rounds
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
  const ids = await drawIds(tx, siteId, {
    transactions: rowsToSettle(mine, facts),
    statements: 2 * mine.length,
    attempts: 0,
  })
  const isDated = asDue || row.clock.advancingTo !== null
  const dated = mine.map((one) => ({ ...one, at: isDated ? one.attempt.createdAt : now }))
  const changes = dated.flatMap(({ attempt, outcome, at }): Changes[] => {
    const known = facts.get(attempt.subscriptionId)
    // The customer was deleted while the gateway was asked: the attempt keeps the outcome, there is no ledger to move.
    if (known === undefined) return []
    assert(attempt.reason !== 'signup', 'a sign-up settles before its subscription exists')
    return [settlements[attempt.reason](known, attempt, outcome, at, ids)]
  })
  const events = await noteGatewayAnswers(tx, siteId, dated, app.clock.now())
  await commit(app, tx, siteId, events.length > 0 ? [...changes, { events }] : changes, facts)
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
