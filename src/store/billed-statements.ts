/** Which statements are bills of their own: those that charged something that no invoice lists, or were corrected upwards. */
import { fragment, type Sql, sql } from './sql.ts'

/** Rows that are lines: charges on no invoice; corrections that raised the balance, unless invoices ever told what is owed. */
export const isLine = sql`(
  (t.type = 'charge' and not exists (
    select from invoice_lines l where l.site_id = t.site_id and l.transaction_id = t.id))
  or (t.type = 'adjustment' and t.kind is null and t.amount_in_cents > 0 and not exists (
    select from subscriptions v
    where v.site_id = t.site_id and v.id = t.subscription_id and v.invoiced_through_id is not null)))`

/**
 * Of the statement of that alias. A scalar subquery and no `exists`, which PostgreSQL would turn into a join with the whole ledger: so a
 * page ends where it is full.
 */
export const isBill = (statement: string): Sql => sql`(
  select true from transactions t where t.site_id = ${fragment(statement)}.site_id
    and t.subscription_id = ${fragment(statement)}.subscription_id and t.statement_id = ${fragment(statement)}.id
    and ${isLine} limit 1)`
