/** Makes many sign-ups out of one: its rows are copied with other ids, a statement for each table, as if everybody had signed up alike. */
import type pg from 'pg'

/** No sign-up takes more ids of a kind than this; the next copy begins so many further on. */
const stride = 10

/** Which rows belong to a sign-up. $1 is the subscription, $2 its customer. */
const belonging: Readonly<Record<string, string>> = {
  customers: 't.id = $2',
  payment_profiles: 't.customer_id = $2',
  subscriptions: 't.id = $1',
  periods: 't.subscription_id = $1',
  statements: 't.subscription_id = $1',
  transactions: 't.subscription_id = $1',
  payment_attempts: 't.subscription_id = $1',
  events: 't.subscription_id = $1 or (t.subscription_id is null and t.customer_id = $2)',
  'bogus_gateway.calls': 't.subscription_id = $1',
}

const idColumns = new Set([
  'id',
  'customer_id',
  'subscription_id',
  'payment_profile_id',
  'statement_id',
  'payment_attempt_id',
  'open_statement_id',
  'covers_after_id',
  'covered_through_id',
  'signup_payment_id',
])

const moved = (value: string): string => `(${value} + k * ${stride})`

/** Where an id stands in a text, or makes one unique. */
const special: Readonly<Record<string, string>> = {
  reference: `t.reference || '-' || k`,
  idempotency_key: `t.idempotency_key || '-' || k`,
  gateway_transaction_id: `${moved('t.gateway_transaction_id::bigint')}::text`,
  message: `regexp_replace(t.message, '^Statement [0-9]+', 'Statement ' || ${moved(`nullif(substring(t.message from '^Statement ([0-9]+)'), '')::bigint`)})`,
  event_specific_data: `case when jsonb_typeof(t.event_specific_data -> 'account_transaction_id') = 'number' then jsonb_set(t.event_specific_data,
    '{account_transaction_id}', to_jsonb(${moved(`(t.event_specific_data ->> 'account_transaction_id')::bigint`)})) else t.event_specific_data end`,
}

/** Adds `copies` subscribers like the one named. The sequences go on behind their ids. */
export async function multiply(
  pool: pg.Pool,
  subscriptionId: number,
  customerId: number,
  copies: number,
): Promise<void> {
  for (const [table, condition] of Object.entries(belonging)) {
    const columns = await columnsOf(pool, table)
    const values = columns.map((name) => copiedValue(name, table))
    await pool.query(
      `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')}
       from ${table} t, generate_series(1, $3::int) as k where ($1::bigint, $2::bigint) is not null and (${condition})`,
      [subscriptionId, customerId, copies],
    )
    if (table !== 'periods') await pool.query(`select setval('${table}_id_seq', (select max(id) from ${table}))`)
  }
}

function copiedValue(name: string, table: string): string {
  if (idColumns.has(name)) return `case when t.${name} > 0 then ${moved(`t.${name}`)} else t.${name} end`
  const text = special[name]
  if (text === undefined || (name === 'message' && table !== 'events')) return `t.${name}`
  return name === 'message' ? `coalesce(${text}, t.message)` : text
}

async function columnsOf(pool: pg.Pool, table: string): Promise<string[]> {
  const [name, schema = 'public'] = table.split('.').toReversed()
  const { rows } = await pool.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_schema = $1 and table_name = $2 and is_generated = 'NEVER' order by ordinal_position`,
    [schema, name],
  )
  return rows.map((row) => row.column_name)
}
