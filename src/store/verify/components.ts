/** The audit of components: what a subscription has of one is the sum of its allocations and of its usage. */
import { sql } from '../sql.ts'
import type { Pass } from './check.ts'

export const componentStock: Pass = {
  rows: (siteId) => sql`
    select h.subscription_id, c.name, c.kind, h.quantity, h.unit_balance, h.billed_quantity, c.product_family_id, c.recurring,
      coalesce(a.quantity, 0) as allocated, coalesce(u.used, 0) as used
    from subscription_components h
    join components c on c.site_id = ${siteId} and c.id = h.component_id
    left join (
      select distinct on (o.subscription_id, o.component_id) o.subscription_id, o.component_id, o.quantity
      from allocations o where o.site_id = ${siteId} order by o.subscription_id, o.component_id, o.id desc) a
      on a.subscription_id = h.subscription_id and a.component_id = h.component_id
    left join (
      select g.subscription_id, g.component_id, sum(g.quantity) as used
      from usages g where g.site_id = ${siteId} group by g.subscription_id, g.component_id) u
      on u.subscription_id = h.subscription_id and u.component_id = h.component_id
    where h.site_id = ${siteId}`,
  checks: [
    {
      sentence: 'components: the quantity of each is that of its newest allocation',
      // What is charged once is 0 when it was charged.
      holds: sql`r.quantity = r.allocated or (not r.recurring and r.quantity = 0)`,
      words: sql`format('subscription %s has %s of %s, last allocated was %s', r.subscription_id, r.quantity, r.name, r.allocated)`,
    },
    {
      sentence: 'components: the unit balance of each is the sum of its usage, less what was billed',
      holds: sql`r.unit_balance = r.used - r.billed_quantity`,
      words: sql`format('subscription %s has a unit balance of %s of %s, its usage is %s, billed of it were %s',
        r.subscription_id, r.unit_balance, r.name, r.used, r.billed_quantity)`,
    },
    {
      sentence: 'components: usage is counted of metered ones, and everything else is allocated, switches as 0 or 1',
      holds: sql`case r.kind when 'metered_component' then r.quantity = 0 when 'on_off_component' then r.unit_balance = 0 and r.quantity in (0, 1)
        else r.unit_balance = 0 end`,
      words: sql`format('subscription %s has %s of %s and a unit balance of %s, it is a %s',
        r.subscription_id, r.quantity, r.name, r.unit_balance, r.kind)`,
    },
  ],
}

/** The allocations of a sign-up are told with it. */
export const allocationRows: Pass = {
  rows: (siteId) => sql`
    select o.id, o.subscription_id, o.component_id, o.previous_quantity, o.payment_attempt_id, a.reason,
      coalesce(lag(o.quantity) over (partition by o.subscription_id, o.component_id order by o.id), 0) as quantity_before,
      c.recurring, o.created_at = s.created_at as is_first, coalesce(e.tellings, 0) as tellings
    from allocations o
    join components c on c.site_id = ${siteId} and c.id = o.component_id
    join subscriptions s on s.site_id = ${siteId} and s.id = o.subscription_id
    left join payment_attempts a on a.site_id = ${siteId} and a.id = o.payment_attempt_id and a.subscription_id = o.subscription_id
    left join (
      select (t.event_specific_data ->> 'allocation_id')::bigint as allocation_id, count(*) as tellings
      from events t where t.site_id = ${siteId} and t.key = 'component_allocation_change' group by 1) e on e.allocation_id = o.id
    where o.site_id = ${siteId}`,
  checks: [
    {
      sentence: 'allocations: each starts from the quantity that the one before it led to, the first from 0',
      holds: sql`r.previous_quantity = r.quantity_before or (not r.recurring and r.previous_quantity = 0)`,
      words: sql`format('allocation %s of component %s of subscription %s starts from %s, the one before it led to %s',
        r.id, r.component_id, r.subscription_id, r.previous_quantity, r.quantity_before)`,
    },
    {
      sentence: 'allocations: each payment is one that was asked for an allocation',
      about: sql`r.payment_attempt_id is not null`,
      holds: sql`r.reason = 'allocation'`,
      words: sql`format('allocation %s of subscription %s is paid by attempt %s, which is %s',
        r.id, r.subscription_id, r.payment_attempt_id, coalesce('a ' || r.reason, 'none of its own'))`,
    },
    {
      sentence: 'events: each change of an allocation is told once',
      holds: sql`r.tellings = 1 or (r.tellings = 0 and r.is_first)`,
      words: sql`format('allocation %s of subscription %s is told %s times', r.id, r.subscription_id, r.tellings)`,
    },
  ],
}
