/** The four fields that a merchant may rewrite, and that nothing follows from; and the beginning of a period that was billed elsewhere. */
import { isAtOrBefore } from './calendar.ts'
import type { Changes } from './changes.ts'
import { invalid, Refusal } from './refusal.ts'
import type { Subscription } from './subscription.ts'

type Rewritten = Pick<Subscription, 'activatedAt' | 'canceledAt' | 'cancellationMessage' | 'expiresAt'>
export type Override = Partial<Rewritten> & { currentPeriodStartedAt?: Temporal.Instant }

/** In the words that programs look for. */
export const unpermitted = (fields: readonly string[]): Refusal =>
  new Refusal('forbidden_fields', [`Unpermitted paramters in request: ${fields.join(', ')}`])

/**
 * No event, no other field, not even the time of the last change. The beginning of a period may be rewritten only where nothing was
 * billed for it: until the first renewal of an import, which prorates by it.
 */
export function decideOverride(subscription: Subscription, override: Override, now: Temporal.Instant): Changes {
  const { currentPeriodStartedAt: startedAt } = override
  const changes: Changes = { subscription: { ...subscription, ...override } }
  if (startedAt === undefined) return changes
  const {
    id: subscriptionId,
    periodNumber: number,
    signupPaymentId,
    snapDay,
    currentPeriodEndsAt: endsAt,
  } = subscription
  const isUnbilled = number === 1 && signupPaymentId === 0 && snapDay === null
  if (!isUnbilled) throw unpermitted(['current_period_starts_at'])
  if (isAtOrBefore(now, startedAt)) {
    throw invalid('Current period starts at: must be before current date and time')
  }
  return { ...changes, movedPeriods: [{ subscriptionId, number, endsAt, startedAt }] }
}
