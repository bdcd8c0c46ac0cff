/** Ends a payment of which only a human can say what became: told to the merchant, and settled as the merchant or operator found out. */
import type { SettledOutcome } from '../billing/changes.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import {
  type AttemptRecord,
  findAttempt,
  findSiteOfUnresolved,
  markUnresolved,
  settleVoided,
} from '../store/payment-attempts.ts'
import type { OpenAttempt } from '../store/payment-calls.ts'
import { type App, gatewayOf } from './app.ts'
import { orUnknown } from './gateway-answers.ts'
import { tellOf } from './resolve-late-approvals.ts'
import { settlePayments } from './settle-payments.ts'

/** Tells once of a payment that the gateway does not know and that cannot be asked for again. */
export const tellUnresolved = (app: App, attempt: OpenAttempt): Promise<void> =>
  app.db.transaction(async (tx) => {
    if (await markUnresolved(tx, attempt.siteId, attempt.id)) await tellOf(app, tx, attempt, 'payment_unresolved')
  })

/** What somebody found out at the gateway: captured (or, of a refund, given back) under this name there, or not at all. */
export type Finding = { gatewayTransactionId: string } | 'nothing'

/**
 * Gives the attempt's id. Refuses one that the site does not have, or that is not unresolved; a finding that proves wrong later is
 * mended like any late approval.
 */
export async function resolvePayment(app: App, siteId: number, attemptId: number, finding: Finding): Promise<number> {
  const attempt = await findAttempt(app.db, siteId, attemptId)
  if (attempt === undefined) throw notFound()
  if (attempt.unresolvedSince === null || attempt.settledAt !== null) throw invalid(notUnresolved)
  app.began?.()
  if (attempt.reason === 'signup') return resolveSignup(app, attempt, finding)
  const outcome: SettledOutcome =
    finding === 'nothing'
      ? { result: 'error', message: 'The gateway captured nothing, as somebody found out.' }
      : { result: 'approved', ...finding, message: 'Captured, as somebody found out.' }
  const ended = await settlePayments(app, siteId, [{ attempt, outcome, heard: 0, isQuiet: true }], { asDue: false })
  if (!ended.has(attemptId)) throw invalid(notUnresolved)
  return attemptId
}

/** Nobody was told that the sign-up succeeded, so what was captured is given back. Refuses, in the gateway's words, what it cannot undo. */
async function resolveSignup(app: App, attempt: AttemptRecord, finding: Finding): Promise<number> {
  if (finding !== 'nothing') {
    const { siteId, idempotencyKey } = attempt
    const gateway = gatewayOf(app, attempt.gateway)
    const undone = gateway && (await orUnknown(gateway.void({ siteId, idempotencyKey, ...finding })))
    if (undone?.result !== 'approved') throw invalid(undone?.message ?? `No gateway is named ${attempt.gateway}.`)
  }
  const message = finding === 'nothing' ? 'Nothing was captured.' : 'The payment was captured and has been voided.'
  await settleVoided(app.db, attempt.siteId, attempt.id, message)
  return attempt.id
}

const notUnresolved = 'Payment attempt: is not one of which only a human can say what became.'

/** The same for an operator, who knows the payment by its id alone. Gives its site. */
export async function resolvePaymentById(app: App, attemptId: number, finding: Finding): Promise<number> {
  const siteId = await findSiteOfUnresolved(app.db, attemptId)
  if (siteId === undefined) throw invalid(notUnresolved)
  await resolvePayment(app, siteId, attemptId, finding)
  return siteId
}
