/** The audit of statements: each adds up, each goes on where the one before it ended, and settled means paid. */
import { paysEarlierSql } from '../paid-since.ts'
import { sql } from '../sql.ts'
import type { Pass } from './check.ts'

export const statementRows: Pass = {
  rows: (siteId) => sql`
    select t.id, t.subscription_id, t.opened_at, t.created_at, t.closed_at, t.settled_at, t.total_in_cents as total,
      t.starting_balance_in_cents as starts, t.ending_balance_in_cents as ends,
      s.open_statement_total_in_cents as open_total, g.subscription_id is not null or s.collecting_attempt_id is not null as is_gathering,
      b.subscription_id is not null as has_rows_between,
      coalesce(l.charged, 0) as charged, coalesce(l.paid, 0) as paid, l.first_at, l.last_at, l.is_of_others,
      lag(t.closed_at) over w as closed_before,
      case when lag(t.id) over w is null then 0 else lag(t.ending_balance_in_cents) over w end as ended_before,
      min(l.lowest) over (partition by t.subscription_id order by t.id desc
        rows between unbounded preceding and 1 preceding) as lowest_after,
      coalesce(sum(l.pays) over (partition by t.subscription_id order by t.id desc
        rows between unbounded preceding and 1 preceding), 0) as paid_after
    from statements t
    join subscriptions s on s.site_id = ${siteId} and s.id = t.subscription_id
    left join gathering_subscriptions g on g.site_id = ${siteId} and g.subscription_id = t.subscription_id
    left join (
      select x.statement_id, min(x.ending_balance_in_cents) as lowest, min(x.created_at) as first_at, max(x.created_at) as last_at,
        bool_or(x.subscription_id is distinct from o.subscription_id) as is_of_others,
        sum(x.amount_in_cents) filter (where x.type in ('charge', 'credit', 'adjustment')) as charged,
        sum(x.amount_in_cents) filter (where x.type = 'payment' and x.success) as paid, sum(${paysEarlierSql}) as pays
      from transactions x left join statements o on o.site_id = ${siteId} and o.id = x.statement_id
      where x.site_id = ${siteId} and x.statement_id is not null
      group by x.statement_id) l on l.statement_id = t.id
    left join (
      select distinct x.subscription_id from transactions x
      where x.site_id = ${siteId} and x.statement_id is null) b on b.subscription_id = t.subscription_id
    where t.site_id = ${siteId}
    window w as (partition by t.subscription_id order by t.id)`,
  checks: [
    {
      sentence: 'statements: the total of each is the sum of what it lists, payments left out',
      holds: sql`r.total = case when r.closed_at is null then 0 else r.charged end`,
      words: sql`format('statement %s of subscription %s has a total of %s cents, its rows sum to %s',
        r.id, r.subscription_id, r.total, r.charged)`,
    },
    {
      sentence: 'statements: the open one amounts to what its subscription says',
      about: sql`r.closed_at is null`,
      holds: sql`r.open_total = r.charged`,
      words: sql`format('subscription %s says %s cents of its open statement %s, whose rows sum to %s',
        r.subscription_id, r.open_total, r.id, r.charged)`,
    },
    {
      sentence: 'statements: those that gather something are found by lists of bills',
      about: sql`r.closed_at is null`,
      holds: sql`r.charged = 0 or r.is_gathering`,
      words: sql`format('the open statement %s of subscription %s, over %s cents, is in no list of bills',
        r.id, r.subscription_id, r.charged)`,
    },
    {
      sentence: 'statements: each begins with the balance at which the one before it was closed',
      holds: sql`r.starts = r.ended_before or r.has_rows_between`,
      words: sql`format('statement %s of subscription %s begins at %s cents, the one before it %s', r.id, r.subscription_id,
        r.starts, coalesce('ended at ' || r.ended_before, 'is still open'))`,
    },
    {
      sentence: 'statements: each ends with its starting balance and what it lists',
      about: sql`r.closed_at is not null`,
      holds: sql`r.ends = r.starts + r.charged - r.paid`,
      words: sql`format('statement %s of subscription %s ends at %s cents, after a start at %s, %s charged and %s paid',
        r.id, r.subscription_id, r.ends, r.starts, r.charged, r.paid)`,
    },
    {
      sentence: 'statements: each lists rows of its own subscription, written while it was open',
      about: sql`r.first_at is not null`,
      holds: sql`not r.is_of_others and r.first_at >= r.opened_at and (r.closed_at is null or r.last_at <= r.closed_at)`,
      words: sql`format('statement %s of subscription %s, opened %s and closed %s, lists %s from %s to %s', r.id, r.subscription_id,
        r.opened_at, coalesce('at ' || r.closed_at, 'never'), case when r.is_of_others then 'rows of others' else 'rows' end,
        r.first_at, r.last_at)`,
    },
    {
      sentence:
        'statements: each is opened after the one before it was closed, and before it is closed and settled itself',
      holds: sql`r.created_at = r.opened_at and (r.closed_before is null or r.closed_before <= r.opened_at)
        and (r.closed_at is null or r.closed_at >= r.opened_at) and (r.settled_at is null or r.settled_at >= r.closed_at)`,
      words: sql`format('statement %s of subscription %s is created %s, opened %s, closed %s and settled %s, the one before it closed %s',
        r.id, r.subscription_id, r.created_at, r.opened_at, coalesce('at ' || r.closed_at, 'never'),
        coalesce('at ' || r.settled_at, 'never'), coalesce('at ' || r.closed_before, 'never'))`,
    },
    {
      sentence: 'statements: those that are settled are closed and paid',
      about: sql`r.settled_at is not null`,
      holds: sql`r.closed_at is not null and (r.ends <= 0 or r.lowest_after <= 0 or r.paid_after >= r.ends or r.has_rows_between)`,
      words: sql`format('statement %s of subscription %s is settled %s', r.id, r.subscription_id,
        case when r.closed_at is null then 'and still open' else format('with %s cents that nothing paid', r.ends) end)`,
    },
    {
      sentence: 'statements: those that are closed and paid are settled',
      about: sql`r.closed_at is not null and r.settled_at is null`,
      holds: sql`r.ends > 0 and r.paid_after < r.ends`,
      words: sql`format('statement %s of subscription %s is not settled, though it ended with %s cents and %s came in since',
        r.id, r.subscription_id, r.ends, r.paid_after)`,
    },
  ],
}
