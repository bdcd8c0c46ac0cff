/** A card as requests describe it: a number to be stored, or the token of one that a vault keeps already. */
import type { NewPaymentProfile } from '../actions/store-card.ts'
import { cardTypes, digitsIn, isCardNumber } from '../billing/payment-profile.ts'
import { type Command, integer, object, oneOf, readInput, text } from '../wire/input.ts'
import { refusedFields } from './refused-fields.ts'

const yearMin = 1970
const yearMax = 9999

/** The vaults that a token may be imported from: the test gateway's, and the five that the API knows by number. */
const vaults = ['bogus', 'vault_id_1', 'vault_id_2', 'vault_id_3', 'vault_id_4', 'vault_id_5'] as const

const billingFields = {
  billing_address: text('Billing address'),
  billing_address_2: text('Billing address 2'),
  billing_city: text('Billing city'),
  billing_state: text('Billing state'),
  billing_zip: text('Billing zip'),
  billing_country: text('Billing country'),
}

const ownerInput = object({ first_name: text('First name'), last_name: text('Last name'), ...billingFields })

/** What a change says of the owner and the address of a card or an account; what it is silent about is undefined. */
export const ownerChangeOf = (fields: Partial<Command<typeof ownerInput>>) => ({
  firstName: fields.first_name,
  lastName: fields.last_name,
  billingAddress: fields.billing_address,
  billingAddress2: fields.billing_address_2,
  billingCity: fields.billing_city,
  billingState: fields.billing_state,
  billingZip: fields.billing_zip,
  billingCountry: fields.billing_country,
})

const isPlausible = (sent: string | null | undefined): boolean =>
  given(sent) === null || isCardNumber(digitsIn(sent ?? ''))
const noSuchNumber = 'Credit card number: must be a valid credit card number.'

const numberSize = { max: 64 }
const months = { min: 1, max: 12 }
const years = { min: yearMin, max: yearMax }
const isEmptyOr = (form: RegExp) => (sent: string | null | undefined) => given(sent) === null || form.test(sent ?? '')

/** A number in the place of a token would be kept. The test gateway's own tokens are single digits. */
const tokenText = (label: string) =>
  text(label).refine(
    (sent) => digitsIn(sent ?? '').length < 12 || !isCardNumber(digitsIn(sent ?? '')),
    `${label}: must not be a card number.`,
  )

/** Fields in the order of the specification. Which of them are needed depends on whether a token is given. */
export const cardInput = object({
  first_name: text('First name'),
  last_name: text('Last name'),
  full_number: text('Credit card number', numberSize).refine(isPlausible, noSuchNumber),
  expiration_month: integer('Credit card expiration month', months),
  expiration_year: integer('Credit card expiration year', years),
  cvv: text('CVV', { max: 64 }).refine(isEmptyOr(/^\s*\d{3,4}\s*$/), 'CVV: must be three or four digits.'),
  ...billingFields,
  vault_token: tokenText('Vault token'),
  customer_vault_token: tokenText('Customer vault token'),
  current_vault: oneOf('Current vault', vaults),
  last_four: text('Last four', { max: 64 }).refine(isEmptyOr(/^\s*\d{4}\s*$/), 'Last four: must be four digits.'),
  card_type: oneOf('Card type', cardTypes),
  ...refusedFields.card,
})

const needed = { required: true } as const
const numberedCard = cardInput.extend({
  full_number: text('Credit card number', { ...needed, ...numberSize }).refine(isPlausible, noSuchNumber),
  expiration_month: integer('Credit card expiration month', { ...needed, ...months }),
  expiration_year: integer('Credit card expiration year', { ...needed, ...years }),
})
const importedCard = cardInput.omit({ full_number: true, cvv: true })

/** Null where nothing but blanks was sent. */
export const given = (value: string | null | undefined): string | null => value?.trim() || null

/** Throws `InputErrors` with every problem at once; they never repeat what was sent. `names` fill in for the card's own. */
export function readCard(tree: unknown, names: { firstName: string; lastName: string }): NewPaymentProfile {
  const { vault_token: vaultToken } = readInput(object({ vault_token: cardInput.shape.vault_token }), tree)
  return given(vaultToken) === null ? readNumbered(tree, names) : readImported(tree, names)
}

function readNumbered(tree: unknown, names: { firstName: string; lastName: string }): NewPaymentProfile {
  const fields = readInput(numberedCard, tree)
  const { expiration_month: expirationMonth, expiration_year: expirationYear } = fields
  const owner = ownerOf(fields, names)
  const { firstName, lastName } = owner
  const fullNumber = digitsIn(fields.full_number.trim())
  return {
    ...owner,
    number: { firstName, lastName, fullNumber, cvv: given(fields.cvv), expirationMonth, expirationYear },
    imported: null,
  }
}

function readImported(tree: unknown, names: { firstName: string; lastName: string }): NewPaymentProfile {
  const fields = readInput(importedCard, tree)
  return {
    ...ownerOf(fields, names),
    number: null,
    imported: {
      vaultToken: given(fields.vault_token) ?? '',
      currentVault: fields.current_vault ?? 'bogus',
      customerVaultToken: given(fields.customer_vault_token),
      lastFour: given(fields.last_four),
      cardType: fields.card_type ?? null,
      expirationMonth: fields.expiration_month ?? null,
      expirationYear: fields.expiration_year ?? null,
    },
  }
}

/** Whose it is and where its bills go; `names` fill in. */
export const ownerOf = (
  fields: Partial<Command<typeof ownerInput>>,
  names: { firstName: string; lastName: string },
) => ({
  firstName: given(fields.first_name) ?? names.firstName,
  lastName: given(fields.last_name) ?? names.lastName,
  billingAddress: fields.billing_address ?? null,
  billingAddress2: fields.billing_address_2 ?? null,
  billingCity: fields.billing_city ?? null,
  billingState: fields.billing_state ?? null,
  billingZip: fields.billing_zip ?? null,
  billingCountry: fields.billing_country ?? null,
})
