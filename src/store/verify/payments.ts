/** The audit of payments: what was asked of gateways, what they answered and what the ledger says are one story. */
import { fragment, sql } from '../sql.ts'
import type { Pass } from './check.ts'

export const paymentAttemptRows: Pass = {
  rows: (siteId) => sql`
    select a.id, a.subscription_id, a.reason, a.outcome, a.settled_at, a.amount_in_cents as amount, t.id as payment_id,
      t.subscription_id as payer_id, coalesce(t.succeeded, 0) as succeeded, coalesce(t.failed, 0) as failed, coalesce(l.recorded, 0) as recorded, s.collecting_attempt_id,
      a.calls_begun, a.calls_heard,
      t.id is null or (t.least_amount = a.amount_in_cents and t.most_amount = a.amount_in_cents
        and t.subscription_id = a.subscription_id and t.is_refund = (a.reason = 'refund')) as agrees
    from (select * from payment_attempts o where o.site_id = ${siteId}) a
    full join (
      select p.payment_attempt_id, min(p.id) as id, min(p.subscription_id) as subscription_id, bool_or(p.type = 'refund') as is_refund,
        count(*) filter (where p.success) as succeeded, count(*) filter (where not p.success) as failed,
        min(p.amount_in_cents) as least_amount, max(p.amount_in_cents) as most_amount
      from transactions p where p.site_id = ${siteId} and p.type in ('payment', 'refund') and p.gateway_used is not null
      group by p.payment_attempt_id, case when p.payment_attempt_id is null then p.id end) t on t.payment_attempt_id = a.id
    left join (
      select o.attempt_id, count(*) as recorded from late_approvals o
      where o.site_id = ${siteId} and o.resolution = 'recorded' group by o.attempt_id) l on l.attempt_id = a.id
    left join subscriptions s on s.site_id = ${siteId} and s.id = a.subscription_id`,
  checks: [
    {
      sentence: 'payment attempts: each that was approved is one successful payment or refund of its amount',
      about: sql`r.settled_at is not null and r.outcome = 'approved'`,
      holds: sql`r.succeeded = 1 + r.recorded and r.failed = 0 and r.agrees`,
      words: sql`format('payment attempt %s of subscription %s took %s cents, the ledger has %s successful and %s failed payments for it%s',
        r.id, r.subscription_id, r.amount, r.succeeded, r.failed, case when r.agrees then '' else ', of another amount' end)`,
    },
    {
      sentence: 'payment attempts: each that was declined is one failed payment or refund, a sign-up leaves none',
      about: sql`r.settled_at is not null and r.outcome <> 'approved'`,
      // A gateway that failed itself leaves a failed refund, and no payment; it did once.
      holds: sql`r.succeeded = r.recorded and r.agrees and r.failed
        between case when r.reason = 'signup' or (r.outcome = 'error' and r.reason <> 'refund') then 0 else 1 end
        and case r.reason when 'signup' then 0 else 1 end`,
      words: sql`format('payment attempt %s of subscription %s ended %s, the ledger has %s successful and %s failed payments for it%s',
        r.id, r.subscription_id, r.outcome, r.succeeded, r.failed, case when r.agrees then '' else ', of another amount' end)`,
    },
    {
      sentence:
        'payment attempts: each open one is what its subscription waits for, a sign-up has none yet, a refund needs none',
      about: sql`r.id is not null and r.settled_at is null`,
      holds: sql`r.payment_id is null
        and case r.reason when 'signup' then r.collecting_attempt_id is null
          when 'refund' then r.collecting_attempt_id is distinct from r.id else r.collecting_attempt_id = r.id end`,
      words: sql`format('payment attempt %s of subscription %s is open, the subscription waits for %s', r.id, r.subscription_id,
        coalesce(r.collecting_attempt_id::text, 'none'))`,
    },
    {
      sentence: 'payments: each that a gateway answered was asked for by an attempt',
      about: sql`r.payment_id is not null`,
      holds: sql`r.id is not null`,
      words: sql`format('payment %s of subscription %s was never asked for', r.payment_id, r.payer_id)`,
    },
  ],
}

/** `captured` gives what the gateway holds by its own record: site_id, subscription_id and captured_in_cents. */
export const capturedPayments = (gateway: string, captured: string): Pass => ({
  rows: (siteId) => sql`
    select coalesce(g.subscription_id, l.subscription_id) as subscription_id,
      coalesce(g.captured_in_cents, 0) as captured, coalesce(l.paid, 0) as paid
    from (select c.subscription_id, c.captured_in_cents from (${fragment(captured)}) c where c.site_id = ${siteId}) g
    full join (
      select t.subscription_id, sum(case t.type when 'payment' then t.amount_in_cents else -t.amount_in_cents end) as paid
      from transactions t
      where t.site_id = ${siteId} and t.success and t.type in ('payment', 'refund') and t.gateway_used = ${gateway}
      group by t.subscription_id) l on l.subscription_id = g.subscription_id
    where not exists (
      select from payment_attempts a
      where a.site_id = ${siteId} and a.settled_at is null and a.subscription_id = coalesce(g.subscription_id, l.subscription_id))
      and not exists (
        select from late_approvals o
        where o.site_id = ${siteId} and o.resolved_at is null and o.subscription_id = coalesce(g.subscription_id, l.subscription_id))`,
  checks: [
    {
      sentence: `gateway ${gateway}: what it captured for each subscription is what the ledger says was paid`,
      holds: sql`r.captured = r.paid`,
      words: sql`format('subscription %s: the gateway has %s cents, the ledger %s', r.subscription_id, r.captured, r.paid)`,
    },
  ],
})
