/** What the next renewal will write, without writing it: the renewal's own answer, read ahead. */
import { planActivation } from './activation.ts'
import { type Assessment, assess } from './assessment.ts'
import type { Period } from './calendar.ts'
import type { ProductTerms } from './catalog.ts'
import type { Component } from './component.ts'
import { dueFor } from './due.ts'
import { addCents, type Cents } from './money.ts'
import { invalid } from './refusal.ts'
import { leavesFreeTrial, nextPeriod } from './renewal.ts'
import { may, nextCollectionAt, type SubscriptionFacts } from './subscription.ts'

/** What the lines of an assessment are about. */
export type AboutLines = {
  product: ProductTerms
  components: readonly Component[]
  /** The time that is charged for in advance. */
  period: Period
  /** The time whose metered usage is billed; null where none is. */
  usagePeriod: Period | null
}

export type RenewalPreview = {
  nextAssessmentAt: Temporal.Instant
  assessment: Assessment
  existingBalance: Cents
  totalAmountDue: Cents
  about: AboutLines
}

/**
 * The renewal at the end of the current period, also of a subscription that is past due. It is empty where nothing will be charged
 * then: the subscription ends, or has ended, or its trial leads nowhere without a card.
 */
export function previewRenewal(facts: SubscriptionFacts): RenewalPreview {
  const { subscription } = facts
  if (subscription.state === 'awaiting_signup') return previewFirstBilling(facts)
  const renews =
    may('assess', subscription.state) && dueFor(subscription, subscription.currentPeriodEndsAt) === 'renewal'
  const next = renews ? nextPeriod(facts) : undefined
  const isEmpty = next === undefined || leavesFreeTrial(facts, next.assessment.total)
  const assessment = isEmpty ? assess([], facts.pricing, subscription.productId) : next.assessment
  return {
    nextAssessmentAt: renews ? subscription.currentPeriodEndsAt : nextCollectionAt(subscription),
    assessment,
    existingBalance: subscription.balance,
    totalAmountDue: addCents(subscription.balance, assessment.total),
    about: aboutPeriod(next?.facts ?? facts, next?.period ?? currentPeriodOf(facts)),
  }
}

const currentPeriodOf = ({ subscription }: SubscriptionFacts): Period => ({
  startsAt: subscription.currentPeriodStartedAt,
  endsAt: subscription.currentPeriodEndsAt,
})

/** Of a renewal: what is billed in arrears is that of the period before it. */
export const aboutPeriod = (facts: SubscriptionFacts, period: Period): AboutLines => ({
  product: facts.product,
  components: facts.pricing.components.map(({ component }) => component),
  period,
  usagePeriod: { startsAt: facts.subscription.currentPeriodStartedAt, endsAt: period.startsAt },
})

/** Of a sign-up that waits. Refuses one of which nobody has said when it begins. */
function previewFirstBilling(facts: SubscriptionFacts): RenewalPreview {
  const { balance: existingBalance, initialBillingAt } = facts.subscription
  if (initialBillingAt === null) throw invalid('This subscription has no date for its first billing yet.')
  const { assessment, period } = planActivation(facts, initialBillingAt)
  return {
    nextAssessmentAt: initialBillingAt,
    assessment,
    existingBalance,
    totalAmountDue: addCents(existingBalance, assessment.total),
    about: { ...aboutPeriod(facts, period), usagePeriod: null },
  }
}
