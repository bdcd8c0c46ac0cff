/** Records a payment that reached the merchant past every gateway: a cheque, a transfer, cash. */
import { decideExternalPayment, type ExternalPayment } from '../billing/payment.ts'
import type { App } from './app.ts'
import { changeByHand } from './change-by-hand.ts'

/** Gives the id of the payment in the ledger. */
export const recordPayment = (
  app: App,
  siteId: number,
  subscriptionId: number,
  payment: ExternalPayment,
): Promise<number> =>
  changeByHand(app, siteId, subscriptionId, (facts, now, ids) => decideExternalPayment(facts, payment, now, ids))
