/** Webhooks as they were sent: list, read, attempts, replay; and the switch for all of them. */
import { replayWebhooks } from '../actions/replay-webhooks.ts'
import { switchWebhooks } from '../actions/save-endpoint.ts'
import { notFound } from '../billing/refusal.ts'
import { webhookStatuses } from '../billing/webhook.ts'
import { findWebhooksEnabled } from '../store/webhook-endpoints.ts'
import { findWebhook, listAttempts, listWebhooks } from '../store/webhooks.ts'
import { presentAttempt, presentWebhook, webhookAttemptShape, webhookShape } from '../views/webhook.ts'
import { bare, list, resource } from '../wire/answer.ts'
import { boolean, InputErrors, idNumber, listOf, object, readInput, wrapped } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Query, Route } from '../wire/request.ts'
import { type Act, acts, type Context, type Handler, idFrom, type Show, shows, showsOwn } from './handler.ts'
import { readDateWindow, readIdFilter, readWord } from './list-input.ts'

export const showWebhook =
  (status: number): Show =>
  async (connection, site, id, app) => {
    const webhook = await findWebhook(connection, site.id, id)
    if (webhook === undefined) return undefined
    const presented = presentWebhook(webhook, app.seals.open(site.sealedSharedKey), site.timeZone)
    return resource(status, 'webhook', presented, webhookShape)
  }

export const webhookOrders = ['newest_first', 'oldest_first'] as const

/** Some clients of this API say `order_by`. */
const readOrder = (query: Query) =>
  readWord(query, 'order', webhookOrders, readWord(query, 'order_by', webhookOrders, 'newest_first'))

const listPage: Handler = async ({ context: { app, site }, query }) => {
  const filter = {
    status: readWord(query, 'status', webhookStatuses, null),
    ...readDateWindow(query, site.timeZone),
    subscriptionId: readIdFilter(query, 'subscription'),
    isOldestFirst: readOrder(query) === 'oldest_first',
  }
  const found = await listWebhooks(app.db, site.id, filter, readPage(query))
  const sharedKey = app.seals.open(site.sealedSharedKey)
  const presented = found.map((webhook) => presentWebhook(webhook, sharedKey, site.timeZone))
  return list('webhooks', 'webhook', presented, webhookShape)
}

const listAttemptsOfOne: Handler = async (request) => {
  const { app, site } = request.context
  const id = idFrom(request, 'webhook_id')
  if ((await findWebhook(app.db, site.id, id)) === undefined) throw notFound()
  const found = await listAttempts(app.db, site.id, id, readPage(request.query))
  const presented = found.map((attempt) => presentAttempt(attempt, site.timeZone))
  return list('webhook_attempts', 'webhook_attempt', presented, webhookAttemptShape)
}

const replayMax = 1000
export const replayInput = object({ ids: listOf('Ids', idNumber('Id', { required: true }), { max: replayMax }) })

const replay: Act = (app, { context: { site }, body }) => {
  const { ids } = readInput(replayInput, body)
  if (ids === undefined || ids === null || ids.length === 0) throw new InputErrors(['Ids: cannot be blank.'])
  return replayWebhooks(app, site.id, ids)
}

export const settingsInput = object({ webhooks_enabled: boolean('Webhooks enabled', { required: true }) })

/** The switch stands at the root of the body, or in a document about the settings. */
const switchAll: Act = (app, { context: { site }, body }) => {
  const inner = wrapped(body, 'webhook_settings')
  const settings = readInput(settingsInput, Object.keys(inner).length > 0 ? inner : body)
  return switchWebhooks(app, site.id, settings.webhooks_enabled)
}

const showSettings: Show = async (connection, site) =>
  bare(200, 'webhook_settings', { webhooks_enabled: await findWebhooksEnabled(connection, site.id) })

export const webhookRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/webhooks', handler: listPage },
  {
    method: 'POST',
    path: '/webhooks/replay',
    handler: acts(replay, async () => resource(200, 'status', 'ok', 'string')),
  },
  { method: 'GET', path: '/webhooks/settings', handler: showsOwn(showSettings) },
  { method: 'PUT', path: '/webhooks/settings', handler: acts(switchAll, showSettings) },
  { method: 'GET', path: '/webhooks/:webhook_id', handler: shows('webhook_id', showWebhook(200)) },
  { method: 'GET', path: '/webhooks/:webhook_id/attempts', handler: listAttemptsOfOne },
]
