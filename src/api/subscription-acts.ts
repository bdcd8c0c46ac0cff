/** What a merchant may do to a subscription, one route an act; the answer is the subscription, but where it says otherwise. */
import { activateSubscription } from '../actions/activate-subscription.ts'
import type { App } from '../actions/app.ts'
import { cancelDunning } from '../actions/cancel-dunning.ts'
import { changeHold, holdSubscription } from '../actions/hold-subscription.ts'
import { overrideSubscription } from '../actions/override-subscription.ts'
import { reactivateSubscription } from '../actions/reactivate-subscription.ts'
import { resetBalance } from '../actions/reset-balance.ts'
import { resumeSubscription } from '../actions/resume-subscription.ts'
import { retrySubscription } from '../actions/retry-subscription.ts'
import { callOffCancellation, scheduleCancellation } from '../actions/schedule-cancellation.ts'
import { updateSubscription } from '../actions/update-subscription.ts'
import { notFound } from '../billing/refusal.ts'
import { findSubscriptionRecord } from '../store/subscription-records.ts'
import { bare, empty } from '../wire/answer.ts'
import type { Method, Route } from '../wire/request.ts'
import { acts, type Context, type Show, type SiteRequest, subscriptionFrom } from './handler.ts'
import {
  readActivation,
  readCancellationNotes,
  readHold,
  readOverride,
  readReactivation,
} from './subscription-acts-input.ts'
import { readUpdate } from './subscription-update-input.ts'
import { showSubscription } from './subscriptions.ts'

type ActOn = (app: App, siteId: number, id: number, request: SiteRequest) => Promise<number>

/** That there is no such subscription comes before what is wrong with the request about it. */
const route = (method: Method, path: string, act: ActOn, show: Show = showSubscription(200)): Route<Context> => ({
  method,
  path: `/subscriptions/:subscription_id${path}`,
  handler: acts(
    async (app, request) => act(app, request.context.site.id, await subscriptionFrom(request), request),
    show,
  ),
})

const update: ActOn = async (app, siteId, id, { body, context: { site } }) => {
  const present = await findSubscriptionRecord(app.db, siteId, id)
  if (present === undefined) throw notFound()
  return updateSubscription(app, siteId, id, readUpdate(body, site, present))
}

const reactivate: ActOn = (app, siteId, id, { query, body }) =>
  reactivateSubscription(app, siteId, id, readReactivation(query, body))

const activate: ActOn = (app, siteId, id, { body }) => activateSubscription(app, siteId, id, readActivation(body))

const override: ActOn = (app, siteId, id, { body, context: { site } }) =>
  overrideSubscription(app, siteId, id, readOverride(body, site))

const cancelLater: ActOn = (app, siteId, id, { body }) =>
  scheduleCancellation(app, siteId, id, readCancellationNotes(body))

const hold: ActOn = (app, siteId, id, { body, context: { site } }) =>
  holdSubscription(app, siteId, id, readHold(body, site) ?? null)

const moveHold: ActOn = (app, siteId, id, { body, context: { site } }) =>
  changeHold(app, siteId, id, readHold(body, site))

const tells =
  (message: string): Show =>
  async () =>
    bare(200, 'delayed_cancel', { message })

const scheduled = tells('This subscription is scheduled to be canceled at the end of the current period')
const calledOff = tells('This subscription will no longer cancel at the end of the period')

export const subscriptionActRoutes: readonly Route<Context>[] = [
  route('PUT', '', update),
  route('PUT', '/reactivate', reactivate),
  route('PUT', '/activate', activate),
  route('PUT', '/reset_balance', resetBalance),
  route('PUT', '/override', override, async () => empty(204)),
  route('PUT', '/retry', retrySubscription),
  route('POST', '/cancel_dunning', cancelDunning),
  route('POST', '/hold', hold),
  route('PUT', '/hold', moveHold),
  route('POST', '/resume', resumeSubscription),
  route('POST', '/delayed_cancel', cancelLater, scheduled),
  route('DELETE', '/delayed_cancel', callOffCancellation, calledOff),
]
