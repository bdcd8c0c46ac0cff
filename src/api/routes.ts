/** The table of everything that can be asked: method, path, handler. Read this first. */
import type { Route } from '../wire/request.ts'
import { bogusGatewayRoutes } from './bogus-gateway.ts'
import { customerRoutes } from './customers.ts'
import type { Context } from './handler.ts'
import { paymentProfileRoutes } from './payment-profiles.ts'
import { previewRoutes } from './previews.ts'
import { productFamilyRoutes } from './product-families.ts'
import { productRoutes } from './products.ts'
import { siteRoutes } from './site.ts'
import { subscriptionRecordRoutes } from './subscription-records.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { testClockRoutes } from './test-clock.ts'

export const routes: readonly Route<Context>[] = [
  ...subscriptionRoutes,
  ...subscriptionRecordRoutes,
  ...previewRoutes,
  ...customerRoutes,
  ...paymentProfileRoutes,
  ...productFamilyRoutes,
  ...productRoutes,
  ...siteRoutes,
  ...testClockRoutes,
  ...bogusGatewayRoutes,
]
