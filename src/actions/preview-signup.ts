/** Rehearses a sign-up: judged as the sign-up itself, but neither customer nor card is needed, and nothing is written. */
import { previewSignup, type SignupPreview } from '../billing/signup-preview.ts'
import type { App } from './app.ts'
import { findSignupPlan, type SignupCommand } from './plan-signup.ts'

/** Refuses whatever the sign-up would refuse, but for what it does not know of the customer and the card. */
export async function previewNewSubscription(app: App, siteId: number, command: SignupCommand): Promise<SignupPreview> {
  const { plan, now } = await findSignupPlan(app, siteId, command, { needsCard: false, needsCustomer: false })
  return previewSignup(plan, now)
}
