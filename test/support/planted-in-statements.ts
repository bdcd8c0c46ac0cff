/** What is planted in statements for the audit to find. */
import type { Plant } from './planted-differences.ts'

export const statementPlants: readonly Plant[] = [
  [
    'statements: the open one amounts to what its subscription says',
    `update subscriptions set open_statement_total_in_cents = 1 where id = :ada`,
  ],
  [
    'statements: those that gather something are found by lists of bills',
    `delete from gathering_subscriptions where subscription_id in (
      select t.subscription_id from statements t join transactions x on x.statement_id = t.id
      where t.closed_at is null and x.type in ('charge', 'credit', 'adjustment')
      group by t.subscription_id having sum(x.amount_in_cents) <> 0)`,
  ],
  [
    'statements: each begins with the balance at which the one before it was closed',
    `update statements set starting_balance_in_cents = 1 where subscription_id = :ada and closed_at is null`,
  ],
  [
    'statements: each ends with its starting balance and what it lists',
    `update statements set ending_balance_in_cents = -1
      where id = (select max(id) from statements where subscription_id = :ada and closed_at is not null)`,
    `update statements set starting_balance_in_cents = -1 where subscription_id = :ada and closed_at is null`,
  ],
  [
    'statements: each lists rows of its own subscription, written while it was open',
    `update transactions set created_at = created_at - interval '1 second'
      where id = (select min(id) from transactions where subscription_id = :ada)`,
  ],
  [
    'statements: each is opened after the one before it was closed, and before it is closed and settled itself',
    `update statements set created_at = created_at - interval '1 second'
      where id = (select min(id) from statements where subscription_id = :ada)`,
  ],
  [
    'statements: those that are closed and paid are settled',
    `update statements set settled_at = null where subscription_id = :grace and settled_at > closed_at`,
    `delete from events where subscription_id = :grace and key = 'statement_settled' and split_part(message, ' ', 2) in (
      select cast(id as text) from statements where subscription_id = :grace and closed_at is not null and settled_at is null)`,
  ],
  [
    'statements: those that are settled are closed and paid',
    `update statements set settled_at = closed_at where subscription_id = :rosa and closed_at is not null and settled_at is null`,
    `update events set key = 'statement_settled', message = replace(message, 'closed (but not settled)', 'settled successfully')
      where key = 'statement_closed' and subscription_id = :rosa`,
  ],
]
