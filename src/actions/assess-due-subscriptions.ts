/** One round of due work on a site: claim, decide and commit a set of subscriptions, then collect what they owe. */
import { assert } from '../billing/assert.ts'
import type { Changes } from '../billing/changes.ts'
import { decideAssessment } from '../billing/renewal.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import { isOfOneRow } from '../host/database-trouble.ts'
import type { Transaction } from '../store/database.ts'
import { listFacts } from '../store/facts.ts'
import { drawIds } from '../store/ids.ts'
import { claimDue } from '../store/subscriptions.ts'
import { type App, siteAndNow } from './app.ts'
import { beforeRecording } from './ask-gateway.ts'
import { collectPayments } from './collect-payments.ts'
import { commit } from './commit.ts'
import { parkSubscription } from './park-subscription.ts'

export type Round = {
  /** By the site's clock when absent; a clock on its way names the instant up to which it works. */
  dueBy?: Temporal.Instant
  limit: number
  /** Dates everything at the instant it was due instead of now. */
  asDue: boolean
  /** Called once all that is left to do is to ask gateways and to settle what they answer. */
  decided?: () => void
}

/** What became of the subscriptions that were claimed; a broken one could not be loaded or decided, or its rows were refused. */
type Assessed = { claimed: number[]; changes: Changes[]; broken: { id: number; error: unknown }[] }

/** A baseline, a setup fee, one row in place of a payment, and one for each component, each coupon and each tax. */
const rowsPerAssessmentMax = ({ pricing }: SubscriptionFacts): number =>
  3 + pricing.components.length + pricing.coupons.length + pricing.taxes.length

/**
 * Gives the number of subscriptions that it worked on; 0 means that nothing is due that nobody else is working on.
 * A subscription that cannot be assessed is parked, and the others go on: one bug never stops a site.
 */
export async function assessDueSubscriptions(app: App, siteId: number, round: Round): Promise<number> {
  const recorded = beforeRecording(app)
  const { claimed, changes, broken } = await assessSet(app, siteId, round)
  app.metrics.assessed(claimed.length)
  for (const { id, error } of broken) await parkSubscription(app, siteId, id, error)
  app.reach('renewal: attempts on record')
  round.decided?.()
  const attempts = changes.map((change) => change.attempt).filter((attempt) => attempt !== undefined)
  await collectPayments(app, siteId, attempts, { asDue: round.asDue, recorded })
  return claimed.length
}

/** Where one of a set fails in a way that undoes them all, half of the set is tried, until the one at fault is alone. */
async function assessSet(app: App, siteId: number, round: Round): Promise<Assessed> {
  const claimed: number[] = []
  try {
    return await app.db.transaction(async (tx) => {
      const assessed = await assess(app, tx, siteId, round, claimed)
      app.reach('renewal: before commit')
      return assessed
    })
  } catch (error) {
    if (claimed.length === 0 || !isOfOneRow(error)) throw error
    if (claimed.length === 1) return { claimed, changes: [], broken: [{ id: claimed[0]!, error }] }
    return assessSet(app, siteId, { ...round, limit: Math.floor(claimed.length / 2) })
  }
}

async function assess(
  app: App,
  tx: Transaction,
  siteId: number,
  { dueBy, limit, asDue }: Round,
  claimed: number[],
): Promise<Assessed> {
  const { site, now } = await siteAndNow(app, tx, siteId)
  // The transaction may be run again, with other claims.
  claimed.splice(0, claimed.length, ...(await claimDue(tx, siteId, { dueBy: dueBy ?? now, limit })))
  const assessed: Assessed = { claimed, changes: [], broken: [] }
  if (claimed.length === 0) return assessed
  app.reach('renewal: claimed')
  const facts = await listFacts(tx, site, claimed)
  const ids = await drawIds(tx, siteId, {
    transactions: facts.values().reduce((sum, known) => sum + rowsPerAssessmentMax(known), 0),
    statements: claimed.length,
    attempts: claimed.length,
  })
  for (const id of claimed) {
    try {
      const known = facts.get(id)
      assert(known !== undefined, 'a subscription that is due has a customer and the terms of its product')
      assessed.changes.push(decideAssessment(known, asDue ? known.subscription.nextAssessmentAt : now, ids))
    } catch (error) {
      assessed.broken.push({ id, error })
    }
  }
  await commit(app, tx, siteId, assessed.changes, facts)
  return assessed
}
