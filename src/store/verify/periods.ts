/** The audit of periods: none is missing, none overlaps another, and each was billed once. */
import { sql } from '../sql.ts'
import type { Pass } from './check.ts'

export const periodRows: Pass = {
  rows: (siteId) => sql`
    select coalesce(p.subscription_id, b.subscription_id) as subscription_id, p.number, coalesce(p.number, b.number) as billed_number,
      p.begun_by, p.started_at, p.ends_at, p.assessed_at, p.number_before, p.ended_before, p.migrated_at, coalesce(b.times, 0) as times,
      case when p.number is null or (p.number = 1 and p.begun_by = 'signup' and s.signup_payment_id = 0) then 0 else 1 end as times_due
    from (
      select o.subscription_id, o.number, o.begun_by, o.started_at, o.ends_at, o.assessed_at,
        case when lead(o.begun_by) over w = 'migration' then lead(o.started_at) over w end as migrated_at,
        coalesce(lag(o.number) over w, 0) as number_before, coalesce(lag(o.ends_at) over w, o.started_at) as ended_before
      from periods o where o.site_id = ${siteId}
      window w as (partition by o.subscription_id order by o.number)) p
    full join (
      select t.subscription_id, t.period_number as number, count(*) as times
      from transactions t where t.site_id = ${siteId} and t.kind in ('baseline', 'trial')
      group by t.subscription_id, t.period_number) b on b.subscription_id = p.subscription_id and b.number = p.number
    left join subscriptions s on s.site_id = ${siteId} and s.id = coalesce(p.subscription_id, b.subscription_id)`,
  checks: [
    {
      sentence: 'periods: they are numbered from 1 without a gap',
      about: sql`r.number is not null`,
      holds: sql`r.number = r.number_before + 1`,
      words: sql`format('period %s of subscription %s follows %s', r.number, r.subscription_id,
        case r.number_before when 0 then 'none' else format('period %s', r.number_before) end)`,
    },
    {
      sentence: 'periods: each begins when the one before it ends, unless a reactivation or a resumption began it',
      about: sql`r.begun_by in ('signup', 'renewal', 'migration')`,
      holds: sql`r.started_at = r.ended_before`,
      words: sql`format('period %s of subscription %s begins at %s, the one before it ends at %s',
        r.number, r.subscription_id, r.started_at, r.ended_before)`,
    },
    {
      sentence: 'periods: none is empty, but one in whose very first second a migration began the next',
      about: sql`r.number is not null`,
      holds: sql`r.ends_at > r.started_at or (r.ends_at = r.started_at and r.migrated_at = r.started_at)`,
      words: sql`format('period %s of subscription %s begins at %s and ends at %s', r.number, r.subscription_id, r.started_at, r.ends_at)`,
    },
    {
      sentence: 'periods: none is assessed before it begins',
      about: sql`r.number is not null`,
      holds: sql`r.assessed_at >= r.started_at`,
      words: sql`format('period %s of subscription %s begins at %s and was assessed at %s',
        r.number, r.subscription_id, r.started_at, r.assessed_at)`,
    },
    {
      sentence: 'periods: each is billed exactly once, the first of an import never',
      holds: sql`r.times = r.times_due`,
      words: sql`format('period %s of subscription %s has %s rows of its price, not %s',
        r.billed_number, r.subscription_id, r.times, r.times_due)`,
    },
  ],
}
