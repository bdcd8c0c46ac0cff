/** What coupons take off changes in the middle of a period, and what of it goes back with them. */
import type { Assessment } from './assessment.ts'
import type { AppliedCoupon, CouponByCode } from './coupon.ts'
import { type Discountable, discountsOf } from './discount.ts'
import type { LineItem } from './line-item.ts'
import { type Cents, cents, type MinorUnit, negate, sumCents, zeroCents } from './money.ts'

/**
 * What a period costs so far of its product or a component, less what was given back; apart from that each change of a quantity since
 * the coupon took off, with its moment, in their order.
 */
export type ChargedInPeriod = Discountable & { allocatedAt: Temporal.Instant | null }

/**
 * A coupon in a period that goes on: what it has taken off in it so far, and what was charged in it. Null is not known, as of a period
 * that was billed elsewhere.
 */
export type PeriodCoupon = CouponByCode & { inPeriod: { taken: Cents; charged: readonly ChargedInPeriod[] } | null }

/** With the last of its rows in the period, and when that was written. */
export type CouponInLedger = PeriodCoupon & { lastRowId: number; lastRowAt: Temporal.Instant }

const find = <One extends CouponByCode>(list: readonly One[], { coupon }: CouponByCode): One | undefined =>
  list.find((one) => one.coupon.id === coupon.id)

/**
 * Of the coupons with rows in a period, those by which what it cost is judged, in their order: the ones that are on the subscription; where
 * none of them took part, the ones that took off together last.
 */
export function tookPart(rows: readonly CouponInLedger[], on: readonly AppliedCoupon[]): PeriodCoupon[] {
  const present = on.map((one) => find(rows, one)).filter((one) => one !== undefined)
  if (present.length > 0) return present
  const inTime = rows.toSorted((one, other) => one.lastRowId - other.lastRowId)
  const newest = inTime.at(-1)
  return inTime.filter(({ lastRowAt }) => newest?.lastRowAt.equals(lastRowAt))
}

/** They take part in what is charged until they are used up, and all through a period in which they had their last use. */
export const couponsOfCharges = (
  coupons: readonly AppliedCoupon[],
  periodCoupons: readonly PeriodCoupon[],
): AppliedCoupon[] =>
  coupons
    .filter(({ coupon }) => !coupon.excludeMidPeriodAllocations)
    .map((applied) => ({
      ...inTheMiddle(applied),
      usesAllowed: find(periodCoupons, applied) ? null : applied.usesAllowed,
      useCount: applied.useCount,
    }))

/** What a coupon leaves over does not become a credit with every change in the middle of a period. */
const inTheMiddle = ({ coupon, code }: CouponByCode): AppliedCoupon => ({
  coupon: { ...coupon, allowNegativeBalance: false },
  code,
  useCount: 0,
  usesAllowed: null,
})

/** How coupons stand in the period: one that took no part in it yet has taken nothing, whatever was charged. */
export const standingIn = (coupons: readonly CouponByCode[], periodCoupons: readonly PeriodCoupon[]): PeriodCoupon[] =>
  coupons.map(
    ({ coupon, code }) =>
      find(periodCoupons, { coupon, code }) ?? { coupon, code, inPeriod: { taken: zeroCents, charged: [] } },
  )

/** The charges among the lines of an assessment, as coupons see them. What is taxed of them makes no difference in the course of a period. */
export const itemsOf = (lines: readonly LineItem[], { productId }: { productId: number }): Discountable[] =>
  lines
    .filter(({ type, taxId }) => type === 'charge' && taxId === null)
    .map(({ amount, componentId }) => ({ amount, componentId, productId, isTaxable: false }))

/** With what one more assessment charged and took off. */
export const after = (
  standing: readonly PeriodCoupon[],
  { lines }: Assessment,
  subscription: { productId: number },
  allocatedAt: Temporal.Instant,
): PeriodCoupon[] =>
  standing.map((one) => {
    const { inPeriod } = one
    if (inPeriod === null) return one
    const off = sumCents(lines.filter(({ couponId }) => couponId === one.coupon.id).map(({ amount }) => amount))
    const fresh = itemsOf(lines, subscription).map((item) => ({ ...item, allocatedAt }))
    const charged = [...inPeriod.charged, ...fresh]
    return { ...one, inPeriod: { taken: cents(inPeriod.taken - off), charged } }
  })

const upTo = (applied: AppliedCoupon, amount: number): AppliedCoupon[] =>
  amount <= 0 ? [] : [{ ...applied, coupon: { ...applied.coupon, percentage: null, amount: cents(amount) } }]

/** A fixed amount is taken off a period once, in however many pieces it is charged. */
export const whatIsLeft = (coupons: readonly AppliedCoupon[], standing: readonly PeriodCoupon[]): AppliedCoupon[] =>
  coupons.flatMap((applied) => {
    const { amount } = applied.coupon
    const inPeriod = find(standing, applied)?.inPeriod ?? null
    return amount === null || inPeriod === null ? [applied] : upTo(applied, amount - inPeriod.taken)
  })

/** The moment of a change, and the end of the period that it changes. */
type Moment = { unit: MinorUnit; now: Temporal.Instant; endsAt: Temporal.Instant }

/**
 * Of a fixed amount only that goes back which the charges that remain, less what the coupons before it take, would not have used. A coupon
 * that leaves changes of quantities out took nothing off what these charged, and as long as something of that is left, it goes back first.
 */
export const whatGoesBack = (
  paidWith: readonly PeriodCoupon[],
  credited: readonly Discountable[],
  moment: Moment,
): AppliedCoupon[] =>
  paidWith.flatMap((one, place) => {
    const applied = inTheMiddle(one)
    const { amount, excludeMidPeriodAllocations } = applied.coupon
    if (one.inPeriod === null || (amount === null && !excludeMidPeriodAllocations)) return [applied]
    const { taken, charged } = one.inPeriod
    const before = paidWith.slice(0, place).flatMap(asTaken)
    const takenOff = (own: readonly AppliedCoupon[], items: readonly Discountable[]): Cents =>
      discountsOf([...before, ...own], items, moment.unit).find(({ coupon }) => coupon.coupon.id === one.coupon.id)
        ?.shared ?? zeroCents
    if (amount === null) {
      return upTo(applied, Math.min(taken, takenOff([applied], discountedAmong(credited, charged, moment))))
    }
    const back = credited.map((item) => ({ ...item, amount: negate(item.amount) }))
    const remaining = excludeMidPeriodAllocations ? discountedOf(charged, back) : [...charged, ...back]
    return upTo(applied, taken - takenOff(asTaken(one), remaining))
  })

/** What is given back of the quantities that were there when a coupon took off. */
function discountedAmong(
  credited: readonly Discountable[],
  charged: readonly ChargedInPeriod[],
  moment: Moment,
): Discountable[] {
  const worth = new Map<number | null, number>()
  return credited.map((item) => {
    const { componentId, amount } = item
    const changes = charged.filter((one) => one.allocatedAt !== null && one.componentId === componentId)
    const undiscounted = worth.get(componentId) ?? worthOf(changes, moment)
    worth.set(componentId, Math.max(0, undiscounted - amount))
    const discounted = amount - undiscounted
    // Each of the changes was rounded, and a change that is undone leaves nothing over.
    return { ...item, amount: discounted <= changes.length * moment.unit ? zeroCents : cents(discounted) }
  })
}

/**
 * What is left, for the rest of the period, of the quantities by which it rose in changes since a coupon took off; those that came last
 * go first. Every change was for the time from its moment to the period's end, so that what it is worth per second is known.
 */
function worthOf(changes: readonly ChargedInPeriod[], { unit, now, endsAt }: Moment): number {
  const seconds = (from: Temporal.Instant): number => Math.max(1, endsAt.since(from).total('seconds'))
  let rate = 0
  let least = 0
  for (const { allocatedAt, amount } of changes) {
    rate += amount / seconds(allocatedAt ?? now)
    least = Math.min(least, rate)
  }
  return Math.round(((rate - least) * seconds(now)) / unit) * unit
}

/** Of each item that a coupon took something off, how much of it remains when something is given back. */
const discountedOf = (charged: readonly ChargedInPeriod[], back: readonly Discountable[]): Discountable[] =>
  charged
    .filter(({ allocatedAt }) => allocatedAt === null)
    .map((item) => {
      const isOfIt = ({ componentId, productId }: Discountable): boolean =>
        item.componentId === null
          ? componentId === null && productId === item.productId
          : componentId === item.componentId
      const all = sumCents([...charged, ...back].filter(isOfIt).map(({ amount }) => amount))
      return { ...item, amount: cents(Math.min(item.amount, all)) }
    })

/** A coupon of which there was as much as it has taken. */
function asTaken(one: PeriodCoupon): AppliedCoupon[] {
  const applied = inTheMiddle(one)
  return applied.coupon.amount === null || one.inPeriod === null ? [applied] : upTo(applied, one.inPeriod.taken)
}
