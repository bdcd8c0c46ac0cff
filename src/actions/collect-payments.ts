/** Collects what is on record: gateways are asked outside any transaction, many at a time, and settled as they answer. */
import type { PaymentAttempt } from '../billing/changes.ts'
import { renewLeases } from '../store/payment-calls.ts'
import type { App } from './app.ts'
import { type Call, callInTurn, firstCall, type Recorded } from './ask-gateway.ts'
import type { Answered } from './gateway-answers.ts'
import { keepTrying, settlePayments } from './settle-payments.ts'

/** Answers that come within this time of each other are written together. */
const gatherMs = 100
/** On the way of a clock nobody waits for the single payment, and sets are written in the order in which they fell due. */
const gatherAsDueMs = 5000

/** The attempts were put on record by this process, not before `recorded`. */
export async function collectPayments(
  app: App,
  siteId: number,
  attempts: readonly PaymentAttempt[],
  { asDue, recorded }: { asDue: boolean; recorded: Recorded },
): Promise<void> {
  const calls = new Map(attempts.map((attempt) => [attempt.id, firstCall(attempt, recorded)]))
  const hold = { asker: recorded.asker, token: 0 }
  const renewing = keepRenewing(app, () => renewLeases(app.db, siteId, [...calls.keys()], hold))
  const ask = (call: Call): Promise<Answered> => callInTurn(app, call).finally(() => calls.delete(call.attempt.id))
  await askAndSettleAll(app, siteId, [...calls.values()], ask, { asDue }).finally(renewing.stop)
}

/** Well within the lease, so that one renewal may fail. */
const renewEveryMs = 40_000

/** A gateway that is slow may have more to do than a lease is long. */
function keepRenewing(app: App, renew: () => Promise<void>): { stop(): void } {
  let timer = app.timers.after(renewEveryMs, next)
  function next(): void {
    renew().catch((error: unknown) => app.log.warn({ err: error }, 'leases of payments could not be renewed'))
    timer = app.timers.after(renewEveryMs, next)
  }
  return { stop: () => timer.cancel() }
}

/**
 * Asks for many at a time and settles answers as they arrive. What cannot be settled together is settled one by one; what cannot be
 * settled at all is logged and left to recovery. Gives the answers.
 */
export async function askAndSettleAll<One extends Pick<Call, 'attempt'>>(
  app: App,
  siteId: number,
  calls: readonly One[],
  ask: (one: One) => Promise<Answered>,
  { asDue }: { asDue: boolean },
): Promise<Answered[]> {
  const all: Answered[] = []
  let arrived: Answered[] = []
  let left = calls.length
  let woken = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<void>()
  for (const call of calls) {
    void ask(call)
      .catch((error: unknown): Answered => {
        app.log.error({ err: error, siteId, attempt: call.attempt.id }, 'a gateway could not be asked')
        return { attempt: call.attempt, outcome: notAsked, heard: 0 }
      })
      .then((answered) => {
        arrived.push(answered)
        left -= 1
        woken.resolve()
        if (left === 0) finished.resolve()
      })
  }
  while (left > 0 || arrived.length > 0) {
    if (arrived.length === 0) await woken.promise
    if (left > 0) await Promise.race([finished.promise, app.timers.sleep(asDue ? gatherAsDueMs : gatherMs)])
    const set = arrived
    arrived = []
    woken = Promise.withResolvers<void>()
    // What answers lead to is written in the order in which it fell due.
    set.sort((one, other) => one.attempt.id - other.attempt.id)
    app.reach('renewal: gateway answered')
    await settleSet(app, siteId, set, { asDue })
    app.reach('renewal: settled')
    all.push(...set)
  }
  return all
}

const notAsked = { result: 'unknown', message: 'The gateway could not be asked.' } as const

/** One that cannot be settled undoes the whole set; then each has a transaction of its own. */
async function settleSet(app: App, siteId: number, set: readonly Answered[], how: { asDue: boolean }): Promise<void> {
  try {
    await settlePayments(app, siteId, set, how)
  } catch (error) {
    if (set.length > 1) for (const one of set) await settleSet(app, siteId, [one], how)
    else if (set[0] !== undefined) void keepTrying(app, set[0], error)
  }
}
