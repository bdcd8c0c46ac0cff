/** Subscriptions: create, list, read, cancel. */
import { nowOf } from '../actions/app.ts'
import { cancelSubscription } from '../actions/cancel-subscription.ts'
import { createSubscription } from '../actions/create-subscription.ts'
import { previewNextRenewals } from '../actions/preview-renewal.ts'
import { notFound } from '../billing/refusal.ts'
import { findCustomer } from '../store/customers.ts'
import { listSubscriptionRecords } from '../store/subscription-lists.ts'
import { findSubscriptionRecord, listSubscriptionRecordsOfCustomer } from '../store/subscription-records.ts'
import { findSubscriptionIdByReference } from '../store/subscriptions.ts'
import { presentSubscription, subscriptionShape } from '../views/subscription.ts'
import { list, resource } from '../wire/answer.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, changes, type Handler, idFrom, type Show, shows, textFrom } from './handler.ts'
import { readSignup } from './signup-input.ts'
import { readCancellationNotes } from './subscription-acts-input.ts'
import { readSubscriptionList } from './subscription-list-input.ts'

/** Alone it tells what its next billing will come to, which is left out where that cannot be priced. */
const readOne: Show = async (connection, site, id, app) => {
  const record = await findSubscriptionRecord(connection, site.id, id)
  if (record === undefined) return undefined
  const billing = (await previewNextRenewals(app, site.id, [id])).get(id)
  const shown = presentSubscription(record, site, billing?.totalAmountDue)
  return resource(200, 'subscription', shown, subscriptionShape)
}

export const showSubscription =
  (status: number): Show =>
  async (connection, site, id) => {
    const record = await findSubscriptionRecord(connection, site.id, id)
    if (record === undefined) return undefined
    const headers = status === 201 ? { Location: `/subscriptions/${id}` } : undefined
    return resource(status, 'subscription', presentSubscription(record, site), subscriptionShape, headers)
  }

const lookUp: Handler = async ({ context: { app, site }, query }) => {
  const reference = textFrom(query, 'reference')
  const id = reference === undefined ? undefined : await findSubscriptionIdByReference(app.db, site.id, reference)
  const answer = id === undefined ? undefined : await readOne(app.db, site, id, app)
  if (answer === undefined) throw notFound()
  return answer
}

const create: Act = (app, { context: { site }, body }) => createSubscription(app, site.id, readSignup(body, site))

const listPage: Handler = async ({ context: { app, site }, query }) => {
  const { filter, part } = readSubscriptionList(query, site.timeZone)
  const time = { now: nowOf(app, site), timeZone: site.timeZone }
  const records = await listSubscriptionRecords(app.db, site.id, filter, part, time)
  return list(
    'subscriptions',
    'subscription',
    records.map((record) => presentSubscription(record, site)),
    subscriptionShape,
  )
}

const listOfCustomer: Handler = async (request) => {
  const { app, site } = request.context
  const customerId = idFrom(request, 'customer_id')
  if ((await findCustomer(app.db, site.id, customerId)) === undefined) throw notFound()
  const records = await listSubscriptionRecordsOfCustomer(app.db, site.id, customerId)
  return list(
    'subscriptions',
    'subscription',
    records.map((record) => presentSubscription(record, site)),
    subscriptionShape,
  )
}

const cancel: Act = (app, request) => {
  const notes = readCancellationNotes(request.body)
  return cancelSubscription(app, request.context.site.id, idFrom(request, 'subscription_id'), notes)
}

export const subscriptionRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/subscriptions', handler: listPage },
  { method: 'POST', path: '/subscriptions', handler: acts(create, showSubscription(201)) },
  { method: 'GET', path: '/subscriptions/lookup', handler: lookUp },
  { method: 'GET', path: '/subscriptions/:subscription_id', handler: shows('subscription_id', readOne) },
  {
    method: 'DELETE',
    path: '/subscriptions/:subscription_id',
    handler: changes('subscription_id', cancel, showSubscription(200)),
  },
  { method: 'GET', path: '/customers/:customer_id/subscriptions', handler: listOfCustomer },
]
