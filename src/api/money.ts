/** Money by hand: charges, adjustments, credits, payments from elsewhere, refunds; each answers with the ledger row that it made. */
import { createAdjustment } from '../actions/create-adjustment.ts'
import { createCharge } from '../actions/create-charge.ts'
import { createCredit } from '../actions/create-credit.ts'
import { recordPayment } from '../actions/record-payment.ts'
import { refundPayment } from '../actions/refund-payment.ts'
import { findSubscription } from '../store/subscriptions.ts'
import type { Route } from '../wire/request.ts'
import type { Context } from './handler.ts'
import { byForm, paysSubscription } from './later-invoices.ts'
import { makesFor } from './ledger-acts.ts'
import { readAdjustment, readCharge, readCredit, readPayment, readRefund } from './money-input.ts'

const makes = makesFor('subscription_id', (connection, site, id) => findSubscription(connection, site.id, id))

const path = '/subscriptions/:subscription_id'

export const moneyRoutes: readonly Route<Context>[] = [
  { method: 'POST', path: `${path}/charges`, handler: makes(['charge'], readCharge, createCharge) },
  { method: 'POST', path: `${path}/adjustments`, handler: makes(['adjustment'], readAdjustment, createAdjustment) },
  { method: 'POST', path: `${path}/credits`, handler: makes(['credit'], readCredit, createCredit) },
  {
    method: 'POST',
    path: `${path}/payments`,
    handler: byForm(makes(['payment'], readPayment, recordPayment), paysSubscription),
  },
  { method: 'POST', path: `${path}/refunds`, handler: makes(['refund'], readRefund, refundPayment) },
]
