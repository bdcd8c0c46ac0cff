/** The audit of the ledger: its rows hang together, and what subscriptions say of their money follows from them. */
import { currenciesWithoutCents } from '../../billing/money.ts'
import { sql, texts } from '../sql.ts'
import type { Pass } from './check.ts'

export const ledgerRows: Pass = {
  rows: (siteId) => sql`
    select t.id, t.subscription_id, t.product_id, t.type, t.kind, t.success, t.amount_in_cents as amount,
      exists (select from sites s where s.id = ${siteId} and s.currency = any(${texts(currenciesWithoutCents)}::text[])) as is_whole,
      t.starting_balance_in_cents as starts, t.ending_balance_in_cents as ends, t.covers_after_id,
      coalesce(lag(t.ending_balance_in_cents) over w, 0) as ended_before, t.created_at, lag(t.created_at) over w as written_before,
      coalesce(max(t.id) filter (where t.ending_balance_in_cents <= 0)
        over (w rows between unbounded preceding and 1 preceding), 0) as covered_before,
      max(t.id) filter (where t.type = 'charge' and t.kind = 'one_time')
        over (w rows between unbounded preceding and 1 preceding) as charged_before,
      (t.product_id, t.kind, t.amount_in_cents) in (
        select v.product_id, 'baseline', v.price_in_cents from product_versions v where v.site_id = ${siteId}
        union all
        select v.product_id, 'trial', v.trial_price_in_cents from product_versions v
        where v.site_id = ${siteId} and v.trial_price_in_cents is not null) as has_price,
      t.kind = 'baseline' and exists (
        select from product_versions v
        where v.site_id = ${siteId} and v.product_id = t.product_id and t.amount_in_cents < v.price_in_cents) and exists (
        select from periods p join subscriptions s on s.site_id = p.site_id and s.id = p.subscription_id
        where p.site_id = ${siteId} and p.subscription_id = t.subscription_id and p.number = t.period_number
          and p.begun_by <> 'renewal' and (s.snap_day is not null or exists (
            select from events e where e.site_id = ${siteId} and e.subscription_id = s.id
              and e.key in ('billing_date_change', 'subscription_product_change')))) as is_part
    from transactions t where t.site_id = ${siteId}
    window w as (partition by t.subscription_id order by t.id)`,
  checks: [
    {
      sentence: 'transactions: each row starts where the one before it ended, the first at 0',
      holds: sql`r.starts = r.ended_before`,
      words: sql`format('transaction %s of subscription %s starts at %s cents, the one before it ended at %s',
        r.id, r.subscription_id, r.starts, r.ended_before)`,
    },
    {
      sentence: 'transactions: amounts are whole where the currency of the site has no cents',
      holds: sql`not r.is_whole or (r.amount % 100 = 0 and r.ends % 100 = 0)`,
      words: sql`format('transaction %s of subscription %s, a %s of %s cents, leads to %s',
        r.id, r.subscription_id, r.type, r.amount, r.ends)`,
    },
    {
      sentence: 'transactions: each row is written no earlier than the one before it',
      holds: sql`r.written_before is null or r.written_before <= r.created_at`,
      words: sql`format('transaction %s of subscription %s is written at %s, the one before it at %s',
        r.id, r.subscription_id, r.created_at, r.written_before)`,
    },
    {
      sentence: 'transactions: each row moves the balance as its type says',
      holds: sql`r.ends = r.starts + r.amount * case
        when not r.success then 0 when r.type in ('charge', 'credit', 'adjustment') then 1 when r.type = 'payment' then -1 else 0 end`,
      words: sql`format('transaction %s of subscription %s, a %s of %s cents, leads from %s to %s',
        r.id, r.subscription_id, r.type, r.amount, r.starts, r.ends)`,
    },
    {
      sentence:
        'transactions: each period and trial costs what a version of its product costs, part of it until a snap day',
      about: sql`r.kind in ('baseline', 'trial')`,
      holds: sql`r.has_price or r.is_part`,
      words: sql`format('transaction %s of subscription %s charges %s cents as %s, no version of product %s costs that',
        r.id, r.subscription_id, r.amount, r.kind, r.product_id)`,
    },
    {
      sentence: 'transactions: each payment after which nothing is owed covers what came since nothing was owed before',
      about: sql`r.kind is distinct from 'one_time'
        and (r.covers_after_id is not null or (r.type = 'payment' and r.success and r.ends <= 0))`,
      holds: sql`r.type = 'payment' and r.success and r.ends <= 0 and r.covers_after_id = r.covered_before`,
      words: sql`format('transaction %s of subscription %s covers what came after %s, nothing was owed after %s',
        r.id, r.subscription_id, coalesce(r.covers_after_id::text, 'nothing'), r.covered_before)`,
    },
    {
      sentence: 'transactions: each payment for a charge at once covers that charge',
      about: sql`r.kind = 'one_time' and (r.type = 'payment' or r.covers_after_id is not null)`,
      holds: sql`r.type = 'payment' and r.success and r.covers_after_id = r.charged_before - 1`,
      words: sql`format('transaction %s of subscription %s covers what came after %s, the charge before it is %s',
        r.id, r.subscription_id, coalesce(r.covers_after_id::text, 'nothing'), coalesce(r.charged_before::text, 'missing'))`,
    },
  ],
}

export const subscriptionTotals: Pass = {
  rows: (siteId) => sql`
    select s.id, s.balance_in_cents as balance, s.total_revenue_in_cents as revenue, s.signup_revenue_in_cents as signup_revenue,
      s.signup_payment_id, s.covered_through_id, coalesce(n.ending_balance_in_cents, 0) as ended,
      coalesce(l.paid, 0) as paid, coalesce(l.covered_through, 0) as covered_through, f.id as first_id,
      case when f.type = 'payment' and f.success then f.amount_in_cents else 0 end as paid_at_signup
    from subscriptions s
    left join (
      select t.subscription_id, max(t.id) as newest_id, max(t.id) filter (where t.ending_balance_in_cents <= 0) as covered_through,
        sum(case when not t.success then 0 when t.type = 'payment' then t.amount_in_cents
          when t.type = 'refund' then -t.amount_in_cents else 0 end) as paid
      from transactions t where t.site_id = ${siteId} group by t.subscription_id) l on l.subscription_id = s.id
    left join transactions n on n.site_id = ${siteId} and n.id = l.newest_id
    left join transactions f on f.site_id = ${siteId} and f.id = s.signup_payment_id and f.subscription_id = s.id
    where s.site_id = ${siteId}`,
  checks: [
    {
      sentence: 'subscriptions: the balance is that of the newest transaction',
      holds: sql`r.balance = r.ended`,
      words: sql`format('subscription %s has a balance of %s cents, its ledger ends at %s', r.id, r.balance, r.ended)`,
    },
    {
      sentence: 'subscriptions: the total revenue is the sum of the payments, less refunds',
      holds: sql`r.revenue = r.paid`,
      words: sql`format('subscription %s has a total revenue of %s cents, its ledger has %s', r.id, r.revenue, r.paid)`,
    },
    {
      sentence: 'subscriptions: the sign-up revenue is what was paid at the sign-up',
      holds: sql`r.signup_revenue = r.paid_at_signup and (r.signup_payment_id = 0 or r.first_id is not null)`,
      words: sql`format('subscription %s has a sign-up revenue of %s cents, its transaction %s paid %s',
        r.id, r.signup_revenue, r.signup_payment_id, r.paid_at_signup)`,
    },
    {
      sentence: 'subscriptions: the last transaction after which nothing was owed is known',
      holds: sql`r.covered_through_id = r.covered_through`,
      words: sql`format('subscription %s is covered through transaction %s, its ledger says %s',
        r.id, r.covered_through_id, r.covered_through)`,
    },
  ],
}
