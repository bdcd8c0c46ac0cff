/** Puts a subscription on hold, or changes when it goes on by itself. */
import { decideHold, decideHoldChange } from '../billing/hold.ts'
import { actOnSubscription } from './act-on-subscription.ts'
import type { App } from './app.ts'

/** `resumeAt` null: until somebody resumes it. */
export const holdSubscription = (
  app: App,
  siteId: number,
  subscriptionId: number,
  resumeAt: Temporal.Instant | null,
): Promise<number> =>
  actOnSubscription(app, siteId, subscriptionId, (facts, now, ids) => decideHold(facts, resumeAt, now, ids))

/** Undefined leaves the moment as it is. */
export const changeHold = (
  app: App,
  siteId: number,
  subscriptionId: number,
  resumeAt: Temporal.Instant | null | undefined,
): Promise<number> =>
  actOnSubscription(app, siteId, subscriptionId, (facts, now, ids) => decideHoldChange(facts, resumeAt, now, ids))
