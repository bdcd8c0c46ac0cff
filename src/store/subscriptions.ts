/** Subscriptions: claimed when due, and locked for a change. */
import type { Connection, Transaction } from './database.ts'
import { bigints, fragment, sql } from './sql.ts'

/** Where time goes on, a hold ends by itself or a sign-up begins, as the partial index on due subscriptions has it. Parked subscriptions wait. */
export const mayBeDue = (alias: 's' | 'u') =>
  fragment(
    `(${alias}.state in ('trialing', 'active', 'past_due', 'soft_failure', 'unpaid') or ${alias}.automatically_resume_at is not null or ${alias}.initial_billing_at is not null) and ${alias}.deleted_at is null and ${alias}.parked_reason is null`,
  )

/** Up to `limit` ids that are due by `dueBy`, earliest first, that nobody else works on; locked until the transaction ends. */
export const claimDue = async (
  tx: Transaction,
  siteId: number,
  { dueBy, limit }: { dueBy: Temporal.Instant; limit: number },
): Promise<number[]> =>
  (
    await tx.arrays(sql`
      select s.id from subscriptions s
      where s.site_id = ${siteId} and s.next_assessment_at <= ${dueBy} and ${mayBeDue('s')} and s.collecting_attempt_id is null
      order by s.next_assessment_at, s.id
      limit ${limit}
      for update skip locked`)
  ).map((row) => row[0] as number)

/** An attempt that was taken up so often and is still open waits for its gateway, or for somebody to repair something. */
const checksOfOneCrashMax = 3

/**
 * What lies ahead of a site's clock, seen at one moment: when something is due next, and whether a gateway is being asked for a
 * due payment (or was, until a crash that nobody has seen yet), which may make more due.
 */
export async function findWorkAhead(
  connection: Connection,
  siteId: number,
): Promise<{ dueAt: Temporal.Instant | null; isCollecting: boolean }> {
  const [row] = await connection.arrays(sql`
    select (
        select s.next_assessment_at from subscriptions s
        where s.site_id = ${siteId} and ${mayBeDue('s')} and s.collecting_attempt_id is null
        order by s.next_assessment_at limit 1),
      exists (
        select from payment_attempts a
        where a.site_id = ${siteId} and a.settled_at is null and a.outcome is null and a.reason <> 'signup'
          and a.checks <= ${checksOfOneCrashMax})`)
  return { dueAt: row![0] as Temporal.Instant | null, isCollecting: row![1] as boolean }
}

/** Holds a subscription back from everything that falls due, for a reason in words. */
export const setParkedReason = async (
  connection: Connection,
  siteId: number,
  id: number,
  reason: string,
): Promise<void> => {
  await connection.run(sql`update subscriptions set parked_reason = ${reason} where site_id = ${siteId} and id = ${id}`)
}

/** False when the site has no such subscription, or it is not parked. */
export const clearParkedReason = async (connection: Connection, siteId: number, id: number): Promise<boolean> =>
  (await connection.run(sql`
    update subscriptions set parked_reason = null
    where site_id = ${siteId} and id = ${id} and parked_reason is not null`)) === 1

/** Locks subscriptions in the order of their ids (so that two sets never wait for each other in a ring) and gives the ids found. */
export const lockSubscriptions = async (tx: Transaction, siteId: number, ids: readonly number[]): Promise<number[]> =>
  (
    await tx.arrays(sql`
      select s.id from subscriptions s
      where s.site_id = ${siteId} and s.id = any(${bigints(ids)}::bigint[]) and s.deleted_at is null
      order by s.id for update`)
  ).map((row) => row[0] as number)

export async function findCustomerIdOfSubscription(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<number | undefined> {
  const [row] = await connection.arrays(sql`
    select s.customer_id from subscriptions s where s.site_id = ${siteId} and s.id = ${id} and s.deleted_at is null`)
  return row?.[0] as number | undefined
}

/** Of the merchant's own reference; undefined where no subscription has it. */
export async function findSubscriptionIdByReference(
  connection: Connection,
  siteId: number,
  reference: string,
): Promise<number | undefined> {
  const [row] = await connection.arrays(sql`
    select s.id from subscriptions s
    where s.site_id = ${siteId} and s.reference = ${reference} and s.deleted_at is null`)
  return row?.[0] as number | undefined
}

/** Locks all subscriptions of a customer, in the same order, and gives their ids. */
export const lockSubscriptionsOfCustomer = async (
  tx: Transaction,
  siteId: number,
  customerId: number,
): Promise<number[]> =>
  (
    await tx.arrays(sql`
      select s.id from subscriptions s
      where s.site_id = ${siteId} and s.customer_id = ${customerId} and s.deleted_at is null
      order by s.id for update`)
  ).map((row) => row[0] as number)

export async function findSubscription(connection: Connection, siteId: number, id: number): Promise<boolean> {
  const rows = await connection.arrays(sql`
    select from subscriptions s where s.site_id = ${siteId} and s.id = ${id} and s.deleted_at is null`)
  return rows.length === 1
}
