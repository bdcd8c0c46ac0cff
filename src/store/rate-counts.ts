/** Counts what may be done so often in a stretch of wall time. */
import type { Connection } from './database.ts'
import { sql } from './sql.ts'

export type Rate = { readonly kind: string; readonly most: number; readonly minutes: number }

/** Counts one more and gives how many it makes; a stretch that is over begins anew. */
export async function countOnce(
  connection: Connection,
  siteId: number,
  { kind, minutes }: Rate,
  subject: string,
  wall: Temporal.Instant,
): Promise<number> {
  const over = wall.subtract({ minutes })
  const [row] = await connection.arrays(sql`
    insert into rate_counts as r (site_id, kind, subject, began_at, count) values (${siteId}, ${kind}, ${subject}, ${wall}, 1)
    on conflict (site_id, kind, subject) do update set
      count = case when r.began_at <= ${over} then 1 else r.count + 1 end,
      began_at = case when r.began_at <= ${over} then excluded.began_at else r.began_at end
    returning r.count`)
  return row![0] as number
}

export const deleteRateCountsBefore = (connection: Connection, siteId: number, before: Temporal.Instant) =>
  connection.run(sql`delete from rate_counts where site_id = ${siteId} and began_at < ${before}`)
