/** Gives money back: the wish is on record with its own key before the gateway is asked, and nothing else waits for it. */
import type { Changes } from '../billing/changes.ts'
import { decideRefund, type Refund } from '../billing/refund.ts'
import { invalid, notFound, pending } from '../billing/refusal.ts'
import { drawIds } from '../store/ids.ts'
import { findRefundable, findRowOfAttempt } from '../store/refunds.ts'
import type { App } from './app.ts'
import { beforeRecording } from './ask-gateway.ts'
import { askAndSettle, findRepeatedAttempt, type Repeated } from './collect-on-request.ts'
import { commit } from './commit.ts'
import { lockSubscription } from './lock-subscription.ts'

const beingVerified =
  'The refund is being verified, since the gateway has not said what became of it. What it asks for counts as given back meanwhile.'

/**
 * Gives the id of the refund in the ledger. Refuses more than what is left of what was paid, refunds under way included; and in the
 * gateway's words a refund that it did not make, which stays on record as failed.
 */
export async function refundPayment(app: App, siteId: number, subscriptionId: number, refund: Refund): Promise<number> {
  const recorded = beforeRecording(app)
  const wish = await decide(app, siteId, subscriptionId, refund)
  const attempt = wish.attempt ?? wish.repeated
  if (attempt === undefined) return wish.transactions![0]!.id
  const outcome = await askAndSettle(app, siteId, wish, recorded)
  if (outcome.result === 'unknown') throw pending(beingVerified)
  if (outcome.result !== 'approved') throw invalid(`${outcome.message} [${refund.memo}]`)
  const id = await findRowOfAttempt(app.db, siteId, subscriptionId, attempt.id)
  if (id === undefined) throw notFound()
  return id
}

const decide = (app: App, siteId: number, subscriptionId: number, refund: Refund): Promise<Changes & Repeated> =>
  app.db.transaction(async (tx) => {
    const { facts, now } = await lockSubscription(app, tx, siteId, subscriptionId)
    const repeated = await findRepeatedAttempt(app, tx, siteId, subscriptionId)
    if (repeated !== undefined) return { repeated }
    const refundable = await findRefundable(tx, siteId, subscriptionId, refund.paymentId)
    const ids = await drawIds(tx, siteId, { transactions: 1, statements: 0, attempts: 1 })
    const changes = decideRefund(facts, refund, refundable, now, ids)
    await commit(app, tx, siteId, [changes])
    const external = changes.transactions?.[0]
    if (external !== undefined) await app.beforeCommit?.(tx, external.id)
    return changes
  })
