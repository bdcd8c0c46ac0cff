/** The audit of discounts and taxes: what lines say of them and what the rows of coupons and taxes say is the same money. */
import { sql } from '../sql.ts'
import type { Pass } from './check.ts'

/** What one subscription was charged at one moment. */
export const discountRows: Pass = {
  rows: (siteId) => sql`
    select t.subscription_id, min(t.id) as id, sum(t.discount_amount_in_cents) as discounts,
      -coalesce(sum(t.amount_in_cents) filter (where t.kind = 'coupon'), 0) as taken_off,
      coalesce(sum(t.amount_in_cents) filter (where t.discount_amount_in_cents <> 0), 0) as discounted
    from transactions t
    where t.site_id = ${siteId} and (t.discount_amount_in_cents <> 0 or t.kind = 'coupon')
    group by t.subscription_id, t.created_at`,
  checks: [
    {
      sentence: 'coupons: what they take off is the sum of the discounts, or more where all is free',
      holds: sql`r.discounts = r.taken_off or (r.discounts < r.taken_off and r.discounts = r.discounted)`,
      words: sql`format('from transaction %s of subscription %s on, coupons take off %s cents, the discounts sum to %s',
        r.id, r.subscription_id, r.taken_off, r.discounts)`,
    },
  ],
}

/** What each coupon took off one subscription, over all its time. */
export const couponRows: Pass = {
  rows: (siteId) => sql`
    select t.subscription_id, t.coupon_id, count(*) as count,
      exists (select from coupon_redemptions r
        where r.site_id = ${siteId} and r.subscription_id = t.subscription_id and r.coupon_id = t.coupon_id) as is_redeemed
    from transactions t where t.site_id = ${siteId} and t.coupon_id is not null
    group by t.subscription_id, t.coupon_id`,
  checks: [
    {
      sentence: 'coupons: each that took something off was put on the subscription',
      holds: sql`r.is_redeemed`,
      words: sql`format('coupon %s took something off subscription %s %s times and was never put on it',
        r.coupon_id, r.subscription_id, r.count)`,
    },
  ],
}

export const taxRows: Pass = {
  rows: (siteId) => sql`
    select t.id, t.subscription_id, t.kind, t.amount_in_cents as amount, t.discount_amount_in_cents as discount,
      t.taxable_amount_in_cents as taxable, coalesce(s.shared, 0) as shared, coalesce(s.foreign_shares, 0) as foreign_shares
    from transactions t
    left join (
      select x.tax_charge_id, sum(x.amount_in_cents) as shared,
        count(*) filter (where c.subscription_id is distinct from o.subscription_id or x.tax_id is distinct from o.tax_id) as foreign_shares
      from taxations x
      left join transactions c on c.site_id = x.site_id and c.id = x.charge_id
      left join transactions o on o.site_id = x.site_id and o.id = x.tax_charge_id
      where x.site_id = ${siteId} group by x.tax_charge_id) s on s.tax_charge_id = t.id
    where t.site_id = ${siteId} and t.type = 'charge'`,
  checks: [
    {
      sentence: 'charges: no more is discounted than there is, and what is taxable is all that is left or nothing',
      holds: sql`r.discount between 0 and r.amount and r.taxable in (0, r.amount - r.discount)`,
      words: sql`format('transaction %s of subscription %s charges %s cents, less %s, of which %s are taxable',
        r.id, r.subscription_id, r.amount, r.discount, r.taxable)`,
    },
    {
      sentence: 'taxes: each falls whole on charges of its own subscription',
      about: sql`r.kind = 'tax'`,
      holds: sql`r.shared = r.amount and r.foreign_shares = 0`,
      words: sql`format('transaction %s of subscription %s is a tax of %s cents, %s of them fall on charges',
        r.id, r.subscription_id, r.amount, r.shared)`,
    },
  ],
}

export const appliedCoupons: Pass = {
  rows: (siteId) => sql`
    select k.subscription_id as id, k.code, k.use_count, k.uses_allowed, k.place,
      row_number() over (partition by k.subscription_id order by k.place) as rank,
      exists (select from coupon_redemptions r
        where r.site_id = k.site_id and r.subscription_id = k.subscription_id and r.coupon_id = k.coupon_id and r.code = k.code) as is_redeemed
    from subscription_coupons k where k.site_id = ${siteId}`,
  checks: [
    {
      sentence: 'subscriptions: each coupon was redeemed, and is used no more often than it may be',
      holds: sql`r.is_redeemed and r.use_count between 0 and coalesce(r.uses_allowed, r.use_count)`,
      words: sql`format('subscription %s has used its coupon %s %s times of %s',
        r.id, r.code, r.use_count, coalesce(r.uses_allowed::text, 'any number'))`,
    },
    {
      sentence: 'subscriptions: the places of their coupons count from 1',
      holds: sql`r.place = r.rank`,
      words: sql`format('subscription %s has its coupon %s in place %s, which is the %s. of them', r.id, r.code, r.place, r.rank)`,
    },
  ],
}
