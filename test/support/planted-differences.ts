/** For each check of the audit something that makes it fail, and no other check. */
import { paymentPlants } from './planted-in-payments.ts'
import { statementPlants } from './planted-in-statements.ts'
import { tellingPlants } from './planted-in-tellings.ts'

/** Tables whose rows are planted in, and put back afterwards. */
export const tables = [
  'subscriptions',
  'components',
  'subscription_components',
  'allocations',
  'usages',
  'periods',
  'gathering_subscriptions',
  'statements',
  'invoices',
  'invoice_lines',
  'invoice_entries',
  'invoice_counters',
  'transactions',
  'taxations',
  'coupon_redemptions',
  'subscription_coupons',
  'payment_attempts',
  'management_links',
  'events',
  'webhooks',
  'webhook_endpoints',
  'webhook_settings',
  'letters',
  'portal_sessions',
  'product_versions',
  'bogus_gateway.calls',
  'sites',
]

/** What must be true, and what makes it untrue; `:ada` stands for the id of Ada's subscription. */
export type Plant = readonly [sentence: string, ...statements: string[]]

export const plants: readonly Plant[] = [
  ...statementPlants,
  ...tellingPlants,
  ...paymentPlants,
  ['transactions: amounts are whole where the currency of the site has no cents', `update sites set currency = 'JPY'`],
  [
    'components: the quantity of each is that of its newest allocation',
    `update subscription_components set quantity = 4 where subscription_id = :lisa and quantity = 3`,
  ],
  [
    'components: the unit balance of each is the sum of its usage, less what was billed',
    `update subscription_components set unit_balance = unit_balance + 1 where subscription_id = :lisa and unit_balance > 0`,
  ],
  [
    'components: usage is counted of metered ones, and everything else is allocated, switches as 0 or 1',
    `update components set kind = 'metered_component' where handle = 'users'`,
  ],
  [
    'allocations: each starts from the quantity that the one before it led to, the first from 0',
    `update allocations set previous_quantity = 1 where subscription_id = :lisa and previous_quantity = 2`,
  ],
  [
    'allocations: each payment is one that was asked for an allocation',
    `update payment_attempts set reason = 'charge' where subscription_id = :lisa and reason = 'allocation'`,
  ],
  [
    'events: each change of an allocation is told once',
    `delete from events where subscription_id = :lisa and key = 'component_allocation_change'`,
  ],
  [
    'transactions: each row starts where the one before it ended, the first at 0',
    `update transactions set starting_balance_in_cents = 1, ending_balance_in_cents = ending_balance_in_cents + 1
      where id = (select min(id) from transactions where subscription_id = :ada)`,
  ],
  [
    'transactions: each row is written no earlier than the one before it',
    `update transactions set created_at = created_at - interval '1 second'
      where id = (select max(id) from transactions where subscription_id = :ada)`,
  ],
  [
    'transactions: each row moves the balance as its type says',
    `update transactions set ending_balance_in_cents = 5001 where id = (select min(id) from transactions where subscription_id = :ada)`,
    `update transactions set starting_balance_in_cents = 5001
      where id = (select min(id) + 1 from transactions where subscription_id = :ada)`,
  ],
  [
    'transactions: each period and trial costs what a version of its product costs, part of it until a snap day',
    `update product_versions set trial_price_in_cents = 101 where trial_price_in_cents = 100`,
  ],
  [
    'transactions: each payment after which nothing is owed covers what came since nothing was owed before',
    `update transactions set covers_after_id = covers_after_id - 1
      where id = (select max(id) from transactions where subscription_id = :ada and covers_after_id is not null)`,
  ],
  [
    'transactions: each payment for a charge at once covers that charge',
    `update transactions set covers_after_id = covers_after_id - 1 where type = 'payment' and kind = 'one_time' and subscription_id = :alan`,
  ],
  [
    'refunds: none gives back a payment that did not succeed, or more of it than was paid',
    `update transactions set refunded_payment_id = (
        select max(id) from transactions where type = 'payment' and kind = 'one_time' and subscription_id = :alan)
      where type = 'refund' and success and subscription_id = :alan`,
  ],
  [
    'events: each refund is told once, as the success or failure that it was',
    `update events set key = 'refund_failure' where key = 'refund_success' and subscription_id = :alan`,
  ],
  [
    'subscriptions: the balance is that of the newest transaction',
    `update subscriptions set balance_in_cents = balance_in_cents + 1 where id = :ada`,
  ],
  [
    'subscriptions: the total revenue is the sum of the payments, less refunds',
    `update subscriptions set total_revenue_in_cents = total_revenue_in_cents - 1 where id = :ada`,
  ],
  [
    'subscriptions: the sign-up revenue is what was paid at the sign-up',
    `update subscriptions set signup_revenue_in_cents = 0 where id = :ada`,
  ],
  [
    'subscriptions: the last transaction after which nothing was owed is known',
    `update subscriptions set covered_through_id = 0 where id = :ada`,
  ],
  [
    'subscriptions: each coupon was redeemed, and is used no more often than it may be',
    `update subscription_coupons set use_count = uses_allowed + 1 where subscription_id = :lise`,
    `update coupon_redemptions set code = 'OTHER' where subscription_id = :olga`,
  ],
  [
    'subscriptions: the places of their coupons count from 1',
    `update subscription_coupons set place = 2 where subscription_id = :lise`,
  ],
  [
    'coupons: each that took something off was put on the subscription',
    `with gone as (delete from subscription_coupons where subscription_id = :lise)
      update coupon_redemptions set subscription_id = 1 where subscription_id = :lise`,
  ],
  [
    'coupons: what they take off is the sum of the discounts, or more where all is free',
    `update transactions set discount_amount_in_cents = discount_amount_in_cents - 1,
        taxable_amount_in_cents = taxable_amount_in_cents + 1
      where id = (select min(id) from transactions where subscription_id = :lise)`,
  ],
  [
    'charges: no more is discounted than there is, and what is taxable is all that is left or nothing',
    `update transactions set taxable_amount_in_cents = taxable_amount_in_cents - 1
      where id = (select min(id) from transactions where subscription_id = :lise)`,
  ],
  [
    'taxes: each falls whole on charges of its own subscription',
    `update taxations set amount_in_cents = amount_in_cents + 1
      where charge_id = (select min(id) from transactions where subscription_id = :lise)`,
  ],
  [
    'subscriptions: the current period is the newest one',
    `update subscriptions set current_period_started_at = current_period_started_at - interval '1 second' where id = :ada`,
  ],
  [
    'subscriptions: each has exactly one open statement, none after a trial that ended for good',
    `update subscriptions set open_statement_id = (select open_statement_id from subscriptions where id = :grace) where id = :ada`,
  ],
  [
    'subscriptions: what is collected is an open payment attempt',
    `update subscriptions set collecting_attempt_id = (select min(id) from payment_attempts where subscription_id = :ada)
      where id = :ada`,
  ],
  [
    'subscriptions: the next assessment is at the retry or the end of the period, whichever is first, or at the end of a hold',
    `update subscriptions set next_assessment_at = next_assessment_at + interval '1 second' where id = :ada`,
  ],
  [
    'subscriptions: one that waits for its first billing has no period, and is assessed then or later',
    `update subscriptions set next_assessment_at = next_assessment_at - interval '1 second' where id = :dora`,
  ],
  [
    'subscriptions: a retry is set exactly while a failed payment is asked for again',
    `update subscriptions set retry_at = next_assessment_at + interval '1 day' where id = :ada`,
  ],
  [
    'subscriptions: a dunning has a beginning exactly while its failed attempts are counted',
    `update subscriptions set dunning_since = created_at where id = :ada`,
  ],
  [
    'subscriptions: each is paid with a card of its own customer',
    `update subscriptions set payment_profile_id = (select payment_profile_id from subscriptions where id = :grace) where id = :ada`,
  ],
  ['subscriptions: none is parked', `update subscriptions set parked_reason = 'its product is gone' where id = :ada`],
  [
    'statements: the total of each is the sum of what it lists, payments left out',
    `update statements set total_in_cents = total_in_cents + 1
      where id = (select min(id) from statements where subscription_id = :ada)`,
  ],
  [
    'invoices: the total of each is the sum of its charges',
    `update invoices set total_in_cents = total_in_cents + 1, due_in_cents = due_in_cents + 1
      where id = (select max(id) from invoices where subscription_id = :emmy)`,
  ],
  [
    'invoices: what is due of each is its total, less what was in credit, paid and credited',
    `update invoices set due_in_cents = due_in_cents + 1 where id = (select max(id) from invoices where subscription_id = :emmy)`,
  ],
  [
    'invoices: each was paid exactly when nothing was due any more',
    `update invoices set paid_at = created_at where subscription_id = :emmy and state = 'paid'`,
  ],
  [
    'invoices: the state of each is that of its amounts, unless it is archived',
    `update invoices set state = 'unpaid' where subscription_id = :emmy and state = 'partial'`,
  ],
  [
    'invoices: their numbers run from 1 without a gap',
    `update invoices set number = number + 1 where number = (select max(number) from invoices)`,
    `update invoice_counters set last_number = last_number + 1`,
  ],
  [
    'invoices: the counter of each site stands at the last number that it gave',
    `update invoice_counters set last_number = last_number + 1`,
  ],
  [
    'invoices: each lists charges of its own subscription',
    `update invoice_lines set transaction_id = (
        select max(id) from transactions where subscription_id = :ada and type = 'charge' and amount_in_cents = 5000)
      where transaction_id = (
        select max(id) from transactions where subscription_id = :emmy and type = 'charge' and amount_in_cents = 5000)`,
  ],
  [
    'invoices: each is lowered by payments and credits of its own subscription, by none of them more than there is of it',
    `update invoice_entries set amount_in_cents = amount_in_cents + 1 where invoice_id = (
        select id from invoices where subscription_id = :emmy and state = 'partial')`,
    `update invoices set due_in_cents = due_in_cents - 1 where subscription_id = :emmy and state = 'partial'`,
  ],
  [
    'events: each invoice is told once',
    `delete from events where id = (select min(id) from events where key = 'invoice_issued' and subscription_id = :emmy)`,
  ],
  [
    'periods: they are numbered from 1 without a gap',
    `update periods set number = 9 where number = 4 and subscription_id = :ada`,
    `update subscriptions set period_number = 9 where id = :ada`,
    `update transactions set period_number = 9 where period_number = 4 and subscription_id = :ada`,
  ],
  [
    'periods: each begins when the one before it ends, unless a reactivation or a resumption began it',
    `update periods set started_at = started_at - interval '1 second' where number = 2 and subscription_id = :ada`,
  ],
  [
    'periods: none is empty, but one in whose very first second a migration began the next',
    `update periods set ends_at = started_at from subscriptions s
      where s.id = :joan and periods.subscription_id = s.id and periods.number = s.period_number`,
    `update subscriptions set current_period_ends_at = current_period_started_at where id = :joan`,
  ],
  [
    'periods: none is assessed before it begins',
    `update periods set assessed_at = started_at - interval '1 second' where number = 2 and subscription_id = :ada`,
  ],
  [
    'periods: each is billed exactly once, the first of an import never',
    `update transactions set kind = 'one_time' where kind = 'baseline' and period_number = 2 and subscription_id = :ada`,
  ],
  [
    'events: each closing of a statement is told once, as settled or not, and a later settlement too',
    `insert into events (site_id, key, message, subscription_id, created_at)
      select site_id, key, message, subscription_id, created_at from events
      where id = (select min(id) from events where key = 'statement_settled' and subscription_id = :ada)`,
  ],
  [
    'events: each sign-up is told once, and before that the creation of one that waited',
    `delete from events where key = 'signup_success' and subscription_id = :ada`,
  ],
  [
    'events: each renewal is told once, as a success or a failure',
    `delete from events where id = (select min(id) from events where key = 'renewal_success' and subscription_id = :ada)`,
  ],
  [
    'events: the state of each subscription is the one told last',
    `update subscriptions set state = 'unpaid' where id = :ada`,
  ],
  [
    'events: each change of state leaves the state that the one before it led to',
    `update events set event_specific_data = event_specific_data || '{"previous_subscription_state": "expired"}'
      where key = 'subscription_state_change' and subscription_id = :grace`,
  ],
]
