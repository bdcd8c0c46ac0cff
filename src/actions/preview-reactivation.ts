/** Rehearses a reactivation: what would be charged at once, without a commit. */
import type { Ids } from '../billing/changes.ts'
import type { Cents } from '../billing/money.ts'
import { zeroCents } from '../billing/money.ts'
import { decideReactivation, type Reactivation } from '../billing/reactivation.ts'
import { notFound } from '../billing/refusal.ts'
import { listFacts } from '../store/facts.ts'
import { type App, siteAndNow } from './app.ts'

/** Nothing is written, so no row needs a number. */
const noIds: Ids = { transaction: () => 0, statement: () => 0, attempt: () => 0 }

/** What the card would be asked for. Refuses what the reactivation would refuse. */
export async function previewReactivation(
  app: App,
  siteId: number,
  subscriptionId: number,
  wish: Omit<Reactivation, 'coupon'>,
): Promise<Cents> {
  const { site, now } = await siteAndNow(app, app.db, siteId)
  const facts = (await listFacts(app.db, site, [subscriptionId])).get(subscriptionId)
  if (facts === undefined) throw notFound()
  return decideReactivation(facts, { ...wish, coupon: null }, now, noIds).attempt?.amount ?? zeroCents
}
