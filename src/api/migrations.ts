/** Migrations: a change of product with proration, and its rehearsal. */
import { migrateSubscription } from '../actions/migrate-subscription.ts'
import { type MigrateSubscription, previewMigration } from '../actions/preview-migration.ts'
import { notFound } from '../billing/refusal.ts'
import { migrationPreviewShape, presentMigrationPreview } from '../views/migration.ts'
import { resource } from '../wire/answer.ts'
import { boolean, idNumber, nested, object, readInput, text, wrapped } from '../wire/input.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, type Handler, subscriptionFrom } from './handler.ts'
import { pricePointFields, readPricePoints, readProductChoice } from './product-choice.ts'
import { refusedFields } from './refused-fields.ts'
import { showSubscription } from './subscriptions.ts'

export const migrationInput = object({
  product_id: idNumber('Product'),
  product_handle: text('Product handle'),
  ...pricePointFields,
  include_trial: boolean('Include trial'),
  include_initial_charge: boolean('Include initial charge'),
  include_coupons: boolean('Include coupons'),
  preserve_period: boolean('Preserve period'),
  // Another place in which clients say so.
  proration: nested('Proration', { preserve_period: boolean('Preserve period') }),
  ...refusedFields.migration,
})

function readMigration(body: unknown): MigrateSubscription {
  const fields = readInput(migrationInput, wrapped(body, 'migration'))
  return {
    product: readProductChoice(fields),
    pricePoints: readPricePoints(fields),
    includeTrial: fields.include_trial ?? false,
    includeInitialCharge: fields.include_initial_charge ?? false,
    includeCoupons: fields.include_coupons ?? true,
    preservePeriod: fields.preserve_period ?? fields.proration?.preserve_period ?? false,
  }
}

const migrate: Act = async (app, request) => {
  const { site } = request.context
  const id = await subscriptionFrom(request)
  return migrateSubscription(app, site.id, id, readMigration(request.body))
}

const preview: Handler = async (request) => {
  const { app, site } = request.context
  const id = await subscriptionFrom(request)
  const figures = await previewMigration(app, site.id, id, readMigration(request.body))
  if (figures === undefined) throw notFound()
  return resource(200, 'migration', presentMigrationPreview(figures), migrationPreviewShape)
}

export const migrationRoutes: readonly Route<Context>[] = [
  { method: 'POST', path: '/subscriptions/:subscription_id/migrations', handler: acts(migrate, showSubscription(200)) },
  { method: 'POST', path: '/subscriptions/:subscription_id/migrations/preview', handler: preview },
]
