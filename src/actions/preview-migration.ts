/** Rehearses a change of product with proration: load and decide, and no commit. */
import { figuresOf, type Migration, type MigrationFigures, planMigration } from '../billing/migration-plan.ts'
import { type NamedPricePoint, refuseOtherPricePoints } from '../billing/price-point.ts'
import { invalid } from '../billing/refusal.ts'
import { momentOfAct, type SubscriptionFacts } from '../billing/subscription.ts'
import { listAdvanceCharges } from '../store/advance-charges.ts'
import { findProduct, type Named } from '../store/catalog.ts'
import type { Connection } from '../store/database.ts'
import { listFacts } from '../store/facts.ts'
import { findProductTerms } from '../store/product-terms.ts'
import { type App, siteAndNow } from './app.ts'

export type MigrateSubscription = Omit<Migration, 'product' | 'productFamilyId'> & {
  product: Named | null
  /** Another than the product's own is refused. */
  pricePoints?: readonly NamedPricePoint[]
}

/** Undefined when the site has no such subscription. */
export async function previewMigration(
  app: App,
  siteId: number,
  subscriptionId: number,
  command: MigrateSubscription,
): Promise<MigrationFigures | undefined> {
  const { site, now } = await siteAndNow(app, app.db, siteId)
  const facts = (await listFacts(app.db, site, [subscriptionId])).get(subscriptionId)
  if (facts === undefined) return undefined
  const known = command.product && (await findTarget(app.db, siteId, command.product))
  if (!known) throw invalid('Product must be specified')
  const { plan } = await findMigrationPlan(app.db, facts, command, now)
  return figuresOf(plan, facts.subscription.balance)
}

/** What the migration would do by what is on record now. Refuses a product that the site does not sell. */
export async function findMigrationPlan(
  connection: Connection,
  facts: SubscriptionFacts,
  { product: by, pricePoints, ...wish }: MigrateSubscription,
  at: Temporal.Instant,
): Promise<{ plan: ReturnType<typeof planMigration>; now: Temporal.Instant }> {
  const { siteId, id } = facts.subscription
  const now = momentOfAct(facts.subscription, at)
  const [found, advance] = await Promise.all([
    by === null ? undefined : findTarget(connection, siteId, by),
    listAdvanceCharges(connection, siteId, id),
  ])
  if (found === undefined) throw invalid('Invalid Product')
  refuseOtherPricePoints(found.product, pricePoints)
  return { plan: planMigration(facts, { ...wish, ...found }, advance, now), now }
}

async function findTarget(
  connection: Connection,
  siteId: number,
  by: Named,
): Promise<Pick<Migration, 'product' | 'productFamilyId'> | undefined> {
  const [terms, known] = await Promise.all([
    findProductTerms(connection, siteId, by),
    findProduct(connection, siteId, by),
  ])
  return terms && known && { product: terms, productFamilyId: known.product.productFamilyId }
}
