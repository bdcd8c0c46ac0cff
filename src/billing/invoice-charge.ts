/** A charge that a merchant adds to an invoice: it raises what is due, and no card is asked. */
import { Act } from './act.ts'
import { assess } from './assessment.ts'
import type { Changes, Ids } from './changes.ts'
import { chargeLine } from './line-item.ts'
import type { Cents } from './money.ts'
import { invalid } from './refusal.ts'
import { may, momentOfAct, type SubscriptionFacts } from './subscription.ts'
import { refuseCents } from './whole-units.ts'

export type InvoiceCharge = { amount: Cents; memo: string; taxable: boolean }

export function decideInvoiceCharge(
  facts: SubscriptionFacts,
  invoiceId: number,
  { amount, memo, taxable }: InvoiceCharge,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription, pricing } = facts
  if (!may('charge', subscription.state)) throw invalid('This subscription is not eligible to accept charges.')
  refuseCents(facts.site.currency, { Amount: amount })
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  const line = chargeLine('one_time', amount, memo, taxable)
  act.wishInvoice({ invoiceId })
  act.writeLines(assess([line], { ...pricing, coupons: [] }, subscription.productId).lines, subscription.periodNumber)
  return act.changes({ ...subscription, openStatementTotal: act.openTotal() })
}
