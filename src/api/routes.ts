/** The table of everything that can be asked: method, path, handler. Read this first. */
import type { Route } from '../wire/request.ts'
import { allocationRoutes } from './allocations.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { bogusGatewayRoutes } from './bogus-gateway.ts'
import { componentRoutes } from './components.ts'
import { couponCodeRoutes } from './coupon-codes.ts'
import { couponRoutes } from './coupons.ts'
import { customerRoutes } from './customers.ts'
import { endpointRoutes } from './endpoints.ts'
import { eventRoutes } from './events.ts'
import type { Context } from './handler.ts'
import { invoiceRoutes } from './invoices.ts'
import { letterRoutes } from './letters.ts'
import { metadataRoutes } from './metadata.ts'
import { migrationRoutes } from './migrations.ts'
import { moneyRoutes } from './money.ts'
import { noteRoutes } from './notes.ts'
import { paymentAttemptRoutes } from './payment-attempts.ts'
import { paymentProfileRoutes } from './payment-profiles.ts'
import { portalRoutes } from './portal.ts'
import { portalSettingsRoutes } from './portal-settings.ts'
import { previewRoutes } from './previews.ts'
import { pricePointRoutes } from './price-points.ts'
import { productFamilyRoutes } from './product-families.ts'
import { productRoutes } from './products.ts'
import { reasonCodeRoutes } from './reason-codes.ts'
import { siteRoutes } from './site.ts'
import { statementRoutes } from './statements.ts'
import { subscriptionActRoutes } from './subscription-acts.ts'
import { subscriptionCouponRoutes } from './subscription-coupons.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { taxRoutes } from './taxes.ts'
import { testClockRoutes } from './test-clock.ts'
import { transactionRoutes } from './transactions.ts'
import { usageRoutes } from './usages.ts'
import { webhookRoutes } from './webhooks.ts'

export const routes: readonly Route<Context>[] = [
  ...subscriptionRoutes,
  ...subscriptionActRoutes,
  ...eventRoutes,
  ...transactionRoutes,
  ...statementRoutes,
  ...allocationRoutes,
  ...usageRoutes,
  ...moneyRoutes,
  ...invoiceRoutes,
  ...migrationRoutes,
  ...previewRoutes,
  ...subscriptionCouponRoutes,
  ...couponRoutes,
  ...couponCodeRoutes,
  ...taxRoutes,
  ...customerRoutes,
  ...metadataRoutes,
  ...noteRoutes,
  ...paymentAttemptRoutes,
  ...reasonCodeRoutes,
  ...paymentProfileRoutes,
  ...productFamilyRoutes,
  ...productRoutes,
  ...componentRoutes,
  ...pricePointRoutes,
  ...portalRoutes,
  ...portalSettingsRoutes,
  ...letterRoutes,
  ...endpointRoutes,
  ...webhookRoutes,
  ...siteRoutes,
  ...testClockRoutes,
  ...apiKeyRoutes,
  ...bogusGatewayRoutes,
]
