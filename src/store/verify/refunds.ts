/** The audit of refunds: no payment gives back more than it brought, and each refund was told. */
import { sql } from '../sql.ts'
import type { Pass } from './check.ts'

export const refundRows: Pass = {
  rows: (siteId) => sql`
    select g.refunded_payment_id as payment_id, g.subscription_id, g.refunded, coalesce(p.amount_in_cents, 0) as paid
    from (
      select t.subscription_id, t.refunded_payment_id, sum(t.amount_in_cents) as refunded
      from transactions t where t.site_id = ${siteId} and t.refunded_payment_id is not null and t.success
      group by t.subscription_id, t.refunded_payment_id) g
    left join transactions p on p.site_id = ${siteId} and p.id = g.refunded_payment_id and p.subscription_id = g.subscription_id
      and p.type = 'payment' and p.success`,
  checks: [
    {
      sentence: 'refunds: none gives back a payment that did not succeed, or more of it than was paid',
      holds: sql`r.refunded <= r.paid`,
      words: sql`format('subscription %s has given back %s cents of payment %s, which brought %s',
        r.subscription_id, r.refunded, r.payment_id, r.paid)`,
    },
  ],
}

/** A failure does not say which refund it was, so that they are counted by subscription. */
export const refundEvents: Pass = {
  rows: (siteId) => sql`
    select coalesce(t.subscription_id, e.subscription_id) as subscription_id, coalesce(t.succeeded, 0) as succeeded,
      coalesce(t.failed, 0) as failed, coalesce(e.successes, 0) as successes, coalesce(e.failures, 0) as failures,
      coalesce(e.known, 0) as known
    from (
      select o.subscription_id, count(*) filter (where o.success) as succeeded, count(*) filter (where not o.success) as failed
      from transactions o where o.site_id = ${siteId} and o.type = 'refund' group by o.subscription_id) t
    full join (
      select n.subscription_id, count(*) filter (where n.key = 'refund_success') as successes,
        count(*) filter (where n.key = 'refund_failure') as failures, count(distinct r.id) as known
      from events n
      left join transactions r on r.site_id = ${siteId} and r.subscription_id = n.subscription_id and r.type = 'refund' and r.success
        and r.id = (n.event_specific_data ->> 'refund_id')::bigint
      where n.site_id = ${siteId} and n.key in ('refund_success', 'refund_failure')
      group by n.subscription_id) e on e.subscription_id = t.subscription_id`,
  checks: [
    {
      sentence: 'events: each refund is told once, as the success or failure that it was',
      holds: sql`r.successes = r.succeeded and r.known = r.succeeded and r.failures = r.failed`,
      words: sql`format('subscription %s has %s refunds and %s that failed, told are %s (%s of its own) and %s', r.subscription_id,
        r.succeeded, r.failed, r.successes, r.known, r.failures)`,
    },
  ],
}
