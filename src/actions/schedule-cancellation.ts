/** Cancels a subscription at the end of its period, or calls that off. */
import { type CancellationNotes, decideDelayedCancellation, decideNoCancellation } from '../billing/cancellation.ts'
import { actOnSubscription } from './act-on-subscription.ts'
import type { App } from './app.ts'

/** Scheduling it again changes the notes alone. */
export const scheduleCancellation = (
  app: App,
  siteId: number,
  subscriptionId: number,
  notes: CancellationNotes,
): Promise<number> =>
  actOnSubscription(app, siteId, subscriptionId, (facts, now, ids) => decideDelayedCancellation(facts, notes, now, ids))

export const callOffCancellation = (app: App, siteId: number, subscriptionId: number): Promise<number> =>
  actOnSubscription(app, siteId, subscriptionId, decideNoCancellation)
