/** The keys that open sites: found by their hashes, shown without what would open anything. */
import type { Connection, Transaction } from './database.ts'
import { sql } from './sql.ts'

/** A key that is not revoked, as it may be shown. */
export type ApiKey = {
  id: number
  name: string | null
  /** Its first characters; null for one from before these were kept. */
  prefix: string | null
  createdAt: Temporal.Instant
  /** To the hour; null for one that was never used. */
  lastUsedAt: Temporal.Instant | null
}

const keyList = sql`k.id, k.name, k.prefix, k.created_at, k.last_used_at`

const readKey = ([id, name, prefix, createdAt, lastUsedAt]: readonly unknown[]): ApiKey =>
  ({ id, name, prefix, createdAt, lastUsedAt }) as ApiKey

/** Gives the id of the key. */
export async function insertApiKey(
  connection: Connection,
  siteId: number,
  key: Pick<ApiKey, 'name' | 'prefix' | 'createdAt'> & { keyHash: string },
): Promise<number> {
  const [row] = await connection.arrays(sql`
    insert into api_keys (key_hash, site_id, id, name, prefix, created_at)
    values (${key.keyHash}, ${siteId}, nextval('api_keys_id_seq'), ${key.name}, ${key.prefix}, ${key.createdAt})
    returning id`)
  return row![0] as number
}

/** In the order in which they were made. */
export const listApiKeys = async (
  connection: Connection,
  siteId: number,
  { perPage, offset }: { perPage: number | null; offset: number } = { perPage: null, offset: 0 },
): Promise<ApiKey[]> =>
  (
    await connection.arrays(sql`
      select ${keyList} from api_keys k where k.site_id = ${siteId} and k.revoked_at is null
      order by k.id limit ${perPage} offset ${offset}`)
  ).map(readKey)

export async function findApiKey(connection: Connection, siteId: number, id: number): Promise<ApiKey | undefined> {
  const [row] = await connection.arrays(sql`
    select ${keyList} from api_keys k where k.site_id = ${siteId} and k.id = ${id} and k.revoked_at is null`)
  return row && readKey(row)
}

/** The ids of all keys that open the site, locked until the transaction ends. */
export const lockApiKeys = async (tx: Transaction, siteId: number): Promise<number[]> =>
  (
    await tx.arrays(sql`
      select k.id from api_keys k where k.site_id = ${siteId} and k.revoked_at is null order by k.id for update`)
  ).map(([id]) => id as number)

export const markApiKeyRevoked = (tx: Transaction, siteId: number, id: number, at: Temporal.Instant): Promise<number> =>
  tx.run(sql`update api_keys set revoked_at = ${at} where site_id = ${siteId} and id = ${id} and revoked_at is null`)

/** Writes nothing where it was used since `unusedSince`. */
export const markApiKeyUsed = (
  connection: Connection,
  siteId: number,
  id: number,
  { at, unusedSince }: { at: Temporal.Instant; unusedSince: Temporal.Instant },
): Promise<number> =>
  connection.run(sql`
    update api_keys set last_used_at = ${at}
    where site_id = ${siteId} and id = ${id} and (last_used_at is null or last_used_at < ${unusedSince})`)
