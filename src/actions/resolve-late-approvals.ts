/** Finds a place for money that gateways took after their attempt had ended: the ledger where it is owed, else the way back. */
import { decideLateApproval, type LateEventKey, paymentEvent } from '../billing/late-approval.ts'
import type { Transaction } from '../store/database.ts'
import { listFacts } from '../store/facts.ts'
import { drawIds } from '../store/ids.ts'
import { claimLateApprovals, type LateApproval, resolveLateApproval } from '../store/late-approvals.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, gatewayOf, siteAndNow } from './app.ts'
import { commit } from './commit.ts'
import { orUnknown } from './gateway-answers.ts'
import { rowsPerDecisionMax } from './rows.ts'
import { tellEvents } from './tell-webhooks.ts'

const claimMax = 100

/** Never throws: what goes wrong with one is logged, and it is tried again later. */
export async function resolveLateApprovals(app: App, siteId: number): Promise<void> {
  try {
    for (const late of await claimLateApprovals(app.db, siteId, claimMax)) await resolve(app, late)
  } catch (error) {
    app.log.error({ err: error, siteId }, 'late approvals could not be resolved')
  }
}

async function resolve(app: App, late: LateApproval): Promise<void> {
  const { siteId, id } = late.attempt
  try {
    const decided = await app.db.transaction((tx) => decideAndRecord(app, tx, late))
    app.log.warn({ siteId, attempt: id, decided }, 'a gateway approved a payment that had been given up')
    if (decided === 'give_back') await giveBack(app, late)
    if (decided === 'record') app.metrics.lateApproval({ gateway: late.attempt.gateway, resolution: 'recorded' })
  } catch (error) {
    app.log.error({ err: error, siteId, attempt: id }, 'a late approval could not be resolved')
  }
}

async function decideAndRecord(
  app: App,
  tx: Transaction,
  late: LateApproval,
): Promise<'record' | 'give_back' | 'wait'> {
  const { attempt, gatewayTransactionId, message } = late
  const { siteId, subscriptionId } = attempt
  await lockSubscriptions(tx, siteId, [subscriptionId])
  const { site, now } = await siteAndNow(app, tx, siteId)
  const facts = (await listFacts(tx, site, [subscriptionId])).get(subscriptionId)
  const rows = facts === undefined ? 0 : rowsPerDecisionMax(facts)
  const ids = await drawIds(tx, siteId, { transactions: rows, statements: 2, attempts: 0 })
  const decision = decideLateApproval(facts, attempt, { result: 'approved', gatewayTransactionId, message }, now, ids)
  if (decision.does !== 'record') return decision.does
  if (!(await resolveLateApproval(tx, late, 'recorded'))) return 'wait'
  await commit(app, tx, siteId, [decision.changes])
  return 'record'
}

/** The gateway undoes a purchase once, however often it is told to. */
async function giveBack(app: App, late: LateApproval): Promise<void> {
  const { attempt, gatewayTransactionId } = late
  const gateway = gatewayOf(app, attempt.gateway)
  if (gateway === undefined) return
  const { siteId, idempotencyKey } = attempt
  const undone = await orUnknown(gateway.void({ siteId, idempotencyKey, gatewayTransactionId }))
  if (undone.result !== 'approved') return
  await app.db.transaction(async (tx) => {
    if (!(await resolveLateApproval(tx, late, 'given_back'))) return
    await tellOf(app, tx, late.attempt, 'late_payment_given_back')
  })
  app.metrics.lateApproval({ gateway: attempt.gateway, resolution: 'given_back' })
}

/** Tells the merchant, by event, webhook and letter. The subscription is named where it exists. */
export async function tellOf(
  app: App,
  tx: Transaction,
  attempt: LateApproval['attempt'],
  key: LateEventKey,
): Promise<void> {
  const { siteId, subscriptionId } = attempt
  const { site, now } = await siteAndNow(app, tx, siteId)
  const facts = (await listFacts(tx, site, [subscriptionId])).get(subscriptionId)
  const known = {
    currency: site.currency,
    customerId: facts?.subscription.customerId ?? null,
    subscriptionId: facts === undefined ? null : subscriptionId,
  }
  await tellEvents(tx, siteId, [paymentEvent(attempt, known, key, now)], app.clock.now())
}
