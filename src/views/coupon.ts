/** How a coupon is shown, by itself and on a subscription, and how much it was used. */
import { type Cents, formatDollars } from '../billing/money.ts'
import type { CouponInFamily } from '../store/coupons.ts'
import type { SubscribedCoupon } from '../store/subscription-coupons.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

const restrictionShape: Fields = {
  fields: { id: 'integer', item_type: 'string', item_id: 'integer', name: 'string', handle: 'string' },
}

export const couponShape: Fields = {
  fields: {
    id: 'integer',
    name: 'string',
    code: 'string',
    description: 'string',
    amount: 'decimal',
    amount_in_cents: 'integer',
    percentage: 'string',
    discount_type: 'string',
    product_family_id: 'integer',
    product_family_name: 'string',
    recurring: 'boolean',
    recurring_scheme: 'string',
    duration_period_count: 'integer',
    duration_interval: 'integer',
    duration_interval_unit: 'string',
    duration_interval_span: 'string',
    allow_negative_balance: 'boolean',
    stackable: 'boolean',
    compounding_strategy: 'string',
    start_date: 'datetime',
    end_date: 'datetime',
    conversion_limit: 'string',
    exclude_mid_period_allocations: 'boolean',
    apply_on_cancel_at_end_of_period: 'boolean',
    apply_on_subscription_expiration: 'boolean',
    coupon_restrictions: { list: restrictionShape, item: 'coupon_restriction' },
    archived_at: 'datetime',
    created_at: 'datetime',
    updated_at: 'datetime',
  },
}

/** The amount is a number, percentages and the limit are strings, as clients expect them. Coupons last for a number of assessments, so the fields of a duration in time are null. */
export function presentCoupon({ coupon, familyName, restrictions }: CouponInFamily, timeZone: string) {
  const optional = (at: Temporal.Instant | null) => at && formatTimestamp(at, timeZone)
  return {
    id: coupon.id,
    name: coupon.name,
    code: coupon.code,
    description: coupon.description,
    amount: coupon.amount === null ? null : Number(formatDollars(coupon.amount)),
    amount_in_cents: coupon.amount,
    percentage: coupon.percentage,
    discount_type: coupon.percentage === null ? 'amount' : 'percent',
    product_family_id: coupon.productFamilyId,
    product_family_name: familyName,
    recurring: coupon.recurring,
    recurring_scheme: schemeOf(coupon),
    duration_period_count: coupon.durationPeriodCount,
    duration_interval: null,
    duration_interval_unit: null,
    duration_interval_span: null,
    allow_negative_balance: coupon.allowNegativeBalance,
    stackable: coupon.stackable,
    compounding_strategy: coupon.compoundingStrategy,
    start_date: optional(coupon.startDate),
    end_date: optional(coupon.endDate),
    conversion_limit: coupon.conversionLimit === null ? null : String(coupon.conversionLimit),
    exclude_mid_period_allocations: coupon.excludeMidPeriodAllocations,
    apply_on_cancel_at_end_of_period: coupon.applyOnCancelAtEndOfPeriod,
    apply_on_subscription_expiration: coupon.applyOnSubscriptionExpiration,
    coupon_restrictions: restrictions,
    archived_at: optional(coupon.archivedAt),
    created_at: formatTimestamp(coupon.createdAt, timeZone),
    updated_at: formatTimestamp(coupon.updatedAt, timeZone),
  }
}

/** The same in one word, as later clients read it. */
function schemeOf({ recurring, durationPeriodCount }: CouponInFamily['coupon']): string {
  if (!recurring) return 'do_not_recur'
  return durationPeriodCount === null ? 'recur_indefinitely' : 'recur_with_duration'
}

export const subscribedCouponShape: Fields = {
  fields: {
    code: 'string',
    use_count: 'integer',
    uses_allowed: 'integer',
    expires_at: 'datetime',
    recurring: 'boolean',
    amount_in_cents: 'integer',
    percentage: 'string',
  },
}

/** One that lasts for good has `uses_allowed` null. What ends does so with its uses, at no date. */
export const presentSubscribedCoupon = ({
  code,
  useCount,
  usesAllowed,
  recurring,
  amount,
  percentage,
}: SubscribedCoupon) => ({
  code,
  use_count: useCount,
  uses_allowed: usesAllowed,
  expires_at: null,
  recurring,
  amount_in_cents: amount,
  percentage,
})

/** What a coupon did for one product. */
type CouponUse = { productId: number; productName: string; signups: number; savings: Cents; revenue: Cents }

export const couponUseShape: Fields = {
  fields: {
    id: 'integer',
    name: 'string',
    signups: 'integer',
    savings: 'decimal',
    savings_in_cents: 'integer',
    revenue: 'decimal',
    revenue_in_cents: 'integer',
  },
}

/** Under the product's id and name. */
export const presentCouponUse = ({ productId, productName, signups, savings, revenue }: CouponUse) => ({
  id: productId,
  name: productName,
  signups,
  savings: Number(formatDollars(savings)),
  savings_in_cents: savings,
  revenue: Number(formatDollars(revenue)),
  revenue_in_cents: revenue,
})
