/** Money given back: through the gateway that took it, or past every gateway; the balance stays as it is, the revenue goes down. */
import { Act } from './act.ts'
import type { Changes, Ids, Settle } from './changes.ts'
import { refundFailure, refundSuccess } from './event.ts'
import type { Entry, Transaction } from './ledger.ts'
import { addCents, type Cents, cents, formatMoneySign, negate } from './money.ts'
import { newAttempt } from './payment-attempt.ts'
import { invalid } from './refusal.ts'
import { momentOfAct, type SubscriptionFacts } from './subscription.ts'
import { refuseCents } from './whole-units.ts'

export type Refund = {
  amount: Cents
  memo: string
  /** The payment that is given back; an external refund may leave it open. */
  paymentId: number | null
  isExternal: boolean
}

/** What has been paid and what of it is gone already; a refund under way counts as gone. */
export type Refundable = {
  /** The payment that the refund names, if the subscription has such a payment and it succeeded. */
  payment: { transaction: Transaction; left: Cents } | null
  /** What refunds under way will take of the subscription's revenue. */
  underWay: Cents
}

/** What the settlement of a refund needs; plain JSON. */
export type RefundIntent = { paymentId: number; memo: string; gatewayTransactionId: string }

/** Gives the refund itself when it is external, or the attempt that asks the gateway for it. Never above what was paid. */
export function decideRefund(
  facts: SubscriptionFacts,
  refund: Refund,
  refundable: Refundable,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const act = new Act(facts, momentOfAct(facts.subscription, now), ids)
  if (refund.paymentId !== null && refundable.payment === null) throw invalid('Payment: could not be found.')
  refuseCents(facts.site.currency, { Amount: refund.amount })
  refuseTooMuch(facts, refund, refundable)
  const { amount, memo, paymentId } = refund
  if (refund.isExternal) {
    return giveBack(act, { type: 'refund', kind: 'manual', amount, memo, refundedPaymentId: paymentId }, null)
  }
  const payment = refundable.payment?.transaction
  if (payment === undefined) throw invalid('Payment: cannot be blank.')
  const { gatewayUsed, gatewayTransactionId, cardNumber, cardExpiration, cardType } = payment
  if (gatewayUsed === null || gatewayTransactionId === null) {
    throw invalid('Payment: was not taken by a gateway, so that its refund must be external.')
  }
  const intent: RefundIntent = { paymentId: payment.id, memo, gatewayTransactionId }
  const asked = { gateway: gatewayUsed, vaultToken: null, cardNumber, cardExpiration, cardType }
  const wish = { reason: 'refund', amount, asked, intent, now: act.now } as const
  return { attempt: newAttempt(facts, wish, ids) }
}

function refuseTooMuch({ site, subscription }: SubscriptionFacts, refund: Refund, refundable: Refundable): void {
  const leftOfAll = cents(subscription.totalRevenue - refundable.underWay)
  const left = cents(Math.min(leftOfAll, refundable.payment?.left ?? leftOfAll))
  if (refund.amount <= left) return
  const shown = formatMoneySign(cents(Math.max(0, left)), site.currency)
  throw invalid(`Amount: must be less than or equal to ${shown}, which is what is left to refund.`)
}

/** The subscription does not wait for a refund: whatever happened to it meanwhile stays. */
export const decideRefundSettlement: Settle = (facts, attempt, outcome, now, ids) => {
  const act = new Act(facts, momentOfAct(facts.subscription, now), ids)
  const { paymentId, memo } = attempt.intent as RefundIntent
  const entry = {
    type: 'refund',
    amount: attempt.amount,
    refundedPaymentId: paymentId,
    paymentAttemptId: attempt.id,
    gatewayUsed: attempt.gateway,
  } as const
  if (outcome.result === 'approved') return giveBack(act, { ...entry, memo }, outcome.gatewayTransactionId)
  const failed = act.ledger.write({ ...entry, success: false, memo: outcome.message })
  act.events.push(refundFailure(act.subject, attempt.amount, failed.id))
  return act.changes(facts.subscription)
}

function giveBack(act: Act, entry: Entry, gatewayTransactionId: string | null): Changes {
  const { subscription } = act.facts
  const refund = act.ledger.write(entry)
  act.events.push(refundSuccess(act.subject, refund.amount, refund.id, gatewayTransactionId))
  return act.changes({ ...subscription, totalRevenue: addCents(subscription.totalRevenue, negate(refund.amount)) })
}
