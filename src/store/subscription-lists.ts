/** Lists of the subscriptions of a site: narrowed by state, product, coupon or a date, in an order of the asker's choice. */
import { latestInstant } from '../billing/calendar.ts'
import { dueStates } from '../billing/subscription.ts'
import type { ListedState, SubscriptionDate, SubscriptionSort } from '../billing/subscription-list.ts'
import type { Connection } from './database.ts'
import { allOf, fragment, type Sql, sql, texts } from './sql.ts'
import { readRecord, recordJoins, recordList, type SubscriptionRecord } from './subscription-records.ts'

const dateColumns: { [Name in SubscriptionDate]: string } = {
  current_period_ends_at: 'current_period_ends_at',
  current_period_starts_at: 'current_period_started_at',
  created_at: 'created_at',
  activated_at: 'activated_at',
  canceled_at: 'canceled_at',
  expires_at: 'expires_at',
  trial_started_at: 'trial_started_at',
  trial_ended_at: 'trial_ended_at',
  updated_at: 'updated_at',
}

const sortColumns: { [Name in SubscriptionSort]: string } = {
  signup_date: 'created_at',
  period_start: 'current_period_started_at',
  period_end: 'current_period_ends_at',
  next_assessment: 'next_assessment_at',
  updated_at: 'updated_at',
  created_at: 'created_at',
}

/** Null is no limit; both ends of the window belong to it, and a subscription without that date is outside of it. */
export type SubscriptionFilter = {
  state: ListedState | null
  productId: number | null
  couponId: number | null
  dateField: SubscriptionDate
  since: Temporal.Instant | null
  until: Temporal.Instant | null
}

export type SubscriptionPart = { sort: SubscriptionSort; direction: 'asc' | 'desc'; perPage: number; offset: number }

/** By which the states that are about time are judged. */
export type SiteTime = { now: Temporal.Instant; timeZone: string }

const firstMoment = Temporal.Instant.from('1970-01-01T00:00:00Z')

const isDue = sql`u.state = any(${texts(dueStates)}::text[])`

function isIn(state: ListedState, { now, timeZone }: SiteTime): Sql {
  if (state === 'pending_cancellation') return sql`u.cancel_at_end_of_period and ${isDue}`
  if (state === 'pending_renewal') return sql`u.current_period_ends_at <= ${now} and ${isDue}`
  if (state === 'active') return sql`u.state = 'active'`
  // Said twice, so that a plan made for any state may use the index of the rare ones.
  if (state !== 'expired_cards') return sql`u.state = ${state} and u.state <> 'active'`
  const { year, month } = now.toZonedDateTimeISO(timeZone)
  return sql`${isDue} and exists (select from payment_profiles i where i.site_id = u.site_id and i.customer_id = u.customer_id
    and i.id = u.payment_profile_id and i.deleted_at is null and (i.expiration_year, i.expiration_month) < (${year}, ${month}))`
}

function conditions(siteId: number, filter: SubscriptionFilter, time: SiteTime): Sql[] {
  const { state, productId, couponId, dateField, since, until } = filter
  const date = fragment(`u.${dateColumns[dateField]}`)
  return [
    sql`u.site_id = ${siteId} and u.deleted_at is null`,
    ...(state === null ? [] : [isIn(state, time)]),
    ...(productId === null ? [] : [sql`u.product_id = ${productId}`]),
    ...(couponId === null
      ? []
      : [
          sql`exists (select from subscription_coupons k
          where k.site_id = u.site_id and k.subscription_id = u.id and k.coupon_id = ${couponId})`,
        ]),
    ...(since === null && until === null
      ? []
      : [sql`${date} between ${since ?? firstMoment} and ${until ?? latestInstant}`]),
  ]
}

/** The page is cut before anything is joined to it. */
export async function listSubscriptionRecords(
  connection: Connection,
  siteId: number,
  filter: SubscriptionFilter,
  { sort, direction, perPage, offset }: SubscriptionPart,
  time: SiteTime,
): Promise<SubscriptionRecord[]> {
  const order = (alias: string): Sql => fragment(`${alias}.${sortColumns[sort]} ${direction}, ${alias}.id ${direction}`)
  const rows = await connection.arrays(sql`
    select ${recordList} from (
      select u.* from subscriptions u where ${allOf(conditions(siteId, filter, time))}
      order by ${order('u')} limit ${perPage} offset ${offset}) s ${recordJoins}
    order by ${order('s')}`)
  return rows.map(readRecord)
}
