/** Charges a subscription by hand: now, or with its next renewal. */
import type { Changes } from '../billing/changes.ts'
import { type Charge, decideCharge } from '../billing/charge.ts'
import { notFound } from '../billing/refusal.ts'
import { findRowOfAttempt } from '../store/refunds.ts'
import type { App } from './app.ts'
import { collectOnRequest, type Decide, findRepeatedAttempt, refuseUnlessApproved } from './collect-on-request.ts'

const firstRow = (changes: Changes): number => changes.transactions![0]!.id

/**
 * Gives the id of the charge in the ledger. Refuses, in the gateway's words, one that could not be captured and may not accrue: its
 * failed payment stays on record.
 */
export async function createCharge(app: App, siteId: number, subscriptionId: number, charge: Charge): Promise<number> {
  let decided: Changes | undefined
  const decide: Decide = (facts, now, ids) => {
    decided = decideCharge(facts, charge, now, ids)
    return decided
  }
  const outcome = await collectOnRequest(app, siteId, subscriptionId, decide, { made: firstRow })
  if (decided !== undefined && decided.attempt === undefined) return firstRow(decided)
  if (outcome?.result === 'unknown' || !charge.accrueOnFailure) refuseUnlessApproved(outcome)
  const attempt = decided?.attempt ?? (await findRepeatedAttempt(app, app.db, siteId, subscriptionId))
  const id = attempt && (await findRowOfAttempt(app.db, siteId, subscriptionId, attempt.id))
  if (id === undefined) throw notFound()
  return id
}
