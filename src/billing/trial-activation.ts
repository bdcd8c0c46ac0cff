/** Decides to end a trial now, ahead of its day: the first paid period begins at once. */
import { Act } from './act.ts'
import { isAtOrBefore } from './calendar.ts'
import type { Changes, Ids, Intent, PaymentAttempt, Settle, SettledOutcome } from './changes.ts'
import { paymentEntry } from './collection.ts'
import { paymentSuccess, renewalSuccess } from './event.ts'
import { productChange } from './life-event.ts'
import { addCents, cents } from './money.ts'
import { beginPeriod, type PeriodPlan, planPeriod } from './new-period.ts'
import { collectFirst, noCardOnFile } from './payment-attempt.ts'
import { withNextProduct } from './product-change.ts'
import { recordPayment } from './reactivation.ts'
import { invalid } from './refusal.ts'
import { decideAssessment, startingAt } from './renewal.ts'
import { momentOfAct, type Subscription, type SubscriptionFacts } from './subscription.ts'

/** Plain JSON. */
type TrialIntent = Intent & { endsTrial: true; plan: PeriodPlan }

/**
 * The period is charged first and begins once the money is in, so that a decline leaves the trial as it was. Without
 * `revertsOnFailure` it is the end of the trial as on its day, with all that follows from a decline. Refuses a trial that
 * has begun in this very second or ends with a cancellation.
 */
export function decideTrialActivation(
  facts: SubscriptionFacts,
  { revertsOnFailure }: { revertsOnFailure: boolean },
  at: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription, card } = facts
  const now = momentOfAct(subscription, at)
  if (isAtOrBefore(now, subscription.currentPeriodStartedAt)) throw invalid('This trial has only just begun.')
  if (subscription.cancelAtEndOfPeriod) throw invalid('This subscription is canceled at the end of its trial.')
  if (!revertsOnFailure) {
    const ending = { ...subscription, ...startingAt(subscription, now), trialEndedAt: now, nextAssessmentAt: now }
    const changes = decideAssessment({ ...facts, subscription: ending }, now, ids)
    return { ...changes, movedPeriods: [endOfTrial(subscription, now)] }
  }
  const plan = planPeriod(withNextProduct(facts), now, { withTrial: false })
  const amount = addCents(subscription.balance, plan.total)
  if (amount <= 0 || subscription.paymentCollectionMethod === 'invoice') return begin(facts, plan, null, now, ids)
  if (card === null) throw invalid(noCardOnFile)
  const intent: TrialIntent = { endsTrial: true, plan }
  return collectFirst(facts, card, { reason: 'activation', amount, intent, now }, ids)
}

const endOfTrial = ({ id: subscriptionId, periodNumber: number }: Subscription, endsAt: Temporal.Instant) => ({
  subscriptionId,
  number,
  endsAt,
})

/** Writes the period that was paid, or nothing but the payment that failed. */
export const decideTrialActivationPayment: Settle = (facts, attempt, outcome, at, ids) => {
  const now = momentOfAct(facts.subscription, at)
  if (outcome.result === 'approved' && facts.subscription.state === 'trialing') {
    return begin(facts, (attempt.intent as TrialIntent).plan, { attempt, outcome }, now, ids)
  }
  return recordPayment(facts, attempt, outcome, now, ids)
}

function begin(
  before: SubscriptionFacts,
  plan: PeriodPlan,
  paid: { attempt: PaymentAttempt; outcome: SettledOutcome } | null,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const facts = withNextProduct(before)
  const startsAt = Temporal.Instant.from(plan.startsAt)
  const act = new Act(facts, now, ids)
  const ended = { ...facts.subscription, collectingAttemptId: null, trialEndedAt: startsAt, activatedAt: startsAt }
  const begun = beginPeriod(act, ended, plan, 'renewal')
  const { periodNumber } = begun.subscription
  const payment = paid && act.ledger.write({ ...paymentEntry(facts, paid.attempt, paid.outcome), periodNumber })
  if (facts !== before) act.events.push(productChange(new Act(before, now, ids).subject, facts.product))
  act.events.push(renewalSuccess(act.subject, payment?.id ?? act.periodChargeId()))
  if (payment) act.events.push(paymentSuccess(act.subject, payment.amount, payment.id))
  act.tellStates([begun.subscription.state])
  act.settleOlderStatements()
  const totalRevenue = addCents(ended.totalRevenue, payment?.amount ?? cents(0))
  const turned = act.turnStatement({ ...begun.subscription, totalRevenue })
  return { ...act.changes(turned), ...begun.rest, movedPeriods: [endOfTrial(before.subscription, startsAt)] }
}
