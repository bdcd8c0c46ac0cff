/** Calls to gateways as they go on record, and who makes the next one. Every time here is the database's: the clocks of machines differ. */
import type { PaymentAttempt } from '../billing/changes.ts'
import { livingAskers } from './askers.ts'
import type { Connection } from './database.ts'
import { bigints, type Sql, sql } from './sql.ts'
import { type PaymentAttemptRow, paymentAttempts } from './tables.ts'

/** How long an attempt is left to the process that asks while that is alive; renewed before each call. */
const leaseSeconds = 120

/** Who holds an attempt: its process, and the number of times that it was taken, which fences off whoever held it before. */
export type Hold = { asker: number; token: number }

/** An open attempt with what decides whether it is asked again. */
export type OpenAttempt = PaymentAttemptRow & {
  /** A sign-up that is being undone. */
  voiding: boolean
  checks: number
  callsBegun: number
  callsHeard: number
  secondsSinceFirstCall: number
  secondsSinceLastCall: number
}

const openColumns: Sql = sql`${paymentAttempts.list('a')}, a.voiding, a.checks, a.calls_begun, a.calls_heard,
  extract(epoch from now() - a.asked_at)::float8, extract(epoch from now() - a.last_call_at)::float8`

function readOpen(row: readonly unknown[]): OpenAttempt {
  const [voiding, checks, callsBegun, callsHeard, first, last] = row.slice(paymentAttempts.width)
  return {
    ...paymentAttempts.read(row),
    voiding: voiding as boolean,
    checks: checks as number,
    callsBegun: callsBegun as number,
    callsHeard: callsHeard as number,
    secondsSinceFirstCall: first as number,
    secondsSinceLastCall: last as number,
  }
}

/**
 * Takes open attempts whose next check has come, and those that a process was asking for when it ended; renews their lease, so that
 * nobody else takes them meanwhile.
 */
export async function claimOpenAttempts(
  connection: Connection,
  siteId: number,
  { asker, limit }: { asker: number; limit: number },
): Promise<OpenAttempt[]> {
  const rows = await connection.arrays(sql`
    with taken as (
      select a.site_id, a.id from payment_attempts a
      where a.site_id = ${siteId} and a.settled_at is null
        and (a.next_check_at <= now()
          or (a.outcome is null and not a.voiding and a.asked_by <> all(array(${livingAskers}))))
      order by a.next_check_at limit ${limit} for no key update skip locked)
    update payment_attempts a set asked_by = ${asker}, next_check_at = now() + ${leaseSeconds}::int * interval '1 second',
      checks = a.checks + 1
    from taken t where a.site_id = ${siteId} and a.id = t.id
    returning ${openColumns}`)
  return rows.map(readOpen)
}

/** Takes one open attempt, whoever holds it; undefined when it is settled. */
export async function claimAttempt(
  connection: Connection,
  siteId: number,
  id: number,
  asker: number,
): Promise<OpenAttempt | undefined> {
  const [row] = await connection.arrays(sql`
    update payment_attempts a set asked_by = ${asker}, next_check_at = now() + ${leaseSeconds}::int * interval '1 second',
      checks = a.checks + 1
    where a.site_id = ${siteId} and a.id = ${id} and a.settled_at is null and not a.voiding
    returning ${openColumns}`)
  return row && readOpen(row)
}

/** Keeps attempts of which the first call still waits for its turn; those that were taken or settled meanwhile are left alone. */
export const renewLeases = async (
  connection: Connection,
  siteId: number,
  ids: readonly number[],
  { asker, token }: Hold,
): Promise<void> => {
  await connection.run(sql`
    update payment_attempts a set next_check_at = now() + ${leaseSeconds}::int * interval '1 second'
    where a.site_id = ${siteId} and a.id = any(${bigints(ids)}::bigint[]) and a.settled_at is null
      and a.asked_by = ${asker} and a.checks = ${token}`)
}

/**
 * Puts a call on record and renews the lease, just before the call is made. False when somebody else took the attempt, it is
 * settled or being voided, or its key is older than `keySeconds`: then the call must not be made.
 */
export const beginCall = async (
  connection: Connection,
  attempt: Pick<PaymentAttempt, 'siteId' | 'id'>,
  { asker, token }: Hold,
  { isCounted, keySeconds }: { isCounted: boolean; keySeconds: number | null },
): Promise<boolean> =>
  (await connection.run(sql`
    update payment_attempts a set calls_begun = a.calls_begun + ${isCounted ? 0 : 1}::int, last_call_at = now(),
      next_check_at = now() + ${leaseSeconds}::int * interval '1 second'
    where a.site_id = ${attempt.siteId} and a.id = ${attempt.id} and a.settled_at is null and not a.voiding
      and a.asked_by = ${asker} and a.checks = ${token}
      and (${keySeconds}::int is null or a.asked_at + ${keySeconds}::int * interval '1 second' > now())`)) === 1

/** A call that is on record and will never be made counts as answered. Whoever is alive may take the attempt at once. */
export const withdrawCall = async (
  connection: Connection,
  { siteId, id }: Pick<PaymentAttempt, 'siteId' | 'id'>,
): Promise<void> => {
  await connection.run(sql`
    update payment_attempts a set calls_heard = a.calls_heard + 1, next_check_at = least(a.next_check_at, now())
    where a.site_id = ${siteId} and a.id = ${id} and a.settled_at is null`)
}

/** The card of a sign-up, on record as its call is, before a gateway is asked. False when recovery has given the sign-up up meanwhile. */
export const setVaultToken = async (
  connection: Connection,
  attempt: PaymentAttempt,
  { asker, token }: Hold,
): Promise<boolean> =>
  (await connection.run(sql`
    update payment_attempts set vault_token = ${attempt.vaultToken}, card_number = ${attempt.cardNumber},
      card_expiration = ${attempt.cardExpiration}, card_type = ${attempt.cardType}, last_call_at = now(),
      next_check_at = now() + ${leaseSeconds}::int * interval '1 second'
    where site_id = ${attempt.siteId} and id = ${attempt.id} and settled_at is null and not voiding
      and asked_by = ${asker} and checks = ${token}`)) === 1

const sitesOfOpen: Sql = sql`
  select distinct a.site_id from payment_attempts a where a.settled_at is null
  union select distinct a.site_id from late_approvals a where a.resolved_at is null`

/** Sites with attempts that are not settled, or money to give back. */
export const listSitesWithOpenAttempts = async (connection: Connection): Promise<number[]> =>
  (await connection.arrays(sitesOfOpen)).map((row) => row[0] as number)

/** The next look in so many seconds. */
export const postponeCheck = async (
  connection: Connection,
  siteId: number,
  id: number,
  seconds: number,
): Promise<void> => {
  await connection.run(sql`
    update payment_attempts set next_check_at = now() + ${seconds}::int * interval '1 second'
    where site_id = ${siteId} and id = ${id} and settled_at is null`)
}
