/** Takes a subscription up again that was on hold. */
import { decideResumption } from '../billing/hold.ts'
import { cannotBeCharged } from '../billing/reactivation.ts'
import type { App } from './app.ts'
import { collectOnRequest, refuseUnlessApproved } from './collect-on-request.ts'

/** After the billing date a full period is charged at once; when that fails, the subscription stays on hold. */
export async function resumeSubscription(app: App, siteId: number, subscriptionId: number): Promise<number> {
  refuseUnlessApproved(await collectOnRequest(app, siteId, subscriptionId, decideResumption), cannotBeCharged)
  return subscriptionId
}
