/** What came in for a statement since it was closed: the sum of what the rows after it pay of what was owed before them. */
import { ownPayments } from '../billing/statement.ts'
import { type Sql, sql, texts } from './sql.ts'

/** What the row `x` pays, as `paysEarlier` has it. */
export const paysEarlierSql = sql`case
  when not x.success then 0
  when x.type = 'payment' then case when x.kind = any(${texts(ownPayments)}::text[]) then 0 else x.amount_in_cents end
  when x.type = 'credit' or (x.type = 'adjustment' and x.kind is null and x.amount_in_cents < 0)
    or (x.type = 'adjustment' and x.kind = 'coupon' and x.amount_in_cents > 0) then -x.amount_in_cents
  else 0 end`

/** Of the statement of that alias; rows without a statement come after the one that was closed before them. */
export const paidSince = (statement: Sql): Sql => sql`coalesce((
  select sum(${paysEarlierSql}) from transactions x
  where x.site_id = ${statement}.site_id and x.subscription_id = ${statement}.subscription_id
    and (x.statement_id > ${statement}.id or (x.statement_id is null and x.created_at >= ${statement}.closed_at))), 0)`
