/** What is said of every route, from all areas. */
import { actDescriptions } from './acts.ts'
import { catalogDescriptions } from './catalog.ts'
import { componentDescriptions } from './components.ts'
import { couponDescriptions } from './coupons.ts'
import { customerDescriptions } from './customers.ts'
import type { Descriptions } from './description.ts'
import { letterDescriptions } from './letters.ts'
import { metadataDescriptions } from './metadata.ts'
import { moneyDescriptions } from './money.ts'
import { portalDescriptions } from './portal.ts'
import { pricePointDescriptions } from './price-points.ts'
import { recordDescriptions } from './records.ts'
import { siteDescriptions } from './site.ts'
import { subscriptionDescriptions } from './subscriptions.ts'
import { webhookDescriptions } from './webhooks.ts'

/** By `METHOD path`. */
export const descriptions: Descriptions = {
  ...subscriptionDescriptions,
  ...actDescriptions,
  ...componentDescriptions,
  ...pricePointDescriptions,
  ...couponDescriptions,
  ...customerDescriptions,
  ...metadataDescriptions,
  ...catalogDescriptions,
  ...moneyDescriptions,
  ...recordDescriptions,
  ...webhookDescriptions,
  ...portalDescriptions,
  ...letterDescriptions,
  ...siteDescriptions,
}
