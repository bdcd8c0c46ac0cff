/** How a stored bank account is shown: the same fields inside a subscription, as `bank_account`, and on its own, as `payment_profile`. */
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'
import { keepingFields, presentKeeping } from './profile-keeping.ts'

const fields = {
  id: 'integer',
  first_name: 'string',
  last_name: 'string',
  ...keepingFields,
  bank_name: 'string',
  masked_bank_routing_number: 'string',
  masked_bank_account_number: 'string',
  bank_account_type: 'string',
  bank_account_holder_type: 'string',
  payment_type: 'string',
  verified: 'boolean',
  created_at: 'datetime',
  updated_at: 'datetime',
} as const

export const bankAccountShape: Fields = { fields, xmlType: 'PaymentProfile' }

/** Timestamps carry the offset of `timeZone`, the site's. */
export const presentBankAccount = (profile: PaymentProfile, timeZone: string) => ({
  id: profile.id,
  first_name: profile.firstName,
  last_name: profile.lastName,
  ...presentKeeping(profile),
  bank_name: profile.bankName,
  masked_bank_routing_number: profile.maskedBankRoutingNumber,
  masked_bank_account_number: profile.maskedBankAccountNumber,
  bank_account_type: profile.bankAccountType,
  bank_account_holder_type: profile.bankAccountHolderType,
  payment_type: profile.paymentType,
  verified: profile.verified,
  created_at: formatTimestamp(profile.createdAt, timeZone),
  updated_at: formatTimestamp(profile.updatedAt, timeZone),
})
