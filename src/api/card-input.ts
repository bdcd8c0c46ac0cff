/** A card as requests describe it: a number to be stored, or the token of one that a vault keeps already. */
import type { NewPaymentProfile } from '../actions/store-card.ts'
import { cardTypes, isCardNumber } from '../billing/payment-profile.ts'
import { type Command, InputErrors, integer, object, oneOf, readInput, text } from '../wire/input.ts'

const yearMin = 1970
const yearMax = 9999

/** The vaults that a token may be imported from: the test gateway's, and the five that the API knows by number. */
export const vaults = ['bogus', 'vault_id_1', 'vault_id_2', 'vault_id_3', 'vault_id_4', 'vault_id_5'] as const

const billingFields = {
  billing_address: text('Billing address'),
  billing_address_2: text('Billing address 2'),
  billing_city: text('Billing city'),
  billing_state: text('Billing state'),
  billing_zip: text('Billing zip'),
  billing_country: text('Billing country'),
}

/** Fields in the order of the specification. What is needed depends on whether a token is given, so `readCard` asks for it. */
export const cardInput = object({
  first_name: text('First name'),
  last_name: text('Last name'),
  full_number: text('Credit card number', { max: 64 }),
  expiration_month: integer('Credit card expiration month', { min: 1, max: 12 }),
  expiration_year: integer('Credit card expiration year', { min: yearMin, max: yearMax }),
  cvv: text('CVV', { max: 4 }),
  ...billingFields,
  vault_token: text('Vault token'),
  customer_vault_token: text('Customer vault token'),
  current_vault: oneOf('Current vault', vaults),
  last_four: text('Last four', { max: 4 }),
  card_type: oneOf('Card type', cardTypes),
})
export type CardFields = Command<typeof cardInput>

/** Only what is blank counts as missing; a number may carry blanks and dashes between its groups. */
const given = (value: string | null | undefined): string | null =>
  value === undefined || value === null || value.trim() === '' ? null : value.trim()

/** Throws `InputErrors` with every problem. `names` fill in for the card's own when those are blank. */
export function readCard(tree: unknown, names: { firstName: string; lastName: string }): NewPaymentProfile {
  const fields = readInput(cardInput, tree)
  const problems = cardProblems(fields)
  if (problems.length > 0) throw new InputErrors(problems)
  const holder = {
    firstName: given(fields.first_name) ?? names.firstName,
    lastName: given(fields.last_name) ?? names.lastName,
  }
  const vaultToken = given(fields.vault_token)
  const { expiration_month: expirationMonth = null, expiration_year: expirationYear = null } = fields
  return {
    ...holder,
    billingAddress: fields.billing_address ?? null,
    billingAddress2: fields.billing_address_2 ?? null,
    billingCity: fields.billing_city ?? null,
    billingState: fields.billing_state ?? null,
    billingZip: fields.billing_zip ?? null,
    billingCountry: fields.billing_country ?? null,
    number:
      vaultToken === null && expirationMonth !== null && expirationYear !== null
        ? { ...holder, fullNumber: digitsOf(fields), cvv: given(fields.cvv), expirationMonth, expirationYear }
        : null,
    imported:
      vaultToken === null
        ? null
        : {
            vaultToken,
            currentVault: fields.current_vault ?? 'bogus',
            customerVaultToken: given(fields.customer_vault_token),
            lastFour: given(fields.last_four),
            cardType: fields.card_type ?? null,
            expirationMonth,
            expirationYear,
          },
  }
}

const digitsOf = (fields: CardFields): string => (given(fields.full_number) ?? '').replace(/[ -]/g, '')

/** In the order of the specification's fields; never repeats what was sent. */
function cardProblems(fields: CardFields): string[] {
  if (given(fields.vault_token) !== null) {
    const { last_four: lastFour } = fields
    return given(lastFour) === null || /^\d{4}$/.test(lastFour ?? '') ? [] : ['Last four: must be four digits.']
  }
  const problems: string[] = []
  if (digitsOf(fields) === '') problems.push('Credit card number: cannot be blank.')
  else if (!isCardNumber(digitsOf(fields))) problems.push('Credit card number: must be a valid credit card number.')
  if (fields.expiration_month == null) problems.push('Credit card expiration month: cannot be blank.')
  if (fields.expiration_year == null) problems.push('Credit card expiration year: cannot be blank.')
  const cvv = given(fields.cvv)
  if (cvv !== null && !/^\d{3,4}$/.test(cvv)) problems.push('CVV: must be three or four digits.')
  return problems
}
