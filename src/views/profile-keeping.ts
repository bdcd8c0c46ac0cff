/** What cards and bank accounts show alike: whose they are, where they are kept, and the address that bills for them go to. */
import type { PaymentProfile } from '../billing/payment-profile.ts'

export const keepingFields = {
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
} as const

export const presentKeeping = (profile: PaymentProfile) => ({
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
})
