/**
 * Makes calls to gateways by the rules that keep a payment single (docs/payment-attempts.md): a call is on record before it is made,
 * it is made at once or not at all, and whatever comes of it is heard, however late.
 */
import { assert } from '../billing/assert.ts'
import type { Outcome, PaymentAttempt } from '../billing/changes.ts'
import type { RefundIntent } from '../billing/refund.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { GatewayTimeout } from '../gateway/time-limits.ts'
import { Turns } from '../gateway/turns.ts'
import { beginCall, type Hold, withdrawCall } from '../store/payment-calls.ts'
import { type App, gatewayOf } from './app.ts'
import { type Answered, conversationBroke, keySecondsOf, lookUp } from './gateway-answers.ts'
import { hearLate } from './settle-payments.ts'

/** A call that goes on record is made within this time, or goes on record anew. */
const freshMs = 10_000

/** By what process, and since when by its monotonic count, a set of attempts is on record; taken before the transaction that writes them. */
export type Recorded = { asker: number; atMs: number }

/** Before the attempts are written. */
export const beforeRecording = (app: App): Recorded => ({ asker: app.asker, atMs: app.timers.monotonicMs() })

export type Call = {
  attempt: PaymentAttempt
  hold: Hold
  recordedMs: number
  /** The attempt's own row counts its first call. */
  isCounted: boolean
}

/** The call that was put on record together with its attempt. */
export const firstCall = (attempt: PaymentAttempt, { asker, atMs }: Recorded): Call => ({
  attempt,
  hold: { asker, token: 0 },
  recordedMs: atMs,
  isCounted: true,
})

/** Of the gateway itself, not of what is wrapped around it: sets that are under way at the same time share what it bears. */
const turns = new WeakMap<Gateway, Turns>()

function turnsOf(gateway: Gateway): Turns {
  const known = turns.get(gateway) ?? new Turns(gateway.concurrencyMax)
  turns.set(gateway, known)
  return known
}

/** As soon as the gateway bears one more call. */
export function callInTurn(app: App, call: Call): Promise<Answered> {
  const gateway = app.gateways.get(call.attempt.gateway)
  return gateway === undefined
    ? makeCall(app, call)
    : turnsOf(gateway).take(() => makeCall(app, call), call.attempt.siteId)
}

/**
 * One payment or refund, by its key. A conversation that broke is followed by a question: the gateway may know what became of it.
 * `unknown` comes back only when that question goes unanswered too, or when somebody else took the attempt and asks.
 */
export async function makeCall(app: App, call: Call): Promise<Answered> {
  const { attempt } = call
  const gateway = gatewayOf(app, attempt.gateway)
  if (gateway === undefined) {
    const message = `No gateway keeps cards of the vault ${attempt.gateway}.`
    return { attempt, outcome: { result: 'error', message }, heard: call.isCounted ? 1 : 0 }
  }
  if (!(await isReady(app, call, gateway)) || !isFresh(app, call)) return leave(app, call)
  // From here to the sending nothing is waited for.
  const asked = send(gateway, attempt).then((outcome): Answered => {
    return { attempt, outcome, heard: outcome.result === 'unknown' ? 0 : 1 }
  })
  const answered = await asked.catch((error: unknown): Answered => {
    if (error instanceof GatewayTimeout) void hearLate(app, attempt, error.answer as Promise<Outcome>)
    return { attempt, outcome: conversationBroke, heard: 0 }
  })
  app.reach('renewal: gateway asked')
  if (answered.outcome.result !== 'unknown') return answered
  app.reach('payment: answer lost')
  return { attempt, outcome: await inquire(gateway, attempt, answered.outcome.message), heard: 0 }
}

const isFresh = (app: App, { hold, recordedMs }: Call): boolean =>
  app.isAlive(hold.asker) && app.timers.monotonicMs() - recordedMs <= freshMs

/** A call that stands on record for longer, or not at all, goes there now; unless the attempt is somebody else's by now. */
async function isReady(app: App, call: Call, gateway: Gateway): Promise<boolean> {
  if (!app.isAlive(call.hold.asker)) return false
  if (call.isCounted && isFresh(app, call)) return true
  const recordedMs = app.timers.monotonicMs()
  const { isCounted, attempt, hold } = call
  const begun = await beginCall(app.db, attempt, hold, { isCounted, keySeconds: keySecondsOf(gateway) }).catch(
    () => false,
  )
  if (begun) Object.assign(call, { recordedMs, isCounted: true })
  return begun
}

/** The attempt is left to whoever holds it; a call on record that is not made says so. */
async function leave(app: App, { attempt, isCounted }: Call): Promise<Answered> {
  if (isCounted) {
    await withdrawCall(app.db, attempt).catch((error: unknown) => {
      app.log.warn({ err: error, siteId: attempt.siteId, attempt: attempt.id }, 'a call could not be withdrawn')
    })
  }
  return { attempt, outcome: leftToOthers, heard: 0, isLeft: true }
}

const leftToOthers = { result: 'unknown', message: 'The payment was taken up by another process.' } as const

async function send(gateway: Gateway, attempt: PaymentAttempt): Promise<Outcome> {
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
  const found = await lookUp(gateway, attempt)
  return found === undefined || found.result === 'not_found' || found.result === 'error'
    ? { result: 'unknown', message }
    : found
}
