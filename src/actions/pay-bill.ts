/** Pays a bill by hand with money that came past every gateway. */
import type { BillRef } from '../billing/bill.ts'
import { decideExternalPayment, type ExternalPayment } from '../billing/payment.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import type { UnsettledStatement } from '../billing/statement.ts'
import { findStatementDetails } from '../store/statement-details.ts'
import { payInvoice } from './act-on-invoice.ts'
import type { App } from './app.ts'
import { changeByHand } from './change-by-hand.ts'

/**
 * Gives the id of the payment in the ledger. What is too much stays as credit. Of statements the oldest is paid first, so one that is not
 * the oldest unpaid one of its subscription is refused, as is what is paid or still pending.
 */
export async function payBill(
  app: App,
  siteId: number,
  { kind, id }: BillRef,
  payment: ExternalPayment,
): Promise<number> {
  if (kind === 'invoice') return payInvoice(app, siteId, id, payment)
  const found = await findStatementDetails(app.db, siteId, id)
  if (found === undefined) throw notFound()
  const { subscriptionId, closedAt } = found.statement
  return changeByHand(app, siteId, subscriptionId, (facts, now, ids) => {
    refuseUnlessOldest(id, facts.unsettledStatements, closedAt === null)
    return decideExternalPayment(facts, payment, now, ids)
  })
}

function refuseUnlessOldest(id: number, unsettled: readonly UnsettledStatement[], isOpen: boolean): void {
  const place = unsettled.findIndex((one) => one.id === id)
  if (place === 0) return
  if (place > 0) throw invalid('Invoice: an older one of the same subscription is to be paid first.')
  throw invalid(`Invoice: cannot be paid, since it is ${isOpen ? 'pending' : 'paid'}.`)
}
