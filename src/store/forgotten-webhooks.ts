/** Webhooks that are over and old: deleted with their attempts in sets, and counted, so that no number goes missing. */
import type { Connection, Database, Transaction } from './database.ts'
import { bigints, type Sql, sql } from './sql.ts'

/** How far a walk through the webhooks of a site has come. */
export type Place = { createdAt: Temporal.Instant; id: number }

/** Whoever numbers or forgets webhooks of a site holds this: the counts and the rows change together. */
export const lockNumbers = (tx: Transaction, siteId: number): Promise<number> =>
  tx.run(sql`select from webhook_settings where site_id = ${siteId} for update`)

/** With webhooks that were written before then, over or not. */
export const listSitesWithWebhooksBefore = async (
  connection: Connection,
  before: Temporal.Instant,
): Promise<number[]> =>
  (
    await connection.arrays(sql`
      select s.id from sites s
      where exists (select from webhooks w where w.site_id = s.id and w.created_at < ${before}) order by s.id`)
  ).map(([id]) => id as number)

/** Accepted or given up, and not sent since. What has no number yet, and what is still to be sent, is kept however old it is. */
const isOver = (before: Temporal.Instant): Sql =>
  sql`w.sequence is not null and w.next_attempt_at is null and (w.last_sent_at is null or w.last_sent_at < ${before})`

/**
 * Looks at up to `limit` webhooks that were written before then, the oldest first, and deletes those of them that are over. `last` is
 * where to go on, so that what is kept is passed once and not at every set; null when there are no more.
 */
export async function forgetWebhooks(
  db: Database,
  siteId: number,
  { before, after, limit }: { before: Temporal.Instant; after: Place | null; limit: number },
): Promise<{ forgotten: number; last: Place | null }> {
  const further = after === null ? sql`` : sql`and (w.created_at, w.id) > (${after.createdAt}, ${after.id})`
  const rows = await db.arrays(sql`
    select w.id, w.created_at, ${isOver(before)} from webhooks w
    where w.site_id = ${siteId} and w.created_at < ${before} ${further}
    order by w.created_at, w.id limit ${limit}`)
  const found = rows.filter((row) => row[2]).map(([id]) => id as number)
  const forgotten = found.length === 0 ? 0 : await deleteWebhooks(db, siteId, found, before)
  const [id, createdAt] = rows.length < limit ? [] : (rows.at(-1) ?? [])
  return { forgotten, last: id === undefined ? null : { id: id as number, createdAt: createdAt as Temporal.Instant } }
}

/** What is being replayed meanwhile, or was forgotten by another process, is left out. */
const deleteWebhooks = (
  db: Database,
  siteId: number,
  found: readonly number[],
  before: Temporal.Instant,
): Promise<number> =>
  db.transaction(async (tx) => {
    const [, locked] = await Promise.all([
      lockNumbers(tx, siteId),
      tx.arrays(sql`
        select w.id from webhooks w
        where w.site_id = ${siteId} and w.id = any(${bigints(found)}::bigint[]) and ${isOver(before)}
        for update skip locked`),
    ])
    if (locked.length === 0) return 0
    const ids = bigints(locked.map(([id]) => id as number))
    const [row] = await tx.arrays(sql`
      with attempts as (
        delete from webhook_attempts a where a.site_id = ${siteId} and a.webhook_id = any(${ids}::bigint[])),
      gone as (
        delete from webhooks w where w.site_id = ${siteId} and w.id = any(${ids}::bigint[]) returning w.endpoint_id),
      of_endpoint as (
        update webhook_endpoints e set forgotten = e.forgotten + c.count
        from (select g.endpoint_id, count(*) from gone g group by g.endpoint_id) c
        where e.site_id = ${siteId} and e.id = c.endpoint_id)
      update webhook_settings s set forgotten = s.forgotten + (select count(*) from gone)
      where s.site_id = ${siteId} returning (select count(*) from gone)`)
    return row?.[0] as number
  })

/** Once all webhooks of a site are deleted: their numbers are not given again. */
export async function forgetAllNumbers(tx: Transaction, siteId: number): Promise<void> {
  await tx.run(sql`update webhook_settings set forgotten = numbered where site_id = ${siteId}`)
  await tx.run(sql`update webhook_endpoints set forgotten = numbered where site_id = ${siteId}`)
}
