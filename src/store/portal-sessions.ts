/** Which browsers are let into the portal, and as whom. */
import type { Connection, Transaction } from './database.ts'
import { sql } from './sql.ts'

export type PortalSession = { siteId: number; customerId: number }

export const insertPortalSession = (
  tx: Transaction,
  { siteId, customerId }: PortalSession,
  tokenHash: string,
  { from, until }: { from: Temporal.Instant; until: Temporal.Instant },
) =>
  tx.run(sql`
    insert into portal_sessions (site_id, token_hash, customer_id, created_at, expires_at)
    values (${siteId}, ${tokenHash}, ${customerId}, ${from}, ${until})`)

/** Undefined once it is over. */
export async function findPortalSession(
  connection: Connection,
  siteId: number,
  tokenHash: string,
  wall: Temporal.Instant,
): Promise<PortalSession | undefined> {
  const [row] = await connection.arrays(sql`
    select s.customer_id from portal_sessions s
    where s.site_id = ${siteId} and s.token_hash = ${tokenHash} and s.expires_at > ${wall}`)
  return row && { siteId, customerId: row[0] as number }
}

export const deletePortalSession = (connection: Connection, siteId: number, tokenHash: string) =>
  connection.run(sql`delete from portal_sessions where site_id = ${siteId} and token_hash = ${tokenHash}`)

export const deletePortalSessionsOf = (tx: Transaction, siteId: number, customerId: number) =>
  tx.run(sql`delete from portal_sessions where site_id = ${siteId} and customer_id = ${customerId}`)

/** Whether the portal was ever closed to the customer. */
export const findRevocation = async (connection: Connection, siteId: number, customerId: number): Promise<boolean> =>
  (
    await connection.arrays(sql`
      select from portal_revocations r where r.site_id = ${siteId} and r.customer_id = ${customerId}`)
  ).length === 1

export const saveRevocation = (tx: Transaction, siteId: number, customerId: number, now: Temporal.Instant) =>
  tx.run(sql`
    insert into portal_revocations (site_id, customer_id, revoked_at) values (${siteId}, ${customerId}, ${now})
    on conflict (site_id, customer_id) do update set revoked_at = excluded.revoked_at`)

export const deleteExpiredPortalSessions = (connection: Connection, siteId: number, wall: Temporal.Instant) =>
  connection.run(sql`delete from portal_sessions where site_id = ${siteId} and expires_at <= ${wall}`)
