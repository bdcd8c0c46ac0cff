/** Decides a change of product without proration, now or at the next period; the current period stays as it is. */
import type { Act } from './act.ts'
import { addIntervals, type Interval, spanAfter } from './calendar.ts'
import { renewsMonthly } from './calendar-billing.ts'
import type { ProductTerms } from './catalog.ts'
import { priceChange, productChange } from './life-event.ts'
import { type AnchorFields, anchoredAt, anchorOf, type Subscription, type SubscriptionFacts } from './subscription.ts'

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

/**
 * Another price of the same product, from the next period on; it may change the length of the periods. A trial that runs goes on to
 * its end, and a change of product that is to come stays.
 */
export function changePrice(act: Act, subscription: Subscription, to: ProductTerms): Subscription {
  act.events.push(priceChange(act.subject, act.facts.product, to))
  const anchor = anchorOn(subscription, act.facts.product.interval, to.interval)
  return { ...subscription, ...anchor, productVersionNumber: to.versionNumber }
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

/** Calendar billing ends with a product that does not renew every month. */
const anchorOn = (subscription: Subscription, from: Interval, to: Interval): Partial<Subscription> => ({
  ...(!renewsMonthly({ interval: to }) && { snapDay: null }),
  ...(from.unit === to.unit && from.count === to.count ? {} : anchorFor(subscription, from, to)),
})

/**
 * From where the periods are counted when their length changes: on from where the next one starts, without forgetting the day of the
 * month and the time of day of the anchor, which a shorter month or a skipped hour hides. Once periods of days have passed, months are
 * counted from the next period's start; so it is where the next period does not start as the anchor has it.
 */
function anchorFor(subscription: Subscription, from: Interval, to: Interval): AnchorFields {
  const { anchorPeriodNumber, periodNumber, currentPeriodEndsAt, anchorTimeZone: timeZone } = subscription
  const next = periodNumber + 1
  const anchor = anchorOf(subscription)
  const elapsed = spanAfter(anchor, from, next - anchorPeriodNumber)
  const isForgotten = to.unit === 'month' && elapsed.days !== 0
  if (isForgotten || !addIntervals({ ...anchor, elapsed }, to, 0).equals(currentPeriodEndsAt)) {
    return anchoredAt({ at: currentPeriodEndsAt, timeZone }, next)
  }
  return anchoredAt({ ...anchor, elapsed }, next)
}
