/** Webhooks and the endpoints that they are written for. */
import type { NewWebhook, Webhook, WebhookAttempt, WebhookStatus } from '../billing/webhook.ts'
import type { Connection, Transaction } from './database.ts'
import { allOf, type Sql, sql } from './sql.ts'
import { Table } from './table.ts'

const webhooks = new Table<Webhook>('webhooks', {
  id: 'bigint',
  endpointId: 'bigint',
  eventId: 'bigint',
  event: 'text',
  subscriptionId: 'bigint',
  body: 'text',
  createdAt: 'instant',
  sequence: 'bigint',
  endpointSequence: 'bigint',
  successful: 'boolean',
  acceptedAt: 'instant',
  lastSentAt: 'instant',
  lastSentUrl: 'text',
  lastErrorAt: 'instant',
  lastError: 'text',
  attempts: 'integer',
  tries: 'integer',
  triedSince: 'instant',
  replays: 'integer',
  nextAttemptAt: 'instant',
})

/** Where a webhook of an event with one of the keys is to be written for. */
export type Receiver = { readonly id: number; readonly eventKeys: readonly string[] }

/** Selects `id` and `event_keys` of a site's endpoints that are told of anything; none while its webhooks are switched off. */
export const receivers = (siteId: number): Sql => sql`
  select e.id, e.event_keys from webhook_endpoints e left join webhook_settings s on s.site_id = e.site_id
  where e.site_id = ${siteId} and e.status = 'enabled' and cardinality(e.event_keys) > 0 and coalesce(s.enabled, true)`

/**
 * Writes webhooks in the transaction of the act that they tell of; they are numbered and sent once it has committed. Those of one
 * subscription are sent in the order of their ids where an endpoint asks for order.
 */
export const insertWebhooks = (tx: Transaction, siteId: number, rows: readonly NewWebhook[]): Promise<void> =>
  webhooks.insert(tx, siteId, rows)

/** Drawn while the subscriptions of an act are locked, so that the webhooks of each are numbered in the order of its acts. */
export const drawWebhookIds = async (tx: Transaction, count: number): Promise<number[]> => {
  const [row] = await tx.arrays(sql`
    select array_agg(nextval('webhooks_id_seq')) from generate_series(1, ${count}::int)`)
  return (row?.[0] ?? []) as number[]
}

export type WebhookFilter = {
  readonly status: WebhookStatus | null
  readonly since: Temporal.Instant | null
  readonly until: Temporal.Instant | null
  readonly subscriptionId: number | null
  readonly isOldestFirst: boolean
}

/**
 * Successful and failed tell of the last attempt; pending are those with an attempt still to come, paused those of them whose endpoint
 * is slowed down.
 */
const statusConditions: Record<WebhookStatus, Sql> = {
  successful: sql`w.successful`,
  failed: sql`w.last_error is not null`,
  pending: sql`(w.next_attempt_at is not null or w.sequence is null)`,
  paused: sql`w.next_attempt_at is not null and exists (
    select from webhook_endpoints e
    where e.site_id = w.site_id and e.id = w.endpoint_id and e.slowed_until is not null)`,
}

export const listWebhooks = async (
  connection: Connection,
  siteId: number,
  { status, since, until, subscriptionId, isOldestFirst }: WebhookFilter,
  { perPage, offset }: { perPage: number; offset: number },
): Promise<Webhook[]> => {
  const conditions = [
    sql`w.site_id = ${siteId}`,
    ...(status === null ? [] : [statusConditions[status]]),
    ...(since === null ? [] : [sql`w.created_at >= ${since}`]),
    ...(until === null ? [] : [sql`w.created_at <= ${until}`]),
    ...(subscriptionId === null ? [] : [sql`w.subscription_id = ${subscriptionId}`]),
  ]
  const rows = await connection.arrays(sql`
    select ${webhooks.list('w')} from webhooks w where ${allOf(conditions)}
    order by ${isOldestFirst ? sql`w.created_at, w.id` : sql`w.created_at desc, w.id desc`} limit ${perPage} offset ${offset}`)
  return rows.map((row) => webhooks.read(row))
}

export async function findWebhook(connection: Connection, siteId: number, id: number): Promise<Webhook | undefined> {
  const [row] = await connection.arrays(sql`
    select ${webhooks.list('w')} from webhooks w where w.site_id = ${siteId} and w.id = ${id}`)
  return row && webhooks.read(row)
}

const webhookAttempts = new Table<WebhookAttempt>('webhook_attempts', {
  webhookId: 'bigint',
  number: 'integer',
  sentAt: 'instant',
  accepted: 'boolean',
  statusCode: 'integer',
  error: 'text',
  durationInMs: 'integer',
})

/** The first one first. */
export const listAttempts = async (
  connection: Connection,
  siteId: number,
  webhookId: number,
  { perPage, offset }: { perPage: number; offset: number },
): Promise<WebhookAttempt[]> =>
  (
    await connection.arrays(sql`
      select ${webhookAttempts.list('a')} from webhook_attempts a
      where a.site_id = ${siteId} and a.webhook_id = ${webhookId}
      order by a.number limit ${perPage} offset ${offset}`)
  ).map((row) => webhookAttempts.read(row))
