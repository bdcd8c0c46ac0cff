/** Tries to collect what a subscription owes, now. */
import { decideRetry } from '../billing/retry.ts'
import type { App } from './app.ts'
import { collectOnRequest, refuseUnlessApproved } from './collect-on-request.ts'

/** Refuses, in the gateway's words, what it declined; the failed payment stays on record. */
export async function retrySubscription(app: App, siteId: number, subscriptionId: number): Promise<number> {
  refuseUnlessApproved(await collectOnRequest(app, siteId, subscriptionId, decideRetry))
  return subscriptionId
}
