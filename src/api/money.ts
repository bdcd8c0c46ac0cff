/** Money by hand: charges, adjustments, credits, payments from elsewhere, refunds; each answers with the ledger row that it made. */
import type { App } from '../actions/app.ts'
import { createAdjustment } from '../actions/create-adjustment.ts'
import { createCharge } from '../actions/create-charge.ts'
import { createCredit } from '../actions/create-credit.ts'
import { recordPayment } from '../actions/record-payment.ts'
import { refundPayment } from '../actions/refund-payment.ts'
import { notFound } from '../billing/refusal.ts'
import { findSubscription } from '../store/subscriptions.ts'
import { findTransactionRecord } from '../store/transaction-records.ts'
import { entryShape, presentEntry } from '../views/entry.ts'
import { resource } from '../wire/answer.ts'
import { InputErrors, wrapped } from '../wire/input.ts'
import type { Route } from '../wire/request.ts'
import { acts, type Context, type Handler, idFrom, type Show } from './handler.ts'
import { readAdjustment, readCharge, readCredit, readPayment, readRefund } from './money-input.ts'

const show =
  (name: string): Show =>
  async (connection, site, id) => {
    const found = await findTransactionRecord(connection, site.id, id)
    return found && resource(201, name, presentEntry(found, site.timeZone), entryShape)
  }

/** That there is no such subscription comes before what is wrong with the request about it. */
const makes = <Sent>(
  name: string,
  read: (tree: object) => Sent,
  act: (app: App, siteId: number, subscriptionId: number, sent: Sent) => Promise<number>,
): Handler =>
  acts(async (app, request) => {
    const { site } = request.context
    const subscriptionId = idFrom(request, 'subscription_id')
    try {
      return await act(app, site.id, subscriptionId, read(wrapped(request.body, name)))
    } catch (error) {
      const isBadInput = error instanceof InputErrors
      if (isBadInput && !(await findSubscription(app.db, site.id, subscriptionId))) throw notFound()
      throw error
    }
  }, show(name))

const path = '/subscriptions/:subscription_id'

export const moneyRoutes: readonly Route<Context>[] = [
  { method: 'POST', path: `${path}/charges`, handler: makes('charge', readCharge, createCharge) },
  { method: 'POST', path: `${path}/adjustments`, handler: makes('adjustment', readAdjustment, createAdjustment) },
  { method: 'POST', path: `${path}/credits`, handler: makes('credit', readCredit, createCredit) },
  { method: 'POST', path: `${path}/payments`, handler: makes('payment', readPayment, recordPayment) },
  { method: 'POST', path: `${path}/refunds`, handler: makes('refund', readRefund, refundPayment) },
]
