/** Decides what happens when coupons are put on a subscription, or taken off it. */
import type { Changes } from './changes.ts'
import { type AppliedCoupon, asCouponCode, type CouponByCode, couponsMax, isUsedUp, newlyApplied } from './coupon.ts'
import { invalid } from './refusal.ts'
import { may, momentOfAct, type SubscriptionFacts } from './subscription.ts'
import { couponChanges, standingOf } from './subscription-coupon.ts'

/** One that is on the subscription and stays with its count, or one that is put on now. */
export type NextCoupon = { applied: AppliedCoupon; isNew: boolean }

const asNew = (asked: CouponByCode): NextCoupon => ({ applied: newlyApplied(asked), isNew: true })
const asKept = (applied: AppliedCoupon): NextCoupon => ({ applied, isNew: false })

/** They come after those that are on. One that is on already begins anew, in its place, also when it comes under another of its codes. */
export function withAdded(on: readonly AppliedCoupon[], asked: readonly CouponByCode[]): NextCoupon[] {
  const isOn = ({ coupon }: CouponByCode): boolean => on.some((one) => one.coupon.id === coupon.id)
  return [
    ...on.map((one) => {
      const again = asked.find(({ coupon }) => coupon.id === one.coupon.id)
      return again ? asNew(again) : asKept(one)
    }),
    ...asked.filter((one) => !isOn(one)).map(asNew),
  ]
}

/** They take the place of all that are on, in the order of the codes; one that is on under its code stays as it is. */
export const withExactly = (
  on: readonly AppliedCoupon[],
  asked: readonly CouponByCode[],
  codes: readonly string[],
): NextCoupon[] =>
  codes.flatMap((code) => {
    const present = on.find((one) => one.code === code)
    if (present) return [asKept(present)]
    return asked.filter((one) => one.code === code).map(asNew)
  })

/**
 * What speaks against coupons on one subscription, by their codes; empty when nothing does. One that is used up stands in nobody's way,
 * but for its place.
 */
export function whyNotTogether(on: readonly AppliedCoupon[]): string[] {
  if (on.length > couponsMax) return [`Coupon Codes: a subscription has ${couponsMax} coupons at most.`]
  const coupons = on.filter((one) => !isUsedUp(one))
  const ids = coupons.map(({ coupon }) => coupon.id)
  return coupons.flatMap((one, place) => {
    if (ids.indexOf(one.coupon.id) < place) return [codeRefused(one.code, 'Coupon is given twice.')]
    const stands = coupons.length === 1 || one.coupon.stackable
    return stands ? [] : [codeRefused(one.code, 'Coupon cannot be combined with others.')]
  })
}

export const codeRefused = (code: string, sentence: string): string => `Coupon Code: '${code}' - ${sentence}`

/**
 * Puts on what is new, with a count of 0, and takes off what is not named. Gives nothing at all when all stays as it is. Refuses coupons
 * that do not go together, and to put one on in a state in which nothing is charged any more.
 */
export function decideCoupons(facts: SubscriptionFacts, next: readonly NextCoupon[], now: Temporal.Instant): Changes {
  const at = momentOfAct(facts.subscription, now)
  const changed = changeCoupons(facts, next, at)
  return changed ? { subscription: { ...facts.subscription, updatedAt: at }, ...changed } : {}
}

type CouponChanges = Pick<Changes, 'subscriptionCoupons' | 'removedCoupons' | 'redemptions'>

/** The same as a part of another decision; undefined where all stays as it is. */
export function changeCoupons(
  { subscription, pricing }: SubscriptionFacts,
  next: readonly NextCoupon[],
  createdAt: Temporal.Instant,
): CouponChanges | undefined {
  const fresh = next.filter(({ isNew }) => isNew).map(({ applied }) => applied)
  if (fresh.length > 0 && !may('addCoupon', subscription.state)) {
    throw invalid(`A coupon cannot be added to a subscription that is ${subscription.state}.`)
  }
  const problems = fresh.length > 0 ? whyNotTogether(next.map(({ applied }) => applied)) : []
  if (problems.length > 0) throw invalid(...problems)
  const { siteId, id: subscriptionId } = subscription
  const after = next.map(({ applied }) => standingOf(applied))
  const changed = couponChanges(subscription, pricing.coupons.map(standingOf), after)
  if (fresh.length === 0 && Object.keys(changed).length === 0) return undefined
  return {
    ...changed,
    ...(fresh.length > 0 && {
      redemptions: fresh.map(({ coupon, code }) => ({ siteId, couponId: coupon.id, code, subscriptionId, createdAt })),
    }),
  }
}

/** It takes the place of all that are on. Its count starts at 0, also when it is the same code. */
export const decideAddCoupon = (facts: SubscriptionFacts, asked: CouponByCode, now: Temporal.Instant): Changes =>
  decideCoupons(facts, [asNew(asked)], now)

/** `code` names the coupon that is meant; null is all that there are. Undefined when there is no such coupon on it. */
export function decideRemoveCoupon(
  facts: SubscriptionFacts,
  code: string | null,
  now: Temporal.Instant,
): Changes | undefined {
  const { coupons } = facts.pricing
  const kept = code === null ? [] : coupons.filter((one) => one.code !== asCouponCode(code))
  return kept.length === coupons.length ? undefined : decideCoupons(facts, kept.map(asKept), now)
}
