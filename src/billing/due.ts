/** What a subscription is due for now. */
import { isAtOrBefore } from './calendar.ts'
import type { Subscription } from './subscription.ts'

export type Due = 'renewal' | 'delayed_cancel' | 'expiration' | 'retry'

/**
 * A period that has ended comes before a retry: its one payment of the whole balance is the same attempt.
 * Expiration is judged at the instant the period ended, so a period that was missed before it is still billed.
 */
export function dueFor(subscription: Subscription, now: Temporal.Instant): Due {
  const { currentPeriodEndsAt, expiresAt } = subscription
  if (!isAtOrBefore(currentPeriodEndsAt, now)) return 'retry'
  if (subscription.cancelAtEndOfPeriod) return 'delayed_cancel'
  if (expiresAt !== null && isAtOrBefore(expiresAt, currentPeriodEndsAt)) return 'expiration'
  return 'renewal'
}
