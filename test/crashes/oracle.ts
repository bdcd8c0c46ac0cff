/** What must be true after any crash, asked of the rows and of the gateway's own record in plain SQL; none of our code judges itself here. */
import assert from 'node:assert/strict'
import { query, type World } from './world.ts'

type Check = { says: string; sql: string }

/** Captured and not given back, by the gateway's word. */
const captures = `captures as (
  select c.site_id, c.subscription_id, c.idempotency_key, c.amount_in_cents from bogus_gateway.calls c
  where c.kind = 'purchase' and c.outcome = 'approved' and not exists (
    select from bogus_gateway.calls v
    where v.site_id = c.site_id and v.kind = 'void' and v.outcome = 'approved' and v.idempotency_key = c.idempotency_key))`

const checks: readonly Check[] = [
  {
    says: 'the gateway captured more than once for one period',
    sql: `with ${captures}
      select c.subscription_id, a.period_number, count(*) from captures c
      left join payment_attempts a on a.site_id = c.site_id and a.idempotency_key = c.idempotency_key
      group by 1, 2 having count(*) > 1`,
  },
  {
    says: 'the gateway holds money of a sign-up that does not exist',
    sql: `with ${captures}
      select c.subscription_id, c.idempotency_key from captures c
      where not exists (select from subscriptions s where s.site_id = c.site_id and s.id = c.subscription_id)`,
  },
  {
    says: 'the ledger does not show what the gateway captured',
    sql: `with ${captures},
      taken as (select subscription_id, count(*) n, sum(amount_in_cents) sum from captures group by 1),
      shown as (select subscription_id, count(*) n, sum(amount_in_cents) sum from transactions where type = 'payment' and success group by 1)
      select coalesce(t.subscription_id, s.subscription_id) as subscription_id, t.n taken, t.sum, s.n shown, s.sum as shown_sum
      from taken t full join shown s using (subscription_id) where (t.n, t.sum) is distinct from (s.n, s.sum)`,
  },
  {
    says: 'a row of the ledger does not start where the one before it ended',
    sql: `select * from (
        select t.subscription_id, t.id, t.starting_balance_in_cents, lag(t.ending_balance_in_cents, 1, 0::bigint)
          over (partition by t.subscription_id order by t.id) as before from transactions t) r
      where r.starting_balance_in_cents <> r.before`,
  },
  {
    says: 'a balance is not what the ledger comes to',
    sql: `with sums as (
        select subscription_id, sum(case when not success then 0 when type in ('charge', 'credit', 'adjustment') then amount_in_cents
          when type = 'payment' then -amount_in_cents else 0 end) as sum from transactions group by 1)
      select s.id, s.balance_in_cents, t.sum from subscriptions s left join sums t on t.subscription_id = s.id
      where s.balance_in_cents <> coalesce(t.sum, 0)`,
  },
  {
    says: 'a period does not begin where the one before it ended',
    sql: `select * from (
        select p.subscription_id, p.number, p.started_at, lag(p.ends_at, 1, p.started_at) over w as before,
          lag(p.number, 1, 0) over w as number_before
        from periods p window w as (partition by p.subscription_id order by p.number)) r
      where r.started_at <> r.before or r.number <> r.number_before + 1`,
  },
  {
    says: 'a period was charged more than once, or not at all',
    sql: `with charges as (
        select subscription_id, period_number, count(*) n from transactions where kind in ('baseline', 'trial') group by 1, 2)
      select p.subscription_id, p.number, c.n from periods p join subscriptions s on s.id = p.subscription_id
      left join charges c on c.subscription_id = p.subscription_id and c.period_number = p.number
      where coalesce(c.n, 0) <> case when p.number = 1 and s.signup_payment_id = 0 then 0 else 1 end`,
  },
  {
    says: 'a renewal was told more than once, or not at all',
    sql: `with renewed as (select subscription_id, count(*) n from periods where number > 1 group by 1),
      told as (select subscription_id, count(*) n from events where key in ('renewal_success', 'renewal_failure') group by 1)
      select coalesce(r.subscription_id, t.subscription_id) as subscription_id, r.n renewed, t.n told
      from renewed r full join told t using (subscription_id) where r.n is distinct from t.n`,
  },
  {
    says: 'a payment was left open',
    sql: 'select a.id, a.reason, a.outcome, a.checks, a.voiding from payment_attempts a where a.settled_at is null',
  },
  {
    says: 'a subscription waits for a payment that nobody asks for',
    sql: 'select s.id, s.collecting_attempt_id from subscriptions s where s.collecting_attempt_id is not null',
  },
  {
    says: 'a subscription was forgotten',
    sql: `select s.id, s.state, s.next_assessment_at from subscriptions s join sites i on i.id = s.site_id
      where s.state in ('trialing', 'active', 'past_due', 'soft_failure', 'unpaid')
        and s.next_assessment_at <= coalesce(i.clock_set_to, now()) - interval '5 seconds'`,
  },
  {
    says: 'a subscription was parked',
    sql: 'select id, parked_reason from subscriptions where parked_reason is not null',
  },
  {
    says: 'a clock is still on its way',
    sql: 'select id, clock_set_to, clock_advancing_to from sites where clock_advancing_to is not null',
  },
  {
    says: 'a customer signed up more than once',
    sql: `select c.reference, count(*) from customers c left join subscriptions s on s.customer_id = c.id
      where c.reference like 'newcomer%' group by c.reference having count(*) <> 1`,
  },
]

/** Of cards that never refuse: each period that has begun was paid once, in full. */
const everyPeriodPaid: Check = {
  says: 'a period was not captured for exactly once, or not with its price',
  sql: `with ${captures}
    select p.subscription_id, p.number, count(c.*), sum(c.amount_in_cents) from periods p
    join subscriptions s on s.id = p.subscription_id
    join payment_profiles f on f.id = s.payment_profile_id and f.vault_token ~ '1$'
    join product_versions v on v.product_id = s.product_id and v.version_number = s.product_version_number
    left join payment_attempts a on a.subscription_id = p.subscription_id and a.period_number = p.number
    left join captures c on c.idempotency_key = a.idempotency_key
    group by p.subscription_id, p.number, v.price_in_cents, s.signup_payment_id
    having (p.number > 1 or s.signup_payment_id > 0) and (count(c.*) <> 1 or sum(c.amount_in_cents) <> v.price_in_cents)`,
}

/** One sentence, with a few of the rows, for everything that is wrong. `faults` says that the gateway was told to refuse at random. */
export async function problemsOf(world: World, { faults = false } = {}): Promise<string[]> {
  const problems: string[] = []
  await query(world, 'analyze')
  for (const { says, sql } of faults ? checks : [...checks, everyPeriodPaid]) {
    const rows = await query(world, sql)
    if (rows.length > 0) problems.push(`${says} (${rows.length}): ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return [...problems, ...(await wrongDates(world))]
}

type PeriodRow = {
  id: string
  created_at: Date
  count: number
  unit: 'day' | 'month'
  number: number
  ends_at: Date
  imported: boolean
}

/** Where each period must end, by the calendar alone: so many intervals after the sign-up. */
async function wrongDates(world: World): Promise<string[]> {
  const rows = await query<PeriodRow>(
    world,
    `select s.id, s.created_at, v.interval_count as count, v.interval_unit as unit, p.number, p.ends_at
     from periods p join subscriptions s on s.id = p.subscription_id
     join product_versions v on v.product_id = s.product_id and v.version_number = s.product_version_number`,
  )
  const wrong = rows.filter(({ created_at, count, unit, number, ends_at }) => {
    const start = Temporal.Instant.fromEpochMilliseconds(created_at.getTime()).toZonedDateTimeISO('UTC')
    const end = start.add(unit === 'day' ? { days: count * number } : { months: count * number })
    return end.epochMilliseconds !== ends_at.getTime()
  })
  return wrong.length === 0 ? [] : [`a period ends on a wrong date (${wrong.length}): ${JSON.stringify(wrong[0])}`]
}

const tables = [
  'customers',
  'payment_profiles',
  'subscriptions',
  'periods',
  'statements',
  'transactions',
  'events',
  'payment_attempts',
  'idempotency_keys',
  'bogus_gateway.calls',
] as const

/** Changes when any row of any table does. */
export async function fingerprint(world: World): Promise<string> {
  const sums = tables.map(
    (table) => `(select count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) from ${table} t)`,
  )
  const [row] = await query<{ sum: string }>(world, `select concat_ws(' ', ${sums.join(', ')}) as sum`)
  return row!.sum
}

/**
 * What merchants can read, without the ids that depend on who was quicker: equal for two worlds in which the same happened.
 * Workers date what they do at the time they do it; without `dates` only what happened counts.
 */
async function story(world: World, { dates = true } = {}): Promise<string[]> {
  const at = (...columns: string[]): string => (dates ? columns.map((column) => `, ${column}`).join('') : '')
  const place = (alias: string): string =>
    `row_number() over (partition by ${alias}.subscription_id order by ${alias}.id) as place`
  const parts = [
    `select ${place('t')}, t.subscription_id, t.type, t.kind, t.success, t.amount_in_cents, t.memo, t.period_number, t.starting_balance_in_cents,
       t.ending_balance_in_cents${at('t.created_at')} from transactions t`,
    `select ${place('e')}, e.subscription_id, e.key, regexp_replace(e.message, '^Statement [0-9]+', 'Statement') message${at('e.created_at')}
     from events e where e.subscription_id is not null`,
    `select p.subscription_id, p.number, p.started_at, p.ends_at${at('p.assessed_at')} from periods p`,
    `select ${place('t')}, t.subscription_id, t.total_in_cents, t.ending_balance_in_cents${at('t.opened_at', 't.closed_at', 't.settled_at')}
     from statements t`,
    `select s.id, s.state, s.balance_in_cents, s.total_revenue_in_cents, s.period_number, s.current_period_ends_at,
       s.dunning_attempts${at('s.next_assessment_at', 's.retry_at', 's.dunning_since', 's.canceled_at', 's.updated_at')} from subscriptions s`,
    `select c.subscription_id, c.kind, c.amount_in_cents, c.outcome from bogus_gateway.calls c where c.kind <> 'store'`,
  ]
  const answers = await Promise.all(parts.map((part) => query(world, part)))
  return answers.flat().map((row) => JSON.stringify(row))
}

/** Fails with the first lines that differ when not the same happened in both worlds. */
export async function assertSameStory(world: World, other: World, how: { dates?: boolean } = {}): Promise<void> {
  const [told, otherTold] = await Promise.all([story(world, how), story(other, how)])
  const missing = without(otherTold, told)
  const added = without(told, otherTold)
  assert.deepEqual({ missing: missing.slice(0, 3), added: added.slice(0, 3) }, { missing: [], added: [] })
}

/** The lines that the others do not have as often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0
    counts.set(line, left - 1)
    return left <= 0
  })
}
