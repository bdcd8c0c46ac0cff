/** Statements: changed when they close or are settled at last, listed for a subscription. */
import type { StatementChange } from '../billing/statement.ts'
import type { Connection } from './database.ts'
import { bigints, plainArray, sql } from './sql.ts'

/** Closes or settles statements; a null leaves a field as it is. */
export async function updateStatements(
  connection: Connection,
  siteId: number,
  changes: readonly StatementChange[],
): Promise<void> {
  if (changes.length === 0) return
  const seconds = (pick: (change: StatementChange) => Temporal.Instant | null) => ({
    literal: plainArray(
      changes.map((change) => {
        const at = pick(change)
        return at && Math.floor(at.epochMilliseconds / 1000)
      }),
    ),
  })
  await connection.run(sql`
    update statements t set total_in_cents = coalesce(u.total, t.total_in_cents),
      closed_at = coalesce(to_timestamp(u.closed), t.closed_at),
      ending_balance_in_cents = coalesce(u.ending, t.ending_balance_in_cents),
      settled_at = coalesce(to_timestamp(u.settled), t.settled_at),
      updated_at = to_timestamp(coalesce(u.settled, u.closed))
    from (select ${siteId}::bigint as site) s,
      unnest(${bigints(changes.map((change) => change.id))}::bigint[], ${bigints(changes.map((change) => change.total))}::bigint[],
        ${seconds((change) => change.closedAt)}::bigint[], ${bigints(changes.map((change) => change.endingBalance))}::bigint[],
        ${seconds((change) => change.settledAt)}::bigint[]) as u (id, total, closed, ending, settled)
    where t.site_id = s.site and t.id = u.id`)
}
