/** Begins now what waits: a sign-up its first billing, a trial its first paid period. */
import { decideActivation } from '../billing/activation.ts'
import { decideTrialActivation } from '../billing/trial-activation.ts'
import type { App } from './app.ts'
import { collectOnRequest, refuseUnlessApproved } from './collect-on-request.ts'

/** Refuses, in the gateway's words, what it declined; the subscription waits on, or what follows from a decline does where it does not revert. */
export async function activateSubscription(
  app: App,
  siteId: number,
  subscriptionId: number,
  wish: { revertsOnFailure: boolean },
): Promise<number> {
  const outcome = await collectOnRequest(app, siteId, subscriptionId, (facts, now, ids) =>
    (facts.subscription.state === 'trialing' ? decideTrialActivation : decideActivation)(facts, wish, now, ids),
  )
  refuseUnlessApproved(outcome)
  return subscriptionId
}
