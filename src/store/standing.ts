/** How the whole installation stands, over all its sites: what waits, what is late, and what keeps failing. */
import type { Connection } from './database.ts'
import { sql } from './sql.ts'
import { mayBeDue } from './subscriptions.ts'

export type StandingRow = {
  failingEndpoints: number
  webhooksWaiting: number
  lettersWaiting: number
  paymentsUnsettled: number
  paymentsUnresolved: number
  subscriptionsParked: number
  assessmentLagSeconds: number
}

/** What is waited for is counted up to here: more says nothing more, and would be counted for long. */
const countMax = 100_000

/** Judged at `wall`. Test sites are left out of the lag: their clocks are moved by hand. */
export async function findStanding(connection: Connection, wall: Temporal.Instant): Promise<StandingRow> {
  const [row] = await connection.rows<StandingRow>(sql`
    select
      (select count(*) from webhook_endpoints e where e.slowed_until is not null and e.status = 'enabled')::int as "failingEndpoints",
      (select count(*) from (
        select w.site_id from webhooks w where w.next_attempt_at is not null limit ${countMax}::int) waiting)::int as "webhooksWaiting",
      (select count(*) from (
        select l.site_id from letters l where l.next_attempt_at is not null limit ${countMax}::int) waiting)::int as "lettersWaiting",
      (select count(*) from (
        select a.site_id from payment_attempts a where a.settled_at is null limit ${countMax}::int) open)::int as "paymentsUnsettled",
      (select count(*) from payment_attempts a where a.unresolved_since is not null and a.settled_at is null)::int as "paymentsUnresolved",
      (select count(*) from subscriptions s where s.parked_reason is not null and s.deleted_at is null)::int as "subscriptionsParked",
      (select coalesce(max(extract(epoch from ${wall}::timestamptz - oldest.at)), 0)
        from sites s
        cross join lateral (
          select u.next_assessment_at as at from subscriptions u
          where u.site_id = s.id and ${mayBeDue('u')} and u.collecting_attempt_id is null and u.next_assessment_at <= ${wall}
          order by u.next_assessment_at limit 1) oldest
        where s.clock_set_at is null)::float8 as "assessmentLagSeconds"`)
  return row!
}

/** Endpoints that are sent to slowly, the longest failing ones first; by the names of their sites. */
export const listFailingEndpoints = (
  connection: Connection,
  wall: Temporal.Instant,
  limit: number,
): Promise<{ site: string; endpoint: number; seconds: number }[]> =>
  connection.rows(sql`
    select s.subdomain as site, e.id as endpoint, extract(epoch from ${wall}::timestamptz - e.failing_since)::float8 as seconds
    from webhook_endpoints e join sites s on s.id = e.site_id
    where e.slowed_until is not null and e.status = 'enabled'
    order by e.failing_since, e.site_id, e.id limit ${limit}`)
