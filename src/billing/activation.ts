/** Decides the first billing of a sign-up that waited: its trial or its first period begins once the money is in. */
import { Act } from './act.ts'
import { addHours, addIntervals, isAtOrBefore } from './calendar.ts'
import type { Changes, Ids, Intent, PaymentAttempt, Settle, SettledOutcome } from './changes.ts'
import { paymentEntry, writePayment } from './collection.ts'
import { gatewayErrorRetryHours } from './dunning.ts'
import { paymentFailure, paymentSuccess, signupSuccess } from './event.ts'
import { addCents, cents } from './money.ts'
import { beginPeriod, type PeriodPlan } from './new-period.ts'
import { chargedOnce } from './one-time.ts'
import { collectFirst, noCardOnFile } from './payment-attempt.ts'
import { recordPayment } from './reactivation.ts'
import { invalid } from './refusal.ts'
import { chargesComponents, feeWaits, planSignup, type SignupPlan } from './signup.ts'
import { may, momentOfAct, type Subscription, type SubscriptionFacts } from './subscription.ts'

/** Everything that is written once the money is in; plain JSON. */
type ActivationIntent = Intent & {
  plan: PeriodPlan
  feeWaits: boolean
  /** A payment that fails leaves the subscription waiting; else it is canceled. */
  revertsOnFailure: boolean
}

const failedMessage = 'The payment due at the first billing of a delayed signup failed.'

/** What the first billing would be at that moment; the billing itself and its previews read the same answer. */
export const planActivation = (
  { site, subscription, product, pricing }: SubscriptionFacts,
  at: Temporal.Instant,
): SignupPlan =>
  planSignup(
    {
      site,
      product,
      collectionMethod: subscription.paymentCollectionMethod,
      nextBillingAt: null,
      expiresAt: subscription.expiresAt,
      pricing,
    },
    at,
  )

/** The moment has come: it begins as of then, whenever somebody comes to it. What has expired meanwhile ends instead. */
export function decideActivationDue(
  facts: SubscriptionFacts,
  dueAt: Temporal.Instant,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription } = facts
  if (subscription.expiresAt !== null && isAtOrBefore(subscription.expiresAt, dueAt)) {
    const act = new Act(facts, now, ids)
    act.tellStates(['expired'])
    return act.changes({ ...subscription, state: 'expired', initialBillingAt: null, nextProductId: null })
  }
  const { intent, due } = priced(facts, dueAt, { revertsOnFailure: false })
  if (due <= 0) return activate(facts, intent, null, now, ids)
  if (facts.card === null) return cancel(new Act(facts, now, ids), subscription)
  return collectFirst(facts, facts.card, { reason: 'activation', amount: due, intent, now }, ids)
}

/** Begins it now, ahead of its moment. Refuses what has begun already, and money that there is no card for. */
export function decideActivation(
  facts: SubscriptionFacts,
  { revertsOnFailure }: { revertsOnFailure: boolean },
  at: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription, card } = facts
  if (!may('activate', subscription.state)) {
    throw invalid(
      `Only subscriptions that await their signup or are in a trial can be activated, and this one is ${subscription.state}.`,
    )
  }
  const now = momentOfAct(subscription, at)
  const { intent, due } = priced(facts, now, { revertsOnFailure })
  if (due <= 0) return activate(facts, intent, null, now, ids)
  if (card === null) throw invalid(noCardOnFile)
  return collectFirst(facts, card, { reason: 'activation', amount: due, intent, now }, ids)
}

function priced(facts: SubscriptionFacts, at: Temporal.Instant, { revertsOnFailure }: { revertsOnFailure: boolean }) {
  const { subscription } = facts
  const plan = planActivation(facts, at)
  const { period, anchor, anchorPeriodNumber, startsAs, assessment } = plan
  const once = chargesComponents(plan) ? chargedOnce(facts.pricing.components) : []
  const intent: ActivationIntent = {
    plan: {
      startsAt: period.startsAt.toString(),
      endsAt: period.endsAt.toString(),
      anchorAt: anchor.at.toString(),
      periodsToAnchor: anchorPeriodNumber - 1,
      isTrial: startsAs === 'trialing',
      lines: assessment.lines,
      total: assessment.total,
      usedCouponIds: assessment.usedCouponIds,
      ...(once.length > 0 && { chargedOnce: once }),
    },
    feeWaits: (facts.product.initialCharge ?? 0) > 0 && feeWaits(plan),
    revertsOnFailure,
  }
  const owed = addCents(subscription.balance, assessment.total)
  return { intent, due: subscription.paymentCollectionMethod === 'automatic' ? owed : cents(0) }
}

/**
 * Begins what was paid. A declined card cancels it, unless somebody asked for the activation and wants it to go on waiting. A gateway
 * that fails is nobody's fault: it is asked again every hour.
 */
export const decideActivationPayment: Settle = (facts, attempt, outcome, at, ids) => {
  const { subscription } = facts
  const now = momentOfAct(subscription, at)
  const intent = attempt.intent as ActivationIntent
  if (!may('activate', subscription.state)) return recordPayment(facts, attempt, outcome, now, ids)
  if (outcome.result === 'approved') return activate(facts, intent, { attempt, outcome }, now, ids)
  if (intent.revertsOnFailure) return recordPayment(facts, attempt, outcome, now, ids)
  const act = new Act(facts, now, ids)
  const freed: Subscription = { ...subscription, collectingAttemptId: null }
  if (outcome.result === 'error') {
    const isDue = subscription.initialBillingAt !== null && isAtOrBefore(subscription.initialBillingAt, now)
    return act.changes(isDue ? { ...freed, nextAssessmentAt: addHours(now, gatewayErrorRetryHours) } : freed)
  }
  const payment = writePayment(act, attempt, outcome)
  if (payment !== null) act.events.push(paymentFailure(act.subject, payment.amount, payment.id))
  return cancel(act, freed)
}

type Paid = { attempt: PaymentAttempt; outcome: SettledOutcome }

function activate(
  facts: SubscriptionFacts,
  { plan, feeWaits: initialChargeDue }: ActivationIntent,
  paid: Paid | null,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { site, subscription, product } = facts
  const act = new Act(facts, now, ids)
  const waited: Subscription = { ...subscription, initialBillingAt: null, collectingAttemptId: null }
  const { subscription: begun, rest } = beginPeriod(act, waited, plan, 'signup')
  const [charge] = act.ledger.rows
  const payment =
    paid && act.ledger.write({ ...paymentEntry(facts, paid.attempt, paid.outcome), periodNumber: begun.periodNumber })
  act.events.push(signupSuccess(act.subject, payment?.id ?? act.periodChargeId()))
  if (payment) act.events.push(paymentSuccess(act.subject, payment.amount, payment.id))
  act.tellStates([begun.state])
  const start = { at: begun.currentPeriodStartedAt, timeZone: site.timeZone }
  const revenue = payment?.amount ?? cents(0)
  const turned = act.turnStatement({
    ...begun,
    initialChargeDue,
    activatedAt: plan.isTrial ? null : start.at,
    expiresAt: subscription.expiresAt ?? (product.expiration && addIntervals(start, product.expiration, 1)),
    signupRevenue: revenue,
    totalRevenue: addCents(subscription.totalRevenue, revenue),
    signupPaymentId: payment?.id ?? charge?.id ?? 0,
  })
  // What was used while it waited is billed with the first renewal, as what a sign-up brings with it.
  const { billedUsage: _, ...written } = rest
  return { ...act.changes(turned), ...written }
}

function cancel(act: Act, subscription: Subscription): Changes {
  act.tellStates(['canceled'])
  return act.changes({
    ...subscription,
    state: 'canceled',
    initialBillingAt: null,
    canceledAt: act.now,
    cancellationMethod: 'dunning',
    cancellationMessage: failedMessage,
    nextProductId: null,
  })
}
