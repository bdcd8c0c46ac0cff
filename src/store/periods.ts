/** Periods: begun once, and moved only at their end, while they last. */
import type { PeriodMove } from '../billing/changes.ts'
import type { Connection } from './database.ts'
import { bigints, instantArray, sql } from './sql.ts'

export async function movePeriodEnds(
  connection: Connection,
  siteId: number,
  moves: readonly PeriodMove[],
): Promise<void> {
  if (moves.length === 0) return
  await connection.run(sql`
    update periods p set ends_at = to_timestamp(u.ends)
    from (select ${siteId}::bigint as site) s,
      unnest(${bigints(moves.map(({ subscriptionId }) => subscriptionId))}::bigint[],
        ${bigints(moves.map(({ number }) => number))}::bigint[],
        ${{ literal: instantArray(moves.map(({ endsAt }) => endsAt)) }}::bigint[]) as u (subscription_id, number, ends)
    where p.site_id = s.site and p.subscription_id = u.subscription_id and p.number = u.number`)
}
