/** Keys that make a repeated request harmless: the first answer is kept for a day and given again. */
import type { Connection } from './database.ts'
import { fragment, sql } from './sql.ts'

/** How a request ended; `pending` is a refusal that may still turn out otherwise. Null while it is being worked on. */
export type KeyOutcome = 'answered' | 'refused' | 'pending'

/** The answer, or the refusal, is kept as text, as it was given. */
export type KeptKey = {
  requestHash: string
  startedAt: Temporal.Instant
  startedBy: number
  outcome: KeyOutcome | null
  answer: string | null
}

/** Under which a request is carried out: by one process at a time. */
type Held = { siteId: number; key: string; startedBy: number }

/** No process has this number. */
const nobody = 0

/** False when the key is on record already. A key that is older than `expiredBefore` is taken as new. */
export const insertKey = async (
  connection: Connection,
  siteId: number,
  key: string,
  { requestHash, startedAt, startedBy }: Pick<KeptKey, 'requestHash' | 'startedAt' | 'startedBy'>,
  expiredBefore: Temporal.Instant,
): Promise<boolean> =>
  (await connection.run(sql`
    insert into idempotency_keys as k (site_id, key, request_hash, started_at, started_by)
    values (${siteId}, ${key}, ${requestHash}, ${startedAt}, ${startedBy})
    on conflict (site_id, key) do update set request_hash = excluded.request_hash, started_at = excluded.started_at,
      started_by = excluded.started_by, outcome = null, answer = null
    where k.started_at < ${expiredBefore}`)) === 1

export async function findKey(connection: Connection, siteId: number, key: string): Promise<KeptKey | undefined> {
  const [row] = await connection.arrays(sql`
    select request_hash, started_at, started_by, outcome, answer from idempotency_keys
    where site_id = ${siteId} and key = ${key}`)
  if (row === undefined) return undefined
  const [requestHash, startedAt, startedBy, outcome, answer] = row
  return { requestHash, startedAt, startedBy, outcome, answer } as KeptKey
}

/** Takes over a key whose process is gone, or whose outcome was open; false when somebody else was quicker. */
export const takeOverKey = async (
  connection: Connection,
  { siteId, key, startedBy }: Held,
  { startedBy: from, outcome }: Pick<KeptKey, 'startedBy' | 'outcome'>,
): Promise<boolean> =>
  (await connection.run(sql`
    update idempotency_keys set started_by = ${startedBy}, outcome = null, answer = null
    where site_id = ${siteId} and key = ${key} and started_by = ${from} and outcome is not distinct from ${outcome}`)) ===
  1

/** Writes nothing where another process has taken the key over. */
export const keepAnswer = (
  connection: Connection,
  { siteId, key, startedBy }: Held,
  { outcome, answer }: { outcome: KeyOutcome; answer: string },
): Promise<number> =>
  connection.run(sql`
    update idempotency_keys set outcome = ${outcome}, answer = ${answer}
    where site_id = ${siteId} and key = ${key} and started_by = ${startedBy}`)

/** The same request, and no other, may be carried out at once by whoever repeats it. */
export const releaseKey = (connection: Connection, { siteId, key, startedBy }: Held): Promise<number> =>
  connection.run(sql`
    update idempotency_keys set started_by = ${nobody}
    where site_id = ${siteId} and key = ${key} and started_by = ${startedBy} and outcome is null`)

/** A request that asked nobody for anything and wrote nothing frees its key, so that a corrected one may use it. */
export const deleteKey = (connection: Connection, { siteId, key, startedBy }: Held): Promise<number> =>
  connection.run(sql`
    delete from idempotency_keys
    where site_id = ${siteId} and key = ${key} and started_by = ${startedBy} and outcome is null`)

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
