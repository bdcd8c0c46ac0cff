/** A charge that a merchant makes by hand: captured at once, from credit first if asked, or left on the balance for the renewal. */
import { Act } from './act.ts'
import { assert } from './assert.ts'
import { assess } from './assessment.ts'
import type { Changes, Ids, Settle } from './changes.ts'
import { writePayment } from './collection.ts'
import { paymentFailure, paymentSuccess } from './event.ts'
import type { TransactionKind } from './ledger.ts'
import { chargeLine, type LineItem } from './line-item.ts'
import { addCents, type Cents, cents } from './money.ts'
import { collectFirst, noCardOnFile } from './payment-attempt.ts'
import { invalid } from './refusal.ts'
import { type CollectionMethod, may, momentOfAct, type Subscription, type SubscriptionFacts } from './subscription.ts'
import { refuseCents } from './whole-units.ts'

export type Charge = {
  amount: Cents
  memo: string
  /** Takes what there is of credit first; without it the whole amount is captured, whatever the balance. */
  useNegativeBalance: boolean
  /** Captures nothing: the renewal collects it. */
  delayCapture: boolean
  /** Leaves the charge on the balance when it cannot be captured. */
  accrueOnFailure: boolean
  taxable: boolean
  /** Who collects this charge; null is whoever collects for the subscription. */
  collectionMethod: CollectionMethod | null
}

/** What the settlement of a captured charge needs; plain JSON. */
type ChargeIntent = { lines: readonly LineItem[]; memo: string; accrueOnFailure: boolean }

/** Gives the charge itself, or the payment that must be asked for first: then the charge is written with its outcome. */
export function decideCharge(facts: SubscriptionFacts, charge: Charge, now: Temporal.Instant, ids: Ids): Changes {
  const { subscription, card, pricing } = facts
  if (!may('charge', subscription.state)) throw invalid('This subscription is not eligible to accept charges.')
  refuseCents(facts.site.currency, { Amount: charge.amount })
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  const kind = charge.delayCapture ? 'delay_capture' : 'one_time'
  const line = chargeLine(kind, charge.amount, charge.memo, charge.taxable)
  const { lines, total } = assess([line], { ...pricing, coupons: [] }, subscription.productId)
  const due = captured(charge, subscription, total)
  if (due === 0 || (card === null && charge.accrueOnFailure)) {
    act.wishInvoice({ bills: 'event', method: charge.collectionMethod })
    act.writeLines(due === 0 ? lines : asKind('delay_capture', lines), subscription.periodNumber)
    if (due > 0 || charge.delayCapture) act.leaveToNextInvoice()
    if (due > 0) act.ledger.write({ type: 'info', amount: cents(0), memo: '' })
    return act.changes({ ...subscription, openStatementTotal: act.openTotal() })
  }
  if (card === null) throw invalid(noCardOnFile)
  const intent: ChargeIntent = { lines, memo: charge.memo, accrueOnFailure: charge.accrueOnFailure }
  return collectFirst(facts, card, { reason: 'charge', amount: due, intent, now: act.now }, ids)
}

/** What a gateway is asked for: nothing when somebody else collects, later or otherwise, or when credit covers it all. */
function captured(charge: Charge, subscription: Subscription, total: Cents): Cents {
  const method = charge.collectionMethod ?? subscription.paymentCollectionMethod
  if (charge.delayCapture || method === 'invoice') return cents(0)
  const credit = charge.useNegativeBalance ? Math.max(0, -subscription.balance) : 0
  return cents(Math.max(0, total - credit))
}

/** Taxes keep their kind; the charge itself says how it is collected. */
const asKind = (kind: TransactionKind, lines: readonly LineItem[]): LineItem[] =>
  lines.map((line) => (line.kind === 'one_time' ? { ...line, kind } : line))

/**
 * Approved: the charge and its payment. Failed: the payment alone, unless the gateway failed, and the charge too where it may accrue. What became of the
 * subscription while the gateway was asked does not matter: the charge was there first.
 */
export const decideChargeSettlement: Settle = (facts, attempt, outcome, now, ids) => {
  const { subscription } = facts
  assert(subscription.collectingAttemptId === attempt.id, 'only the attempt under way is settled')
  const { lines, memo, accrueOnFailure } = attempt.intent as ChargeIntent
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  const approved = outcome.result === 'approved'
  const accrues = !approved && accrueOnFailure
  act.wishInvoice({ bills: 'never' })
  if (approved) act.writeLines(lines, attempt.periodNumber)
  if (accrues) act.writeLines(asKind('delay_capture', lines), attempt.periodNumber)
  const first = act.ledger.rows[0]
  const ofCharge =
    approved && first !== undefined
      ? ({ kind: 'one_time', memo: `Payment for: ${memo}`, coversAfterId: first.id - 1 } as const)
      : {}
  const payment = writePayment(act, attempt, outcome, ofCharge)
  if (payment !== null) {
    act.events.push((approved ? paymentSuccess : paymentFailure)(act.subject, payment.amount, payment.id))
  }
  return act.changes({
    ...subscription,
    collectingAttemptId: null,
    totalRevenue: approved ? addCents(subscription.totalRevenue, attempt.amount) : subscription.totalRevenue,
    openStatementTotal: act.openTotal(),
  })
}
