/** Decides to cancel a subscription at once. */
import { Act } from './act.ts'
import type { Changes, Ids } from './changes.ts'
import { momentOfAct, type Subscription, type SubscriptionFacts } from './subscription.ts'

export type Cancellation = { message: string | null; reasonCode: string | null }

/**
 * Balance, period and next assessment stay as they were, and nothing is refunded. Cancelling again keeps the first moment and
 * replaces (or clears) message and reason. An immediate cancel clears a scheduled one; one that took place stays on record.
 */
export function decideCancellation(
  facts: SubscriptionFacts,
  { message, reasonCode }: Cancellation,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription } = facts
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  const noted: Subscription = { ...subscription, cancellationMessage: message, reasonCode }
  if (subscription.state === 'canceled') return act.changes(noted)
  act.tellStates(['canceled'])
  return act.changes({
    ...noted,
    state: 'canceled',
    canceledAt: act.now,
    cancellationMethod: 'merchant_api',
    cancelAtEndOfPeriod: subscription.cancelAtEndOfPeriod === null ? null : false,
    delayedCancelAt: null,
    retryAt: null,
    dunningAttempts: 0,
  })
}
