/** The endpoints that webhooks are sent to: create, list, change, delete, their secrets, and a test. */
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointTerms,
  rotateSecret,
  updateEndpoint,
} from '../actions/save-endpoint.ts'
import { sendTestWebhook } from '../actions/send-test-webhook.ts'
import { findEndpoint, listEndpoints } from '../store/webhook-endpoints.ts'
import { endpointSecretsShape, endpointShape, presentEndpoint, presentSecrets } from '../views/webhook.ts'
import { bare, empty, resource } from '../wire/answer.ts'
import type { Route } from '../wire/request.ts'
import { readEndpointChange, readNewEndpoint, readOverlapHours } from './endpoint-input.ts'
import { type Act, acts, type Context, changes, type Handler, idFrom, type Show, shows } from './handler.ts'
import { showWebhook } from './webhooks.ts'

const show =
  (status: number): Show =>
  async (connection, site, id) => {
    const endpoint = await findEndpoint(connection, site.id, id)
    return endpoint && resource(status, 'endpoint', presentEndpoint(endpoint), endpointShape)
  }

/** Not wrapped one by one, as clients expect it. */
const listAll: Handler = async ({ context: { app, site } }) => {
  const found = await listEndpoints(app.db, site.id)
  return bare(200, 'endpoints', found.map(presentEndpoint), { list: endpointShape, item: 'endpoint' })
}

const showSecrets: Show = async (connection, site, id, app) => {
  const endpoint = await findEndpoint(connection, site.id, id)
  if (endpoint === undefined) return undefined
  return resource(
    200,
    'endpoint_secrets',
    presentSecrets(endpoint, app.seals.open, app.clock.now()),
    endpointSecretsShape,
  )
}

const create: Act = (app, { context: { site }, body }) => createEndpoint(app, site.id, readNewEndpoint(body))

const idOf = 'endpoint_id'

const update: Act = (app, request) => {
  const change: Partial<EndpointTerms> = readEndpointChange(request.body, false)
  return updateEndpoint(app, request.context.site.id, idFrom(request, idOf), change)
}

const remove: Act = (app, request) => deleteEndpoint(app, request.context.site.id, idFrom(request, idOf))

const rotate: Act = (app, request) =>
  rotateSecret(app, request.context.site.id, idFrom(request, idOf), readOverlapHours(request.body))

const test: Act = (app, request) => sendTestWebhook(app, request.context.site.id, idFrom(request, idOf))

const path = '/endpoints'
const one = `${path}/:${idOf}`

export const endpointRoutes: readonly Route<Context>[] = [
  { method: 'GET', path, handler: listAll },
  { method: 'POST', path, handler: acts(create, show(201)) },
  { method: 'GET', path: one, handler: shows(idOf, show(200)) },
  { method: 'PUT', path: one, handler: changes(idOf, update, show(200)) },
  { method: 'DELETE', path: one, handler: acts(remove, async () => empty(204)) },
  { method: 'GET', path: `${one}/secrets`, handler: shows(idOf, showSecrets) },
  { method: 'POST', path: `${one}/rotate_secret`, handler: changes(idOf, rotate, show(200)) },
  { method: 'POST', path: `${one}/test`, handler: acts(test, showWebhook(201)) },
]
