/** Decides to move the next billing date, and the day on which a subscription expires. */
import type { Act } from './act.ts'
import { isAtOrBefore, withinBounds } from './calendar.ts'
import type { PeriodMove } from './changes.ts'
import { withRetry } from './dunning.ts'
import { billingDateChange, expirationDateChange } from './life-event.ts'
import { invalid } from './refusal.ts'
import { anchoredAt, isTrialPeriod, may, type Subscription } from './subscription.ts'

type Moved = { subscription: Subscription; period: PeriodMove }

/**
 * The period ends then, a trial too, and the periods after it are counted from there. Refuses a moment that has passed and a
 * subscription that is never billed again. With `expirationFollows` the expiration moves by the same amount. Calendar billing ends with it.
 */
export function moveBillingDate(
  act: Act,
  subscription: Subscription,
  to: Temporal.Instant,
  { expirationFollows }: { expirationFollows: boolean },
): Moved {
  if (!may('moveBillingDate', subscription.state)) {
    throw invalid(`Provided 'Next Billing' date cannot be set on a subscription that is ${subscription.state}.`)
  }
  if (isAtOrBefore(to, act.now)) throw invalid("Provided 'Next Billing' date must be in the future")
  const { id: subscriptionId, periodNumber, currentPeriodEndsAt: from, expiresAt } = subscription
  const { timeZone } = act.facts.site
  const moved: Subscription = {
    ...subscription,
    currentPeriodEndsAt: to,
    ...anchoredAt({ at: to, timeZone }, periodNumber + 1),
    snapDay: null,
    trialEndedAt: isTrialPeriod(subscription) ? to : subscription.trialEndedAt,
    delayedCancelAt: subscription.cancelAtEndOfPeriod ? to : subscription.delayedCancelAt,
  }
  act.events.push(billingDateChange(act.subject, from, to, timeZone))
  const followed =
    expirationFollows && expiresAt !== null
      ? moveExpiration(act, moved, withinBounds(expiresAt.add(from.until(to))))
      : moved
  return {
    subscription: withRetry(followed, subscription.retryAt),
    period: { subscriptionId, number: periodNumber, endsAt: to },
  }
}

/** Null means never. The next assessment stays where it is: expiration is looked at when a period ends. */
export function moveExpiration(act: Act, subscription: Subscription, to: Temporal.Instant | null): Subscription {
  act.events.push(expirationDateChange(act.subject, subscription.expiresAt, to, act.facts.site.timeZone))
  return { ...subscription, expiresAt: to }
}
