/** How a stored bank account is shown: the same fields inside a subscription, as `bank_account`, and on its own, as `payment_profile`. */
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

const fields = {
  id: 'integer',
  first_name: 'string',
  last_name: 'string',
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
