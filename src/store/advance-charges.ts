/** What was charged in advance for the period that a subscription is in, as far as the ledger knows. */
import type { AdvanceCharge } from '../billing/migration.ts'
import type { Cents } from '../billing/money.ts'
import type { Connection } from './database.ts'
import { sql } from './sql.ts'

/**
 * Discounts are taken off and taxes added. What an assessment charged is for the whole period, a change in its middle for what was
 * left of it; setup fees, usage and components that are charged once are for no time.
 */
export const listAdvanceCharges = async (
  connection: Connection,
  siteId: number,
  subscriptionId: number,
): Promise<AdvanceCharge[]> =>
  (
    await connection.arrays(sql`
      select sum(t.amount_in_cents - t.discount_amount_in_cents + coalesce(x.taxed, 0))::bigint,
        case when t.created_at = p.assessed_at then p.started_at else t.created_at end as since
      from subscriptions s
      join periods p on p.site_id = s.site_id and p.subscription_id = s.id and p.number = s.period_number
      join transactions t on t.site_id = s.site_id and t.subscription_id = s.id and t.period_number = s.period_number
      left join components c on c.site_id = t.site_id and c.id = t.component_id
      left join lateral (
        select sum(y.amount_in_cents) as taxed from taxations y where y.site_id = t.site_id and y.charge_id = t.id) x on true
      where s.site_id = ${siteId} and s.id = ${subscriptionId} and c.recurring is not false and (
        (t.type = 'charge' and t.kind in ('baseline', 'trial', 'quantity_based_component', 'on_off_component', 'prorated'))
        or (t.type = 'credit' and t.kind in ('quantity_based_component', 'on_off_component', 'tax'))
        or (t.type = 'adjustment' and t.kind = 'prorated'))
      group by since order by since`)
  ).map(([amount, from]) => ({ amount: amount as Cents, from: from as Temporal.Instant }))
