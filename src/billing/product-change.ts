/** Decides a change of product without proration, now or at the next period; the current period stays as it is. */
import type { Act } from './act.ts'
import { addIntervals, type Interval } from './calendar.ts'
import { renewsMonthly } from './calendar-billing.ts'
import type { ProductTerms } from './catalog.ts'
import { productChange } from './life-event.ts'
import { anchorOf, type Subscription, type SubscriptionFacts } from './subscription.ts'

/** Anchors that keep the wall time are looked for this many intervals back: far enough for every month and leap year. */
const anchorSearchMax = 48

/**
 * The subscription on another product's terms. The next price is that of the new product; a setup fee that waits for a trial's end
 * is that of the new product too. A trial ends at once where the new product has none, without a charge: the billing date stays.
 */
export function onProduct(
  subscription: Subscription,
  from: ProductTerms,
  to: ProductTerms,
  now: Temporal.Instant,
): Subscription {
  const changed: Subscription = {
    ...subscription,
    ...anchorOn(subscription, from.interval, to.interval),
    productId: to.productId,
    productVersionNumber: to.versionNumber,
    nextProductId: null,
  }
  if (subscription.state !== 'trialing' || to.trial !== null) return changed
  return { ...changed, state: 'active', trialEndedAt: now, activatedAt: now, initialChargeDue: false }
}

/** Changes the product now and tells it: the end of a trial first. */
export function changeProduct(act: Act, subscription: Subscription, to: ProductTerms): Subscription {
  const changed = onProduct(subscription, act.facts.product, to, act.now)
  if (changed.state !== subscription.state) act.tellStates([changed.state])
  act.events.push(productChange(act.subject, to))
  return changed
}

/** The facts of the next period, for which a delayed change of product takes place. */
export function withNextProduct(facts: SubscriptionFacts): SubscriptionFacts {
  const { subscription, product, pricing } = facts
  const { nextProduct } = pricing
  if (nextProduct === null) return facts
  const changed = {
    ...subscription,
    ...anchorOn(subscription, product.interval, nextProduct.interval),
    productId: nextProduct.productId,
    productVersionNumber: nextProduct.versionNumber,
    nextProductId: null,
  }
  return { ...facts, subscription: changed, product: nextProduct, pricing: { ...pricing, nextProduct: null } }
}

type AnchorFields = Pick<Subscription, 'anchorAt' | 'anchorPeriodNumber'> & Partial<Pick<Subscription, 'snapDay'>>

/** Calendar billing ends with a product that does not renew every month. */
const anchorOn = (subscription: Subscription, from: Interval, to: Interval): AnchorFields => ({
  ...(!renewsMonthly({ interval: to }) && { snapDay: null }),
  ...anchorFor(subscription, from, to),
})

/**
 * From where the periods are counted when their length changes: on the same day of the month at the same time, so that month ends
 * come back; from the next period's start when the unit changes, or when no such day leads there.
 */
function anchorFor(subscription: Subscription, from: Interval, to: Interval): AnchorFields {
  const { anchorAt, anchorPeriodNumber, periodNumber, currentPeriodEndsAt } = subscription
  const nextNumber = periodNumber + 1
  const fresh = { anchorAt: currentPeriodEndsAt, anchorPeriodNumber: nextNumber }
  if (from.unit !== to.unit) return fresh
  if (from.count === to.count) return { anchorAt, anchorPeriodNumber }
  const units = (nextNumber - anchorPeriodNumber) * from.count
  const anchor = anchorOf(subscription)
  const candidates = Array.from({ length: anchorSearchMax }, (_, step) => {
    const intervals = Math.floor(units / to.count) + step
    const at = addIntervals(anchor, { count: 1, unit: to.unit }, units - intervals * to.count)
    return { anchorAt: at, anchorPeriodNumber: nextNumber - intervals }
  })
  const leads = candidates.filter((found) =>
    addIntervals({ ...anchor, at: found.anchorAt }, to, nextNumber - found.anchorPeriodNumber).equals(
      currentPeriodEndsAt,
    ),
  )
  const wall = (at: Temporal.Instant) => at.toZonedDateTimeISO(anchor.timeZone)
  const keepsTime = leads.filter((found) => wall(found.anchorAt).toPlainTime().equals(wall(anchorAt).toPlainTime()))
  if (to.unit === 'day') return keepsTime[0] ?? fresh
  const day = Math.max(...keepsTime.map((found) => wall(found.anchorAt).day))
  return keepsTime.find((found) => wall(found.anchorAt).day === day) ?? fresh
}
