/** Lists of the subscriptions of a site: narrowed by whose they are, what they have, or a date, in an order of the asker's choice. */

import { latestInstant } from '../billing/calendar.ts'
import type { CollectionMethod } from '../billing/subscription.ts'
import { dueStates } from '../billing/subscription.ts'
import type { ListedState, SubscriptionDate, SubscriptionSort } from '../billing/subscription-list.ts'
import { customersByWords } from './customers.ts'
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
  customerId: number | null
  productId: number | null
  productVersion: number | null
  couponId: number | null
  couponCode: string | null
  collectionMethod: CollectionMethod | null
  currencies: readonly string[] | null
  /** Found in the customer, or the id of either, or the reference of the subscription. */
  words: string | null
  /** All of them, by the names of their fields. */
  metadata: readonly { name: string; value: string }[]
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

/** Found as a set first: left to choose, the planner would walk all subscriptions, the newest first. */
function foundBy(siteId: number, words: string): Sql {
  const id = /^\s*\d{1,15}\s*$/.test(words) ? Number(words) : null
  return sql`u.id in (
    with found as materialized (
      select w.id from subscriptions w
      where w.site_id = ${siteId} and w.customer_id = any(array(${customersByWords(siteId, words)}))
      union
      select r.id from subscriptions r where r.site_id = ${siteId} and r.reference = ${words.trim()} and r.deleted_at is null
      union
      select ${id}::bigint)
    select found.id from found)`
}

const hasMetadatum = (siteId: number, { name, value }: { name: string; value: string }): Sql => sql`exists (
  select from metadata m
  where m.site_id = u.site_id and m.resource_type = 'subscription' and m.resource_id = u.id and m.value = ${value}
    and m.metafield_id = (select f.id from metafields f
      where f.site_id = ${siteId} and f.resource_type = 'subscription' and f.name = ${name}))`

/** Said as it stands in the condition of the index. */
const isPaidBy = (method: CollectionMethod): Sql =>
  method === 'invoice' ? sql`u.payment_collection_method = 'invoice'` : sql`u.payment_collection_method = ${method}`

/** Whose they are, and what they have. */
function having(siteId: number, filter: SubscriptionFilter): Sql[] {
  const { customerId, couponId, couponCode, collectionMethod, currencies, words, metadata } = filter
  const coupon = sql`select from subscription_coupons k where k.site_id = u.site_id and k.subscription_id = u.id`
  return [
    ...(customerId === null ? [] : [sql`u.customer_id = ${customerId}`]),
    ...(couponId === null ? [] : [sql`exists (${coupon} and k.coupon_id = ${couponId})`]),
    ...(couponCode === null ? [] : [sql`exists (${coupon} and k.code = ${couponCode})`]),
    ...(collectionMethod === null ? [] : [isPaidBy(collectionMethod)]),
    ...(currencies === null
      ? []
      : [sql`exists (select from sites b where b.id = u.site_id and b.currency = any(${texts(currencies)}::text[]))`]),
    ...(words === null ? [] : [foundBy(siteId, words)]),
    ...metadata.map((one) => hasMetadatum(siteId, one)),
  ]
}

function conditions(siteId: number, filter: SubscriptionFilter, time: SiteTime): Sql[] {
  const { state, productId, productVersion, dateField, since, until } = filter
  const date = fragment(`u.${dateColumns[dateField]}`)
  return [
    sql`u.site_id = ${siteId} and u.deleted_at is null`,
    ...(state === null ? [] : [isIn(state, time)]),
    ...(productId === null ? [] : [sql`u.product_id = ${productId}`]),
    ...(productVersion === null ? [] : [sql`u.product_version_number = ${productVersion}`]),
    ...having(siteId, filter),
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
