/** What others do: a job for each subscription, each in transactions of its own, statement after statement. */
import type pg from 'pg'
import { asker, type DueSite, now } from './data.ts'

const inFlight = 16

/** A worker pool takes the ids of what is due from a queue, and each member renews one subscription after the other. */
export async function renewOneByOne(pool: pg.Pool, site: DueSite): Promise<number> {
  const { rows } = await pool.query(
    `select id from subscriptions where site_id = $1 and next_assessment_at <= $2 and deleted_at is null and parked_reason is null
      and state in ('trialing', 'active', 'past_due', 'soft_failure', 'unpaid') and collecting_attempt_id is null order by next_assessment_at, id`,
    [site.id, now],
  )
  const jobs = rows.values()
  let renewed = 0
  const work = async (): Promise<void> => {
    const client = await pool.connect()
    try {
      for (const { id } of jobs) {
        await renew(client, site.id, id)
        renewed += 1
      }
    } finally {
      client.release()
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  return renewed
}

type Ask = (text: string, values: unknown[]) => Promise<Record<string, any>>

const names = new Map<string, string>()

const askerOf =
  (client: pg.ClientBase): Ask =>
  async (text, values) => {
    if (!names.has(text)) names.set(text, `one-${names.size}`)
    return (await client.query({ name: names.get(text)!, text, values })).rows[0]
  }

async function renew(client: pg.ClientBase, siteId: number, id: number): Promise<void> {
  const ask = askerOf(client)
  await client.query('begin')
  const attempt = await assess(ask, siteId, id)
  await client.query('commit')
  const call = await capture(ask, siteId, id, attempt)
  await client.query('begin')
  await settle(ask, siteId, id, attempt, call)
  await client.query('commit')
}

async function assess(ask: Ask, site: number, id: number): Promise<Record<string, any>> {
  const due = await ask(
    `select *, period_number + 1 as next_number,
      anchor_at + (period_number + 2 - anchor_period_number) * interval '1 month' as next_ends_at
      from subscriptions where site_id = $1 and id = $2 and next_assessment_at <= $3 for update`,
    [site, id, now],
  )
  const product = await ask('select name from products where site_id = $1 and id = $2', [site, due.product_id])
  const terms = await ask(
    'select price_in_cents from product_versions where site_id = $1 and product_id = $2 and version_number = $3',
    [site, due.product_id, due.product_version_number],
  )
  const card = await ask('select * from payment_profiles where site_id = $1 and id = $2', [site, due.payment_profile_id])
  const owed = Number(due.balance_in_cents) + Number(terms.price_in_cents)
  await ask(
    `insert into transactions (site_id, id, subscription_id, customer_id, product_id, statement_id, period_number, type, kind, success,
      amount_in_cents, memo, starting_balance_in_cents, ending_balance_in_cents, created_at)
      values ($1, nextval('transactions_id_seq'), $2, $3, $4, $5, $6, 'charge', 'baseline', true, $7,
        $8 || ' (' || to_char($9::timestamptz, 'MM/DD/YYYY') || ' - ' || to_char($10::timestamptz, 'MM/DD/YYYY') || ')', $11, $12, $13)`,
    [site, id, due.customer_id, due.product_id, due.open_statement_id, due.next_number, terms.price_in_cents, product.name]
      .concat([due.current_period_ends_at, due.next_ends_at, due.balance_in_cents, owed, now]),
  )
  await ask(
    'insert into periods (site_id, subscription_id, number, started_at, ends_at, assessed_at) values ($1, $2, $3, $4, $5, $6)',
    [site, id, due.next_number, due.current_period_ends_at, due.next_ends_at, now],
  )
  const attempt = await ask(
    `insert into payment_attempts (site_id, id, subscription_id, reason, period_number, idempotency_key, amount_in_cents, gateway,
      vault_token, created_at, asked_by, asked_at, next_check_at)
      select $1::bigint, n.id, $2::bigint, 'renewal', $3::integer, $1::bigint || '-' || extract(epoch from s.created_at)::bigint || '-' || $2::bigint || '-' || n.id, $4, $5,
        $6, $7, ${asker}, $7, $7::timestamptz + interval '2 minutes'
      from sites s, (select nextval('payment_attempts_id_seq') as id) n where s.id = $1
      returning *`,
    [site, id, due.next_number, owed, card.current_vault, card.vault_token, now],
  )
  await ask(
    `update subscriptions set balance_in_cents = $3, period_number = $4, current_period_started_at = current_period_ends_at,
      current_period_ends_at = $5, next_assessment_at = $5, collecting_attempt_id = $6,
      open_statement_total_in_cents = open_statement_total_in_cents + $7, updated_at = $8
      where site_id = $1 and id = $2`,
    [site, id, owed, due.next_number, due.next_ends_at, attempt.id, terms.price_in_cents, now],
  )
  return attempt
}

const capture = async (ask: Ask, site: number, id: number, attempt: Record<string, any>): Promise<number> =>
  (
    await ask(
      `insert into bogus_gateway.calls (site_id, idempotency_key, kind, amount_in_cents, vault_token, outcome, message,
        subscription_id, created_at)
        values ($1, $2, 'purchase', $3, $4, 'approved', 'Bogus Gateway: Forced success', $5, $6)
        on conflict (site_id, kind, idempotency_key) where outcome <> 'error' do nothing returning id`,
      [site, attempt.idempotency_key, attempt.amount_in_cents, attempt.vault_token, id, now],
    )
  ).id

async function settle(ask: Ask, site: number, id: number, attempt: Record<string, any>, call: number): Promise<void> {
  const due = await ask('select * from subscriptions where site_id = $1 and id = $2 for update', [site, id])
  const customer = await ask('select * from customers where site_id = $1 and id = $2', [site, due.customer_id])
  const product = await ask('select name from products where site_id = $1 and id = $2', [site, due.product_id])
  const card = await ask('select * from payment_profiles where site_id = $1 and id = $2', [site, due.payment_profile_id])
  const amount = Number(attempt.amount_in_cents)
  const balance = Number(due.balance_in_cents) - amount
  const name = `${customer.first_name} ${customer.last_name}`
  await ask(
    `update payment_attempts set outcome = 'approved', outcome_message = 'Bogus Gateway: Forced success', gateway_transaction_id = $3,
      settled_at = $4 where site_id = $1 and id = $2 and settled_at is null`,
    [site, attempt.id, call, now],
  )
  const payment = await ask(
    `insert into transactions (site_id, id, subscription_id, customer_id, product_id, statement_id, period_number, type, success,
      amount_in_cents, memo, starting_balance_in_cents, ending_balance_in_cents, payment_attempt_id, covers_after_id, gateway_used,
      gateway_transaction_id, card_number, card_expiration, card_type, created_at)
      values ($1, nextval('transactions_id_seq'), $2, $3, $4, $5, $6, 'payment', true, $7, $8, $9, $10, $11, $12, 'bogus', $13, $14,
        $15, $16, $17) returning id`,
    [site, id, due.customer_id, due.product_id, due.open_statement_id, attempt.period_number, amount]
      .concat([`${name} - ${product.name}: Renewal payment`, due.balance_in_cents, balance, attempt.id, due.covered_through_id, call])
      .concat([card.masked_card_number, `${card.expiration_month}/${card.expiration_year}`, card.card_type, now]),
  )
  await ask(
    `update statements set total_in_cents = $3, closed_at = $4, ending_balance_in_cents = $5, settled_at = $4, updated_at = $4
      where site_id = $1 and id = $2`,
    [site, due.open_statement_id, due.open_statement_total_in_cents, now, balance],
  )
  const opened = await ask(
    `insert into statements (site_id, id, subscription_id, opened_at, starting_balance_in_cents, total_in_cents, created_at, updated_at)
      values ($1, nextval('statements_id_seq'), $2, $3, $4, 0, $3, $3) returning id`,
    [site, id, now, balance],
  )
  const whose = `for ${name}'s subscription to ${product.name}`
  const data = JSON.stringify({ product_id: Number(due.product_id), account_transaction_id: Number(payment.id) })
  const tell = (key: string, message: string, data: string | null) =>
    ask(
      `insert into events (site_id, key, message, subscription_id, customer_id, created_at, event_specific_data)
        values ($1, $2, $3, $4, $5, $6, $7)`,
      [site, key, message, id, due.customer_id, now, data],
    )
  await tell('renewal_success', `Successful renewal ${whose}`, data)
  await tell('payment_success', `Successful payment of $${(amount / 100).toFixed(2)} ${whose}`, data)
  await tell('statement_settled', `Statement ${due.open_statement_id} settled successfully ${whose}`, null)
  await ask(
    `update subscriptions set balance_in_cents = $3, total_revenue_in_cents = total_revenue_in_cents + $4, state = 'active',
      retry_at = null, dunning_attempts = 0, open_statement_id = $5, open_statement_total_in_cents = 0, covered_through_id = $6,
      collecting_attempt_id = null, updated_at = $7 where site_id = $1 and id = $2`,
    [site, id, balance, amount, opened.id, payment.id, now],
  )
}
