/** When a customer may be deleted: what is still running or owed is not lost unless that is asked for. */
import { invalid } from './refusal.ts'
import { may, type Subscription } from './subscription.ts'

type Known = Pick<Subscription, 'id' | 'state' | 'balance' | 'collectingAttemptId'>

/**
 * Refuses while a payment is under way: what it captures could not be written to a ledger any more. Without `cascade` it refuses live
 * subscriptions and balances that are owed, too.
 */
export function refuseCustomerDeletion(subscriptions: readonly Known[], { cascade }: { cascade: boolean }): void {
  if (subscriptions.some(({ collectingAttemptId }) => collectingAttemptId !== null)) {
    throw invalid('Customer: cannot be deleted while a payment is under way.')
  }
  if (cascade) return
  const live = subscriptions.filter(({ state }) => !may('goWithCustomer', state))
  const owing = subscriptions.filter(({ balance }) => balance > 0)
  const problems = [
    ...(live.length > 0 ? [`Customer: cannot be deleted while subscriptions are live (${idsOf(live)}).`] : []),
    ...(owing.length > 0 ? [`Customer: cannot be deleted while something is owed (${idsOf(owing)}).`] : []),
  ]
  if (problems.length > 0) throw invalid(...problems, 'To delete all the same, ask for it with cascade=true.')
}

const idsOf = (subscriptions: readonly Known[]): string => subscriptions.map(({ id }) => id).join(', ')
