/** Letters to customers and to the merchant: which are sent and whom they are from, and what has been sent. */
import { updateLetterSettings } from '../actions/update-letter-settings.ts'
import { letterKinds } from '../billing/letter.ts'
import { findLetter, findLetterSettings, type LetterSettings, listLetters } from '../store/letters.ts'
import { letterSettingsShape, letterShape, presentLetter, presentLetterSettings } from '../views/letter-record.ts'
import { list, resource } from '../wire/answer.ts'
import { boolean, email, object, readInput, text, wrappedChange } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, type Handler, type Show, shows, showsOwn } from './handler.ts'
import { readIdFilter, readWords } from './list-input.ts'

const required = true

export const letterSettingsInput = object({
  invitation: boolean('Invitation', { required }),
  receipt: boolean('Receipt', { required }),
  payment_failed: boolean('Payment failed', { required }),
  card_expiring: boolean('Card expiring', { required }),
  trial_ending: boolean('Trial ending', { required }),
  upcoming_renewal: boolean('Upcoming renewal', { required }),
  cancellation: boolean('Cancellation', { required }),
  webhook_endpoint_failing: boolean('Webhook endpoint failing', { required }),
  webhook_endpoint_recovered: boolean('Webhook endpoint recovered', { required }),
  subscription_parked: boolean('Subscription parked', { required }),
  gateway_failing: boolean('Gateway failing', { required }),
  gateway_recovered: boolean('Gateway recovered', { required }),
  late_payment_recorded: boolean('Late payment recorded', { required }),
  late_payment_given_back: boolean('Late payment given back', { required }),
  payment_unresolved: boolean('Payment unresolved', { required }),
  from_name: text('From name'),
  from_email: email('From email'),
  reply_to: email('Reply to'),
  merchant_email: email('Merchant email'),
}).partial()

/** What was sent, over what there was. Throws `InputErrors` with every problem at once. */
function readChange(body: unknown): (before: LetterSettings) => LetterSettings {
  const fields = readInput(letterSettingsInput, wrappedChange(body, 'letter_settings', 'Letter settings'))
  const over = (value: string | null | undefined, before: string | null): string | null =>
    value === undefined ? before : value?.trim() || null
  return (before) => ({
    switchedOff: letterKinds.filter((kind) => !(fields[kind] ?? !before.switchedOff.includes(kind))),
    fromName: over(fields.from_name, before.fromName),
    fromEmail: over(fields.from_email, before.fromEmail),
    replyTo: over(fields.reply_to, before.replyTo),
    merchantEmail: over(fields.merchant_email, before.merchantEmail),
  })
}

const showSettings: Show = async (connection, site) =>
  resource(
    200,
    'letter_settings',
    presentLetterSettings(await findLetterSettings(connection, site.id)),
    letterSettingsShape,
  )

const update: Act = (app, { context: { site }, body }) => updateLetterSettings(app, site.id, readChange(body))

const show: Show = async (connection, site, id) => {
  const letter = await findLetter(connection, site.id, id)
  return letter && resource(200, 'letter', presentLetter(letter, site.timeZone), letterShape)
}

const listPage: Handler = async ({ context: { app, site }, query }) => {
  const filter = { customerId: readIdFilter(query, 'customer_id'), kinds: readWords(query, 'kinds', letterKinds) }
  const found = await listLetters(app.db, site.id, filter, readPage(query))
  return list(
    'letters',
    'letter',
    found.map((letter) => presentLetter(letter, site.timeZone)),
    letterShape,
  )
}

export const letterRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/letters', handler: listPage },
  { method: 'GET', path: '/letters/settings', handler: showsOwn(showSettings) },
  { method: 'PUT', path: '/letters/settings', handler: acts(update, showSettings) },
  { method: 'GET', path: '/letters/:letter_id', handler: shows('letter_id', show) },
]
