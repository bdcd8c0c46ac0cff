/** Changes the product of a subscription with proration: what is due is collected at once, or nothing changes. */
import { decideMigration } from '../billing/migration.ts'
import { nextIds } from '../store/ids.ts'
import type { App } from './app.ts'
import { collectOnRequest, refuseUnlessApproved } from './collect-on-request.ts'
import { findMigrationPlan, type MigrateSubscription } from './preview-migration.ts'

/** Refuses, in the gateway's words, a payment that was not approved: then only the failed payment is on record. */
export async function migrateSubscription(
  app: App,
  siteId: number,
  subscriptionId: number,
  command: MigrateSubscription,
): Promise<number> {
  const outcome = await collectOnRequest(app, siteId, subscriptionId, async (facts, at, ids, tx) => {
    const { plan, now } = await findMigrationPlan(tx, facts, command, at)
    const allocationIds = await nextIds(tx, ...plan.dropped.map(() => 'allocations' as const))
    return decideMigration(facts, { ...plan, allocationIds }, now, ids)
  })
  refuseUnlessApproved(outcome)
  return subscriptionId
}
