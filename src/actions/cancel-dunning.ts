/** Stops asking for a payment that failed; it waits for the next renewal. */
import { decideEndOfDunning } from '../billing/retry.ts'
import { actOnSubscription } from './act-on-subscription.ts'
import type { App } from './app.ts'

export const cancelDunning = (app: App, siteId: number, subscriptionId: number): Promise<number> =>
  actOnSubscription(app, siteId, subscriptionId, decideEndOfDunning)
