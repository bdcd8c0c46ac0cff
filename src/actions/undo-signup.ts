/** Undoes a sign-up that nobody completes: nobody was told that it succeeded, so what was captured is given back. */
import type { SettledOutcome } from '../billing/changes.ts'
import { markVoiding, settleVoided } from '../store/payment-attempts.ts'
import { type OpenAttempt, postponeCheck } from '../store/payment-calls.ts'
import { type App, gatewayOf } from './app.ts'
import { keySecondsOf, orUnknown, quietMarginSeconds } from './gateway-answers.ts'
import { tellUnresolved } from './resolve-payment.ts'

const firstCheckSeconds = 5

/** A sign-up whose request is gone; `postpone` lets recovery look again later. */
export async function undoSignup(
  app: App,
  attempt: OpenAttempt,
  postpone: (app: App, attempt: OpenAttempt) => Promise<void>,
): Promise<void> {
  const marked = await markVoiding(app.db, attempt.siteId, attempt.id)
  if (marked === undefined) return
  app.reach('recovery: marked for giving back')
  const ended = await giveBack(app, { ...attempt, ...marked }, attempt)
  if (ended === 'too_old') await tellUnresolved(app, attempt)
  if (ended !== 'over') await postpone(app, attempt)
}

/** A sign-up whose own request gives it up, just after it asked. */
export async function undoOwnSignup(
  app: App,
  attempt: Pick<OpenAttempt, 'siteId' | 'id' | 'gateway' | 'idempotencyKey'>,
): Promise<void> {
  const marked = await markVoiding(app.db, attempt.siteId, attempt.id)
  if (marked === undefined) return
  const ended = await giveBack(app, { ...attempt, ...marked }, { secondsSinceFirstCall: 0, secondsSinceLastCall: 0 })
  if (ended !== 'over') await postponeCheck(app.db, attempt.siteId, attempt.id, firstCheckSeconds)
}

/**
 * Gives back what an attempt captured, if anything; `wait` when that is not known yet. The attempt is marked as voiding, so that
 * nobody completes it meanwhile and nobody begins another call. A gateway that does not know the key is believed once nothing can be
 * on its way to it, as long as the key lives; then only a human can say what became of it (`too_old`).
 */
async function giveBack(
  app: App,
  attempt: Pick<OpenAttempt, 'siteId' | 'id' | 'gateway' | 'idempotencyKey' | 'vaultToken'>,
  { secondsSinceFirstCall, secondsSinceLastCall }: Pick<OpenAttempt, 'secondsSinceFirstCall' | 'secondsSinceLastCall'>,
): Promise<'over' | 'wait' | 'too_old'> {
  const gateway = gatewayOf(app, attempt.gateway)
  // The card is on record before a gateway is asked for money, so without one nothing was ever asked.
  const wasAsked = gateway !== undefined && attempt.vaultToken !== null
  const found = wasAsked ? await gateway.find(attempt).catch(() => undefined) : ({ result: 'not_found' } as const)
  if (found === undefined || found.result === 'unknown') return 'wait'
  if ((found.result === 'not_found' || found.result === 'error') && wasAsked) {
    const isQuiet = secondsSinceLastCall >= gateway.callSecondsMax + quietMarginSeconds
    if (!isQuiet) return 'wait'
    if (secondsSinceFirstCall >= (keySecondsOf(gateway) ?? Number.POSITIVE_INFINITY)) return 'too_old'
  }
  if (found.result === 'approved') {
    app.reach('recovery: before void')
    const { gatewayTransactionId } = found
    const undone = await orUnknown(gateway!.void({ ...attempt, gatewayTransactionId }))
    if (undone.result !== 'approved') return 'wait'
    app.reach('recovery: voided')
  }
  await settleVoided(app.db, attempt.siteId, attempt.id, endOf(found.result))
  app.reach('recovery: given back')
  app.log.info({ siteId: attempt.siteId, attempt: attempt.id, found: found.result }, 'undid an unfinished sign-up')
  return 'over'
}

const endOf = (found: SettledOutcome['result'] | 'not_found'): string =>
  found === 'approved' ? 'The payment was captured and has been voided.' : 'Nothing was captured.'
