/** Payments as the later form of invoices describes them: how much, how it was made, when it was received. */

import { cents } from '../billing/money.ts'
import { type ExternalPayment, paymentMethods } from '../billing/payment.ts'
import {
  InputErrors,
  isTree,
  longTextMax,
  money,
  moneyInCents,
  object,
  oneOf,
  readInput,
  text,
  unsupported,
  wrapped,
} from '../wire/input.ts'
import { readDate } from './date-input.ts'
import { Problems } from './problems.ts'

const memo = text('Memo', { max: longTextMax })
const amounts = money('Amount')

export const invoicePaymentInput = object({
  ...amounts,
  memo,
  method: oneOf('Method', paymentMethods),
  details: text('Details', { max: longTextMax }),
  received_on: text('Received on'),
  payment_profile_id: unsupported('Payment profile id', 'a payment of an invoice is recorded, and no card is asked'),
})

export const subscriptionPaymentInput = object({
  ...amounts,
  memo,
  payment_details: text('Payment details', { max: longTextMax }),
  payment_method: oneOf('Payment method', paymentMethods),
})

type Sent = {
  amount?: number | null | undefined
  amount_in_cents?: number | null | undefined
  memo?: string | null | undefined
}

/** The last that is read, so it tells what else was wrong; `fields` are undefined where some could not be read. */
function readAmount(fields: Sent | undefined, problems: Problems): ExternalPayment {
  const amount = fields && moneyInCents(fields)
  if (amount === null) problems.add('Amount: is not a number.')
  if (typeof amount === 'number' && amount <= 0) problems.add('Amount: must be greater than 0.')
  problems.tell()
  return { amount: cents(amount ?? 0), memo: fields?.memo ?? '' }
}

/** Nothing but money from elsewhere is recorded here. */
function refuseTypes(body: unknown, problems: Problems): void {
  const type = isTree(body) ? body.type : undefined
  if (type === undefined || type === null || type === '' || type === 'external') return
  problems.add('Type: must be external; there are no prepayments and no service credits, and no card is asked here.')
}

type Moment = { now: Temporal.Instant; timeZone: string }

/** Throws `InputErrors` with every problem at once. */
export function readInvoicePayment(body: unknown, moment: Moment): ExternalPayment {
  const problems = new Problems()
  refuseTypes(body, problems)
  const fields = problems.gather(() => readInput(invoicePaymentInput, wrapped(body, 'payment')))
  const receivedOn = problems.gather(() => readPastDay(fields?.received_on, moment)) ?? null
  const payment = readAmount(fields, problems)
  return { ...payment, made: { method: fields?.method ?? 'other', details: fields?.details ?? null, receivedOn } }
}

/** The day on the site's calendar. */
function readPastDay(sent: string | null | undefined, { now, timeZone }: Moment): string | null {
  const at = readDate(sent, 'Received on', timeZone)
  if (!at) return null
  if (Temporal.Instant.compare(at, now) > 0) throw new InputErrors(['Received on: must not be in the future.'])
  return at.toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** Throws `InputErrors` with every problem at once. */
export function readSubscriptionPayment(body: unknown): ExternalPayment {
  const problems = new Problems()
  const fields = problems.gather(() => readInput(subscriptionPaymentInput, wrapped(body, 'payment')))
  const payment = readAmount(fields, problems)
  const made = { method: fields?.payment_method ?? 'other', details: fields?.payment_details ?? null, receivedOn: null }
  return { ...payment, made }
}
