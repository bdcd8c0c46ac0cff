/** When a payment fails: how long we wait, how often we ask, and what becomes of the subscription. */
import { addHours, minOf } from './calendar.ts'
import type { DunningSettings } from './site.ts'
import type { Subscription, SubscriptionState } from './subscription.ts'

/** A gateway that cannot be used is nobody's fault: it is asked again every hour, and that is not one of the attempts. */
export const gatewayErrorRetryHours = 1

const dunningCancellationMessage = 'Canceled after failed automatic dunning process expired.'

/** `no_card` counts like a decline: there was nothing to ask with. */
export type Failure = 'declined' | 'error' | 'no_card'

/** What becomes of one failed attempt; `day` is that of the schedule, in whole days since the dunning began. */
type Step = { day: number; action: 'retry' | DunningSettings['finalAction'] }

/** How the dunning stands after another attempt of it failed; nothing comes next after the last one. */
export type DunningStep = {
  attempts: number
  since: Temporal.Instant
  lastAttemptedAt: Temporal.Instant
  current: Step
  next: Step | null
}

export type AfterFailure = { subscription: Subscription; passed: SubscriptionState[]; step?: DunningStep }

type FailureFacts = {
  failure: Failure
  /** The trial that just ended obliged the customer to nothing. */
  endsFreeTrial: boolean
  settings: DunningSettings
  now: Temporal.Instant
}

/**
 * The subscription after a failed collection, the states it passed through on the way, oldest first, and the step of the dunning
 * that was reached. The failure that begins a dunning is no step of it, unless it ends it too.
 */
export function afterFailedCollection(subscription: Subscription, facts: FailureFacts): AfterFailure {
  const { state } = subscription
  if (state !== 'trialing' && state !== 'active' && state !== 'soft_failure' && state !== 'past_due') {
    return { subscription, passed: [] }
  }
  if (facts.failure === 'error') return softFailure(subscription, facts.now)
  if (state === 'trialing' && facts.endsFreeTrial) return passThrough(subscription, ['unpaid'], null)
  return countAttempt(subscription, facts)
}

function softFailure(subscription: Subscription, now: Temporal.Instant): AfterFailure {
  const retryAt = addHours(now, gatewayErrorRetryHours)
  return passThrough(subscription, [subscription.state === 'past_due' ? 'past_due' : 'soft_failure'], retryAt)
}

function countAttempt(subscription: Subscription, { settings, now }: FailureFacts): AfterFailure {
  const dunningAttempts = subscription.dunningAttempts + 1
  const dunningSince = subscription.dunningSince ?? now
  const step: DunningStep = {
    attempts: dunningAttempts,
    since: dunningSince,
    lastAttemptedAt: now,
    current: stepOf(dunningAttempts, settings),
    next: dunningAttempts < settings.attempts ? stepOf(dunningAttempts + 1, settings) : null,
  }
  if (step.next === null) return { ...endDunning(subscription, settings, now), step }
  const retryAt = addHours(now, settings.intervalHours)
  const waiting = passThrough({ ...subscription, dunningAttempts, dunningSince }, ['past_due'], retryAt)
  return dunningAttempts === 1 ? waiting : { ...waiting, step }
}

const stepOf = (attempts: number, settings: DunningSettings): Step => ({
  day: Math.floor(((attempts - 1) * settings.intervalHours) / 24),
  action: attempts < settings.attempts ? 'retry' : settings.finalAction,
})

/** The last attempt failed too. */
function endDunning(subscription: Subscription, settings: DunningSettings, now: Temporal.Instant): AfterFailure {
  if (settings.finalAction === 'unpaid') {
    return passThrough({ ...subscription, ...noDunning }, ['past_due', 'unpaid'], null)
  }
  const canceled: Subscription = {
    ...subscription,
    ...noDunning,
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
): AfterFailure {
  const passed = states.filter((state) => state !== subscription.state)
  const state = states.at(-1) ?? subscription.state
  return { subscription: withRetry({ ...subscription, state }, retryAt), passed }
}

/** What a subscription says of its dunning while there is none. */
export const noDunning = { retryAt: null, dunningAttempts: 0, dunningSince: null } as const

/** Out of trouble: active, and nothing is dunned any more. */
export const activeAgain = (subscription: Subscription): Subscription =>
  withRetry({ ...subscription, ...noDunning, state: 'active' }, null)

/** Sets or clears the retry; what happens next is the earlier of it and the period's end. */
export const withRetry = (subscription: Subscription, retryAt: Temporal.Instant | null): Subscription => ({
  ...subscription,
  retryAt,
  nextAssessmentAt:
    retryAt === null ? subscription.currentPeriodEndsAt : minOf(retryAt, subscription.currentPeriodEndsAt),
})
