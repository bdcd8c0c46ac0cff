/** Periods: begun once, and moved only at their end, while they last; at their beginning where they were billed elsewhere. */
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
    update periods p set ends_at = to_timestamp(u.ends), started_at = coalesce(to_timestamp(u.started), p.started_at)
    from (select ${siteId}::bigint as site) s,
      unnest(${bigints(moves.map(({ subscriptionId }) => subscriptionId))}::bigint[],
        ${bigints(moves.map(({ number }) => number))}::bigint[],
        ${{ literal: instantArray(moves.map(({ endsAt }) => endsAt)) }}::bigint[],
        ${{ literal: instantArray(moves.map(({ startedAt }) => startedAt ?? null)) }}::bigint[]) as u (subscription_id, number, ends, started)
    where p.site_id = s.site and p.subscription_id = u.subscription_id and p.number = u.number`)
}
