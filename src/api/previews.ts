/** Rehearsals: what a sign-up and the next renewal will cost. They write nothing. */
import { previewNextRenewal } from '../actions/preview-renewal.ts'
import { previewNewSubscription } from '../actions/preview-signup.ts'
import { notFound } from '../billing/refusal.ts'
import {
  presentRenewalPreview,
  presentSignupPreview,
  renewalPreviewShape,
  signupPreviewShape,
} from '../views/preview.ts'
import { resource } from '../wire/answer.ts'
import type { Route } from '../wire/request.ts'
import { type Context, type Handler, idFrom } from './handler.ts'
import { readRehearsed } from './renewal-preview-input.ts'
import { readSignupPreview } from './signup-input.ts'

const previewRenewal: Handler = async (request) => {
  const { app, site } = request.context
  const id = idFrom(request, 'subscription_id')
  const preview = await previewNextRenewal(app, site.id, id, readRehearsed(request.body))
  if (preview === undefined) throw notFound()
  return resource(200, 'renewal_preview', presentRenewalPreview(preview, site.timeZone), renewalPreviewShape)
}

const previewSignup: Handler = async ({ context: { app, site }, body }) => {
  const preview = await previewNewSubscription(app, site.id, readSignupPreview(body, site))
  return resource(200, 'subscription_preview', presentSignupPreview(preview, site.timeZone), signupPreviewShape)
}

export const previewRoutes: readonly Route<Context>[] = [
  { method: 'POST', path: '/subscriptions/:subscription_id/renewals/preview', handler: previewRenewal },
  { method: 'POST', path: '/subscriptions/preview', handler: previewSignup },
]
