/** Decides to cancel a subscription: at once, at the end of its period, or not after all. */
import { Act } from './act.ts'
import { formatDay } from './calendar.ts'
import type { Changes, Ids } from './changes.ts'
import { noDunning } from './dunning.ts'
import { pendingCancellationChange } from './life-event.ts'
import { invalid } from './refusal.ts'
import { type CancellationMethod, may, momentOfAct, type Subscription, type SubscriptionFacts } from './subscription.ts'

/** What a request says of a cancellation; what is left out stays as it is, and null clears it. */
export type CancellationNotes = { message?: string | null; reasonCode?: string | null }

/** `method` is the merchant's program where nothing else is said. */
export type Cancellation = CancellationNotes & { method?: CancellationMethod }

/**
 * Balance, period and next assessment stay as they were, and nothing is refunded. Cancelling again keeps the first moment and
 * notes what is said of it. An immediate cancel clears a scheduled one; one that took place stays on record.
 */
export function decideCancellation(
  facts: SubscriptionFacts,
  { method = 'merchant_api', ...notes }: Cancellation,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription } = facts
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  const noted = withNotes(subscription, notes)
  if (subscription.state === 'canceled') return act.changes(noted)
  act.tellStates(['canceled'])
  return act.changes({
    ...noted,
    state: 'canceled',
    canceledAt: act.now,
    cancellationMethod: method,
    cancelAtEndOfPeriod: subscription.cancelAtEndOfPeriod === null ? null : false,
    delayedCancelAt: null,
    ...noDunning,
    nextProductId: null,
    onHoldAt: null,
    automaticallyResumeAt: null,
    initialBillingAt: null,
  })
}

const alreadyCanceled = 'The subscription is already canceled'

const withNotes = (subscription: Subscription, { message, reasonCode }: CancellationNotes): Subscription => ({
  ...subscription,
  ...(message !== undefined && { cancellationMessage: message }),
  ...(reasonCode !== undefined && { reasonCode }),
})

/** Refuses what has ended, and what is past due: whether it goes on that long is for the dunning to say. */
export function decideDelayedCancellation(
  facts: SubscriptionFacts,
  notes: CancellationNotes,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const act = new Act(facts, momentOfAct(facts.subscription, now), ids)
  return act.changes(withNotes(scheduleCancellation(act, facts.subscription), notes))
}

/** Without effect where nothing is scheduled, or took place already. */
export function decideNoCancellation(facts: SubscriptionFacts, now: Temporal.Instant, ids: Ids): Changes {
  const { subscription } = facts
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  const after = callOffCancellation(act, subscription)
  return after === subscription ? {} : act.changes(after)
}

export function scheduleCancellation(act: Act, subscription: Subscription): Subscription {
  const { state, cancelAtEndOfPeriod, currentPeriodEndsAt } = subscription
  if (cancelAtEndOfPeriod && state !== 'canceled') return subscription
  if (!may('cancelAtEndOfPeriod', state)) {
    throw invalid(
      state === 'canceled'
        ? alreadyCanceled
        : `Cancel at end of period: cannot be set on a subscription that is ${state}.`,
    )
  }
  const day = formatDay(currentPeriodEndsAt, act.facts.site.timeZone)
  act.events.push(pendingCancellationChange(act.subject, 'start', currentPeriodEndsAt, day))
  return { ...subscription, cancelAtEndOfPeriod: true, delayedCancelAt: currentPeriodEndsAt }
}

export function callOffCancellation(act: Act, subscription: Subscription): Subscription {
  if (!subscription.cancelAtEndOfPeriod || !may('assess', subscription.state)) return subscription
  const calledOff = subscription.delayedCancelAt ?? subscription.currentPeriodEndsAt
  act.events.push(pendingCancellationChange(act.subject, 'stop', calledOff, ''))
  return { ...subscription, cancelAtEndOfPeriod: false, delayedCancelAt: null }
}
