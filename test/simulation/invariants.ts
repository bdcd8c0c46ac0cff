/** What must be true of money whatever strangers do: asked of the gateway's own record and of the rows, in plain SQL. */
import { verify } from '../../src/actions/verify.ts'
import type { SimulatedDatabase } from './simulated-database.ts'
import type { Capture, StrangeGateway } from './strange-gateway.ts'

type AttemptRow = { key: string; kind: string; outcome: string | null; settled: boolean }

/** After each step: no key moves money twice, and nothing that was told to have failed moves money later. */
export async function wrongsAfterStep(
  { query }: SimulatedDatabase,
  siteId: number,
  gateway: StrangeGateway,
): Promise<string[]> {
  const wrongs: string[] = []
  const seen = new Set<string>()
  for (const { kind, key } of gateway.captures) {
    if (seen.has(`${kind} ${key}`)) wrongs.push(`${kind} ${key} took place twice`)
    seen.add(`${kind} ${key}`)
  }
  const ended = await query<AttemptRow>(
    `select a.idempotency_key as key, case a.reason when 'refund' then 'refund' else 'purchase' end as kind, a.outcome
     from payment_attempts a
     where a.site_id = $1 and a.settled_at is not null and a.outcome in ('error', 'declined', 'voided')`,
    [siteId],
  )
  const captured = new Map(gateway.captures.map((one) => [`${one.kind} ${one.key}`, one]))
  for (const { key, kind, outcome } of ended) {
    const capture = captured.get(`${kind} ${key}`)
    if (capture === undefined || gateway.voided.has(capture.id)) continue
    wrongs.push(`${kind} ${key} is on record as ${outcome}, and the gateway has ${capture.amount} cents of it`)
  }
  return wrongs
}

const checks: readonly { says: string; sql: string }[] = [
  {
    says: 'a payment was left open',
    sql: `select a.id, a.reason, a.outcome, a.checks, a.calls_begun, a.calls_heard, a.voiding from payment_attempts a
      where a.site_id = $1 and a.settled_at is null`,
  },
  {
    says: 'a late approval was left open',
    sql: `select l.attempt_id, l.checks from late_approvals l where l.site_id = $1 and l.resolved_at is null`,
  },
  {
    says: 'a subscription waits for a payment that nobody asks for',
    sql: `select s.id, s.collecting_attempt_id from subscriptions s where s.site_id = $1 and s.collecting_attempt_id is not null`,
  },
  {
    says: 'a subscription is parked',
    sql: `select s.id, s.parked_reason from subscriptions s where s.site_id = $1 and s.parked_reason is not null`,
  },
  {
    says: 'a subscription is not paid although all has been well for a day, or was paid twice',
    sql: `select s.id, s.state, s.balance_in_cents from subscriptions s
      where s.site_id = $1 and (s.state <> 'active' or s.balance_in_cents <> 0)`,
  },
  {
    says: 'a period was charged more than once, or not at all',
    sql: `select p.subscription_id, p.number, count(t.id) from periods p
      left join transactions t on t.site_id = p.site_id and t.subscription_id = p.subscription_id and t.period_number = p.number
        and t.kind = 'baseline'
      join subscriptions s on s.site_id = p.site_id and s.id = p.subscription_id
      where p.site_id = $1 group by p.subscription_id, p.number, s.signup_payment_id
      having count(t.id) <> case when p.number = 1 and s.signup_payment_id = 0 then 0 else 1 end`,
  },
  {
    says: 'a customer was written to of a payment that was not declined',
    sql: `select l.id, l.subscription_id, l.transaction_id from letters l
      where l.site_id = $1 and l.kind = 'payment_failed' and not exists (
        select from payment_attempts a
        where a.site_id = l.site_id and a.subscription_id = l.subscription_id and a.outcome = 'declined')`,
  },
]

/** When all has been well for long enough: everything is settled, and gateway and ledger are the same to the cent. */
export async function wrongsAtTheEnd(
  database: SimulatedDatabase,
  siteId: number,
  gateway: StrangeGateway,
  { lies }: { lies: boolean },
): Promise<string[]> {
  const wrongs = lies ? [] : await wrongsAfterStep(database, siteId, gateway)
  for (const { says, sql } of checks) {
    const rows = await database.query(sql, [siteId])
    if (rows.length > 0) wrongs.push(`${says} (${rows.length}): ${JSON.stringify(rows.slice(0, 3))}`)
  }
  const captures = gateway.captures.filter(({ isHeard }) => isHeard || !lies)
  await tellGatewayRecord(database, siteId, gateway, captures)
  const { differences, text } = await verify(database, { siteId })
  if (differences > 0)
    wrongs.push(
      text
        .split('\n')
        .filter((line) => /^ {4}| [1-9]\d* difference/.test(line))
        .join('\n'),
    )
  return wrongs
}

/** The audit compares the ledger with the test gateway's own record; so the stranger's record is put in its place. */
async function tellGatewayRecord(
  { query }: SimulatedDatabase,
  siteId: number,
  gateway: StrangeGateway,
  captures: readonly Capture[],
): Promise<void> {
  const row = ({ key, kind, amount, subscriptionId }: Capture) => ({ key, kind, amount, subscriptionId })
  const undone = captures.filter(({ id }) => gateway.voided.has(id))
  const rows = [...captures.map(row), ...undone.map((one) => ({ ...row(one), kind: 'void' }))]
  await query(
    `insert into bogus_gateway.calls (site_id, idempotency_key, kind, amount_in_cents, outcome, message, subscription_id, created_at)
     select $1, r.key, r.kind, r.amount, 'approved', '', r."subscriptionId", now()
     from json_to_recordset($2) as r (key text, kind text, amount bigint, "subscriptionId" bigint)`,
    [siteId, JSON.stringify(rows)],
  )
}
