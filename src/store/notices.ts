/** Which subscriptions a notice is due for, and which were given one already. */
import { type NoticedState, noticeDays } from '../billing/notice.ts'
import type { NoticeSettings } from '../billing/site.ts'
import type { Connection, Transaction } from './database.ts'
import { bigints, fragment, type Sql, sql } from './sql.ts'

/**
 * As the partial index on them has it, and not while a payment is under way: what it leads to is told first. The state stands in the
 * text, so that the index is found.
 */
const unnoticed = (state: NoticedState): Sql =>
  fragment(
    `s.state = '${state}' and s.noticed_for is distinct from s.current_period_ends_at and s.deleted_at is null and s.parked_reason is null and s.collecting_attempt_id is null`,
  )

/** Up to `limit` ids whose period ends by then, earliest first, that nobody else works on; locked until the transaction ends. */
export const claimUnnoticed = async (
  tx: Transaction,
  siteId: number,
  state: NoticedState,
  { endsBy, limit }: { endsBy: Temporal.Instant; limit: number },
): Promise<number[]> =>
  (
    await tx.arrays(sql`
      select s.id from subscriptions s
      where s.site_id = ${siteId} and s.current_period_ends_at <= ${endsBy} and ${unnoticed(state)}
      order by s.current_period_ends_at, s.id
      limit ${limit}
      for update skip locked`)
  ).map((row) => row[0] as number)

/** Their present periods are not noticed again. */
export const markNoticed = (tx: Transaction, siteId: number, ids: readonly number[]) =>
  tx.run(sql`
    update subscriptions set noticed_for = current_period_ends_at
    where site_id = ${siteId} and id = any(${bigints(ids)}::bigint[])`)

/** When the first period of each state ends of which no notice was given. */
export async function findUnnoticed(
  connection: Connection,
  siteId: number,
): Promise<Record<NoticedState, Temporal.Instant | null>> {
  const first = (state: NoticedState): Sql => sql`
    (select s.current_period_ends_at from subscriptions s
      where s.site_id = ${siteId} and ${unnoticed(state)} order by s.current_period_ends_at limit 1)`
  const [row] = await connection.arrays(sql`select ${first('active')}, ${first('trialing')}`)
  return { active: row![0] as Temporal.Instant | null, trialing: row![1] as Temporal.Instant | null }
}

/** Sites whose clocks stand still between moves, with a notice to give by their own clocks, judged at `wall`. */
export const listSitesWithDueNotices = async (connection: Connection, wall: Temporal.Instant): Promise<number[]> => {
  const due = (state: NoticedState, days: string): Sql => sql`
    s.${fragment(days)} > 0 and exists (
      select from subscriptions u
      where u.site_id = s.id and u.state = ${fragment(`'${state}'`)}
        and u.noticed_for is distinct from u.current_period_ends_at and u.deleted_at is null and u.parked_reason is null
        and u.collecting_attempt_id is null and u.current_period_ends_at <= s.${fragment(days)} * interval '24 hours'
          + coalesce(s.clock_set_to + (${wall}::timestamptz - s.clock_set_at), ${wall}::timestamptz))`
  const rows = await connection.arrays(sql`
    select s.id from sites s
    where s.clock_advancing_to is null
      and (${due('active', 'upcoming_renewal_notice_days')} or ${due('trialing', 'trial_end_notice_days')})
    order by s.id`)
  return rows.map((row) => row[0] as number)
}

/** The states of which a site gives notice. */
export const noticedStates = (settings: NoticeSettings): NoticedState[] =>
  (['active', 'trialing'] as const).filter((state) => noticeDays(settings)[state] > 0)

export type CardRun = { through: Temporal.Instant; runningAt: Temporal.Instant | null; afterId: number }

const readCardRun = (row: readonly unknown[] | undefined): CardRun | undefined =>
  row && {
    through: row[0] as Temporal.Instant,
    runningAt: row[1] as Temporal.Instant | null,
    afterId: row[2] as number,
  }

export const findCardRun = async (connection: Connection, siteId: number): Promise<CardRun | undefined> =>
  readCardRun(
    (
      await connection.arrays(sql`
        select r.through, r.running_at, r.after_id from card_notice_runs r where r.site_id = ${siteId}`)
    )[0],
  )

/** Locked, so that each card is noticed by one process; a site's first run goes on from `start`. */
export async function lockCardRun(tx: Transaction, siteId: number, start: Temporal.Instant): Promise<CardRun> {
  await tx.run(sql`
    insert into card_notice_runs (site_id, through) values (${siteId}, ${start}) on conflict (site_id) do nothing`)
  const [row] = await tx.arrays(sql`
    select r.through, r.running_at, r.after_id from card_notice_runs r where r.site_id = ${siteId} for update`)
  return readCardRun(row)!
}

export const saveCardRun = (tx: Transaction, siteId: number, { through, runningAt, afterId }: CardRun) =>
  tx.run(sql`
    update card_notice_runs set through = ${through}, running_at = ${runningAt}, after_id = ${afterId}
    where site_id = ${siteId}`)

const isPaying = fragment(
  "s.state in ('trialing', 'active', 'past_due', 'soft_failure', 'unpaid') and s.deleted_at is null",
)

/** The number of the first month, from `from` on, in which a card expires that pays a subscription. */
export async function findSoonestExpiry(connection: Connection, siteId: number, from: number): Promise<number | null> {
  const [row] = await connection.arrays(sql`
    select f.expiration_year * 12 + f.expiration_month from payment_profiles f
    where f.site_id = ${siteId} and f.deleted_at is null and f.expiration_year * 12 + f.expiration_month >= ${from}
      and exists (
        select from subscriptions s
        where s.site_id = f.site_id and s.customer_id = f.customer_id and s.payment_profile_id = f.id and ${isPaying})
    order by f.expiration_year * 12 + f.expiration_month limit 1`)
  return (row?.[0] ?? null) as number | null
}

/** Subscriptions whose card expires in that month, by their ids. */
export const listPaidByExpiring = async (
  connection: Connection,
  siteId: number,
  { expiring, afterId, limit }: { expiring: number; afterId: number; limit: number },
): Promise<number[]> =>
  (
    await connection.arrays(sql`
      select s.id from payment_profiles f
      join subscriptions s on s.site_id = f.site_id and s.customer_id = f.customer_id and s.payment_profile_id = f.id
      where f.site_id = ${siteId} and f.deleted_at is null and f.expiration_year * 12 + f.expiration_month = ${expiring}
        and s.id > ${afterId} and ${isPaying}
      order by s.id limit ${limit}`)
  ).map((row) => row[0] as number)
