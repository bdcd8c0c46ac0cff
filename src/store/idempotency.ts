/** Keys that make a repeated request harmless: the first answer is kept for a day and given again. */
import type { Connection } from './database.ts'
import { fragment, sql } from './sql.ts'

/** The answer is kept as text, as it was given. */
export type KeptKey = { requestHash: string; startedAt: Temporal.Instant; startedBy: number; answer: string | null }

/** False when the key is on record already. A key that is older than `expiredBefore` is taken as new. */
export const insertKey = async (
  connection: Connection,
  siteId: number,
  key: string,
  { requestHash, startedAt, startedBy }: Omit<KeptKey, 'answer'>,
  expiredBefore: Temporal.Instant,
): Promise<boolean> =>
  (await connection.run(sql`
    insert into idempotency_keys as k (site_id, key, request_hash, started_at, started_by)
    values (${siteId}, ${key}, ${requestHash}, ${startedAt}, ${startedBy})
    on conflict (site_id, key) do update set request_hash = excluded.request_hash, started_at = excluded.started_at,
      started_by = excluded.started_by, answer = null
    where k.started_at < ${expiredBefore}`)) === 1

export async function findKey(connection: Connection, siteId: number, key: string): Promise<KeptKey | undefined> {
  const [row] = await connection.arrays(sql`
    select request_hash, started_at, started_by, answer from idempotency_keys where site_id = ${siteId} and key = ${key}`)
  if (row === undefined) return undefined
  return { requestHash: row[0], startedAt: row[1], startedBy: row[2], answer: row[3] } as KeptKey
}

/** Takes over a key whose process is gone without an answer; false when somebody else was quicker. */
export const takeOverKey = async (
  connection: Connection,
  siteId: number,
  key: string,
  from: number,
  to: number,
): Promise<boolean> =>
  (await connection.run(sql`
    update idempotency_keys set started_by = ${to}
    where site_id = ${siteId} and key = ${key} and started_by = ${from} and answer is null`)) === 1

export const keepAnswer = (connection: Connection, siteId: number, key: string, startedBy: number, answer: string) =>
  connection.run(sql`
    update idempotency_keys set answer = ${answer}
    where site_id = ${siteId} and key = ${key} and started_by = ${startedBy}`)

/** A request that wrote nothing frees its key, so that a corrected one may use it. */
export const deleteKey = (connection: Connection, siteId: number, key: string, startedBy: number) =>
  connection.run(sql`
    delete from idempotency_keys where site_id = ${siteId} and key = ${key} and started_by = ${startedBy} and answer is null`)

/** False when the token was used within the window. */
export const useToken = async (
  connection: Connection,
  siteId: number,
  token: string,
  now: Temporal.Instant,
  freshSince: Temporal.Instant,
): Promise<boolean> =>
  (await connection.run(sql`
    insert into uniqueness_tokens as t (site_id, token, used_at) values (${siteId}, ${token}, ${now})
    on conflict (site_id, token) do update set used_at = excluded.used_at where t.used_at < ${freshSince}`)) === 1

/** Forgets what can no longer be asked for, a bounded number of rows at a time. */
export async function deleteExpired(
  connection: Connection,
  siteId: number,
  keysBefore: Temporal.Instant,
  tokensBefore: Temporal.Instant,
): Promise<void> {
  for (const [table, column, before] of [
    ['idempotency_keys', 'started_at', keysBefore],
    ['uniqueness_tokens', 'used_at', tokensBefore],
  ] as const) {
    await connection.run(sql`
      delete from ${fragment(table)} where site_id = ${siteId} and ${fragment(column)} < ${before}`)
  }
}
