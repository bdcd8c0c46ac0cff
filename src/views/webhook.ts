/** How webhooks, the attempts to deliver them, and their endpoints are shown. */
import type { Webhook, WebhookAttempt, WebhookEndpoint } from '../billing/webhook.ts'
import { hmacSignature, md5Signature } from '../delivery/signatures.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp, formatUtc } from '../wire/timestamp.ts'

export const webhookShape: Fields = {
  fields: {
    id: 'integer',
    event: 'string',
    body: 'string',
    signature: 'string',
    signature_hmac_sha_256: 'string',
    successful: 'boolean',
    created_at: 'datetime',
    accepted_at: 'datetime',
    last_sent_at: 'datetime',
    last_error_at: 'datetime',
    last_error: 'string',
    last_sent_url: 'string',
    subscription_id: 'integer',
    endpoint_id: 'integer',
    sequence: 'integer',
    endpoint_sequence: 'integer',
    attempts: 'integer',
    next_attempt_at: 'datetime',
  },
}

/** The next attempt is told by the wall clock, all other times by the site's. */
export function presentWebhook(webhook: Webhook, sharedKey: string, timeZone: string) {
  const moment = (at: Temporal.Instant | null): string | null => at && formatTimestamp(at, timeZone)
  return {
    id: webhook.id,
    event: webhook.event,
    body: webhook.body,
    signature: md5Signature(sharedKey, webhook.body),
    signature_hmac_sha_256: hmacSignature(sharedKey, webhook.body),
    successful: webhook.successful,
    created_at: moment(webhook.createdAt),
    accepted_at: moment(webhook.acceptedAt),
    last_sent_at: moment(webhook.lastSentAt),
    last_error_at: moment(webhook.lastErrorAt),
    last_error: webhook.lastError,
    last_sent_url: webhook.lastSentUrl,
    subscription_id: webhook.subscriptionId,
    endpoint_id: webhook.endpointId,
    sequence: webhook.sequence,
    endpoint_sequence: webhook.endpointSequence,
    attempts: webhook.attempts,
    next_attempt_at: webhook.nextAttemptAt && formatUtc(webhook.nextAttemptAt),
  }
}

export const webhookAttemptShape: Fields = {
  fields: {
    number: 'integer',
    sent_at: 'datetime',
    accepted: 'boolean',
    status_code: 'integer',
    error: 'string',
    duration_in_ms: 'integer',
  },
}

export const presentAttempt = (attempt: WebhookAttempt, timeZone: string) => ({
  number: attempt.number,
  sent_at: formatTimestamp(attempt.sentAt, timeZone),
  accepted: attempt.accepted,
  status_code: attempt.statusCode,
  error: attempt.error,
  duration_in_ms: attempt.durationInMs,
})

export const endpointShape: Fields = {
  fields: {
    id: 'integer',
    url: 'string',
    site_id: 'integer',
    status: 'string',
    webhook_subscriptions: { list: 'string', item: 'webhook_subscription' },
    ordered: 'boolean',
    failing_since: 'datetime',
    slowed: 'boolean',
  },
}

export const presentEndpoint = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  site_id: endpoint.siteId,
  status: endpoint.status,
  webhook_subscriptions: endpoint.eventKeys,
  ordered: endpoint.ordered,
  failing_since: endpoint.failingSince && formatUtc(endpoint.failingSince),
  slowed: endpoint.slowedUntil !== null,
})

export const endpointSecretsShape: Fields = {
  fields: { secret: 'string', previous_secret: 'string', previous_secret_expires_at: 'datetime' },
}

/** The previous secret is shown for as long as it signs. */
export function presentSecrets(endpoint: WebhookEndpoint, open: (sealed: string) => string, wall: Temporal.Instant) {
  const { sealedPreviousSecret: previous, previousSecretUntil: until } = endpoint
  const isLive = until !== null && Temporal.Instant.compare(wall, until) < 0
  return {
    secret: open(endpoint.sealedSecret),
    previous_secret: isLive && previous !== null ? open(previous) : null,
    previous_secret_expires_at: isLive ? formatUtc(until) : null,
  }
}
