/** The same customers with the same subscriptions, all due, once for each way of renewing them. */
import type { Place } from '../place.ts'

/** What the clocks of all ways show, so that they write the same dates. */
export const now = '2027-03-15T12:00:00Z'
const siteCreatedAt = '2027-01-01T00:00:00Z'

export const asker = 1

export type DueSite = { id: number; firstId: number; count: number }

const sequences = ['customers', 'payment_profiles', 'subscriptions', 'payment_attempts', 'statements', 'transactions']

/**
 * One site with `count` active monthly subscriptions that paid their first period and are due within the last six hours,
 * in no order of their ids.
 */
export async function makeDueSite({ pool, run }: Place, count: number): Promise<DueSite> {
  const lastValues = sequences.map((name) => `(select last_value from ${name}_id_seq)`)
  const {
    rows: [drawn],
  } = await pool.query<{ site: number; last: number }>(
    `select nextval('sites_id_seq')::int as site, greatest(${lastValues.join(', ')})::int as last`,
  )
  const id = drawn!.site
  const one = `${id} as site_id, ${drawn!.last} + i as id, ${drawn!.last} + 2 * i as pair`
  const at = `timestamptz '${now}' - interval '1 month' - (i * 7919 % 21600) * interval '1 second' as at`
  const rows = `(select i, ${one}, ${at} from generate_series(1, ${count}) as i) as r`
  await run(...soldTo(id, rows), ...paidOnce(id, rows))
  for (const name of sequences) await pool.query(`select setval('${name}_id_seq', $1)`, [drawn!.last + 2 * count])
  return { id, firstId: drawn!.last + 1, count }
}

/** A product, and customers with cards; `rows` is a subselect with one row for each subscription. */
const soldTo = (id: number, rows: string): string[] => [
  `insert into sites (id, subdomain, name, sealed_shared_key, created_at)
      values (${id}, 'site${id}', 'Site', 'none', '${siteCreatedAt}')`,
  `insert into product_families (site_id, id, name, created_at, updated_at)
      values (${id}, ${id}, 'Clubs', '${siteCreatedAt}', '${siteCreatedAt}')`,
  `insert into products (site_id, id, product_family_id, name, created_at, updated_at)
      values (${id}, ${id}, ${id}, 'Gold Club', '${siteCreatedAt}', '${siteCreatedAt}')`,
  `insert into product_versions (site_id, product_id, version_number, price_in_cents, interval_count, interval_unit, created_at)
      values (${id}, ${id}, 1, 4900, 1, 'month', '${siteCreatedAt}')`,
  `insert into customers (site_id, id, first_name, last_name, email, created_at, updated_at)
      select site_id, id, 'First' || i, 'Last' || i, 'person' || i || '@example.com', at, at from ${rows}`,
  `insert into payment_profiles (site_id, id, customer_id, first_name, last_name, card_type, last_four, masked_card_number,
        expiration_month, expiration_year, current_vault, vault_token, created_at, updated_at)
      select site_id, id, id, 'First' || i, 'Last' || i, 'visa', '1111', 'XXXX-XXXX-XXXX-1111', 12, 2031, 'bogus',
        'bogus_' || md5(i::text) || '_1', at, at from ${rows}`,
]

/** Their subscriptions, with everything that the first period has written. */
const paidOnce = (id: number, rows: string): string[] => [
  `insert into subscriptions (site_id, id, customer_id, product_id, product_version_number, payment_profile_id,
        payment_collection_method, state, balance_in_cents, total_revenue_in_cents, period_number, anchor_at, anchor_time_zone,
        anchor_period_number, current_period_started_at, current_period_ends_at, next_assessment_at, dunning_attempts,
        initial_charge_due, activated_at, signup_revenue_in_cents, signup_payment_id, open_statement_id,
        open_statement_total_in_cents, covered_through_id, created_at, updated_at)
      select site_id, id, id, ${id}, 1, id, 'automatic', 'active', 0, 4900, 1, at, 'UTC', 1, at, at + interval '1 month',
        at + interval '1 month', 0, false, at, 4900, pair, pair, 0, pair, at, at from ${rows}`,
  `insert into periods (site_id, subscription_id, number, begun_by, started_at, ends_at, assessed_at)
      select site_id, id, 1, 'signup', at, at + interval '1 month', at from ${rows}`,
  `insert into statements (site_id, id, subscription_id, opened_at, closed_at, settled_at, starting_balance_in_cents,
        ending_balance_in_cents, total_in_cents, created_at, updated_at)
      select site_id, pair - 1 + open, id, at, case open when 0 then at end, case open when 0 then at end, 0,
        case open when 0 then 0 end, case open when 0 then 4900 else 0 end, at, at
      from ${rows}, generate_series(0, 1) as open order by id, open`,
  `insert into transactions (site_id, id, subscription_id, customer_id, product_id, statement_id, period_number, type, kind,
        success, amount_in_cents, memo, starting_balance_in_cents, ending_balance_in_cents, payment_attempt_id, covers_after_id,
        gateway_used, gateway_transaction_id, card_number, card_expiration, card_type, created_at)
      select site_id, pair - 1 + paid, id, id, ${id}, pair - 1, 1, case paid when 0 then 'charge' else 'payment' end,
        case paid when 0 then 'baseline' end, true, 4900, 'The first period of the Gold Club (02/15/2027 - 03/15/2027)',
        4900 * paid, 4900 * (1 - paid), case paid when 1 then id end, case paid when 1 then 0 end,
        case paid when 1 then 'bogus' end, case paid when 1 then id::text end, case paid when 1 then 'XXXX-XXXX-XXXX-1111' end,
        case paid when 1 then '12/2031' end, case paid when 1 then 'visa' end, at
      from ${rows}, generate_series(0, 1) as paid order by id, paid`,
  `insert into payment_attempts (site_id, id, subscription_id, reason, period_number, idempotency_key, amount_in_cents, gateway,
        vault_token, created_at, asked_by, asked_at, next_check_at, last_call_at, calls_heard, outcome, outcome_message,
        gateway_transaction_id, settled_at)
      select site_id, id, id, 'signup', 1, site_id || '-1798761600-' || id || '-' || id, 4900, 'bogus',
        'bogus_' || md5(i::text) || '_1', at, 1, at, at, at, 1, 'approved', 'Bogus Gateway: Forced success',
        id::text, at from ${rows}`,
  `insert into events (site_id, key, message, subscription_id, customer_id, created_at, event_specific_data)
      select site_id, key, 'Successful signup for First' || i || ' Last' || i || '''s subscription to Gold Club', id, id, at,
        jsonb_build_object('product_id', ${id}, 'account_transaction_id', pair)
      from ${rows}, unnest(array['signup_success', 'payment_success', 'statement_settled']) as key`,
  `insert into bogus_gateway.calls (site_id, idempotency_key, kind, amount_in_cents, vault_token, outcome, message,
        subscription_id, created_at)
      select site_id, site_id || '-1798761600-' || id || '-' || id, 'purchase', 4900, 'bogus_' || md5(i::text) || '_1', 'approved',
        'Bogus Gateway: Forced success', id, at from ${rows}`,
]

/** Brings the statistics up to date and the log to its start, so that no way pays for the one before it. */
export const settleDown = ({ run }: Place): Promise<void> => run('vacuum (analyze)', 'checkpoint')
