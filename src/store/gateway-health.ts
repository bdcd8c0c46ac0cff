/** How the gateways of a site are doing; a gateway that nothing speaks against has no row. */
import type { GatewayHealth } from '../billing/gateway-health.ts'
import type { Connection, Transaction } from './database.ts'
import { bigints, sql } from './sql.ts'

/** Whether anything speaks against one of the site's gateways. */
export const isAnySuspected = async (connection: Connection, siteId: number): Promise<boolean> =>
  (await connection.arrays(sql`select from gateway_health h where h.site_id = ${siteId} limit 1`)).length > 0

/** Locked until the transaction ends; whoever asks for a gateway without a row makes one. `isNew` says that it is. */
export async function lockGatewayHealth(
  tx: Transaction,
  siteId: number,
  gateway: string,
): Promise<GatewayHealth & { isNew: boolean }> {
  const made = await tx.run(sql`
    insert into gateway_health (site_id, gateway, suspect_ids, odd_ids) values (${siteId}, ${gateway}, '{}', '{}')
    on conflict do nothing`)
  const [row] = await tx.arrays(sql`
    select h.failing_since, h.errors_since, h.suspect_ids, h.odd_ids from gateway_health h
    where h.site_id = ${siteId} and h.gateway = ${gateway} for no key update`)
  const [failingSince, errorsSince, suspectIds, oddIds] = row ?? [null, null, [], []]
  return { failingSince, errorsSince, suspectIds, oddIds, isNew: made === 1 } as GatewayHealth & { isNew: boolean }
}

export const saveGatewayHealth = (
  tx: Transaction,
  siteId: number,
  gateway: string,
  { failingSince, errorsSince, suspectIds, oddIds }: GatewayHealth,
): Promise<number> =>
  tx.run(sql`
    update gateway_health set failing_since = ${failingSince}, errors_since = ${errorsSince},
      suspect_ids = ${bigints(suspectIds)}::bigint[], odd_ids = ${bigints(oddIds)}::bigint[]
    where site_id = ${siteId} and gateway = ${gateway}`)

export const forgetGatewayHealth = (tx: Transaction, siteId: number, gateway: string): Promise<number> =>
  tx.run(sql`delete from gateway_health where site_id = ${siteId} and gateway = ${gateway}`)

/** How many of the newest attempts are looked at: the index gives them, and more would tell no more. */
const newestMax = 1000

/** Whether the gateway decided on none of the newest payments that were asked for since then, by the site's clock. */
export async function isSilentSince(
  connection: Connection,
  siteId: number,
  gateway: string,
  since: Temporal.Instant,
): Promise<boolean> {
  const decided = await connection.arrays(sql`
    select from (
      select a.gateway, a.outcome, a.created_at from payment_attempts a
      where a.site_id = ${siteId} order by a.id desc limit ${newestMax}::int) newest
    where newest.gateway = ${gateway} and newest.outcome in ('approved', 'declined') and newest.created_at > ${since}
    limit 1`)
  return decided.length === 0
}

/** Gateways that fail themselves on live and test sites, the longest failing ones first; by the names of their sites. */
export const listFailingGateways = (
  connection: Connection,
  wall: Temporal.Instant,
  limit: number,
): Promise<{ site: string; gateway: string; seconds: number }[]> =>
  connection.rows(sql`
    select s.subdomain as site, h.gateway, extract(epoch from ${wall}::timestamptz - h.failing_since)::float8 as seconds
    from gateway_health h join sites s on s.id = h.site_id
    where h.failing_since is not null
    order by h.failing_since, h.site_id, h.gateway limit ${limit}`)
