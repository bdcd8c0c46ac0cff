/** The ceiling: one renewal's rows written by set-based SQL alone, by hand, with nothing decided outside the database. */
import type pg from 'pg'
import { asker, type DueSite, now } from './data.ts'

/** Claims a set and puts its charges, its new periods and its payment attempts on record; gives the attempts. */
const assess = `
with due as materialized (
  select s.site_id, s.id, s.customer_id, s.product_id, s.product_version_number, s.payment_profile_id, s.balance_in_cents,
    s.period_number + 1 as period_number, s.anchor_at, s.anchor_period_number, s.current_period_ends_at as starts_at,
    s.open_statement_id, s.open_statement_total_in_cents
  from subscriptions s
  where s.site_id = $1 and s.next_assessment_at <= $2 and s.collecting_attempt_id is null and s.deleted_at is null
    and s.parked_reason is null
    and (s.state in ('trialing', 'active', 'past_due', 'soft_failure', 'unpaid') or s.automatically_resume_at is not null)
  order by s.next_assessment_at, s.id limit $3 for update skip locked),
priced as materialized (
  select d.*, v.price_in_cents as price, p.name as product_name, f.current_vault, f.vault_token, f.masked_card_number,
    f.expiration_month, f.expiration_year, f.card_type,
    d.anchor_at + (d.period_number + 1 - d.anchor_period_number) * interval '1 month' as ends_at,
    nextval('transactions_id_seq') as charge_id, nextval('payment_attempts_id_seq') as attempt_id
  from due d
  join products p on p.site_id = d.site_id and p.id = d.product_id
  join product_versions v on v.site_id = d.site_id and v.product_id = d.product_id and v.version_number = d.product_version_number
  join payment_profiles f on f.site_id = d.site_id and f.id = d.payment_profile_id and f.deleted_at is null),
charged as (
  insert into transactions (site_id, id, subscription_id, customer_id, product_id, statement_id, period_number, type, kind, success,
    amount_in_cents, memo, starting_balance_in_cents, ending_balance_in_cents, created_at)
  select site_id, charge_id, id, customer_id, product_id, open_statement_id, period_number, 'charge', 'baseline', true, price,
    product_name || ' (' || to_char(starts_at, 'MM/DD/YYYY') || ' - ' || to_char(ends_at, 'MM/DD/YYYY') || ')',
    balance_in_cents, balance_in_cents + price, $2 from priced),
begun as (
  insert into periods (site_id, subscription_id, number, begun_by, started_at, ends_at, assessed_at)
  select site_id, id, period_number, 'renewal', starts_at, ends_at, $2 from priced),
attempted as (
  insert into payment_attempts (site_id, id, subscription_id, reason, period_number, idempotency_key, amount_in_cents, gateway,
    vault_token, card_number, card_expiration, card_type, intent, created_at, asked_by)
  select p.site_id, p.attempt_id, p.id, 'renewal', p.period_number,
    p.site_id || '-' || extract(epoch from s.created_at)::bigint || '-' || p.id || '-' || p.attempt_id, p.balance_in_cents + p.price,
    p.current_vault, p.vault_token, p.masked_card_number, lpad(p.expiration_month::text, 2, '0') || '/' || p.expiration_year, p.card_type,
    jsonb_build_object('endsFreeTrial', false, 'chargeId', p.charge_id), $2, ${asker}
  from priced p join sites s on s.id = p.site_id),
moved as (
  update subscriptions s set balance_in_cents = p.balance_in_cents + p.price, period_number = p.period_number,
    current_period_started_at = p.starts_at, current_period_ends_at = p.ends_at, next_assessment_at = p.ends_at,
    open_statement_total_in_cents = p.open_statement_total_in_cents + p.price, collecting_attempt_id = p.attempt_id, updated_at = $2
  from priced p where s.site_id = $1 and s.id = p.id)
select array_agg(attempt_id) as attempts from priced`

/** What the gateway writes into its own record; gives its transaction ids in the order of the attempts. */
const capture = `
with kept as (
  insert into bogus_gateway.calls (site_id, idempotency_key, kind, amount_in_cents, vault_token, outcome, message, subscription_id,
    created_at)
  select a.site_id, a.idempotency_key, 'purchase', a.amount_in_cents, a.vault_token, 'approved', 'Bogus Gateway: Forced success',
    a.subscription_id, $2
  from payment_attempts a where a.site_id = $1 and a.id = any($3::bigint[])
  on conflict (site_id, kind, idempotency_key) where outcome <> 'error' do nothing
  returning id, idempotency_key)
select array_agg(id) as calls, array_agg(idempotency_key) as keys from kept`

/** Settles a set: the payments, the closed and the opened statements, the events, the subscriptions as they are from now on. */
const settle = `
with answered as materialized (
  update payment_attempts a set outcome = 'approved', outcome_message = 'Bogus Gateway: Forced success',
    gateway_transaction_id = u.call, calls_heard = a.calls_heard + 1, settled_at = $2
  from unnest($3::text[], $4::text[]) as u (call, key)
  where a.site_id = $1 and a.idempotency_key = u.key and a.settled_at is null
  returning a.site_id, a.id as attempt_id, a.subscription_id, a.period_number, a.amount_in_cents as amount, u.call),
paid as materialized (
  select a.*, s.customer_id, s.product_id, s.balance_in_cents as balance, s.open_statement_id, s.open_statement_total_in_cents as total,
    s.covered_through_id, c.first_name || ' ' || c.last_name as name, p.name as product_name, f.masked_card_number, f.card_type,
    f.expiration_month, f.expiration_year,
    nextval('transactions_id_seq') as payment_id, nextval('statements_id_seq') as next_statement_id
  from answered a
  join subscriptions s on s.site_id = a.site_id and s.id = a.subscription_id
  join customers c on c.site_id = s.site_id and c.id = s.customer_id
  join products p on p.site_id = s.site_id and p.id = s.product_id
  left join payment_profiles f on f.site_id = s.site_id and f.id = s.payment_profile_id),
entered as (
  insert into transactions (site_id, id, subscription_id, customer_id, product_id, statement_id, period_number, type, success,
    amount_in_cents, memo, starting_balance_in_cents, ending_balance_in_cents, payment_attempt_id, covers_after_id, gateway_used,
    gateway_transaction_id, card_number, card_expiration, card_type, created_at)
  select site_id, payment_id, subscription_id, customer_id, product_id, open_statement_id, period_number, 'payment', true, amount,
    name || ' - ' || product_name || ': Renewal payment', balance, balance - amount, attempt_id, covered_through_id, 'bogus', call,
    masked_card_number, lpad(expiration_month::text, 2, '0') || '/' || expiration_year, card_type, $2 from paid),
closed as (
  update statements t set total_in_cents = p.total, closed_at = $2, ending_balance_in_cents = p.balance - p.amount, settled_at = $2,
    updated_at = $2
  from paid p where t.site_id = $1 and t.id = p.open_statement_id
  returning p.*),
opened as (
  insert into statements (site_id, id, subscription_id, opened_at, starting_balance_in_cents, total_in_cents, created_at, updated_at)
  select site_id, next_statement_id, subscription_id, $2, balance - amount, 0, $2, $2 from closed),
told as (
  insert into events (site_id, key, message, subscription_id, customer_id, created_at, event_specific_data)
  select p.site_id, e.key, e.message || p.name || '''s subscription to ' || p.product_name, p.subscription_id, p.customer_id, $2,
    case when e.key <> 'statement_settled' then jsonb_build_object('product_id', p.product_id, 'account_transaction_id', p.payment_id) end
  from paid p, lateral (values
    ('renewal_success', 'Successful renewal for '),
    ('payment_success', 'Successful payment of $' || p.amount / 100 || '.' || lpad((p.amount % 100)::text, 2, '0') || ' for '),
    ('statement_settled', 'Statement ' || p.open_statement_id || ' settled successfully for ')) as e (key, message)),
freed as (
  update subscriptions s set balance_in_cents = p.balance - p.amount, total_revenue_in_cents = s.total_revenue_in_cents + p.amount,
    state = 'active', retry_at = null, dunning_attempts = 0, dunning_since = null, open_statement_id = p.next_statement_id,
    open_statement_total_in_cents = 0, covered_through_id = p.payment_id, collecting_attempt_id = null, updated_at = $2
  from paid p where s.site_id = $1 and s.id = p.subscription_id)
select count(*)::int as settled from paid`

/** One worker: sets of `setSize`, each in the same three transactions as the engine's, until nothing is due. Gives how many it renewed. */
export async function renewBySetsAlone(client: pg.ClientBase, site: DueSite, setSize: number): Promise<number> {
  const ask = async (name: string, text: string, values: unknown[]) =>
    (await client.query({ name, text, values })).rows[0]
  let renewed = 0
  for (;;) {
    const { attempts } = await ask('assess', assess, [site.id, now, setSize])
    if (attempts === null) return renewed
    const { calls, keys } = await ask('capture', capture, [site.id, now, attempts])
    renewed += (await ask('settle', settle, [site.id, now, calls, keys])).settled
  }
}
