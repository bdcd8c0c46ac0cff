/** Writes what gateways answered: outcomes that stand move the ledger, unknown ones wait for recovery, late approvals are never dropped. */
import { assert } from '../billing/assert.ts'
import type { Changes, Outcome, PaymentAttempt } from '../billing/changes.ts'
import { settlements } from '../billing/settlement.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import type { Transaction } from '../store/database.ts'
import { listFacts } from '../store/facts.ts'
import { drawIds } from '../store/ids.ts'
import {
  markUnknown,
  markVoiding,
  recordOtherAnswers,
  type Settling,
  settleAttempts,
} from '../store/payment-attempts.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, siteAndNow } from './app.ts'
import { commit } from './commit.ts'
import type { Answered } from './gateway-answers.ts'
import { noteGatewayAnswers } from './note-gateway-answers.ts'
import { resolveLateApprovals } from './resolve-late-approvals.ts'
import { rowsPerDecisionMax } from './rows.ts'

/** How long an unknown outcome waits for its first check; later checks wait longer. */
const firstCheckSeconds = 5

type Known = Settling & { attempt: PaymentAttempt }

/**
 * Gives the ids of the attempts that ended with this. `asDue` dates the settlement at the attempt's own moment instead of now: a
 * clock on its way does everything when it was due.
 */
export async function settlePayments(
  app: App,
  siteId: number,
  answered: readonly Answered[],
  { asDue }: { asDue: boolean },
): Promise<Set<number>> {
  const known: Known[] = []
  const unknown: { id: number; message: string }[] = []
  for (const { attempt, outcome, heard, isQuiet, isLeft } of answered) {
    if (outcome.result !== 'unknown') known.push({ attempt, outcome, heard, ...(isQuiet && { isQuiet }) })
    else if (!isLeft) unknown.push({ id: attempt.id, message: outcome.message })
  }
  if (unknown.length > 0) {
    await markUnknown(app.db, siteId, unknown, firstCheckSeconds)
    app.reach('renewal: unknown on record')
    app.log.warn({ siteId, attempts: unknown.length }, 'payments with an unknown outcome')
  }
  const ended = new Set<number>()
  let late = 0
  for (const round of roundsOf(known)) {
    const settled = await app.db.transaction((tx) => settle(app, tx, siteId, round, asDue))
    for (const id of settled.ended) ended.add(id)
    late += settled.late
  }
  if (late > 0) await resolveLateApprovals(app, siteId)
  return ended
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
  known: readonly Known[],
  asDue: boolean,
): Promise<{ ended: Set<number>; late: number }> {
  // Subscriptions are locked first, in the order of their ids: everybody who settles or acts takes the same order.
  await lockSubscriptions(
    tx,
    siteId,
    known.map(({ attempt }) => attempt.subscriptionId),
  )
  const [{ site, now, row }, ended] = await Promise.all([
    siteAndNow(app, tx, siteId),
    settleAttempts(tx, siteId, known),
  ])
  app.reach('renewal: outcomes written')
  const mine = known.filter(({ attempt }) => ended.has(attempt.id))
  const others = known.filter(({ attempt }) => !ended.has(attempt.id))
  const late = await recordOtherAnswers(tx, siteId, others)
  if (mine.length === 0) return { ended, late }
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
  return { ended, late }
}

/** A renewal or a retry settles with the payment alone; an act that was waiting for its money writes all its rows then. */
const rowsToSettle = (
  settled: readonly { attempt: PaymentAttempt }[],
  facts: ReadonlyMap<number, SubscriptionFacts>,
): number =>
  settled.reduce((sum, { attempt }) => {
    const known = facts.get(attempt.subscriptionId)
    const isPaymentAlone = attempt.reason === 'renewal' || attempt.intent === null
    return sum + (known === undefined || isPaymentAlone ? 1 : rowsPerDecisionMax(known))
  }, 0)

/** An answer that came when nobody waited for it any more. Never throws. */
export async function hearLate(app: App, attempt: PaymentAttempt, answer: Promise<Outcome>): Promise<void> {
  const outcome = await answer.catch(() => ({ result: 'unknown' }) as const)
  if (outcome.result === 'unknown') return
  app.log.warn({ siteId: attempt.siteId, attempt: attempt.id, result: outcome.result }, 'a gateway answered late')
  await write(app, { attempt, outcome, heard: 1 }).catch((error) =>
    keepTrying(app, { attempt, outcome, heard: 1 }, error),
  )
}

const write = (app: App, answer: Known): Promise<unknown> =>
  answer.attempt.reason === 'signup'
    ? hearOfSignup(app, answer, { givesUp: true })
    : settlePayments(app, answer.attempt.siteId, [answer], { asDue: false })

/** In milliseconds, the last one again and again. */
const triesMs = [1000, 5000, 15_000, 60_000]
const triesMax = 60

/**
 * An answer that could not be written, since the database was away. What is open recovery will look up; an approval of what has ended is
 * known to this process alone, which tries for an hour to get rid of it. Never throws.
 */
export async function keepTrying(app: App, answer: Answered, failure: unknown): Promise<void> {
  const { attempt, outcome, heard } = answer
  const about = { siteId: attempt.siteId, attempt: attempt.id }
  app.log.error({ err: failure, ...about }, 'a payment could not be settled')
  if (outcome.result !== 'approved') return
  for (let tried = 0; tried < triesMax; tried++) {
    await app.timers.sleep(triesMs[Math.min(tried, triesMs.length - 1)]!)
    try {
      await write(app, { attempt, outcome, heard })
      return
    } catch {
      // Told once already; the next try is near.
    }
  }
  app.log.error({ err: failure, ...about }, 'an approved payment was not written for an hour')
}

/** What a gateway says of a sign-up that is given up already: an approval is given back. False when it was not given up yet; `givesUp` does that first. */
export async function hearOfSignup(
  app: App,
  answer: Known,
  { givesUp = false }: { givesUp?: boolean } = {},
): Promise<boolean> {
  const { siteId, id } = answer.attempt
  const late = await app.db.transaction(async (tx) => {
    if (givesUp) await markVoiding(tx, siteId, id)
    return recordOtherAnswers(tx, siteId, [answer])
  })
  if (late > 0) await resolveLateApprovals(app, siteId)
  return late > 0
}
