/** What an approved or failed payment does to a subscription: the ledger row, the state, the statement and the events. */
import { Act } from './act.ts'
import { assert } from './assert.ts'
import type { AttemptReason, Changes, Ids, Intent, PaymentAttempt, SettledOutcome } from './changes.ts'
import { fullName } from './customer.ts'
import { type AfterFailure, activeAgain, afterFailedCollection, type DunningStep, type Failure } from './dunning.ts'
import { dunningStepReached } from './dunning-event.ts'
import { paymentFailure, paymentSuccess, renewalFailure, renewalSuccess } from './event.ts'
import type { Entry, Transaction } from './ledger.ts'
import { addCents } from './money.ts'
import { may, momentOfAct, type Subscription, type SubscriptionFacts, type SubscriptionState } from './subscription.ts'

/** What a renewal leaves for its settlement: the product may be another one by then, and the charge is written already. */
export type RenewalIntent = Intent & { endsFreeTrial?: boolean; chargeId?: number | null }

/** Records the outcome of an attempt that was under way. The subscription may have been canceled meanwhile; money still counts. */
export function decideSettlement(
  facts: SubscriptionFacts,
  attempt: PaymentAttempt,
  outcome: SettledOutcome,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription } = facts
  assert(subscription.collectingAttemptId === attempt.id, 'only the attempt under way is settled')
  assert(attempt.reason !== 'signup', 'a sign-up settles before its subscription exists')
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  const payment = writePayment(act, attempt, outcome)
  const freed: Subscription = { ...subscription, collectingAttemptId: null }
  const intent = attempt.intent as RenewalIntent | null
  return outcome.result === 'approved'
    ? succeedRenewal(act, freed, attempt.reason, payment)
    : failRenewal(act, freed, attempt.reason, {
        failure: outcome.result,
        payment,
        endsFreeTrial: intent?.endsFreeTrial === true,
        periodChargeId: intent?.chargeId ?? null,
      })
}

/** The ledger row of a payment: with the card that was asked, and the gateway's words if it said no. */
export function paymentEntry(
  { site, product, customer }: SubscriptionFacts,
  attempt: PaymentAttempt,
  outcome: SettledOutcome,
): Entry {
  const approved = outcome.result === 'approved'
  const occasion = attempt.reason === 'signup' || attempt.reason === 'activation' ? 'Signup' : 'Renewal'
  return {
    siteId: site.id,
    type: 'payment',
    success: approved,
    amount: attempt.amount,
    memo: approved ? `${fullName(customer)} - ${product.name}: ${occasion} payment` : outcome.message,
    periodNumber: attempt.periodNumber,
    paymentAttemptId: attempt.id,
    gatewayUsed: attempt.gateway,
    gatewayTransactionId: approved ? outcome.gatewayTransactionId : null,
    cardNumber: attempt.cardNumber,
    cardExpiration: attempt.cardExpiration,
    cardType: attempt.cardType,
  }
}

/**
 * The row of a payment that was approved or declined; `change` goes over it. Null where the gateway itself failed: nothing was tried
 * with the card, so that neither ledger nor customer hears of it, and the attempt alone keeps what the gateway said.
 */
export const writePayment = (
  act: Act,
  attempt: PaymentAttempt,
  outcome: SettledOutcome,
  change: Partial<Entry> = {},
): Transaction | null =>
  outcome.result === 'error' ? null : act.ledger.write({ ...paymentEntry(act.facts, attempt, outcome), ...change })

/** A period or a retry that ends well: paid, or with nothing to pay (`payment` is null). */
export function succeedRenewal(
  act: Act,
  subscription: Subscription,
  reason: AttemptReason,
  payment: Transaction | null,
): Changes {
  // Credit that covers a period is no payment: what was given up as unpaid stays so until somebody asks for more.
  const isGivenUp = subscription.state === 'unpaid' && reason === 'renewal' && payment === null
  const state = may('assess', subscription.state) && !isGivenUp ? 'active' : subscription.state
  const passed = state === subscription.state ? [] : [state]
  const after = state === 'active' ? activeAgain(subscription) : subscription
  const paid = withRevenue(after, payment)
  if (reason === 'renewal') {
    act.events.push(renewalSuccess(act.subject, payment?.id ?? act.periodChargeId()))
    tellPayment(act, payment)
    act.tellStates(passed)
    act.settleOlderStatements()
    return act.changes(act.turnStatement(paid))
  }
  act.tellStates(passed)
  tellPayment(act, payment)
  act.settleOlderStatements()
  return act.changes({ ...paid, openStatementTotal: act.openTotal() })
}

const tellPayment = (act: Act, payment: Transaction | null): void => {
  if (payment !== null) act.events.push(paymentSuccess(act.subject, payment.amount, payment.id))
}

const withRevenue = (subscription: Subscription, payment: Transaction | null): Subscription =>
  payment === null
    ? subscription
    : { ...subscription, totalRevenue: addCents(subscription.totalRevenue, payment.amount) }

type Unpaid = {
  failure: Failure | 'not_tried'
  payment?: Transaction | null
  endsFreeTrial?: boolean
  /** Of a period that an earlier decision began. */
  periodChargeId?: number | null
}

/**
 * A period or a retry that was not paid. `not_tried` is for subscriptions that are no longer collected for; `endsFreeTrial` says that
 * the period before was a trial that obliged the customer to nothing. Where nothing is owed any more, because money came another way
 * while the gateway was asked, the failure is on record and nothing else comes of it: the period is paid.
 */
export function failRenewal(
  act: Act,
  subscription: Subscription,
  reason: AttemptReason,
  { failure, payment = null, endsFreeTrial = false, periodChargeId = null }: Unpaid,
): Changes {
  const after = afterFailure(act, subscription, reason, { failure, endsFreeTrial })
  const owesNothing = act.ledger.balance <= 0
  if (payment !== null) act.events.push(paymentFailure(act.subject, payment.amount, payment.id))
  if (reason === 'renewal') {
    const { subject } = act
    const chargeId = act.periodChargeId() ?? periodChargeId
    act.events.push(
      owesNothing
        ? renewalSuccess(subject, chargeId)
        : renewalFailure(subject, payment?.id ?? chargeId, failure === 'error'),
    )
  }
  if (after.step !== undefined) tellStep(act, after.step, { isTold: payment !== null || reason === 'renewal' })
  act.tellStates(after.passed)
  if (reason === 'renewal') return act.changes(act.turnStatement(after.subscription))
  return act.changes({ ...after.subscription, openStatementTotal: act.openTotal() })
}

/** Customers are written to of payments that failed and of renewals without one; a retry without a card is told to nobody. */
function tellStep({ events, facts, subject, ledger }: Act, step: DunningStep, { isTold }: { isTold: boolean }): void {
  const { site, card } = facts
  const sendsLetter = site.sendsFailedPaymentLetters && isTold
  const sendsNextLetter = site.sendsFailedPaymentLetters && card !== null
  events.push(dunningStepReached(subject, step, ledger.balance, { sendsLetter, sendsNextLetter }))
}

function afterFailure(
  act: Act,
  subscription: Subscription,
  reason: AttemptReason,
  { failure, endsFreeTrial = false }: Unpaid,
): AfterFailure {
  if (failure === 'not_tried') return { subscription, passed: [] }
  const { state } = subscription
  // A retry is for what is in trouble; what is active again was helped meanwhile.
  const isHelped = act.ledger.balance <= 0 || (reason === 'retry' && state === 'active')
  if (!isHelped) {
    const settings = act.facts.site.dunning
    return afterFailedCollection(subscription, { failure, endsFreeTrial, settings, now: act.now })
  }
  if (!may('assess', state) || state === 'unpaid') return { subscription, passed: [] }
  const passed: SubscriptionState[] = state === 'active' ? [] : ['active']
  return { subscription: activeAgain(subscription), passed }
}

/**
 * Records the outcome of a payment of the balance that somebody asked for, by `retry` or with a new card. It is none of the attempts
 * of the dunning: what was not approved leaves everything as it was.
 */
export function decideRequestedPayment(
  facts: SubscriptionFacts,
  attempt: PaymentAttempt,
  outcome: SettledOutcome,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription } = facts
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  const payment = writePayment(act, attempt, outcome)
  const freed: Subscription = { ...subscription, collectingAttemptId: null }
  if (outcome.result === 'approved') return succeedRenewal(act, freed, attempt.reason, payment)
  if (payment !== null) act.events.push(paymentFailure(act.subject, payment.amount, payment.id))
  return act.changes(freed)
}
