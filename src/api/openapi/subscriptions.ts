/** What is said of subscriptions: signing up, reading, changing, canceling, migrating, and the rehearsals. */
import { listedMethods, listedStates, subscriptionDates, subscriptionSorts } from '../../billing/subscription-list.ts'
import { migrationPreviewShape } from '../../views/migration.ts'
import { renewalPreviewShape, signupPreviewShape } from '../../views/preview.ts'
import { subscriptionShape } from '../../views/subscription.ts'
import { object } from '../../wire/input.ts'
import { inputSchema, type JsonSchema } from '../../wire/input-schema.ts'
import { bankAccountInput } from '../bank-account-input.ts'
import { cardChangeInput } from '../card-change-input.ts'
import { cardInput } from '../card-input.ts'
import { customerChangeInput, newCustomerInput } from '../customer-input.ts'
import { migrationInput } from '../migrations.ts'
import { renewalPreviewInput } from '../renewal-preview-input.ts'
import { signupInput } from '../signup-input.ts'
import { cancellationInput } from '../subscription-acts-input.ts'
import { updateInput } from '../subscription-update-input.ts'
import { metafieldValues } from './customers.ts'
import { about, many, one, sent } from './description.ts'
import { asked, daysOrMoments, direction, id, keyed, needed, paged, word } from './parameters.ts'

const either = inputSchema(object({ ...bankAccountInput.shape, ...cardInput.shape }))
const account: JsonSchema = {
  ...inputSchema(bankAccountInput),
  description: 'A bank account, with the same fields as in `payment_profile_attributes`.',
}

const card: JsonSchema = {
  ...either,
  description: 'A new card or bank account: its number, or the token of one that a vault keeps.',
}
const newCustomer = inputSchema(newCustomerInput)
const signup = sent('subscription', signupInput, {
  customer_attributes: {
    ...newCustomer,
    description: 'A customer who is made with the subscription.',
    properties: { ...(newCustomer.properties as object), metafields: metafieldValues },
  },
  payment_profile_attributes: card,
  credit_card_attributes: { ...card, description: 'Another name of `payment_profile_attributes`; only one of them.' },
  bank_account_attributes: account,
  metafields: metafieldValues,
})

const cardChange: JsonSchema = {
  ...either,
  description: 'With a number or a token a new card or bank account; else what changes of the one that there is.',
}
const update = sent('subscription', updateInput, {
  customer_attributes: { ...inputSchema(customerChangeInput), description: 'What changes of the customer.' },
  payment_profile_attributes: cardChange,
  credit_card_attributes: {
    ...inputSchema(cardChangeInput),
    description: 'Another name of `payment_profile_attributes`.',
  },
  bank_account_attributes: account,
})

const migration = sent('migration', migrationInput)
const path = '/subscriptions/:subscription_id'
const shown = one('subscription', subscriptionShape)

export const subscriptionDescriptions = about('Subscriptions', {
  'GET /subscriptions': {
    id: 'listSubscriptions',
    summary: 'Lists the subscriptions of the site, the newest first.',
    query: [
      ...paged(),
      direction('desc'),
      word('sort', subscriptionSorts, 'What decides the order.', 'created_at'),
      word('state', listedStates, 'Only those in this state, or about to be.'),
      id('customer_id', 'Only those of the customer with this id.'),
      asked(
        'q',
        'Words that are found in the customer, or the id of the customer or of the subscription, or its reference.',
      ),
      id('product', 'Only those to the product with this id.'),
      id('coupon', 'Only those with the coupon with this id on them.'),
      asked('coupon_code', 'Only those with a coupon on them that came by this code.'),
      id('product_revision_number', 'Only those on this version of the terms of their product.'),
      word('collection_method', listedMethods, 'Only those that are paid so; also as `payment_collection_method`.'),
      asked(
        'currencies',
        'Only those in one of these currencies, with commas between them; all are in that of the site.',
      ),
      keyed('metadata', 'Only those with this value in this field, as `metadata[color]=blue`.'),
      word('date_field', subscriptionDates, 'What the window is about.', 'created_at'),
      ...daysOrMoments,
    ],
    answers: many('subscriptions', 'subscription', subscriptionShape),
  },
  'POST /subscriptions': {
    id: 'createSubscription',
    summary: 'Signs a customer up to a product, and collects what is due at once.',
    input: signup,
    answers: one('subscription', subscriptionShape, 201),
  },
  'POST /subscriptions/preview': {
    id: 'previewSubscription',
    summary: 'Rehearses a sign-up: what it would bill now and at the next renewal. Writes nothing.',
    input: signup,
    answers: one('subscription_preview', signupPreviewShape),
  },
  'GET /subscriptions/lookup': {
    id: 'lookUpSubscription',
    summary: 'Finds a subscription by the reference that you gave.',
    query: [needed('reference', 'The reference.')],
    refuses: [404],
    answers: shown,
  },
  [`GET ${path}`]: {
    id: 'readSubscription',
    summary: 'Shows one subscription, with what its next billing comes to.',
    answers: shown,
  },
  [`PUT ${path}`]: {
    id: 'updateSubscription',
    summary: 'Changes a subscription: its product, dates, card, customer, components, notes.',
    input: update,
    answers: shown,
  },
  [`DELETE ${path}`]: {
    id: 'cancelSubscription',
    summary: 'Cancels a subscription at once.',
    input: sent('subscription', cancellationInput),
    answers: shown,
  },
  'GET /customers/:customer_id/subscriptions': {
    id: 'listSubscriptionsOfCustomer',
    summary: 'Lists the subscriptions of one customer.',
    answers: many('subscriptions', 'subscription', subscriptionShape),
  },
  [`POST ${path}/migrations`]: {
    id: 'migrateSubscription',
    summary: 'Changes the product now, with proration.',
    input: migration,
    answers: shown,
  },
  [`POST ${path}/migrations/preview`]: {
    id: 'previewMigration',
    summary: 'Rehearses a migration: what it would charge and credit. Writes nothing.',
    input: migration,
    answers: one('migration', migrationPreviewShape),
  },
  [`POST ${path}/renewals/preview`]: {
    id: 'previewRenewal',
    summary: 'Rehearses the next renewal: its lines and what they come to. Writes nothing.',
    input: sent('renewal_preview', renewalPreviewInput),
    answers: one('renewal_preview', renewalPreviewShape),
  },
})
