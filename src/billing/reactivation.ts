/** Decides to bring a subscription back that was canceled, given up as unpaid, or whose trial led nowhere. */
import { Act } from './act.ts'
import { isBefore } from './calendar.ts'
import type { Changes, Ids, Intent, PaymentAttempt, Settle, SettledOutcome } from './changes.ts'
import { paymentEntry, writePayment } from './collection.ts'
import type { AppliedCoupon, CouponRedemption } from './coupon.ts'
import { noDunning } from './dunning.ts'
import { paymentFailure, paymentSuccess } from './event.ts'
import { productChange } from './life-event.ts'
import { addCents, type Cents, cents, negate } from './money.ts'
import { beginPeriod, type PeriodPlan, planPeriod } from './new-period.ts'
import { collectFirst } from './payment-attempt.ts'
import { withNextProduct } from './product-change.ts'
import { invalid } from './refusal.ts'
import { newStatement, type Statement } from './statement.ts'
import { isTrialPeriod, may, momentOfAct, type Subscription, type SubscriptionFacts } from './subscription.ts'
import { counted, couponChanges, standingOf } from './subscription-coupon.ts'

export type Reactivation = {
  includeTrial: boolean
  /** Without it one adjustment brings the balance to 0 first, be it debt or credit. */
  preserveBalance: boolean
  /** Takes up the last period where it still lasts: same dates, no new charge, what is owed is collected. */
  resume: boolean
  /** Refuses to begin a new period. */
  requireResume: boolean
  /** With `resume`: nothing is collected for what was owed. */
  forgiveBalance: boolean
  /** Put on newly, in place of all that were on. */
  coupon: AppliedCoupon | null
}

/** Everything that is written once the money is in; plain JSON. No plan: the last period goes on. */
type ReactivationIntent = Intent & {
  plan: PeriodPlan | null
  keepsBalance: boolean
  coupon: NewCoupon | null
}

/** By these names the database counts it as a redemption that is under way. */
type NewCoupon = { couponId: number; couponCode: string; couponUsesAllowed: number | null }

export const cannotBeCharged = 'The credit card on file could not be charged.'
const wrongState = 'Cannot reactivate a subscription that is not marked "Canceled", "Unpaid", or "Trial Ended".'
const cannotResume = "Request was 'resume only', but this subscription cannot be resumed."

/**
 * Charges a full period at once, without a setup fee. Where money is due it gives the payment attempt alone: a decline must leave
 * nothing but the failed payment. Refuses other states, and money that there is no card for.
 */
export function decideReactivation(
  facts: SubscriptionFacts,
  wish: Reactivation,
  at: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription, card } = facts
  if (!may('reactivate', subscription.state)) throw invalid(wrongState)
  const now = momentOfAct(subscription, at)
  const lasts = subscription.periodNumber > 0 && isBefore(now, subscription.currentPeriodEndsAt)
  const resumes = (wish.resume || wish.requireResume) && lasts
  if (wish.requireResume && !resumes) throw invalid(cannotResume)
  const { intent, due } = priced(facts, wish, now, resumes)
  if (due === 0) return reactivate(facts, intent, null, now, ids)
  if (card === null) throw invalid(cannotBeCharged)
  return collectFirst(facts, card, { reason: 'reactivation', amount: due, intent, now }, ids)
}

function priced(
  facts: SubscriptionFacts,
  { includeTrial, preserveBalance, forgiveBalance, coupon }: Reactivation,
  now: Temporal.Instant,
  resumes: boolean,
): { intent: ReactivationIntent; due: Cents } {
  const { subscription, pricing } = facts
  const keepsBalance = resumes ? !forgiveBalance : preserveBalance
  const afresh: SubscriptionFacts = {
    ...facts,
    subscription: { ...subscription, initialChargeDue: false },
    pricing: {
      ...pricing,
      coupons: coupon ? [coupon] : pricing.coupons,
      // What was used in a period that was not finished is never billed.
      components: pricing.components.map((one) => ({ ...one, unitBalance: '0' })),
    },
  }
  const plan = resumes ? null : planPeriod(withNextProduct(afresh), now, { withTrial: includeTrial })
  const owed = addCents(keepsBalance ? subscription.balance : cents(0), plan?.total ?? cents(0))
  const collects = subscription.paymentCollectionMethod === 'automatic' && owed > 0
  return {
    intent: { plan, keepsBalance, coupon: coupon && newCouponOf(coupon) },
    due: collects ? owed : cents(0),
  }
}

/** Writes the reactivation that was paid, or nothing but the payment that failed. */
export const decideReactivationPayment: Settle = (facts, attempt, outcome, at, ids) => {
  const now = momentOfAct(facts.subscription, at)
  const { state } = facts.subscription
  // One that is active was unpaid, and paid another way meanwhile.
  const isWanted = may('reactivate', state) || state === 'active'
  if (outcome.result === 'approved' && isWanted) {
    return reactivate(facts, attempt.intent as ReactivationIntent, { attempt, outcome }, now, ids)
  }
  return recordPayment(facts, attempt, outcome, now, ids)
}

/** The payment and its event, if the gateway could be used; a payment that is in stays as credit. */
export const recordPayment: Settle = (facts, attempt, outcome, now, ids) => {
  const { subscription } = facts
  const act = new Act(facts, now, ids)
  const payment = writePayment(act, attempt, outcome)
  const approved = outcome.result === 'approved'
  if (payment !== null) {
    act.events.push((approved ? paymentSuccess : paymentFailure)(act.subject, payment.amount, payment.id))
  }
  const paid = approved ? attempt.amount : cents(0)
  if (approved) act.settleOlderStatements()
  return act.changes({
    ...subscription,
    collectingAttemptId: null,
    totalRevenue: addCents(subscription.totalRevenue, paid),
  })
}

type Paid = { attempt: PaymentAttempt; outcome: SettledOutcome }

function reactivate(
  before: SubscriptionFacts,
  { plan, keepsBalance, coupon }: ReactivationIntent,
  paid: Paid | null,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { facts, opened } = withStatement(plan === null ? before : withNextProduct(before), now, ids)
  const act = new Act(facts, now, ids)
  const { balance } = act.ledger
  if (!keepsBalance && balance !== 0) {
    act.ledger.write({ type: 'adjustment', amount: negate(balance), memo: 'Balance reset on reactivation' })
  }
  const back: Subscription = {
    ...facts.subscription,
    state: isTrialPeriod(facts.subscription) ? 'trialing' : 'active',
    canceledAt: null,
    cancellationMessage: null,
    cancellationMethod: null,
    reasonCode: null,
    cancelAtEndOfPeriod: false,
    delayedCancelAt: null,
    ...noDunning,
    nextAssessmentAt: facts.subscription.currentPeriodEndsAt,
    collectingAttemptId: null,
  }
  const begun = plan === null ? { subscription: back, rest: {} } : beginPeriod(act, back, plan, 'reactivation')
  const { periodNumber, state } = begun.subscription
  const payment = paid && act.ledger.write({ ...paymentEntry(facts, paid.attempt, paid.outcome), periodNumber })
  if (state !== before.subscription.state) act.tellStates([state])
  if (facts.product !== before.product) act.events.push(productChange(new Act(before, now, ids).subject, facts.product))
  if (payment) act.events.push(paymentSuccess(act.subject, payment.amount, payment.id))
  act.settleOlderStatements()
  const revenue = addCents(back.totalRevenue, payment?.amount ?? cents(0))
  const activatedAt = plan !== null && state === 'active' ? now : begun.subscription.activatedAt
  const settled = {
    ...begun.subscription,
    activatedAt,
    totalRevenue: revenue,
    ...(before.subscription.periodNumber === 0 && {
      signupRevenue: payment?.amount ?? cents(0),
      signupPaymentId: payment?.id ?? act.periodChargeId() ?? 0,
    }),
  }
  const turned = plan === null ? { ...settled, openStatementTotal: act.openTotal() } : act.turnStatement(settled)
  return { ...withOpened(act.changes(turned), opened), ...begun.rest, ...(coupon && putOn(facts, coupon, plan, now)) }
}

const newCouponOf = ({ coupon, code, usesAllowed }: AppliedCoupon): NewCoupon => ({
  couponId: coupon.id,
  couponCode: code,
  couponUsesAllowed: usesAllowed,
})

function putOn(
  { subscription, pricing }: SubscriptionFacts,
  { couponId, couponCode: code, couponUsesAllowed: usesAllowed }: NewCoupon,
  plan: PeriodPlan | null,
  createdAt: Temporal.Instant,
): Pick<Changes, 'redemptions' | 'subscriptionCoupons' | 'removedCoupons'> {
  const { siteId, id: subscriptionId } = subscription
  const redemption: CouponRedemption = { siteId, couponId, code, subscriptionId, createdAt }
  const after = counted([{ couponId, code, useCount: 0, usesAllowed }], plan?.usedCouponIds ?? [])
  // Also where nothing differs: the uses of those that were on are not written then.
  return {
    redemptions: [redemption],
    subscriptionCoupons: [],
    ...couponChanges(subscription, pricing.coupons.map(standingOf), after),
  }
}

/** A trial that ended for good left no statement open; its return opens one for what is written now. */
function withStatement(
  facts: SubscriptionFacts,
  now: Temporal.Instant,
  ids: Ids,
): { facts: SubscriptionFacts; opened: Statement | null } {
  const { subscription } = facts
  if (subscription.openStatementId !== null) return { facts, opened: null }
  const opened = newStatement(subscription.siteId, ids.statement(), subscription.id, now, subscription.balance)
  return {
    facts: { ...facts, subscription: { ...subscription, openStatementId: opened.id, openStatementTotal: cents(0) } },
    opened,
  }
}

/** A statement that was opened and closed by one act is written once, as it is in the end. */
function withOpened(changes: Changes, opened: Statement | null): Changes {
  if (opened === null) return changes
  const closing = changes.statements?.find(({ id }) => id === opened.id)
  const written: Statement = closing ? { ...opened, ...closing, total: closing.total ?? opened.total } : opened
  return {
    ...changes,
    statements: changes.statements?.filter(({ id }) => id !== opened.id) ?? [],
    newStatements: [written, ...(changes.newStatements ?? [])],
  }
}
