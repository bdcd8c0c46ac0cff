/** How a stored card is shown: the same fields inside a subscription, as `credit_card`, and on its own, as `payment_profile`. */
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

const fields = {
  id: 'integer',
  first_name: 'string',
  last_name: 'string',
  masked_card_number: 'string',
  card_type: 'string',
  expiration_month: 'integer',
  expiration_year: 'integer',
  customer_id: 'integer',
  current_vault: 'string',
  vault_token: 'string',
  customer_vault_token: 'string',
  billing_address: 'string',
  billing_address_2: 'string',
  billing_city: 'string',
  billing_state: 'string',
  billing_zip: 'string',
  billing_country: 'string',
  payment_type: 'string',
  created_at: 'datetime',
  updated_at: 'datetime',
} as const

/** In XML a card says that it is a payment profile, inside a subscription and on its own. */
export const creditCardShape: Fields = { fields, xmlType: 'PaymentProfile' }

/** Timestamps carry the offset of `timeZone`, the site's. */
export const presentCreditCard = (profile: PaymentProfile, timeZone: string) => ({
  id: profile.id,
  first_name: profile.firstName,
  last_name: profile.lastName,
  masked_card_number: profile.maskedCardNumber,
  card_type: profile.cardType,
  expiration_month: profile.expirationMonth,
  expiration_year: profile.expirationYear,
  customer_id: profile.customerId,
  current_vault: profile.currentVault,
  vault_token: profile.vaultToken,
  customer_vault_token: profile.customerVaultToken,
  billing_address: profile.billingAddress,
  billing_address_2: profile.billingAddress2,
  billing_city: profile.billingCity,
  billing_state: profile.billingState,
  billing_zip: profile.billingZip,
  billing_country: profile.billingCountry,
  payment_type: 'credit_card',
  created_at: formatTimestamp(profile.createdAt, timeZone),
  updated_at: formatTimestamp(profile.updatedAt, timeZone),
})
