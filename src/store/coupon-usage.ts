/** What a coupon did for each product: how many subscriptions got it, what they saved by it, and what they have paid. */
import { type Cents, cents } from '../billing/money.ts'
import type { Connection } from './database.ts'
import { sql } from './sql.ts'

export type CouponUsage = { productId: number; productName: string; signups: number; savings: Cents; revenue: Cents }

/** The products of its family, and others that its subscriptions have moved to; oldest first. */
export const listCouponUsage = async (
  connection: Connection,
  siteId: number,
  coupon: { id: number; productFamilyId: number },
): Promise<CouponUsage[]> =>
  (
    await connection.arrays(sql`
      select p.id, p.name, coalesce(u.signups, 0)::bigint, coalesce(v.savings, 0)::bigint, coalesce(u.revenue, 0)::bigint
      from products p
      left join (
        select s.product_id, count(*) as signups, sum(s.total_revenue_in_cents) as revenue from subscriptions s
        where s.site_id = ${siteId} and s.id in (
          select r.subscription_id from coupon_redemptions r where r.site_id = ${siteId} and r.coupon_id = ${coupon.id})
        group by s.product_id) u on u.product_id = p.id
      left join (
        select t.product_id, -sum(t.amount_in_cents) as savings from transactions t
        where t.site_id = ${siteId} and t.coupon_id = ${coupon.id} group by t.product_id) v on v.product_id = p.id
      where p.site_id = ${siteId}
        and (p.product_family_id = ${coupon.productFamilyId} or u.product_id is not null or v.product_id is not null)
      order by p.id`)
  ).map(([productId, productName, signups, savings, revenue]) => ({
    productId: productId as number,
    productName: productName as string,
    signups: signups as number,
    savings: cents(savings as number),
    revenue: cents(revenue as number),
  }))
