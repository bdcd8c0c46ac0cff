/** What the next renewal will write, without writing it: the renewal's own answer, read ahead. */
import { type Assessment, assess } from './assessment.ts'
import { dueFor } from './due.ts'
import { addCents, type Cents } from './money.ts'
import { leavesFreeTrial, nextPeriod } from './renewal.ts'
import { may, type SubscriptionFacts } from './subscription.ts'

export type RenewalPreview = {
  nextAssessmentAt: Temporal.Instant
  assessment: Assessment
  existingBalance: Cents
  totalAmountDue: Cents
}

/**
 * The renewal at the end of the current period, also of a subscription that is past due. It is empty where nothing will be charged
 * then: the subscription ends, or has ended, or its trial leads nowhere without a card.
 */
export function previewRenewal(facts: SubscriptionFacts): RenewalPreview {
  const { subscription } = facts
  const renews =
    may('assess', subscription.state) && dueFor(subscription, subscription.currentPeriodEndsAt) === 'renewal'
  const priced = renews ? nextPeriod(facts).assessment : undefined
  const assessment = priced === undefined || leavesFreeTrial(facts, priced.total) ? assess([], facts.pricing) : priced
  return {
    nextAssessmentAt: renews ? subscription.currentPeriodEndsAt : subscription.nextAssessmentAt,
    assessment,
    existingBalance: subscription.balance,
    totalAmountDue: addCents(subscription.balance, assessment.total),
  }
}
