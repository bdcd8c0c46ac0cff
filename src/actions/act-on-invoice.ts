/** What a merchant does with an invoice: pays, credits or charges it by hand, or puts it away. */
import { decideAdjustment } from '../billing/adjustment.ts'
import type { Changes, Ids } from '../billing/changes.ts'
import { decideInvoiceCharge, type InvoiceCharge } from '../billing/invoice-charge.ts'
import { type Cents, negate } from '../billing/money.ts'
import { decideExternalPayment, type ExternalPayment } from '../billing/payment.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import { archiveInvoiceRow, findInvoice } from '../store/invoices.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, siteAndNow, write } from './app.ts'
import { changeByHand } from './change-by-hand.ts'

type Given = { amount: Cents; memo: string }
type Decide = (facts: SubscriptionFacts, now: Temporal.Instant, ids: Ids) => Changes

/** Gives the id of the payment in the ledger. What is too much stays as credit. */
export const payInvoice = (app: App, siteId: number, invoiceId: number, payment: ExternalPayment): Promise<number> =>
  actOnInvoice(app, siteId, invoiceId, (facts, now, ids) =>
    decideExternalPayment(facts, { ...payment, invoiceId }, now, ids),
  )

/** Gives the id of the adjustment, whose amount is negative. What is too much stays as credit. */
export const creditInvoice = (app: App, siteId: number, invoiceId: number, { amount, memo }: Given): Promise<number> =>
  actOnInvoice(app, siteId, invoiceId, (facts, now, ids) =>
    decideAdjustment(facts, { amount: negate(amount), memo, isTarget: false, invoiceId }, now, ids),
  )

/** Gives the id of the charge in the ledger. No card is asked. */
export const chargeInvoice = (app: App, siteId: number, invoiceId: number, charge: InvoiceCharge): Promise<number> =>
  actOnInvoice(app, siteId, invoiceId, (facts, now, ids) => decideInvoiceCharge(facts, invoiceId, charge, now, ids))

/** Refuses an invoice that the site does not have, and one that is paid or archived: it is a document that stands. */
async function actOnInvoice(app: App, siteId: number, invoiceId: number, decide: Decide): Promise<number> {
  const found = await findInvoice(app.db, siteId, invoiceId)
  if (found === undefined) throw notFound()
  return changeByHand(app, siteId, found.subscriptionId, (facts, now, ids) => {
    const state = facts.invoicing?.due.find(({ id }) => id === invoiceId)?.state ?? 'paid'
    if (state === 'paid' || state === 'archived') throw invalid(`Invoice: cannot be changed, since it is ${state}.`)
    return decide(facts, now, ids)
  })
}

/** Gives the invoice's id. Nothing is applied to it any more; what is due stays on the balance. Once more changes nothing. */
export const archiveInvoice = (app: App, siteId: number, invoiceId: number): Promise<number> =>
  write(app, async (tx) => {
    const found = await findInvoice(tx, siteId, invoiceId)
    if (found === undefined) throw notFound()
    await lockSubscriptions(tx, siteId, [found.subscriptionId])
    const { now } = await siteAndNow(app, tx, siteId)
    await archiveInvoiceRow(tx, siteId, invoiceId, now)
    return invoiceId
  })
