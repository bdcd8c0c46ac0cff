/** What a merchant's systems are told, where it goes, and what became of each attempt to tell it. */

const endpointStatuses = ['enabled', 'disabled', 'deleted'] as const
export type EndpointStatus = (typeof endpointStatuses)[number]

export type WebhookEndpoint = {
  siteId: number
  id: number
  url: string
  /** The keys of the events that it is told of. */
  eventKeys: readonly string[]
  status: EndpointStatus
  /** Whether the webhooks of one subscription wait for one another. */
  ordered: boolean
  sealedSecret: string
  sealedPreviousSecret: string | null
  /** Until then, by the wall clock, the previous secret signs too. */
  previousSecretUntil: Temporal.Instant | null
  failuresInARow: number
  failingSince: Temporal.Instant | null
  /** Nothing is sent before this, by the wall clock. */
  slowedUntil: Temporal.Instant | null
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
}

/** What lists can be narrowed to. */
export const webhookStatuses = ['successful', 'failed', 'pending', 'paused'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** Times are by the site's clock where nothing else is said. */
export type Webhook = {
  siteId: number
  id: number
  endpointId: number
  eventId: number | null
  event: string
  subscriptionId: number | null
  /** As it is sent. */
  body: string
  createdAt: Temporal.Instant
  /** Places in the sequence of the site and of the endpoint; null until the act that wrote it has committed. */
  sequence: number | null
  endpointSequence: number | null
  successful: boolean
  acceptedAt: Temporal.Instant | null
  lastSentAt: Temporal.Instant | null
  lastSentUrl: string | null
  lastErrorAt: Temporal.Instant | null
  lastError: string | null
  attempts: number
  tries: number
  triedSince: Temporal.Instant | null
  replays: number
  nextAttemptAt: Temporal.Instant | null
}

/** What the act that causes a webhook writes; the rest is filled in by its delivery. */
export type NewWebhook = Pick<
  Webhook,
  'siteId' | 'id' | 'endpointId' | 'eventId' | 'event' | 'subscriptionId' | 'body' | 'createdAt'
>

export type WebhookAttempt = {
  siteId: number
  webhookId: number
  number: number
  sentAt: Temporal.Instant
  accepted: boolean
  statusCode: number | null
  error: string | null
  durationInMs: number
}
