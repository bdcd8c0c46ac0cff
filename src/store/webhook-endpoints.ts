/** Where webhooks go: the endpoints of a site, their health, and which process sends to them. */
import type { EndpointHealth } from '../billing/endpoint-health.ts'
import type { EndpointStatus, WebhookEndpoint } from '../billing/webhook.ts'
import { livingAskers } from './askers.ts'
import type { Connection, Transaction } from './database.ts'
import { bigints, type Sql, sql, texts } from './sql.ts'

const endpointList = sql`e.site_id, e.id, e.url, e.event_keys, e.status, e.ordered, e.sealed_secret, e.sealed_previous_secret,
  e.previous_secret_until, e.failures_in_a_row, e.failing_since, e.slowed_until, e.created_at, e.updated_at`

const readEndpoint = (row: readonly unknown[]): WebhookEndpoint =>
  ({
    siteId: row[0],
    id: row[1],
    url: row[2],
    eventKeys: row[3],
    status: row[4],
    ordered: row[5],
    sealedSecret: row[6],
    sealedPreviousSecret: row[7],
    previousSecretUntil: row[8],
    failuresInARow: row[9],
    failingSince: row[10],
    slowedUntil: row[11],
    createdAt: row[12],
    updatedAt: row[13],
  }) as WebhookEndpoint

export const listEndpoints = async (connection: Connection, siteId: number): Promise<WebhookEndpoint[]> =>
  (
    await connection.arrays(sql`
      select ${endpointList} from webhook_endpoints e where e.site_id = ${siteId} and e.status <> 'deleted' order by e.id`)
  ).map(readEndpoint)

const oneEndpoint = (siteId: number, id: number): Sql => sql`
  select ${endpointList} from webhook_endpoints e where e.site_id = ${siteId} and e.id = ${id} and e.status <> 'deleted'`

export async function findEndpoint(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await connection.arrays(oneEndpoint(siteId, id))
  return row && readEndpoint(row)
}

/** Locked for a change, until the transaction ends. */
export async function lockEndpoint(tx: Transaction, siteId: number, id: number): Promise<WebhookEndpoint | undefined> {
  const [row] = await tx.arrays(sql`${oneEndpoint(siteId, id)} for no key update`)
  return row && readEndpoint(row)
}

export const insertEndpoint = (
  connection: Connection,
  endpoint: Pick<
    WebhookEndpoint,
    'siteId' | 'id' | 'url' | 'eventKeys' | 'status' | 'ordered' | 'sealedSecret' | 'createdAt'
  >,
): Promise<number> =>
  connection.run(sql`
    insert into webhook_endpoints (site_id, id, url, event_keys, status, ordered, sealed_secret, created_at, updated_at)
    values (${endpoint.siteId}, ${endpoint.id}, ${endpoint.url}, ${texts(endpoint.eventKeys)}::text[], ${endpoint.status},
      ${endpoint.ordered}, ${endpoint.sealedSecret}, ${endpoint.createdAt}, ${endpoint.createdAt})`)

/** Everything that a merchant may change, and the health that a change of the URL begins anew. */
export const updateEndpointRow = (tx: Transaction, endpoint: WebhookEndpoint): Promise<number> =>
  tx.run(sql`
    update webhook_endpoints set url = ${endpoint.url}, event_keys = ${texts(endpoint.eventKeys)}::text[],
      status = ${endpoint.status satisfies EndpointStatus}, ordered = ${endpoint.ordered}, sealed_secret = ${endpoint.sealedSecret},
      sealed_previous_secret = ${endpoint.sealedPreviousSecret}, previous_secret_until = ${endpoint.previousSecretUntil},
      failures_in_a_row = ${endpoint.failuresInARow}, failing_since = ${endpoint.failingSince},
      slowed_until = ${endpoint.slowedUntil}, updated_at = ${endpoint.updatedAt}
    where site_id = ${endpoint.siteId} and id = ${endpoint.id}`)

export const findWebhooksEnabled = async (connection: Connection, siteId: number): Promise<boolean> =>
  (await connection.arrays(sql`select s.enabled from webhook_settings s where s.site_id = ${siteId}`))[0]?.[0] !== false

export const setWebhooksEnabled = (connection: Connection, siteId: number, enabled: boolean): Promise<number> =>
  connection.run(sql`
    insert into webhook_settings (site_id, enabled) values (${siteId}, ${enabled})
    on conflict (site_id) do update set enabled = excluded.enabled`)

/** Endpoints with something to send that no living process sends to. */
const unattended = (now: Temporal.Instant): Sql => sql`
  from webhook_endpoints e left join webhook_settings s on s.site_id = e.site_id
  where e.status = 'enabled' and coalesce(s.enabled, true)
    and (e.slowed_until is null or e.slowed_until <= ${now})
    and (e.leased_by is null or e.lease_until <= ${now} or e.leased_by not in (${livingAskers}))
    and exists (
      select from webhooks w
      where w.site_id = e.site_id and w.endpoint_id = e.id and w.next_attempt_at <= ${now})`

export const listSitesToDeliverFor = async (connection: Connection, now: Temporal.Instant): Promise<number[]> =>
  (await connection.arrays(sql`select distinct e.site_id ${unattended(now)}`)).map(([id]) => id as number)

/**
 * Takes the endpoints of one site that nobody sends to; another process leaves them alone until the lease ends or we are gone. An act
 * that is still open and wrote webhooks refers to their endpoint, which hinders no change of its other columns.
 */
export const claimEndpoints = async (
  connection: Connection,
  siteId: number,
  lease: { asker: number; now: Temporal.Instant; until: Temporal.Instant },
): Promise<WebhookEndpoint[]> =>
  (
    await connection.arrays(sql`
      with claimed as materialized (
        select e.site_id, e.id ${unattended(lease.now)} and e.site_id = ${siteId}
        order by e.id for no key update of e skip locked)
      update webhook_endpoints e set leased_by = ${lease.asker}, lease_until = ${lease.until}
      from claimed c where e.site_id = c.site_id and e.id = c.id returning ${endpointList}`)
  ).map(readEndpoint)

/** Locked in the order of their ids, as whoever changes several of them does. */
const heldBy = (held: number, siteId: number, ids: readonly number[]): Sql => sql`
  select e.id from webhook_endpoints e
  where e.site_id = ${siteId} and e.id = any(${bigints(ids)}::bigint[]) and e.leased_by = ${held}
  order by e.id for no key update`

/** Gives the endpoints that are still ours. */
export const renewLeases = async (
  connection: Connection,
  siteId: number,
  ids: readonly number[],
  lease: { held: number; asker: number; until: Temporal.Instant },
): Promise<number[]> =>
  (
    await connection.arrays(sql`
      with held as materialized (${heldBy(lease.held, siteId, ids)})
      update webhook_endpoints e set leased_by = ${lease.asker}, lease_until = ${lease.until}
      from held h where e.site_id = ${siteId} and e.id = h.id returning e.id`)
  ).map(([id]) => id as number)

/** As it is on record now; undefined when nothing may be sent to it any more, or not by us. */
export async function findLeasedEndpoint(
  connection: Connection,
  siteId: number,
  id: number,
  held: number,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await connection.arrays(sql`
    select ${endpointList} from webhook_endpoints e left join webhook_settings s on s.site_id = e.site_id
    where e.site_id = ${siteId} and e.id = ${id} and e.leased_by = ${held} and e.status = 'enabled'
      and coalesce(s.enabled, true)`)
  return row && readEndpoint(row)
}

export const releaseLeases = (
  connection: Connection,
  siteId: number,
  ids: readonly number[],
  held: number,
): Promise<number> =>
  connection.run(sql`
    with held as materialized (${heldBy(held, siteId, ids)})
    update webhook_endpoints e set leased_by = null, lease_until = null
    from held h where e.site_id = ${siteId} and e.id = h.id`)

/** What became of an endpoint with its last attempts. */
export const updateHealth = (
  connection: Connection,
  siteId: number,
  id: number,
  health: EndpointHealth,
): Promise<number> =>
  connection.run(sql`
    update webhook_endpoints set failures_in_a_row = ${health.failuresInARow}, failing_since = ${health.failingSince},
      slowed_until = ${health.slowedUntil}
    where site_id = ${siteId} and id = ${id}`)
