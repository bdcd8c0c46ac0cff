/** Begins a sign-up that waits, now. */
import { decideActivation } from '../billing/activation.ts'
import type { App } from './app.ts'
import { collectOnRequest, refuseUnlessApproved } from './collect-on-request.ts'

/** Refuses, in the gateway's words, what it declined; the subscription waits on, or is canceled if it does not revert. */
export async function activateSubscription(
  app: App,
  siteId: number,
  subscriptionId: number,
  wish: { revertsOnFailure: boolean },
): Promise<number> {
  const outcome = await collectOnRequest(app, siteId, subscriptionId, (facts, now, ids) =>
    decideActivation(facts, wish, now, ids),
  )
  refuseUnlessApproved(outcome)
  return subscriptionId
}
