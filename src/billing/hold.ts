/** Decides to put a subscription on hold, when it goes on by itself, and to take it up again. */
import { Act } from './act.ts'
import { addHours, isAtOrBefore, isBefore } from './calendar.ts'
import type { Changes, Ids, Intent, PaymentAttempt, Settle, SettledOutcome } from './changes.ts'
import { paymentEntry } from './collection.ts'
import { paymentSuccess, renewalSuccess } from './event.ts'
import { productChange } from './life-event.ts'
import { addCents, cents } from './money.ts'
import { beginPeriod, type PeriodPlan, planPeriod } from './new-period.ts'
import { collectFirst, refuseUnderWay } from './payment-attempt.ts'
import { withNextProduct } from './product-change.ts'
import { cannotBeCharged, recordPayment } from './reactivation.ts'
import { invalid } from './refusal.ts'
import { isTrialPeriod, may, momentOfAct, type Subscription, type SubscriptionFacts } from './subscription.ts'

/** A hold begins this long before the next billing date, and lasts this long, at least. */
const hoursMin = 24

/** Refuses other states, a subscription that is billed or ends soon, and one that is being collected for. */
export function decideHold(
  facts: SubscriptionFacts,
  resumeAt: Temporal.Instant | null,
  at: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription } = facts
  const now = momentOfAct(subscription, at)
  const isSoon = isBefore(subscription.currentPeriodEndsAt, addHours(now, hoursMin))
  if (!may('hold', subscription.state) || isSoon || subscription.cancelAtEndOfPeriod) {
    throw invalid('This subscription is not eligible to be put on hold.')
  }
  refuseUnderWay(subscription)
  const act = new Act(facts, now, ids)
  act.tellStates(['on_hold'])
  return act.changes(resumingAt({ ...subscription, state: 'on_hold', onHoldAt: now }, resumeAt, now))
}

/** Null: it stays on hold until somebody resumes it. */
export function decideHoldChange(
  facts: SubscriptionFacts,
  resumeAt: Temporal.Instant | null | undefined,
  at: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription } = facts
  if (!may('resume', subscription.state)) throw invalid('Subscription is not currently on hold.')
  if (resumeAt === undefined) return {}
  const now = momentOfAct(subscription, at)
  return new Act(facts, now, ids).changes(resumingAt(subscription, resumeAt, now))
}

/** While on hold, what happens next is the end of the hold; without one nothing does, and the billing date is shown. */
function resumingAt(subscription: Subscription, at: Temporal.Instant | null, now: Temporal.Instant): Subscription {
  if (at !== null && isBefore(at, addHours(now, hoursMin))) {
    throw invalid('Automatic resume date: must be at least 24 hours in the future.')
  }
  return { ...subscription, automaticallyResumeAt: at, nextAssessmentAt: at ?? subscription.currentPeriodEndsAt }
}

type ResumptionIntent = Intent & { plan: PeriodPlan }

/**
 * Before the billing date the dates stay. After it a full period is charged and begins now; where money is due, nothing happens before
 * it is in. What has expired meanwhile ends instead.
 */
export function decideResumption(facts: SubscriptionFacts, at: Temporal.Instant, ids: Ids): Changes {
  const { subscription, card } = facts
  if (!may('resume', subscription.state)) throw invalid('Only subscriptions that are on hold can be resumed.')
  const now = momentOfAct(subscription, at)
  const act = new Act(facts, now, ids)
  const resumed = { ...subscription, onHoldAt: null, automaticallyResumeAt: null }
  const nextAssessmentAt = subscription.currentPeriodEndsAt
  if (isBefore(now, subscription.currentPeriodEndsAt)) {
    const state = isTrialPeriod(subscription) ? 'trialing' : 'active'
    act.tellStates([state])
    return act.changes({ ...resumed, state, nextAssessmentAt })
  }
  if (subscription.expiresAt !== null && isAtOrBefore(subscription.expiresAt, now)) {
    act.tellStates(['expired'])
    return act.changes({ ...resumed, state: 'expired', nextAssessmentAt, nextProductId: null })
  }
  const plan = planPeriod(withNextProduct(facts), now, { withTrial: false })
  const amount = addCents(subscription.balance, plan.total)
  if (amount <= 0 || subscription.paymentCollectionMethod === 'invoice') return restart(facts, plan, null, now, ids)
  if (card === null) throw invalid(cannotBeCharged)
  const intent: ResumptionIntent = { plan }
  return collectFirst(facts, card, { reason: 'resumption', amount, intent, now }, ids)
}

/** Writes the resumption that was paid, or nothing but the payment that failed. */
export const decideResumptionPayment: Settle = (facts, attempt, outcome, at, ids) => {
  const now = momentOfAct(facts.subscription, at)
  if (outcome.result === 'approved' && may('resume', facts.subscription.state)) {
    return restart(facts, (attempt.intent as ResumptionIntent).plan, { attempt, outcome }, now, ids)
  }
  return recordPayment(facts, attempt, outcome, now, ids)
}

function restart(
  before: SubscriptionFacts,
  plan: PeriodPlan,
  paid: { attempt: PaymentAttempt; outcome: SettledOutcome } | null,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const facts = withNextProduct(before)
  const { subscription } = facts
  const act = new Act(facts, now, ids)
  const resumed: Subscription = {
    ...subscription,
    onHoldAt: null,
    automaticallyResumeAt: null,
    collectingAttemptId: null,
    activatedAt: subscription.activatedAt ?? now,
  }
  const begun = beginPeriod(act, resumed, plan, 'resumption')
  const { periodNumber } = begun.subscription
  const payment = paid && act.ledger.write({ ...paymentEntry(facts, paid.attempt, paid.outcome), periodNumber })
  act.tellStates([begun.subscription.state])
  if (facts !== before) act.events.push(productChange(new Act(before, now, ids).subject, facts.product))
  act.events.push(renewalSuccess(act.subject, payment?.id ?? act.periodChargeId()))
  if (payment) act.events.push(paymentSuccess(act.subject, payment.amount, payment.id))
  act.settleOlderStatements()
  const totalRevenue = addCents(resumed.totalRevenue, payment?.amount ?? cents(0))
  const turned = act.turnStatement({ ...begun.subscription, totalRevenue })
  return { ...act.changes(turned), ...begun.rest }
}
