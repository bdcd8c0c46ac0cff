/** What others do: a job for each subscription, in transactions of its own, statement after statement. */
import pg from 'pg'
import { timed } from '../figures.ts'
import { asker, type DueSite, now } from './data.ts'

const inFlight = 16

type Row = Record<string, string | null>
type Ask = (text: string, values: readonly unknown[]) => Promise<Row>

/** Values stay as PostgreSQL writes them: no time is lost on reading what is only handed back. */
const asText = { getTypeParser: () => String } as unknown as pg.CustomTypesConfig

/** Members of a pool take the ids of what is due from a queue, each renewing one subscription after the other. */
export async function renewOneByOne(
  connection: pg.PoolConfig,
  site: DueSite,
): Promise<{ renewed: number; seconds: number }> {
  const pool = new pg.Pool({ ...connection, max: inFlight, types: asText })
  const { rows } = await pool.query(
    `select id from subscriptions where site_id = $1 and next_assessment_at <= $2 order by next_assessment_at, id`,
    [site.id, now],
  )
  const jobs = rows.values()
  const work = async (): Promise<void> => {
    const client = await pool.connect()
    try {
      for (const { id } of jobs) await renew(client, site.id, id)
    } finally {
      client.release()
    }
  }
  const { seconds } = await timed(() => Promise.all(Array.from({ length: inFlight }, work)))
  await pool.end()
  return { renewed: rows.length, seconds }
}

const names = new Map<string, string>()

/** Statements are prepared, as good drivers do. */
const askerOf =
  (client: pg.ClientBase): Ask =>
  async (text, values) => {
    const name = names.get(text) ?? `one-${names.size}`
    names.set(text, name)
    return (await client.query({ name, text, values: [...values] })).rows[0]
  }

async function renew(client: pg.ClientBase, site: number, id: string): Promise<void> {
  const ask = askerOf(client)
  await client.query('begin')
  const facts = await readFacts(ask, site, id)
  const attempt = await assess(ask, site, id, facts)
  await client.query('commit')
  const call = await capture(ask, site, id, attempt)
  await client.query('begin')
  await settle(ask, site, id, facts, attempt, call)
  await client.query('commit')
}

async function readFacts(ask: Ask, site: number, id: string): Promise<Row> {
  const due = await ask(
    `select product_id, product_version_number, payment_profile_id, customer_id, balance_in_cents, open_statement_id,
        current_period_ends_at, period_number + 1 as number,
        anchor_at + (period_number + 2 - anchor_period_number) * interval '1 month' as ends_at
      from subscriptions where site_id = $1 and id = $2 and next_assessment_at <= $3 and collecting_attempt_id is null for update`,
    [site, id, now],
  )
  const terms = await ask(
    `select p.name as product_name, v.price_in_cents, f.current_vault, f.vault_token, f.masked_card_number, f.card_type,
        lpad(f.expiration_month::text, 2, '0') || '/' || f.expiration_year as expiration, c.first_name || ' ' || c.last_name as name
      from products p, product_versions v, payment_profiles f, customers c
      where p.site_id = $1 and p.id = $2 and v.site_id = $1 and v.product_id = $2 and v.version_number = $3
        and f.site_id = $1 and f.id = $4 and c.site_id = $1 and c.id = $5`,
    [site, due.product_id, due.product_version_number, due.payment_profile_id, due.customer_id],
  )
  return { ...due, ...terms }
}

async function assess(ask: Ask, site: number, id: string, facts: Row): Promise<Row> {
  const { number, current_period_ends_at: startsAt, ends_at: endsAt, price_in_cents: price } = facts
  const owed = Number(facts.balance_in_cents) + Number(price)
  const charge = await ask(
    `insert into transactions (site_id, id, subscription_id, customer_id, product_id, statement_id, period_number, type, kind, success,
        amount_in_cents, memo, starting_balance_in_cents, ending_balance_in_cents, created_at)
      values ($1, nextval('transactions_id_seq'), $2, $3, $4, $5, $6, 'charge', 'baseline', true, $7,
        $8 || ' (' || to_char($9::timestamptz, 'MM/DD/YYYY') || ' - ' || to_char($10::timestamptz, 'MM/DD/YYYY') || ')', $11, $12, $13)
      returning id`,
    // biome-ignore format: in the order of the columns
    [site, id, facts.customer_id, facts.product_id, facts.open_statement_id, number, price, facts.product_name, startsAt, endsAt,
      facts.balance_in_cents, owed, now],
  )
  await ask(
    `insert into periods (site_id, subscription_id, number, begun_by, started_at, ends_at, assessed_at)
      values ($1, $2, $3, 'renewal', $4, $5, $6)`,
    [site, id, number, startsAt, endsAt, now],
  )
  const attempt = await ask(
    `insert into payment_attempts (site_id, id, subscription_id, reason, period_number, idempotency_key, amount_in_cents, gateway,
        vault_token, card_number, card_expiration, card_type, intent, created_at, asked_by)
      select s.id, n.id, $2::bigint, 'renewal', $3::integer,
        s.id || '-' || extract(epoch from s.created_at)::bigint || '-' || $2::bigint || '-' || n.id, $4, $5, $6, $8, $9, $10,
        jsonb_build_object('endsFreeTrial', false, 'chargeId', $11::bigint), $7,
        ${asker}
      from sites s, (select nextval('payment_attempts_id_seq') as id) n where s.id = $1
      returning id, idempotency_key, amount_in_cents, vault_token`,
    // biome-ignore format: in the order of the columns
    [site, id, number, owed, facts.current_vault, facts.vault_token, now, facts.masked_card_number, facts.expiration,
      facts.card_type, charge.id],
  )
  await ask(
    `update subscriptions set balance_in_cents = $3, period_number = $4, current_period_started_at = $5, current_period_ends_at = $6,
        next_assessment_at = $6, collecting_attempt_id = $7, open_statement_total_in_cents = open_statement_total_in_cents + $8,
        updated_at = $9
      where site_id = $1 and id = $2`,
    [site, id, owed, number, startsAt, endsAt, attempt.id, price, now],
  )
  return attempt
}

const capture = (ask: Ask, site: number, id: string, attempt: Row): Promise<Row> =>
  ask(
    `insert into bogus_gateway.calls (site_id, idempotency_key, kind, amount_in_cents, vault_token, outcome, message, subscription_id,
        created_at)
      values ($1, $2, 'purchase', $3, $4, 'approved', 'Bogus Gateway: Forced success', $5, $6)
      on conflict (site_id, kind, idempotency_key) where outcome <> 'error' do nothing returning id`,
    [site, attempt.idempotency_key, attempt.amount_in_cents, attempt.vault_token, id, now],
  )

async function settle(ask: Ask, site: number, id: string, facts: Row, attempt: Row, call: Row): Promise<void> {
  const due = await ask(
    `select balance_in_cents, open_statement_id, open_statement_total_in_cents, covered_through_id, period_number
      from subscriptions where site_id = $1 and id = $2 for update`,
    [site, id],
  )
  const amount = Number(attempt.amount_in_cents)
  const balance = Number(due.balance_in_cents) - amount
  await ask(
    `update payment_attempts set outcome = 'approved', outcome_message = 'Bogus Gateway: Forced success', gateway_transaction_id = $3,
        calls_heard = calls_heard + 1, settled_at = $4
      where site_id = $1 and id = $2 and settled_at is null`,
    [site, attempt.id, call.id, now],
  )
  const payment = await ask(
    `insert into transactions (site_id, id, subscription_id, customer_id, product_id, statement_id, period_number, type, success,
        amount_in_cents, memo, starting_balance_in_cents, ending_balance_in_cents, payment_attempt_id, covers_after_id, gateway_used,
        gateway_transaction_id, card_number, card_expiration, card_type, created_at)
      values ($1, nextval('transactions_id_seq'), $2, $3, $4, $5, $6, 'payment', true, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
        $17, $18) returning id`,
    // biome-ignore format: in the order of the columns
    [site, id, facts.customer_id, facts.product_id, due.open_statement_id, due.period_number, amount,
      `${facts.name} - ${facts.product_name}: Renewal payment`, due.balance_in_cents, balance, attempt.id, due.covered_through_id,
      facts.current_vault, call.id, facts.masked_card_number, facts.expiration, facts.card_type, now],
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
  await tellAll(ask, site, id, facts, { amount, paymentId: Number(payment.id), closedId: due.open_statement_id })
  await ask(
    `update subscriptions set balance_in_cents = $3, total_revenue_in_cents = total_revenue_in_cents + $4, state = 'active',
        retry_at = null, dunning_attempts = 0, dunning_since = null, open_statement_id = $5, open_statement_total_in_cents = 0, covered_through_id = $6,
        collecting_attempt_id = null, updated_at = $7
      where site_id = $1 and id = $2`,
    [site, id, balance, amount, opened.id, payment.id, now],
  )
}

type Paid = { amount: number; paymentId: number; closedId: string | null | undefined }

async function tellAll(ask: Ask, site: number, id: string, facts: Row, paid: Paid): Promise<void> {
  const whose = `for ${facts.name}'s subscription to ${facts.product_name}`
  const data = JSON.stringify({ product_id: Number(facts.product_id), account_transaction_id: paid.paymentId })
  const tell = (key: string, message: string, specific: string | null) =>
    ask(
      `insert into events (site_id, key, message, subscription_id, customer_id, created_at, event_specific_data)
        values ($1, $2, $3, $4, $5, $6, $7)`,
      [site, key, message, id, facts.customer_id, now, specific],
    )
  await tell('renewal_success', `Successful renewal ${whose}`, data)
  await tell('payment_success', `Successful payment of $${(paid.amount / 100).toFixed(2)} ${whose}`, data)
  await tell('statement_settled', `Statement ${paid.closedId} settled successfully ${whose}`, null)
}
