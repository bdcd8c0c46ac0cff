/** What is said of money by hand: on a subscription, and on an invoice. */

import { attemptStatuses } from '../../billing/payment-attempt.ts'
import { billShape } from '../../views/bill.ts'
import { invoiceShape } from '../../views/invoice.ts'
import { paidInvoicesShape } from '../../views/paid-invoices.ts'
import { paymentAttemptShape } from '../../views/payment-attempt.ts'
import { transactionShape } from '../../views/transaction.ts'
import { invoicePaymentInput, subscriptionPaymentInput } from '../later-payment-input.ts'
import {
  adjustmentInput,
  amountInput,
  chargeInput,
  invoiceChargeInput,
  memoInput,
  refundInput,
} from '../money-input.ts'
import { resolutionInput } from '../payment-attempts.ts'
import { about, bareOne, either, many, one, sent } from './description.ts'
import { asked, id, paged } from './parameters.ts'

const made = (name: string) => one(name, transactionShape, 201)
const amount = amountInput
const credit = [memoInput, amountInput]
const externalPayment = sent('payment', [memoInput, amount])
const subscription = '/subscriptions/:subscription_id'
const invoice = '/invoices/:invoice_id'
const attempts = '/payment_attempts'
const attempt = one('payment_attempt', paymentAttemptShape)

export const moneyDescriptions = about('Money', {
  [`POST ${subscription}/charges`]: {
    id: 'createCharge',
    summary: 'Charges a subscription once, and collects it unless it is left for later.',
    input: sent('charge', [chargeInput, amount]),
    answers: made('charge'),
  },
  [`POST ${subscription}/adjustments`]: {
    id: 'createAdjustment',
    summary: 'Corrects the balance by an amount, or to an amount.',
    input: sent('adjustment', [adjustmentInput, amount]),
    answers: made('adjustment'),
  },
  [`POST ${subscription}/credits`]: {
    id: 'createCredit',
    summary: 'Lowers the balance by a credit.',
    input: sent('credit', credit),
    answers: made('credit'),
  },
  [`POST ${subscription}/payments`]: {
    id: 'recordPayment',
    summary: 'Records a payment that came from elsewhere.',
    input: sent('payment', subscriptionPaymentInput),
    earlierInput: externalPayment,
    answers: either(made('payment'), bareOne('payment', paidInvoicesShape, 201)),
  },
  [`POST ${subscription}/refunds`]: {
    id: 'refundPayment',
    summary: 'Gives money back of a payment, at the gateway or outside of it.',
    input: sent('refund', [refundInput, amount]),
    answers: made('refund'),
  },
  [`GET ${attempts}`]: {
    id: 'listPaymentAttempts',
    summary: 'Lists what gateways were asked for, newest first.',
    query: [
      asked('status', 'Unresolved ones are those of which only a human can say what became.', {
        type: 'string',
        enum: [...attemptStatuses],
      }),
      id('subscription_id', 'Those of one subscription.'),
      ...paged(),
    ],
    answers: many('payment_attempts', 'payment_attempt', paymentAttemptShape),
  },
  [`GET ${attempts}/:payment_attempt_id`]: {
    id: 'readPaymentAttempt',
    summary: 'Shows one payment attempt.',
    answers: attempt,
  },
  [`PUT ${attempts}/:payment_attempt_id/resolution`]: {
    id: 'resolvePaymentAttempt',
    summary: 'Says what became of a payment that the gateway does not know and that cannot be asked for again.',
    input: sent('resolution', resolutionInput),
    answers: attempt,
  },
  [`POST ${invoice}/payments`]: {
    id: 'payInvoice',
    summary: 'Records a payment of an invoice; in the later form, where the site has it, the answer is the invoice.',
    input: { ...sent('payment', invoicePaymentInput), beside: { type: { type: 'string', enum: ['external'] } } },
    earlierInput: externalPayment,
    answers: either(made('payment'), bareOne('invoice', billShape, 201)),
  },
  [`POST ${invoice}/charges`]: {
    id: 'chargeInvoice',
    summary: 'Adds a charge to an invoice.',
    input: sent('charge', [invoiceChargeInput, amount]),
    answers: made('charge'),
  },
  [`POST ${invoice}/credits`]: {
    id: 'creditInvoice',
    summary: 'Lowers what is due on an invoice.',
    input: sent('credit', credit),
    answers: made('credit'),
  },
  [`POST ${invoice}/adjustments`]: {
    id: 'adjustInvoice',
    summary: 'Lowers what is due on an invoice; another name of a credit.',
    input: sent('adjustment', credit),
    answers: made('adjustment'),
  },
  [`PUT ${invoice}/archive`]: {
    id: 'archiveInvoice',
    summary: 'Archives an invoice: it is no longer owed.',
    answers: one('invoice', invoiceShape),
  },
})
