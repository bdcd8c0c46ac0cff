/** Rewrites the history of a subscription where a merchant knows it better. */
import { decideOverride, type Override } from '../billing/override.ts'
import { actOnSubscription } from './act-on-subscription.ts'
import type { App } from './app.ts'

export const overrideSubscription = (
  app: App,
  siteId: number,
  subscriptionId: number,
  override: Override,
): Promise<number> =>
  actOnSubscription(app, siteId, subscriptionId, ({ subscription }, now) => decideOverride(subscription, override, now))
