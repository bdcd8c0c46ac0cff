/** Money that a gateway took after its attempt had ended: it pays what is still owed, or is given back. It is never dropped. */
import { Act } from './act.ts'
import type { Changes, Ids, Outcome, PaymentAttempt } from './changes.ts'
import { paymentEntry, succeedRenewal } from './collection.ts'
import type { EventData, SiteEvent } from './event.ts'
import { type Cents, formatMoneySign } from './money.ts'
import { decideRefundSettlement } from './refund.ts'
import { momentOfAct, type SubscriptionFacts } from './subscription.ts'

type Approved = Extract<Outcome, { result: 'approved' }>

/** Nothing is decided while another payment is under way: what is owed then is not known. */
export type LateDecision = { does: 'record'; changes: Changes } | { does: 'give_back' } | { does: 'wait' }

/**
 * Written as the payment where the debt that it was asked for still stands in full; the same for a refund, whose money is gone. An
 * act that was refused for want of this payment was never done, so its money goes back. `facts` is undefined where the
 * subscription does not exist.
 */
export function decideLateApproval(
  facts: SubscriptionFacts | undefined,
  attempt: PaymentAttempt,
  approval: Approved,
  now: Temporal.Instant,
  ids: Ids,
): LateDecision {
  if (facts === undefined || attempt.reason === 'signup') return { does: 'give_back' }
  if (attempt.reason === 'refund') {
    const changes = decideRefundSettlement(facts, attempt, approval, now, ids)
    return { does: 'record', changes: told(changes, lateEvent(attempt, facts, 'late_payment_recorded', now)) }
  }
  const { subscription } = facts
  if (subscription.collectingAttemptId !== null) return { does: 'wait' }
  if (!isForDebt(attempt) || subscription.balance < attempt.amount) return { does: 'give_back' }
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  const payment = act.ledger.write(paymentEntry(facts, attempt, approval))
  const changes = succeedRenewal(act, subscription, 'retry', payment)
  return { does: 'record', changes: told(changes, lateEvent(attempt, facts, 'late_payment_recorded', act.now)) }
}

/** Whether the debt was on record before the gateway was asked, and stayed there when the attempt ended. */
function isForDebt({ reason, intent }: PaymentAttempt): boolean {
  switch (reason) {
    case 'renewal':
    case 'retry':
    case 'card_update':
      return true
    case 'charge':
      return intent?.accrueOnFailure === true
    default:
      return false
  }
}

const told = (changes: Changes, event: SiteEvent): Changes => ({
  ...changes,
  events: [...(changes.events ?? []), event],
})

const sentences = {
  late_payment_recorded: (what: string) =>
    `${what} was approved by the gateway after it had been given up, and is on record as paid`,
  late_payment_given_back: (what: string) =>
    `${what} was approved by the gateway after it had been given up, and has been given back`,
  payment_unresolved: (what: string) =>
    `Nobody knows what became of ${what.replace(/^A /, 'a ')}: the gateway has no record of it and cannot be asked again`,
} as const
export type LateEventKey = keyof typeof sentences

type Known = { currency: string; customerId: number | null; subscriptionId: number | null }

/** What merchants are told of a payment that did not end when it should have. */
export function paymentEvent(
  attempt: Pick<PaymentAttempt, 'siteId' | 'id' | 'subscriptionId' | 'amount' | 'reason' | 'gateway'>,
  { currency, customerId, subscriptionId }: Known,
  key: LateEventKey,
  at: Temporal.Instant,
): SiteEvent {
  const kind = attempt.reason === 'refund' ? 'refund' : 'payment'
  const what = `A ${kind} of ${formatMoneySign(attempt.amount as Cents, currency)} for subscription ${attempt.subscriptionId}`
  const data: EventData = {
    payment_attempt_id: attempt.id,
    amount_in_cents: attempt.amount,
    gateway: attempt.gateway,
    reason: attempt.reason,
  }
  const { siteId } = attempt
  return {
    siteId,
    key,
    message: sentences[key](what),
    subscriptionId,
    customerId,
    createdAt: at,
    eventSpecificData: data,
  }
}

const lateEvent = (
  attempt: PaymentAttempt,
  { site, subscription }: SubscriptionFacts,
  key: LateEventKey,
  at: Temporal.Instant,
) =>
  paymentEvent(
    attempt,
    { currency: site.currency, customerId: subscription.customerId, subscriptionId: subscription.id },
    key,
    at,
  )
