/** When a payment fails: how long we wait, how often we ask, and what becomes of the subscription. */
import { addHours, minOf } from './calendar.ts'
import type { DunningSettings } from './site.ts'
import type { Subscription, SubscriptionState } from './subscription.ts'

/** A gateway that cannot be used is nobody's fault: it is asked again every hour, and that is not one of the attempts. */
const gatewayErrorRetryHours = 1

const dunningCancellationMessage = 'Canceled after failed automatic dunning process expired.'

/** `no_card` counts like a decline: there was nothing to ask with. */
export type Failure = 'declined' | 'error' | 'no_card'

type FailureFacts = {
  failure: Failure
  /** The trial that just ended obliged the customer to nothing. */
  endsFreeTrial: boolean
  settings: DunningSettings
  now: Temporal.Instant
}

/** The subscription after a failed collection, and the states it passed through on the way, oldest first. */
export function afterFailedCollection(
  subscription: Subscription,
  facts: FailureFacts,
): { subscription: Subscription; passed: SubscriptionState[] } {
  const { state } = subscription
  if (state !== 'trialing' && state !== 'active' && state !== 'soft_failure' && state !== 'past_due') {
    return { subscription, passed: [] }
  }
  if (facts.failure === 'error') return softFailure(subscription, facts.now)
  if (state === 'trialing' && facts.endsFreeTrial) return passThrough(subscription, ['unpaid'], null)
  return countAttempt(subscription, facts)
}

function softFailure(subscription: Subscription, now: Temporal.Instant): ReturnType<typeof afterFailedCollection> {
  const retryAt = addHours(now, gatewayErrorRetryHours)
  return passThrough(subscription, [subscription.state === 'past_due' ? 'past_due' : 'soft_failure'], retryAt)
}

function countAttempt(
  subscription: Subscription,
  { settings, now }: FailureFacts,
): ReturnType<typeof afterFailedCollection> {
  const dunningAttempts = subscription.dunningAttempts + 1
  if (dunningAttempts < settings.attempts) {
    const retryAt = addHours(now, settings.intervalHours)
    return passThrough({ ...subscription, dunningAttempts }, ['past_due'], retryAt)
  }
  if (settings.finalAction === 'unpaid') {
    return passThrough({ ...subscription, dunningAttempts: 0 }, ['past_due', 'unpaid'], null)
  }
  const canceled: Subscription = {
    ...subscription,
    dunningAttempts: 0,
    canceledAt: now,
    cancellationMethod: 'dunning',
    cancellationMessage: dunningCancellationMessage,
    nextProductId: null,
  }
  // Nothing is due in an end state, and its next assessment stays as it was.
  const ended = passThrough(canceled, ['past_due', 'canceled'], null)
  return { ...ended, subscription: { ...ended.subscription, nextAssessmentAt: subscription.nextAssessmentAt } }
}

/** Walks through the states given, leaving out the one it is in already; the last one stays. */
function passThrough(
  subscription: Subscription,
  states: readonly SubscriptionState[],
  retryAt: Temporal.Instant | null,
): ReturnType<typeof afterFailedCollection> {
  const passed = states.filter((state) => state !== subscription.state)
  const state = states.at(-1) ?? subscription.state
  return { subscription: withRetry({ ...subscription, state }, retryAt), passed }
}

/** Sets or clears the retry; what happens next is the earlier of it and the period's end. */
export const withRetry = (subscription: Subscription, retryAt: Temporal.Instant | null): Subscription => ({
  ...subscription,
  retryAt,
  nextAssessmentAt:
    retryAt === null ? subscription.currentPeriodEndsAt : minOf(retryAt, subscription.currentPeriodEndsAt),
})
