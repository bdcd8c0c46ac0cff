/** Which coupons are on which subscriptions, in their order, with their uses. */
import type { AppliedCoupon, Coupon } from '../billing/coupon.ts'
import type { SubscriptionCoupon } from '../billing/subscription-coupon.ts'
import { coupons } from './coupons.ts'
import type { Connection } from './database.ts'
import { bigints, type Sql, sql } from './sql.ts'
import { Table } from './table.ts'

const subscriptionCoupons = new Table<SubscriptionCoupon>('subscription_coupons', {
  subscriptionId: 'bigint',
  couponId: 'bigint',
  place: 'integer',
  code: 'text',
  useCount: 'integer',
  usesAllowed: 'integer',
})

/** What is told of a coupon with its subscription. */
export type SubscribedCoupon = Pick<SubscriptionCoupon, 'code' | 'useCount' | 'usesAllowed'> &
  Pick<Coupon, 'recurring' | 'amount' | 'percentage'>

export const subscribedCouponOf = ({ coupon, ...standing }: AppliedCoupon): SubscribedCoupon => {
  const { recurring, amount, percentage } = coupon
  return { ...standing, recurring, amount, percentage }
}

/** One value of a row about subscriptions, under the alias `s`; null where there is no coupon. */
export const couponsOfSubscription: Sql = sql`(
  select jsonb_agg(jsonb_build_object('code', k.code, 'useCount', k.use_count, 'usesAllowed', k.uses_allowed, 'recurring', o.recurring,
    'amount', o.amount_in_cents, 'percentage', trim_scale(o.percentage)::text) order by k.place, k.coupon_id)
  from subscription_coupons k join coupons o on o.site_id = k.site_id and o.id = k.coupon_id
  where k.site_id = s.site_id and k.subscription_id = s.id)`

/** By subscription; those without a coupon are left out. */
export async function listAppliedCoupons(
  connection: Connection,
  siteId: number,
  subscriptionIds: readonly number[],
): Promise<Map<number, AppliedCoupon[]>> {
  const rows = await connection.arrays(sql`
    select ${coupons.list('c')}, k.code, k.use_count, k.uses_allowed, k.subscription_id
    from subscription_coupons k join coupons c on c.site_id = k.site_id and c.id = k.coupon_id
    where k.site_id = ${siteId} and k.subscription_id = any(${bigints(subscriptionIds)}::bigint[])
    order by k.subscription_id, k.place, k.coupon_id`)
  const found = new Map<number, AppliedCoupon[]>()
  for (const row of rows) {
    const [code, useCount, usesAllowed, id] = row.slice(coupons.width) as [string, number, number | null, number]
    const on = found.get(id) ?? []
    found.set(id, [...on, { coupon: coupons.read(row), code, useCount, usesAllowed }])
  }
  return found
}

/** How they stand from now on, whether they were there before or not. */
export async function saveSubscriptionCoupons(
  connection: Connection,
  siteId: number,
  rows: readonly SubscriptionCoupon[],
): Promise<void> {
  if (rows.length === 0) return
  await connection.run(sql`${subscriptionCoupons.insertion(siteId, rows)}
    on conflict (site_id, subscription_id, coupon_id) do update
    set place = excluded.place, code = excluded.code, use_count = excluded.use_count, uses_allowed = excluded.uses_allowed`)
}

export async function removeSubscriptionCoupons(
  connection: Connection,
  siteId: number,
  rows: readonly Pick<SubscriptionCoupon, 'subscriptionId' | 'couponId'>[],
): Promise<void> {
  if (rows.length === 0) return
  await connection.run(sql`
    delete from subscription_coupons k
    using unnest(${bigints(rows.map((row) => row.subscriptionId))}::bigint[], ${bigints(rows.map((row) => row.couponId))}::bigint[])
      as u (subscription_id, coupon_id)
    where k.site_id = ${siteId} and k.subscription_id = u.subscription_id and k.coupon_id = u.coupon_id`)
}
