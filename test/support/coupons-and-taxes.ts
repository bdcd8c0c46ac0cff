/** Coupons and taxes for decisions, made in memory. */
import type { AppliedCoupon, Coupon } from '../../src/billing/coupon.ts'
import { cents } from '../../src/billing/money.ts'
import type { Tax } from '../../src/billing/tax.ts'

const madeAt = Temporal.Instant.from('2026-01-01T00:00:00Z')

/** `SAVE`, half off, for good. */
export const coupon = (change: Partial<Coupon> = {}): Coupon => ({
  siteId: 1,
  id: 70,
  productFamilyId: 2,
  name: 'Half',
  code: 'SAVE',
  description: 'Half as dear',
  amount: null,
  percentage: '50',
  recurring: true,
  durationPeriodCount: null,
  allowNegativeBalance: false,
  stackable: true,
  compoundingStrategy: 'compound',
  startDate: null,
  endDate: null,
  conversionLimit: null,
  restrictions: [],
  excludeMidPeriodAllocations: false,
  applyOnCancelAtEndOfPeriod: false,
  applyOnSubscriptionExpiration: false,
  archivedAt: null,
  createdAt: madeAt,
  updatedAt: madeAt,
  ...change,
})

const unused = { code: 'SAVE', useCount: 0, usesAllowed: null }

export const percentOff = (percentage: string): AppliedCoupon => ({ coupon: coupon({ percentage }), ...unused })

export const amountOff = (amount: number): AppliedCoupon => ({
  coupon: coupon({ percentage: null, amount: cents(amount) }),
  ...unused,
})

/** The same coupons as several on one subscription, under codes of their own: `SAVE1`, `SAVE2`. */
export const several = (...applied: AppliedCoupon[]): AppliedCoupon[] =>
  applied.map((one, place) => {
    const code = `SAVE${place + 1}`
    return { ...one, code, coupon: { ...one.coupon, id: 70 + place, code } }
  })

/** A tax of Pennsylvania, unless said otherwise. */
export const taxOf = (rate: string, change: Partial<Tax> = {}): Tax => ({
  siteId: 1,
  id: 1,
  name: 'PA Tax',
  rate,
  country: 'US',
  state: 'PA',
  ...change,
})
