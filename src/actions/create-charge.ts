/** Charges a subscription by hand: now, or with its next renewal. */
import { assert } from '../billing/assert.ts'
import type { Changes } from '../billing/changes.ts'
import { type Charge, decideCharge } from '../billing/charge.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import { findRowOfAttempt } from '../store/refunds.ts'
import type { App } from './app.ts'
import { collectOnRequest, type Decide } from './collect-on-request.ts'

const beingVerified =
  'The payment is being verified, since the gateway has not said what became of it. If it went through, the charge will be made.'

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
  assert(decided !== undefined, 'a charge that was not refused was decided')
  if (decided.attempt === undefined) return firstRow(decided)
  if (outcome?.result === 'unknown') throw invalid(beingVerified)
  if (outcome?.result !== 'approved' && !charge.accrueOnFailure) throw invalid(outcome?.message ?? beingVerified)
  const id = await findRowOfAttempt(app.db, siteId, subscriptionId, decided.attempt.id)
  if (id === undefined) throw notFound()
  return id
}
