/** What gateways were asked and what they answered; open attempts are found by the process that is asking and by their next check. */
import type { PaymentAttempt, SettledOutcome } from '../billing/changes.ts'
import { livingAskers } from './askers.ts'
import type { Connection } from './database.ts'
import { bigints, numberArray, type Sql, sql, textArray, texts } from './sql.ts'
import { type PaymentAttemptRow, paymentAttempts } from './tables.ts'

/** What an open attempt needs for asking again: sign-ups that are being undone say so. */
export type OpenAttempt = PaymentAttemptRow & { voiding: boolean; checks: number }

export const insertAttempts = (
  connection: Connection,
  siteId: number,
  attempts: readonly PaymentAttempt[],
  asking: Pick<PaymentAttemptRow, 'requestHash' | 'askedBy' | 'askedAt' | 'nextCheckAt'>,
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
  { requestHashes, since }: { requestHashes: readonly string[]; since: Temporal.Instant },
): Promise<PaymentAttemptRow | undefined> {
  const [row] = await connection.arrays(sql`
    select ${paymentAttempts.list('a')} from payment_attempts a
    where a.site_id = ${siteId} and a.subscription_id = ${subscriptionId}
      and a.request_hash = any(${texts(requestHashes)}::text[]) and a.asked_at > ${since}
    order by a.id desc limit 1`)
  return row && paymentAttempts.read(row)
}

/** Writes outcomes that stand and gives the ids it wrote: an attempt that is settled already, or being voided, is left alone. */
export const settleAttempts = async (
  connection: Connection,
  siteId: number,
  settled: readonly { attempt: Pick<PaymentAttempt, 'id'>; outcome: SettledOutcome }[],
  now: Temporal.Instant,
): Promise<Set<number>> => {
  const rows = await connection.arrays(sql`
    update payment_attempts a set outcome = u.outcome, outcome_message = u.message,
      gateway_transaction_id = u.gateway_transaction_id, settled_at = ${now}
    from (select ${siteId}::bigint as site) s,
      unnest(${{ literal: numberArray(settled.map(({ attempt }) => attempt.id)) }}::bigint[],
        ${{ literal: textArray(settled.map(({ outcome }) => outcome.result)) }}::text[],
        ${{ literal: textArray(settled.map(({ outcome }) => outcome.message)) }}::text[],
        ${{ literal: textArray(settled.map(({ outcome }) => ('gatewayTransactionId' in outcome ? outcome.gatewayTransactionId : null))) }}::text[])
        as u (id, outcome, message, gateway_transaction_id)
    where a.site_id = s.site and a.id = u.id and a.settled_at is null and not a.voiding
    returning a.id`)
  return new Set(rows.map((row) => row[0] as number))
}

/** The end of an attempt that was undone: whatever was captured has been given back. */
export const settleVoided = (
  connection: Connection,
  siteId: number,
  id: number,
  message: string,
  now: Temporal.Instant,
) =>
  connection.run(sql`
    update payment_attempts set outcome = 'voided', outcome_message = ${message}, settled_at = ${now}
    where site_id = ${siteId} and id = ${id} and voiding and settled_at is null`)

/** Whether a payment under way is for a period that was priced when it was asked for, and begins once it is in. */
export async function beginsPeriod(connection: Connection, siteId: number, id: number): Promise<boolean> {
  const rows = await connection.arrays(sql`
    select from payment_attempts a
    where a.site_id = ${siteId} and a.id = ${id} and a.reason in ('migration', 'reactivation', 'resumption')`)
  return rows.length > 0
}

/** Shows that nobody knows yet, and when it is asked again. */
export const markUnknown = (
  connection: Connection,
  siteId: number,
  unknown: readonly { id: number; message: string }[],
  nextCheckAt: Temporal.Instant,
): Promise<number> =>
  connection.run(sql`
    update payment_attempts a set outcome = 'unknown', outcome_message = u.message, next_check_at = ${nextCheckAt}
    from (select ${siteId}::bigint as site) s,
      unnest(${bigints(unknown.map(({ id }) => id))}::bigint[],
        ${{ literal: textArray(unknown.map(({ message }) => message)) }}::text[]) as u (id, message)
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

/** A sign-up whose payment went through after it was given up: what was captured has to be given back once more. */
export const reopenVoided = async (connection: Connection, siteId: number, id: number): Promise<void> => {
  await connection.run(sql`
    update payment_attempts set outcome = null, outcome_message = null, settled_at = null
    where site_id = ${siteId} and id = ${id} and outcome = 'voided' and voiding`)
}

/**
 * Takes open attempts whose next check has come, and those that a process was asking for when it ended; pushes their next check
 * away, so that nobody else takes them meanwhile. `wall` is the wall clock: asking happens in real time whatever a site's clock says.
 */
export async function claimOpenAttempts(
  connection: Connection,
  siteId: number,
  {
    asker,
    wall,
    leaseUntil,
    limit,
  }: { asker: number; wall: Temporal.Instant; leaseUntil: Temporal.Instant; limit: number },
): Promise<OpenAttempt[]> {
  const rows = await connection.arrays(sql`
    with taken as (
      select a.site_id, a.id from payment_attempts a
      where a.site_id = ${siteId} and a.settled_at is null
        and (a.next_check_at <= ${wall}
          or (a.outcome is null and not a.voiding and a.asked_by <> all(array(${livingAskers}))))
      order by a.next_check_at limit ${limit} for update skip locked)
    update payment_attempts a set asked_by = ${asker}, next_check_at = ${leaseUntil}, checks = a.checks + 1
    from taken t where a.site_id = ${siteId} and a.id = t.id
    returning ${paymentAttempts.list('a')}, a.voiding, a.checks`)
  return rows.map((row) => ({
    ...paymentAttempts.read(row),
    voiding: row[paymentAttempts.width] as boolean,
    checks: row[paymentAttempts.width + 1] as number,
  }))
}

const openElsewhere: Sql = sql`select distinct a.site_id from payment_attempts a where a.settled_at is null`

/** Sites with attempts that are not settled. */
export const listSitesWithOpenAttempts = async (connection: Connection): Promise<number[]> =>
  (await connection.arrays(openElsewhere)).map((row) => row[0] as number)

export const postponeCheck = async (
  connection: Connection,
  siteId: number,
  id: number,
  nextCheckAt: Temporal.Instant,
): Promise<void> => {
  await connection.run(sql`
    update payment_attempts set next_check_at = ${nextCheckAt}
    where site_id = ${siteId} and id = ${id} and settled_at is null`)
}

/** The card of a sign-up, on record before a gateway is asked. False when recovery has given the sign-up up meanwhile. */
export const setVaultToken = async (connection: Connection, attempt: PaymentAttempt): Promise<boolean> =>
  (await connection.run(sql`
    update payment_attempts set vault_token = ${attempt.vaultToken}, card_number = ${attempt.cardNumber},
      card_expiration = ${attempt.cardExpiration}, card_type = ${attempt.cardType}
    where site_id = ${attempt.siteId} and id = ${attempt.id} and settled_at is null and not voiding`)) === 1
