/** Decides what somebody asks for while a payment is missing: to try the card again, to wait no longer, to owe nothing. */
import { Act } from './act.ts'
import { revive } from './adjustment.ts'
import type { Changes, Ids } from './changes.ts'
import { succeedRenewal } from './collection.ts'
import { activeAgain } from './dunning.ts'
import { negate } from './money.ts'
import { collectFirst, noCardOnFile, refuseUnderWay } from './payment-attempt.ts'
import { invalid } from './refusal.ts'
import { may, momentOfAct, type SubscriptionFacts } from './subscription.ts'

/**
 * Collects the whole balance now, outside the dunning's attempts. What is active or in its trial stays as it is; what owes
 * nothing by its state is refused.
 */
export function decideRetry(facts: SubscriptionFacts, at: Temporal.Instant, ids: Ids): Changes {
  const { subscription, card } = facts
  const { state, balance, paymentCollectionMethod } = subscription
  if (state === 'active' || state === 'trialing') return {}
  if (!may('retry', state))
    throw invalid(`Only subscriptions that are past due or unpaid can be retried, and this one is ${state}.`)
  const act = new Act(facts, momentOfAct(subscription, at), ids)
  if (balance <= 0 || paymentCollectionMethod === 'invoice') return succeedRenewal(act, subscription, 'retry', null)
  if (card === null) throw invalid(noCardOnFile)
  return collectFirst(facts, card, { reason: 'retry', amount: balance, intent: { onRequest: true }, now: act.now }, ids)
}

/** Active again; what is owed waits for the next renewal. */
export function decideEndOfDunning(facts: SubscriptionFacts, at: Temporal.Instant, ids: Ids): Changes {
  const { subscription } = facts
  if (!may('cancelDunning', subscription.state)) {
    throw invalid('This subscription is not eligible to have its dunning canceled.')
  }
  refuseUnderWay(subscription)
  const act = new Act(facts, momentOfAct(subscription, at), ids)
  act.tellStates(['active'])
  return act.changes(activeAgain(subscription))
}

/** A credit for the whole balance; nothing where nothing is owed. A subscription whose payment failed is active again. */
export function decideBalanceReset(facts: SubscriptionFacts, at: Temporal.Instant, ids: Ids): Changes {
  const { subscription } = facts
  if (subscription.balance <= 0) return {}
  refuseUnderWay(subscription)
  const act = new Act(facts, momentOfAct(subscription, at), ids)
  act.ledger.write({ type: 'adjustment', amount: negate(subscription.balance), memo: 'Balance reset' })
  const after = revive(act, { ...subscription, openStatementTotal: act.openTotal() }, ['past_due', 'soft_failure'])
  act.settleOlderStatements()
  return act.changes(after)
}
