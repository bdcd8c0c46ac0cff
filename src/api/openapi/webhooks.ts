/** What is said of webhooks and of the endpoints that they are sent to. */
import { webhookStatuses } from '../../billing/webhook.ts'
import { endpointSecretsShape, endpointShape, webhookAttemptShape, webhookShape } from '../../views/webhook.ts'
import { endpointInput, overlapInput } from '../endpoint-input.ts'
import { replayInput, settingsInput, webhookOrders } from '../webhooks.ts'
import { about, bareList, bareValue, many, nothing, one, plainValue, sent } from './description.ts'
import { days, id, paged, word } from './parameters.ts'

const endpoint = one('endpoint', endpointShape)
const settings = bareValue('webhook_settings', {
  type: 'object',
  properties: { webhooks_enabled: { type: 'boolean' } },
  required: ['webhooks_enabled'],
})
const path = '/endpoints/:endpoint_id'

export const webhookDescriptions = about('Webhooks', {
  'GET /endpoints': {
    id: 'listEndpoints',
    summary: 'Lists the endpoints that webhooks are sent to.',
    answers: bareList('endpoints', 'endpoint', endpointShape),
  },
  'POST /endpoints': {
    id: 'createEndpoint',
    summary: 'Adds an endpoint, with the keys of the events that it listens to.',
    input: sent('endpoint', endpointInput),
    answers: one('endpoint', endpointShape, 201),
  },
  [`GET ${path}`]: { id: 'readEndpoint', summary: 'Shows one endpoint.', answers: endpoint },
  [`PUT ${path}`]: {
    id: 'updateEndpoint',
    summary: 'Changes an endpoint.',
    input: sent('endpoint', endpointInput.partial()),
    answers: endpoint,
  },
  [`DELETE ${path}`]: { id: 'deleteEndpoint', summary: 'Deletes an endpoint.', answers: nothing(204) },
  [`GET ${path}/secrets`]: {
    id: 'readEndpointSecrets',
    summary: 'Shows the secrets by which an endpoint can tell that a webhook is ours.',
    answers: one('endpoint_secrets', endpointSecretsShape),
  },
  [`POST ${path}/rotate_secret`]: {
    id: 'rotateEndpointSecret',
    summary: 'Makes a new secret; the one until now signs too for a while.',
    input: sent('rotation', overlapInput),
    answers: endpoint,
  },
  [`POST ${path}/test`]: {
    id: 'testEndpoint',
    summary: 'Sends a test webhook to an endpoint.',
    answers: one('webhook', webhookShape, 201),
  },
  'GET /webhooks': {
    id: 'listWebhooks',
    summary: 'Lists the webhooks that were sent or wait to be; old ones that are over are forgotten.',
    query: [
      ...paged(),
      word('status', webhookStatuses, 'Only those that came to this.'),
      ...days('since_date', 'until_date'),
      id('subscription', 'Only those about this subscription.'),
      word('order', webhookOrders, 'Which end comes first.', 'newest_first'),
      word('order_by', webhookOrders, 'The same as `order`, which wins.'),
    ],
    answers: many('webhooks', 'webhook', webhookShape),
  },
  'POST /webhooks/replay': {
    id: 'replayWebhooks',
    summary: 'Sends webhooks again.',
    input: sent(null, replayInput),
    answers: plainValue('status', { type: 'string' }),
  },
  'GET /webhooks/settings': {
    id: 'readWebhookSettings',
    summary: 'Tells whether webhooks are sent.',
    answers: settings,
  },
  'PUT /webhooks/settings': {
    id: 'switchWebhooks',
    summary: 'Switches all webhooks of the site on or off. The field may also stand without its wrapper.',
    input: sent('webhook_settings', settingsInput),
    answers: settings,
  },
  'GET /webhooks/:webhook_id': {
    id: 'readWebhook',
    summary: 'Shows one webhook: what is sent, and what came of it.',
    answers: one('webhook', webhookShape),
  },
  'GET /webhooks/:webhook_id/attempts': {
    id: 'listWebhookAttempts',
    summary: 'Lists the attempts to deliver a webhook.',
    query: paged(),
    answers: many('webhook_attempts', 'webhook_attempt', webhookAttemptShape),
  },
})
