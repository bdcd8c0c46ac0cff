/** The newest link into the portal of each customer, and the keys that links are signed with. */
import type { ManagementLink } from '../billing/management-link.ts'
import type { Connection, Transaction } from './database.ts'
import { sql } from './sql.ts'
import { Table } from './table.ts'

const managementLinks = new Table<ManagementLink>('management_links', {
  customerId: 'bigint',
  keyId: 'bigint',
  baseUrl: 'text',
  fetchCount: 'integer',
  createdAt: 'instant',
})

export async function findManagementLink(
  connection: Connection,
  siteId: number,
  customerId: number,
): Promise<ManagementLink | undefined> {
  const [row] = await connection.arrays(sql`
    select ${managementLinks.list('l')} from management_links l
    where l.site_id = ${siteId} and l.customer_id = ${customerId}`)
  return row && managementLinks.read(row)
}

/** In the place of the one before. The caller has locked the customer. */
export const saveManagementLink = (tx: Transaction, link: ManagementLink): Promise<number> =>
  tx.run(sql`
    insert into management_links (site_id, customer_id, key_id, base_url, fetch_count, created_at)
    values (${link.siteId}, ${link.customerId}, ${link.keyId}, ${link.baseUrl}, ${link.fetchCount}, ${link.createdAt})
    on conflict (site_id, customer_id) do update set key_id = excluded.key_id, base_url = excluded.base_url,
      fetch_count = excluded.fetch_count, created_at = excluded.created_at`)

export const deleteManagementLink = (tx: Transaction, siteId: number, customerId: number): Promise<number> =>
  tx.run(sql`delete from management_links where site_id = ${siteId} and customer_id = ${customerId}`)

/** `createdAt` is by the site's clock, as everything about links. */
export type LinkKey = { id: number; siteId: number; sealedKey: string; createdAt: Temporal.Instant }

const keyList = sql`k.id, k.site_id, k.sealed_key, k.created_at`
const readKey = ([id, siteId, sealedKey, createdAt]: readonly unknown[]): LinkKey =>
  ({ id, siteId, sealedKey, createdAt }) as LinkKey

/** Tells the site of a link as well. */
export async function findLinkKey(connection: Connection, id: number): Promise<LinkKey | undefined> {
  const [row] = await connection.arrays(sql`select ${keyList} from link_keys k where k.id = ${id}`)
  return row && readKey(row)
}

export async function findNewestLinkKey(connection: Connection, siteId: number): Promise<LinkKey | undefined> {
  const [row] = await connection.arrays(sql`
    select ${keyList} from link_keys k where k.site_id = ${siteId} order by k.id desc limit 1`)
  return row && readKey(row)
}

export async function insertLinkKey(
  tx: Transaction,
  siteId: number,
  sealedKey: string,
  now: Temporal.Instant,
): Promise<LinkKey> {
  const [row] = await tx.arrays(sql`
    insert into link_keys as k (site_id, sealed_key, created_at) values (${siteId}, ${sealedKey}, ${now})
    returning ${keyList}`)
  return readKey(row!)
}

/** Keys that nothing is signed with any more that is still good. */
export const deleteLinkKeysBefore = (connection: Connection, siteId: number, before: Temporal.Instant) =>
  connection.run(sql`delete from link_keys where site_id = ${siteId} and created_at < ${before}`)
