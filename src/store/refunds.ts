/** What has been paid and given back already, and the ledger row that an answered attempt led to. */
import type { Cents } from '../billing/money.ts'
import type { Refundable } from '../billing/refund.ts'
import type { Connection } from './database.ts'
import { sql } from './sql.ts'
import { transactions } from './tables.ts'

/** Read it while the subscription is locked: then no other refund of it begins or ends meanwhile. */
export async function findRefundable(
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  paymentId: number | null,
): Promise<Refundable> {
  const [[row], [underWay]] = await Promise.all([
    connection.arrays(sql`
      select ${transactions.list('t')}, (t.amount_in_cents
        - coalesce((select sum(r.amount_in_cents) from transactions r
            where r.site_id = ${siteId} and r.subscription_id = ${subscriptionId} and r.refunded_payment_id = t.id and r.success), 0)
        - coalesce((select sum(a.amount_in_cents) from payment_attempts a
            where a.site_id = ${siteId} and a.subscription_id = ${subscriptionId} and a.reason = 'refund' and a.settled_at is null
              and (a.intent ->> 'paymentId')::bigint = t.id), 0))::bigint
      from transactions t
      where t.site_id = ${siteId} and t.subscription_id = ${subscriptionId} and t.id = ${paymentId ?? 0}
        and t.type = 'payment' and t.success`),
    connection.arrays(sql`
      select coalesce(sum(a.amount_in_cents), 0)::bigint from payment_attempts a
      where a.site_id = ${siteId} and a.subscription_id = ${subscriptionId} and a.reason = 'refund' and a.settled_at is null`),
  ])
  return {
    payment: row === undefined ? null : { transaction: transactions.read(row), left: row[transactions.width] as Cents },
    underWay: underWay![0] as Cents,
  }
}

/** The refund that an attempt led to, or the charge that was made with the payment of an attempt. */
export async function findRowOfAttempt(
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  attemptId: number,
): Promise<number | undefined> {
  const [row] = await connection.arrays(sql`
    select case p.type when 'refund' then p.id else (
      select max(t.id) from transactions t
      where t.site_id = ${siteId} and t.subscription_id = ${subscriptionId} and t.id < p.id and t.created_at = p.created_at
        and t.type = 'charge'
        and t.kind in ('one_time', 'delay_capture')) end
    from transactions p
    where p.site_id = ${siteId} and p.subscription_id = ${subscriptionId} and p.payment_attempt_id = ${attemptId}`)
  return (row?.[0] as number | null | undefined) ?? undefined
}
