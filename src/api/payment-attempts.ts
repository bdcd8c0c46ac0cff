/** Payment attempts: list, read, and say what became of one that the gateway does not know. */
import { type Finding, resolvePayment } from '../actions/resolve-payment.ts'
import { type AttemptStatus, attemptStatuses } from '../billing/payment-attempt.ts'
import { notFound } from '../billing/refusal.ts'
import { findAttempt, listAttempts } from '../store/payment-attempts.ts'
import { paymentAttemptShape, presentPaymentAttempt } from '../views/payment-attempt.ts'
import { list, resource } from '../wire/answer.ts'
import { boolean, InputErrors, object, readInput, text, wrapped } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Query, Route } from '../wire/request.ts'
import { type Act, acts, type Context, type Handler, idFrom, type Show, shows, textFrom } from './handler.ts'

export const resolutionInput = object({
  captured: boolean('Captured', { required: true }),
  gateway_transaction_id: text('Gateway transaction'),
})

/** Throws `InputErrors` with every problem at once. */
function readFinding(body: unknown): Finding {
  const sent = readInput(resolutionInput, wrapped(body, 'resolution'))
  if (!sent.captured) return 'nothing'
  const gatewayTransactionId = sent.gateway_transaction_id?.trim()
  if (!gatewayTransactionId) throw new InputErrors(['Gateway transaction: cannot be blank.'])
  return { gatewayTransactionId }
}

function readStatus(query: Query): AttemptStatus | null {
  const sent = textFrom(query, 'status')
  if (sent === undefined) return null
  const status = attemptStatuses.find((known) => known === sent)
  if (status === undefined) throw new InputErrors([`Status: must be one of ${attemptStatuses.join(', ')}.`])
  return status
}

function readSubscription(query: Query): number | null {
  const sent = textFrom(query, 'subscription_id')
  if (sent === undefined) return null
  if (!/^\d{1,15}$/.test(sent)) throw new InputErrors(['Subscription: is not a number.'])
  return Number(sent)
}

const show: Show = async (connection, site, id) => {
  const attempt = await findAttempt(connection, site.id, id)
  return attempt && resource(200, 'payment_attempt', presentPaymentAttempt(attempt, site.timeZone), paymentAttemptShape)
}

const listPage: Handler = async ({ context: { app, site }, query }) => {
  const filter = { status: readStatus(query), subscriptionId: readSubscription(query) }
  const found = await listAttempts(app.db, site.id, filter, readPage(query))
  const presented = found.map((attempt) => presentPaymentAttempt(attempt, site.timeZone))
  return list('payment_attempts', 'payment_attempt', presented, paymentAttemptShape)
}

const resolve: Act = async (app, request) => {
  const { site } = request.context
  const id = idFrom(request, 'payment_attempt_id')
  if ((await findAttempt(app.db, site.id, id)) === undefined) throw notFound()
  return resolvePayment(app, site.id, id, readFinding(request.body))
}

const path = '/payment_attempts'

export const paymentAttemptRoutes: readonly Route<Context>[] = [
  { method: 'GET', path, handler: listPage },
  { method: 'GET', path: `${path}/:payment_attempt_id`, handler: shows('payment_attempt_id', show) },
  { method: 'PUT', path: `${path}/:payment_attempt_id/resolution`, handler: acts(resolve, show) },
]
