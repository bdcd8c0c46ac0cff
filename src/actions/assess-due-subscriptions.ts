/** One round of due work on a site: claim, decide and commit a set of subscriptions, then collect what they owe. */
import type { Changes } from '../billing/changes.ts'
import { decideAssessment } from '../billing/renewal.ts'
import type { Transaction } from '../store/database.ts'
import { drawIds } from '../store/ids.ts'
import { claimDue, listFacts } from '../store/subscriptions.ts'
import { type App, siteAndNow } from './app.ts'
import { collectPayments } from './collect-payments.ts'
import { commit } from './commit.ts'

export type Round = {
  /** By the site's clock when absent; a clock on its way names the instant up to which it works. */
  dueBy?: Temporal.Instant
  limit: number
  /** Dates everything at the instant it was due instead of now. */
  asDue: boolean
}

/** An assessment writes a baseline, a setup fee and at most one row in place of a payment. */
const rowsPerAssessmentMax = 3

/** Gives the number of subscriptions that it worked on; 0 means that nothing is due that nobody else is working on. */
export async function assessDueSubscriptions(app: App, siteId: number, round: Round): Promise<number> {
  const changes = await app.db.transaction(async (tx) => {
    const decided = await assess(app, tx, siteId, round)
    app.reach('renewal: before commit')
    return decided
  })
  app.reach('renewal: attempts on record')
  const attempts = changes.map((change) => change.attempt).filter((attempt) => attempt !== undefined)
  await collectPayments(app, siteId, attempts, { asDue: round.asDue })
  return changes.length
}

async function assess(app: App, tx: Transaction, siteId: number, { dueBy, limit, asDue }: Round): Promise<Changes[]> {
  const { site, now } = await siteAndNow(app, tx, siteId)
  const claimed = await claimDue(tx, siteId, { dueBy: dueBy ?? now, limit })
  if (claimed.length === 0) return []
  const [facts, ids] = await Promise.all([
    listFacts(tx, site, claimed),
    drawIds(tx, {
      transactions: claimed.length * rowsPerAssessmentMax,
      statements: claimed.length,
      attempts: claimed.length,
    }),
  ])
  const changes = claimed.map((id) => {
    const known = facts.get(id)!
    return decideAssessment(known, asDue ? known.subscription.nextAssessmentAt : now, ids)
  })
  await commit(app, tx, siteId, changes)
  return changes
}
