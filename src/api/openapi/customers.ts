/** What is said of customers, their stored cards and bank accounts, notes and reason codes. */

import { customerShape } from '../../views/customer.ts'
import { noteShape } from '../../views/note.ts'
import { paymentProfileShape } from '../../views/payment-profile.ts'
import { reasonCodeShape } from '../../views/reason-code.ts'
import type { JsonSchema } from '../../wire/input-schema.ts'
import { bankAccountChangeInput, bankAccountInput } from '../bank-account-input.ts'
import { cardChangeInput } from '../card-change-input.ts'
import { cardInput } from '../card-input.ts'
import { customerChangeInput, newCustomerInput } from '../customer-input.ts'
import { noteChangeInput, noteInput } from '../notes.ts'
import { cardOwnerInput, verificationInput } from '../payment-profiles.ts'
import { reasonCodeChangeInput, reasonCodeInput } from '../reason-codes.ts'
import { about, bareValue, type Descriptions, many, nothing, one, type Reply, sent } from './description.ts'
import { asked, dated, direction, flag, id, needed, paged } from './parameters.ts'

/** A value for each field, by the field's name. */
export const metafieldValues: JsonSchema = {
  type: ['object', 'null'],
  description: 'Values of metafields, by their names.',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
}

const customer = one('customer', customerShape)
const listed = many('customers', 'customer', customerShape) as readonly [Reply]

/** With `reference` the list is the older form of the lookup. */
const listedOrOne: readonly Reply[] = [
  {
    status: 200,
    json: { anyOf: [listed[0].json, customer[0]?.json] },
    xml: { anyOf: [listed[0].xml, customer[0]?.xml] },
  },
]

const customers = about('Customers', {
  'GET /customers': {
    id: 'listCustomers',
    summary: 'Lists or searches the customers of the site.',
    query: [
      ...paged(50),
      direction('asc'),
      asked('q', 'Words that are found in names, addresses, organizations and references.'),
      asked('reference', 'Shows the one customer with this reference instead of a list.'),
      ...dated,
    ],
    refuses: [404],
    answers: listedOrOne,
  },
  'POST /customers': {
    id: 'createCustomer',
    summary: 'Creates a customer.',
    input: sent('customer', newCustomerInput, { metafields: metafieldValues }),
    answers: one('customer', customerShape, 201),
  },
  'GET /customers/lookup': {
    id: 'lookUpCustomer',
    summary: 'Finds a customer by the reference that you gave.',
    query: [needed('reference', 'The reference.')],
    refuses: [404],
    answers: customer,
  },
  'GET /customers/:customer_id': { id: 'readCustomer', summary: 'Shows one customer.', answers: customer },
  'PUT /customers/:customer_id': {
    id: 'updateCustomer',
    summary: 'Changes a customer.',
    input: sent('customer', customerChangeInput),
    answers: customer,
  },
  'DELETE /customers/:customer_id': {
    id: 'deleteCustomer',
    summary: 'Deletes a customer who has no live subscriptions and owes nothing; with `cascade` any customer.',
    query: [
      flag(
        'cascade',
        'Deletes live subscriptions with the customer, and what is owed. Not while a payment is under way.',
      ),
    ],
    answers: nothing(204),
  },
})

const card = one('payment_profile', paymentProfileShape)
const oneCard = '/payment_profiles/:payment_profile_id'

const cards = about('Customers', {
  'GET /payment_profiles': {
    id: 'listPaymentProfiles',
    summary: 'Lists the stored cards and bank accounts of the site or of one customer.',
    query: [...paged(30), id('customer_id', 'Only those of this customer.')],
    answers: many('payment_profiles', 'payment_profile', paymentProfileShape),
  },
  'POST /payment_profiles': {
    id: 'createPaymentProfile',
    summary: "Stores a customer's card or bank account: its number, or the token of one that a vault keeps.",
    input: sent('payment_profile', [cardOwnerInput, bankAccountInput, cardInput]),
    answers: one('payment_profile', paymentProfileShape, 201),
  },
  [`GET ${oneCard}`]: { id: 'readPaymentProfile', summary: 'Shows one stored card or bank account.', answers: card },
  [`PUT ${oneCard}`]: {
    id: 'updatePaymentProfile',
    summary: 'Changes a stored card or bank account, which stays what it is.',
    input: sent('payment_profile', [bankAccountChangeInput, cardChangeInput]),
    answers: card,
  },
  [`DELETE ${oneCard}`]: {
    id: 'deletePaymentProfile',
    summary: 'Deletes a stored card or bank account that pays no subscription.',
    answers: nothing(204),
  },
  [`DELETE /subscriptions/:subscription_id${oneCard}`]: {
    id: 'removePaymentProfile',
    summary: 'Takes the card or bank account off a subscription.',
    answers: nothing(204),
  },
  [`POST /subscriptions/:subscription_id${oneCard}/change_payment_profile`]: {
    id: 'changePaymentProfile',
    summary: 'Makes another stored card or bank account pay a subscription.',
    answers: one('payment_profile', paymentProfileShape, 201),
  },
  'PUT /bank_accounts/:bank_account_id/verification': {
    id: 'verifyBankAccount',
    summary: 'Verifies a bank account by the amounts of two small deposits that were made into it.',
    input: sent('bank_account_verification', verificationInput),
    answers: card,
  },
})

const notes = '/subscriptions/:subscription_id/notes'
const note = one('note', noteShape)
const reasonCode = one('reason_code', reasonCodeShape)

const remarks = about('Customers', {
  [`GET ${notes}`]: {
    id: 'listNotes',
    summary: 'Lists the notes about a subscription.',
    query: paged(),
    answers: many('notes', 'note', noteShape),
  },
  [`POST ${notes}`]: {
    id: 'createNote',
    summary: 'Writes a note about a subscription.',
    input: sent('note', noteInput),
    answers: one('note', noteShape, 201),
  },
  [`GET ${notes}/:note_id`]: { id: 'readNote', summary: 'Shows one note.', answers: note },
  [`PUT ${notes}/:note_id`]: {
    id: 'updateNote',
    summary: 'Rewrites a note.',
    input: sent('note', noteChangeInput),
    answers: one('note', noteShape, 201),
  },
  [`DELETE ${notes}/:note_id`]: { id: 'deleteNote', summary: 'Deletes a note.', answers: nothing(200) },
  'GET /reason_codes': {
    id: 'listReasonCodes',
    summary: 'Lists the reason codes of the site in their order.',
    query: paged(),
    answers: many('reason_codes', 'reason_code', reasonCodeShape),
  },
  'POST /reason_codes': {
    id: 'createReasonCode',
    summary: 'Creates a reason code: why a subscription was canceled.',
    input: sent('reason_code', reasonCodeInput),
    answers: one('reason_code', reasonCodeShape, 201),
  },
  'GET /reason_codes/:reason_code_id': {
    id: 'readReasonCode',
    summary: 'Shows one reason code.',
    answers: reasonCode,
  },
  'PUT /reason_codes/:reason_code_id': {
    id: 'updateReasonCode',
    summary: 'Changes a reason code, or moves it to another position.',
    input: sent('reason_code', reasonCodeChangeInput),
    answers: reasonCode,
  },
  'DELETE /reason_codes/:reason_code_id': {
    id: 'deleteReasonCode',
    summary: 'Deletes a reason code.',
    answers: bareValue('result', { type: 'object', properties: { ok: { type: 'string' } }, required: ['ok'] }),
  },
})

export const customerDescriptions: Descriptions = { ...customers, ...cards, ...remarks }
