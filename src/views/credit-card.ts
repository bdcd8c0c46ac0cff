/** How a stored card is shown: the same fields inside a subscription, as `credit_card`, and on its own, as `payment_profile`. */
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'
import { keepingFields, presentKeeping } from './profile-keeping.ts'

const fields = {
  id: 'integer',
  first_name: 'string',
  last_name: 'string',
  masked_card_number: 'string',
  card_type: 'string',
  expiration_month: 'integer',
  expiration_year: 'integer',
  ...keepingFields,
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
  ...presentKeeping(profile),
  payment_type: 'credit_card',
  created_at: formatTimestamp(profile.createdAt, timeZone),
  updated_at: formatTimestamp(profile.updatedAt, timeZone),
})
