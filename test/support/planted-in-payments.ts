/** What is planted in payments, and in what was asked of gateways, for the audit to find. */
import type { Plant } from './planted-differences.ts'

export const paymentPlants: readonly Plant[] = [
  [
    'payment attempts: each that was approved is one successful payment or refund of its amount',
    `update payment_attempts set amount_in_cents = amount_in_cents + 1
      where id = (select min(id) from payment_attempts where subscription_id = :ada)`,
  ],
  [
    'payment attempts: each that was declined is one failed payment or refund, a sign-up leaves none',
    `update payment_attempts set amount_in_cents = amount_in_cents + 1 where outcome = 'declined' and subscription_id = :grace`,
  ],
  [
    'payment attempts: each open one is what its subscription waits for, a sign-up has none yet, a refund needs none',
    `insert into payment_attempts (site_id, id, subscription_id, reason, period_number, idempotency_key, amount_in_cents, gateway,
        vault_token, created_at, asked_by, asked_at, next_check_at)
      select site_id, 1, subscription_id, 'retry', 1, 'lost', 5000, gateway, vault_token, created_at, 1, asked_at, next_check_at
      from payment_attempts where id = (select min(id) from payment_attempts where subscription_id = :ada)`,
  ],
  [
    'payments: each that a gateway answered was asked for by an attempt',
    `insert into transactions (site_id, id, subscription_id, customer_id, product_id, period_number, type, success, amount_in_cents,
        memo, starting_balance_in_cents, ending_balance_in_cents, payment_attempt_id, gateway_used, created_at)
      select site_id, 999999, subscription_id, customer_id, product_id, period_number, 'payment', true, 0, 'out of nowhere',
        ending_balance_in_cents, ending_balance_in_cents, 1, 'bogus', created_at
      from transactions where id = (select max(id) from transactions where subscription_id = :rosa)`,
    `insert into events (site_id, key, message, subscription_id, created_at, event_specific_data)
      select site_id, 'payment_success', 'A payment', subscription_id, created_at, '{"account_transaction_id": 999999}'
      from transactions where id = 999999`,
  ],
  [
    'events: each payment is told once, as the success or failure that it was',
    `delete from events where id = (select min(id) from events where key = 'payment_success' and subscription_id = :ada)`,
  ],
  [
    'gateway bogus: what it captured for each subscription is what the ledger says was paid',
    `insert into bogus_gateway.calls (site_id, idempotency_key, kind, amount_in_cents, outcome, message, subscription_id, created_at)
      select site_id, 'again', kind, amount_in_cents, outcome, message, subscription_id, created_at from bogus_gateway.calls
      where id = (select min(id) from bogus_gateway.calls where kind = 'purchase' and subscription_id = :ada)`,
  ],
]
