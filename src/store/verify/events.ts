/** The audit of events: whatever happened was told, once, and nothing was told that did not happen. */
import { sql } from '../sql.ts'
import type { Pass } from './check.ts'

export const paymentEvents: Pass = {
  rows: (siteId) => sql`
    select coalesce(t.id, e.transaction_id) as id, coalesce(t.subscription_id, e.subscription_id) as subscription_id, t.success,
      coalesce(e.successes, 0) as successes, coalesce(e.failures, 0) as failures
    from (select p.id, p.subscription_id, p.success from transactions p where p.site_id = ${siteId} and p.type = 'payment') t
    full join (
      select (o.event_specific_data ->> 'account_transaction_id')::bigint as transaction_id, min(o.subscription_id) as subscription_id,
        count(*) filter (where o.key = 'payment_success') as successes, count(*) filter (where o.key = 'payment_failure') as failures
      from events o where o.site_id = ${siteId} and o.key in ('payment_success', 'payment_failure')
      group by 1) e on e.transaction_id = t.id`,
  checks: [
    {
      sentence: 'events: each payment is told once, as the success or failure that it was',
      holds: sql`r.successes = case when r.success then 1 else 0 end and r.failures = case when r.success then 0 else 1 end
        and r.success is not null`,
      words: sql`format('%s %s of subscription %s is told %s times as a success and %s times as a failure',
        case when r.success then 'payment' when not r.success then 'failed payment' else 'unknown payment' end,
        r.id, r.subscription_id, r.successes, r.failures)`,
    },
  ],
}

/** The second word of the sentence names the statement. A free trial that ends for good closes its own without a word. */
export const statementEvents: Pass = {
  rows: (siteId) => sql`
    select coalesce(t.id::text, e.statement_id) as id, coalesce(t.subscription_id, e.subscription_id) as subscription_id,
      t.closed_at, t.settled_at, coalesce(e.closings, 0) as closings, coalesce(e.settlings, 0) as settlings,
      e.statement_id is null and t.closed_at is not null and exists (
        select from events z
        where z.site_id = ${siteId} and z.subscription_id = t.subscription_id and z.key = 'subscription_state_change'
          and z.event_specific_data ->> 'new_subscription_state' = 'trial_ended' and z.created_at = t.closed_at) as is_silent
    from (select o.id, o.subscription_id, o.closed_at, o.settled_at from statements o where o.site_id = ${siteId}) t
    full join (
      select split_part(o.message, ' ', 2) as statement_id, min(o.subscription_id) as subscription_id,
        count(*) filter (where o.key = 'statement_closed') as closings, count(*) filter (where o.key = 'statement_settled') as settlings
      from events o where o.site_id = ${siteId} and o.key in ('statement_closed', 'statement_settled')
      group by 1) e on e.statement_id = t.id::text`,
  checks: [
    {
      sentence: 'events: each closing of a statement is told once, as settled or not, and a later settlement too',
      holds: sql`case
        when r.is_silent or r.closed_at is null then r.closings = 0 and r.settlings = 0
        when r.settled_at is null then r.closings = 1 and r.settlings = 0
        when r.settled_at = r.closed_at then r.closings <= 1 and r.settlings = 1
        else r.closings = 1 and r.settlings = 1 end`,
      words: sql`format('statement %s of subscription %s, closed %s and settled %s, is told %s times as closed and %s times as settled',
        r.id, r.subscription_id, coalesce('at ' || r.closed_at, 'never'), coalesce('at ' || r.settled_at, 'never'),
        r.closings, r.settlings)`,
    },
  ],
}

const isRenewal = sql`o.key in ('renewal_success', 'renewal_failure')`

/** A renewal whose payment is under way is told when its outcome is known. */
export const lifeEvents: Pass = {
  rows: (siteId) => sql`
    select s.id, s.state, coalesce(e.signups, 0) as signups, coalesce(e.delayed, 0) as delayed, coalesce(p.begun, 0) as begun, coalesce(e.renewals, 0) as renewals,
      coalesce(p.renewed, 0) - case when a.reason = 'renewal' then 1 else 0 end as renewed,
      n.event_specific_data ->> 'new_subscription_state' as told_state
    from subscriptions s
    left join (
      select q.subscription_id, count(*) filter (where q.begun_by in ('renewal', 'resumption')) as renewed,
        count(*) filter (where q.begun_by = 'signup') as begun
      from periods q where q.site_id = ${siteId} group by q.subscription_id) p on p.subscription_id = s.id
    left join (
      select o.subscription_id, count(*) filter (where o.key = 'signup_success') as signups, count(*) filter (where ${isRenewal}) as renewals,
        count(*) filter (where o.key = 'delayed_signup_creation_success') as delayed,
        max(o.id) filter (where o.key = 'subscription_state_change') as newest_state_id
      from events o where o.site_id = ${siteId} and o.subscription_id is not null
        and (o.key in ('signup_success', 'delayed_signup_creation_success', 'subscription_state_change') or ${isRenewal})
      group by o.subscription_id) e on e.subscription_id = s.id
    left join events n on n.site_id = ${siteId} and n.id = e.newest_state_id
    left join payment_attempts a on a.site_id = ${siteId} and a.id = s.collecting_attempt_id and a.settled_at is null
    where s.site_id = ${siteId}`,
  checks: [
    {
      sentence: 'events: each sign-up is told once, and before that the creation of one that waited',
      holds: sql`r.signups = r.begun and r.begun <= 1 and r.delayed <= 1 and r.begun + r.delayed > 0`,
      words: sql`format('the sign-up of subscription %s is told %s times, its creation before it %s times', r.id, r.signups, r.delayed)`,
    },
    {
      sentence: 'events: each renewal is told once, as a success or a failure',
      holds: sql`r.renewals = r.renewed`,
      words: sql`format('subscription %s was renewed %s times, %s renewals are told', r.id, r.renewed, r.renewals)`,
    },
    {
      sentence: 'events: the state of each subscription is the one told last',
      holds: sql`case when r.told_state is null then r.state in ('trialing', 'active') and r.delayed = 0 or r.state = 'awaiting_signup' and r.delayed = 1 else r.state = r.told_state end`,
      words: sql`format('subscription %s is %s, told last was %s', r.id, r.state, coalesce(r.told_state, 'its sign-up'))`,
    },
  ],
}

export const stateEvents: Pass = {
  rows: (siteId) => sql`
    select o.id, o.subscription_id, o.event_specific_data ->> 'previous_subscription_state' as left_state,
      lag(o.event_specific_data ->> 'new_subscription_state') over w as stood
    from events o where o.site_id = ${siteId} and o.key = 'subscription_state_change'
    window w as (partition by o.subscription_id order by o.id)`,
  checks: [
    {
      sentence: 'events: each change of state leaves the state that the one before it led to',
      holds: sql`case when r.stood is null then r.left_state in ('trialing', 'active', 'awaiting_signup') else r.left_state = r.stood end`,
      words: sql`format('event %s of subscription %s leaves the state %s, the one before it led to %s',
        r.id, r.subscription_id, r.left_state, coalesce(r.stood, 'trialing, active or awaiting_signup, by sign-up'))`,
    },
  ],
}
