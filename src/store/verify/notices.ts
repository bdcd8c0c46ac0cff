/** The audit of notices: the end of a period is announced at most once. */
import { sql } from '../sql.ts'
import type { Pass } from './check.ts'

const isNotice = sql`e.key in ('upcoming_renewal_notice', 'trial_end_notice')`

/** A notice does not say of which end it is, but whatever leads to another end is told between two of them. */
const isAnotherEnd = sql`e.key in ('renewal_success', 'renewal_failure', 'billing_date_change', 'upgrade_downgrade_success')
  or (e.key = 'subscription_state_change'
    and e.event_specific_data ->> 'previous_subscription_state' in ('canceled', 'expired', 'unpaid', 'trial_ended', 'on_hold'))`

export const noticeEvents: Pass = {
  rows: (siteId) => sql`
    select n.id, n.key, n.subscription_id, n.created_at, row_number() over (partition by n.subscription_id, n.ends_before order by n.id) as time
    from (
      select e.id, e.key, e.subscription_id, e.created_at, ${isNotice} as is_notice,
        count(*) filter (where ${isAnotherEnd}) over (partition by e.subscription_id order by e.id) as ends_before
      from events e
      where e.site_id = ${siteId} and e.subscription_id is not null and (${isNotice} or ${isAnotherEnd})) n
    where n.is_notice`,
  checks: [
    {
      sentence: 'events: the end of each period is announced at most once',
      holds: sql`r.time = 1`,
      words: sql`format('event %s, %s at %s, announces an end of subscription %s for the %s. time', r.id, r.key, r.created_at,
        r.subscription_id, r.time)`,
    },
  ],
}
