/** A correction of the balance by hand, either way, and what follows when nothing is owed any more. */
import { Act } from './act.ts'
import type { Changes, Ids } from './changes.ts'
import { activeAgain } from './dunning.ts'
import { type Cents, cents } from './money.ts'
import { refuseUnderWay } from './payment-attempt.ts'
import { invalid } from './refusal.ts'
import { may, momentOfAct, type Subscription, type SubscriptionFacts, type SubscriptionState } from './subscription.ts'
import { refuseCents } from './whole-units.ts'

export type Adjustment = {
  amount: Cents
  memo: string
  /** The amount is what the balance becomes, not what is added to it. */
  isTarget: boolean
  /** A credit that names an invoice lowers that one; others lower the oldest first. */
  invoiceId?: number
}

/**
 * A balance of 0 or less brings a subscription whose payment failed back to life, but not one that was given up as unpaid. A target
 * waits for a payment that is under way, which would lead away from it.
 */
export function decideAdjustment(
  facts: SubscriptionFacts,
  { amount, memo, isTarget, invoiceId }: Adjustment,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription } = facts
  if (!may('adjust', subscription.state)) throw invalid('This subscription is not eligible to accept adjustments.')
  refuseCents(facts.site.currency, { Amount: amount })
  if (isTarget) refuseUnderWay(subscription)
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  if (invoiceId !== undefined) act.wishInvoice({ invoiceId })
  act.ledger.write({ type: 'adjustment', amount: isTarget ? cents(amount - subscription.balance) : amount, memo })
  const after = revive(act, { ...subscription, openStatementTotal: act.openTotal() }, ['past_due', 'soft_failure'])
  act.settleOlderStatements()
  return act.changes(after)
}

/**
 * Makes a subscription in one of these states active, and tells so, when the rows written so far leave nothing owed; also while a payment
 * is under way: approved it is credit, declined it was for nothing that is still owed.
 */
export function revive(act: Act, subscription: Subscription, from: readonly SubscriptionState[]): Subscription {
  if (act.ledger.balance > 0 || !from.includes(subscription.state)) return subscription
  act.tellStates(['active'])
  return activeAgain(subscription)
}
