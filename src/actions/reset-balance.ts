/** Forgives a subscription what it owes. */
import { decideBalanceReset } from '../billing/retry.ts'
import { actOnSubscription } from './act-on-subscription.ts'
import type { App } from './app.ts'

/** Does nothing where nothing is owed. */
export const resetBalance = (app: App, siteId: number, subscriptionId: number): Promise<number> =>
  actOnSubscription(app, siteId, subscriptionId, decideBalanceReset)
