/** What gateways were asked and what they answered; what is asked next, and by whom, is in `payment-calls.ts`. */
import type { PaymentAttempt, SettledOutcome } from '../billing/changes.ts'
import type { AttemptStatus } from '../billing/payment-attempt.ts'
import type { Connection, Transaction } from './database.ts'
import { allOf, bigints, plainArray, type Sql, sql, texts } from './sql.ts'
import { type PaymentAttemptRow, paymentAttempts } from './tables.ts'

/** When it is asked and looked at again is by the database's clock: the columns' defaults. */
export const insertAttempts = (
  connection: Connection,
  siteId: number,
  attempts: readonly PaymentAttempt[],
  asking: Pick<PaymentAttemptRow, 'requestHash' | 'askedBy'>,
): Promise<void> =>
  paymentAttempts.insert(
    connection,
    siteId,
    attempts.map((attempt) => ({ ...attempt, ...asking })),
  )

/** The attempt that a request made before its process was lost or its gateway fell silent, whatever became of it. */
export async function findAttemptOfRequest(
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  { requestHashes, hours }: { requestHashes: readonly string[]; hours: number },
): Promise<PaymentAttemptRow | undefined> {
  const [row] = await connection.arrays(sql`
    select ${paymentAttempts.list('a')} from payment_attempts a
    where a.site_id = ${siteId} and a.subscription_id = ${subscriptionId}
      and a.request_hash = any(${texts(requestHashes)}::text[]) and a.asked_at > now() - ${hours}::int * interval '1 hour'
    order by a.id desc limit 1`)
  return row && paymentAttempts.read(row)
}

/** An attempt as merchants see it. */
export type AttemptRecord = PaymentAttemptRow & {
  /** Since when only a human can say what became of it. */
  unresolvedSince: Temporal.Instant | null
}

const recordColumns: Sql = sql`${paymentAttempts.list('a')}, a.unresolved_since`

const readRecord = (row: readonly unknown[]): AttemptRecord => ({
  ...paymentAttempts.read(row),
  unresolvedSince: row[paymentAttempts.width] as Temporal.Instant | null,
})

export async function findAttempt(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<AttemptRecord | undefined> {
  const [row] = await connection.arrays(sql`
    select ${recordColumns} from payment_attempts a where a.site_id = ${siteId} and a.id = ${id}`)
  return row && readRecord(row)
}

const withStatus: Record<AttemptStatus, Sql> = {
  unresolved: sql`a.unresolved_since is not null and a.settled_at is null`,
  unsettled: sql`a.settled_at is null`,
  settled: sql`a.settled_at is not null`,
}

/** Newest first. */
export async function listAttempts(
  connection: Connection,
  siteId: number,
  { status, subscriptionId }: { status: AttemptStatus | null; subscriptionId: number | null },
  { perPage, offset }: { perPage: number; offset: number },
): Promise<AttemptRecord[]> {
  const conditions = [
    ...(status === null ? [] : [withStatus[status]]),
    ...(subscriptionId === null ? [] : [sql`a.subscription_id = ${subscriptionId}`]),
  ]
  const rows = await connection.arrays(sql`
    select ${recordColumns} from payment_attempts a
    where a.site_id = ${siteId} and ${allOf(conditions)}
    order by a.id desc limit ${perPage} offset ${offset}`)
  return rows.map(readRecord)
}

/** An answer as it is settled; `heard` is 1 where it is that of a call, 0 where it was looked up or told by somebody. */
export type Settling = {
  attempt: Pick<PaymentAttempt, 'id'>
  outcome: SettledOutcome
  heard: 0 | 1
  /** Nothing can be on its way any more, so an error ends the attempt whatever was not answered. */
  isQuiet?: boolean
}

const settlingRows = (settled: readonly Settling[]): Sql => sql`
  unnest(${bigints(settled.map(({ attempt }) => attempt.id))}::bigint[],
    ${texts(settled.map(({ outcome }) => outcome.result))}::text[],
    ${texts(settled.map(({ outcome }) => outcome.message))}::text[],
    ${texts(settled.map(({ outcome }) => ('gatewayTransactionId' in outcome ? outcome.gatewayTransactionId : null)))}::text[],
    ${{ literal: plainArray(settled.map(({ heard }) => heard)) }}::int[],
    ${{ literal: `{${settled.map(({ isQuiet }) => isQuiet === true)}}` }}::boolean[])
    as u (id, outcome, message, gateway_transaction_id, heard, is_quiet)`

/**
 * Ends attempts by the answers given and gives the ids of those that it ended. An approval or a decline ends an attempt that is open;
 * an error ends it only when every call under its key was answered, or none can be on its way. One that is settled already, or
 * being voided, is left alone.
 */
export const settleAttempts = async (
  tx: Connection,
  siteId: number,
  settled: readonly Settling[],
): Promise<Set<number>> => {
  const rows = await tx.arrays(sql`
    update payment_attempts a set outcome = u.outcome, outcome_message = u.message,
      gateway_transaction_id = u.gateway_transaction_id, calls_heard = a.calls_heard + u.heard, settled_at = date_trunc('second', now())
    from (select ${siteId}::bigint as site) s, ${settlingRows(settled)}
    where a.site_id = s.site and a.id = u.id and a.settled_at is null and not a.voiding
      and (u.outcome <> 'error' or u.is_quiet or a.calls_heard + u.heard >= a.calls_begun)
    returning a.id`)
  return new Set(rows.map((row) => row[0] as number))
}

/**
 * What answers come to that ended nothing: an error beside calls that may still capture leaves the attempt open and unknown, and is
 * counted; an approval of one that has ended otherwise, or is being given back, is on record for good as a late one. Gives how many
 * late approvals are new.
 */
export async function recordOtherAnswers(
  tx: Transaction,
  siteId: number,
  others: readonly Settling[],
): Promise<number> {
  if (others.length === 0) return 0
  await tx.run(sql`
    update payment_attempts a set calls_heard = a.calls_heard + u.heard,
      outcome = case when a.settled_at is null and not a.voiding then 'unknown' else a.outcome end,
      outcome_message = case when a.settled_at is null and not a.voiding then u.message else a.outcome_message end,
      next_check_at = case when a.settled_at is null then least(a.next_check_at, now() + interval '5 seconds') else a.next_check_at end
    from (select ${siteId}::bigint as site) s, ${settlingRows(others)}
    where a.site_id = s.site and a.id = u.id`)
  return tx.run(sql`
    insert into late_approvals (site_id, attempt_id, gateway_transaction_id, subscription_id, message)
    select a.site_id, a.id, u.gateway_transaction_id, a.subscription_id, u.message
    from payment_attempts a join ${settlingRows(others)} on u.id = a.id
    where a.site_id = ${siteId} and u.outcome = 'approved' and (a.settled_at is not null or a.voiding)
      and (a.outcome is distinct from 'approved' or a.gateway_transaction_id <> u.gateway_transaction_id)
    on conflict (site_id, attempt_id, gateway_transaction_id) do nothing`)
}

/** The end of an attempt that was undone: whatever was captured has been given back. */
export const settleVoided = (connection: Connection, siteId: number, id: number, message: string) =>
  connection.run(sql`
    update payment_attempts set outcome = 'voided', outcome_message = ${message}, settled_at = date_trunc('second', now())
    where site_id = ${siteId} and id = ${id} and voiding and settled_at is null`)

/** Whether a payment under way is for a period that was priced when it was asked for, and begins once it is in. */
export async function beginsPeriod(connection: Connection, siteId: number, id: number): Promise<boolean> {
  const rows = await connection.arrays(sql`
    select from payment_attempts a
    where a.site_id = ${siteId} and a.id = ${id} and a.reason in ('migration', 'reactivation', 'resumption', 'activation')`)
  return rows.length > 0
}

/** Shows that nobody knows yet, and lets it be looked at again in so many seconds. */
export const markUnknown = (
  connection: Connection,
  siteId: number,
  unknown: readonly { id: number; message: string }[],
  seconds: number,
): Promise<number> =>
  connection.run(sql`
    update payment_attempts a set outcome = 'unknown', outcome_message = u.message,
      next_check_at = now() + ${seconds}::int * interval '1 second'
    from (select ${siteId}::bigint as site) s,
      unnest(${bigints(unknown.map(({ id }) => id))}::bigint[], ${texts(unknown.map(({ message }) => message))}::text[]) as u (id, message)
    where a.site_id = s.site and a.id = u.id and a.settled_at is null`)

/**
 * A sign-up that will not be completed: from here on only recovery may touch it. Gives the card that it may have been asked for
 * with, or undefined when it is settled already.
 */
export async function markVoiding(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<{ vaultToken: string | null } | undefined> {
  const [row] = await connection.arrays(sql`
    update payment_attempts set voiding = true where site_id = ${siteId} and id = ${id} and settled_at is null
    returning vault_token`)
  return row && { vaultToken: row[0] as string | null }
}

/** Only a human can say what became of it from now on. True when nobody had found that out before. */
export const markUnresolved = async (connection: Connection, siteId: number, id: number): Promise<boolean> =>
  (await connection.run(sql`
    update payment_attempts set unresolved_since = date_trunc('second', now()), outcome = 'unknown',
      outcome_message = 'The gateway does not know the payment, and its key is too old to ask again.'
    where site_id = ${siteId} and id = ${id} and settled_at is null and unresolved_since is null`)) === 1

/** The site of an attempt that nobody but a human can resolve, for an operator who knows it by its id alone. */
export async function findSiteOfUnresolved(connection: Connection, id: number): Promise<number | undefined> {
  const [row] = await connection.arrays(sql`
    select distinct a.site_id from payment_attempts a
    where a.id = ${id} and a.unresolved_since is not null and a.settled_at is null`)
  return row?.[0] as number | undefined
}
