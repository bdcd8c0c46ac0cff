/** The audit of what a subscription points at, and of the moment at which something happens to it next. */
import { sql } from '../sql.ts'
import type { Pass } from './check.ts'

export const subscriptionRows: Pass = {
  rows: (siteId) => sql`
    select s.id, s.state, s.period_number, s.current_period_started_at as started_at, s.current_period_ends_at as ends_at,
      s.next_assessment_at, s.retry_at, s.dunning_attempts, s.dunning_since, s.automatically_resume_at as resume_at, s.initial_billing_at, s.open_statement_id, s.collecting_attempt_id, s.customer_id, s.payment_profile_id,
      s.parked_reason, o.id as open_id, p.number as newest_number, p.started_at as newest_started_at, p.ends_at as newest_ends_at,
      a.id as attempt_id, a.settled_at as attempt_settled_at, a.reason as attempt_reason, f.customer_id as card_customer_id,
      s.state = 'trial_ended' or (o.id is null and exists (
        select from events e where e.site_id = ${siteId} and e.subscription_id = s.id and e.key = 'subscription_state_change'
          and e.event_specific_data ->> 'new_subscription_state' = 'trial_ended')) as trial_ended
    from subscriptions s
    left join statements o on o.site_id = ${siteId} and o.subscription_id = s.id and o.closed_at is null
    left join (
      select distinct on (q.subscription_id) q.subscription_id, q.number, q.started_at, q.ends_at
      from periods q where q.site_id = ${siteId} order by q.subscription_id, q.number desc) p on p.subscription_id = s.id
    left join payment_attempts a on a.site_id = ${siteId} and a.id = s.collecting_attempt_id and a.subscription_id = s.id
    left join payment_profiles f on f.site_id = ${siteId} and f.id = s.payment_profile_id
    where s.site_id = ${siteId}`,
  checks: [
    {
      sentence: 'subscriptions: the current period is the newest one',
      holds: sql`(r.period_number = 0 and r.newest_number is null) or r.period_number = r.newest_number and r.started_at = r.newest_started_at and r.ends_at = r.newest_ends_at`,
      words: sql`format('subscription %s is in period %s (%s - %s), its newest is %s (%s - %s)', r.id, r.period_number,
        r.started_at, r.ends_at, coalesce(r.newest_number::text, 'none'), r.newest_started_at, r.newest_ends_at)`,
    },
    {
      sentence: 'subscriptions: each has exactly one open statement, none after a trial that ended for good',
      holds: sql`r.open_id is not distinct from r.open_statement_id and (r.open_id is null) = r.trial_ended`,
      words: sql`format('subscription %s, %s, has statement %s open and says %s', r.id, r.state,
        coalesce(r.open_id::text, 'none'), coalesce(r.open_statement_id::text, 'none'))`,
    },
    {
      sentence: 'subscriptions: what is collected is an open payment attempt',
      about: sql`r.collecting_attempt_id is not null`,
      holds: sql`r.attempt_id is not null and r.attempt_settled_at is null and r.attempt_reason <> 'signup'`,
      words: sql`format('subscription %s waits for payment attempt %s, which is %s', r.id, r.collecting_attempt_id,
        case when r.attempt_id is null then 'none of its own' when r.attempt_settled_at is null then 'a sign-up' else 'settled' end)`,
    },
    {
      sentence:
        'subscriptions: the next assessment is at the retry or the end of the period, whichever is first, or at the end of a hold',
      about: sql`r.collecting_attempt_id is null and r.state in ('trialing', 'active', 'past_due', 'soft_failure', 'unpaid', 'on_hold')`,
      holds: sql`r.next_assessment_at = coalesce(r.resume_at, least(r.retry_at, r.ends_at))`,
      words: sql`format('subscription %s is assessed next at %s, its period ends at %s, its retry is %s',
        r.id, r.next_assessment_at, r.ends_at, coalesce('at ' || r.retry_at, 'not set'))`,
    },
    {
      sentence: 'subscriptions: one that waits for its first billing has no period, and is assessed then or later',
      about: sql`r.state = 'awaiting_signup'`,
      holds: sql`r.period_number = 0 and (r.initial_billing_at is null or r.next_assessment_at >= r.initial_billing_at)`,
      words: sql`format('subscription %s waits for its first billing %s, is in period %s and is assessed next at %s', r.id,
        coalesce('at ' || r.initial_billing_at, 'without a date'), r.period_number, r.next_assessment_at)`,
    },
    {
      sentence: 'subscriptions: a retry is set exactly while a failed payment is asked for again',
      about: sql`r.collecting_attempt_id is null`,
      holds: sql`(r.retry_at is not null) = (r.state in ('past_due', 'soft_failure'))`,
      words: sql`format('subscription %s is %s, its retry is %s', r.id, r.state, coalesce('at ' || r.retry_at, 'not set'))`,
    },
    {
      sentence: 'subscriptions: a dunning has a beginning exactly while its failed attempts are counted',
      holds: sql`(r.dunning_since is not null) = (r.dunning_attempts > 0)`,
      words: sql`format('subscription %s counts %s failed attempts of a dunning that began %s', r.id, r.dunning_attempts,
        coalesce('at ' || r.dunning_since, 'never'))`,
    },
    {
      sentence: 'subscriptions: each is paid with a card of its own customer',
      about: sql`r.payment_profile_id is not null`,
      holds: sql`r.card_customer_id = r.customer_id`,
      words: sql`format('subscription %s of customer %s is paid with card %s of customer %s',
        r.id, r.customer_id, r.payment_profile_id, r.card_customer_id)`,
    },
    {
      sentence: 'subscriptions: none is parked',
      holds: sql`r.parked_reason is null`,
      words: sql`format('subscription %s is parked: %s', r.id, r.parked_reason)`,
    },
  ],
}
