/** A payment that reached the merchant past every gateway, recorded by hand. */
import { Act } from './act.ts'
import { revive } from './adjustment.ts'
import type { Changes, Ids } from './changes.ts'
import { paymentSuccess } from './event.ts'
import { addCents, type Cents } from './money.ts'
import { momentOfAct, type SubscriptionFacts } from './subscription.ts'
import { refuseCents } from './whole-units.ts'

export const paymentMethods = ['credit_card', 'check', 'cash', 'money_order', 'ach', 'other'] as const

/** How it was made, and on which day (YYYY-MM-DD) it was received. */
export type PaymentMethod = {
  method: (typeof paymentMethods)[number]
  details: string | null
  receivedOn: string | null
}

/** One that names an invoice pays that one; others pay the oldest first. */
export type ExternalPayment = { amount: Cents; memo: string; invoiceId?: number; made?: PaymentMethod }

/** Taken in every state: money is money. What is paid too much stays as credit. */
export function decideExternalPayment(
  facts: SubscriptionFacts,
  { amount, memo, invoiceId, made }: ExternalPayment,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription } = facts
  refuseCents(facts.site.currency, { Amount: amount })
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  if (invoiceId !== undefined) act.wishInvoice({ invoiceId })
  const payment = act.ledger.write({ type: 'payment', kind: 'manual', amount, memo })
  const after = revive(act, subscription, ['past_due', 'soft_failure', 'unpaid'])
  act.events.push(paymentSuccess(act.subject, amount, payment.id))
  act.settleOlderStatements()
  const changes = act.changes({ ...after, totalRevenue: addCents(subscription.totalRevenue, amount) })
  if (made === undefined) return changes
  return { ...changes, externalPayment: { siteId: subscription.siteId, transactionId: payment.id, ...made } }
}
