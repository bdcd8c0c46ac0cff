/** Webhooks and the endpoints that they are written for. */
import type { NewWebhook, Webhook } from '../billing/webhook.ts'
import type { Transaction } from './database.ts'
import { type Sql, sql } from './sql.ts'
import { Table } from './table.ts'

export const webhooks = new Table<Webhook>('webhooks', {
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
