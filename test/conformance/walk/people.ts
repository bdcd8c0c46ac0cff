/** Who buys: customers, their cards, and their way into the portal. */
import type { Walker } from '../walker.ts'

export const card = { full_number: '1', expiration_month: 12, expiration_year: 2031, cvv: '123' }
export const decliningCard = { ...card, full_number: '2' }

const ada = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  cc_emails: 'charles@example.com',
  organization: 'Analytical',
  reference: 'ada-1',
  address: '12 St James Square',
  address_2: 'Second floor',
  city: 'Boston',
  state: 'MA',
  zip: '02110',
  country: 'US',
  phone: '617 555 0100',
  vat_number: 'DE123456789',
  tax_exempt: true,
  locale: 'en-GB',
}

export async function walkCustomers(walker: Walker): Promise<number> {
  const { customer } = await walker.call('createCustomer', { body: { customer: ada } })
  const changes = { first_name: 'Augusta', organization: 'Engines', phone: '617 555 0199' }
  await walker.call('updateCustomer', { id: customer.id, body: { customer: changes } })
  await walker.call('readCustomer', { id: customer.id })
  await walker.call('readCustomerByReference', { reference: 'ada-1' })
  await walker.call('listCustomers', { q: 'ada@example.com', perPage: 5 })
  const grace = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' }
  const { customer: leaving } = await walker.call('createCustomer', { body: { customer: grace } })
  await walker.call('deleteCustomer', { id: leaving.id })
  await walker.call('enableBillingPortalForCustomer', { customerId: customer.id })
  await walker.call('readBillingPortalLink', { customerId: customer.id })
  await walker.call('resendBillingPortalInvitation', { customerId: customer.id })
  return customer.id
}

const address = {
  billing_address: '1 Main Street',
  billing_address_2: 'At the back',
  billing_city: 'Boston',
  billing_state: 'MA',
  billing_zip: '02110',
  billing_country: 'US',
}

/** Two cards that nobody has used: one that came with its number, one from the vault of before. */
export async function walkCards(walker: Walker, customerId: number): Promise<{ numbered: number; vaulted: number }> {
  const own = { customer_id: customerId, first_name: 'Ada', last_name: 'King' }
  const made = await walker.call('createPaymentProfile', { body: { payment_profile: { ...own, ...card, ...address } } })
  const vault = { vault_token: 'token-of-ada_1', current_vault: 'bogus', last_four: '4242', card_type: 'visa' }
  const until = { expiration_month: 6, expiration_year: 2032 }
  const kept = await walker.call(
    'createPaymentProfile',
    { body: { payment_profile: { ...own, ...vault, ...until } } },
    { shownAs: { last_four: 'masked_card_number' } },
  )
  const paymentProfileId = made.payment_profile.id
  const changes = { first_name: 'Augusta', billing_city: 'Salem', expiration_year: '2033' }
  await walker.call('updatePaymentProfile', { paymentProfileId, body: { payment_profile: changes } })
  await walker.call('readPaymentProfile', { paymentProfileId })
  await walker.call('listPaymentProfiles', { customerId })
  const leaving = await walker.call('createPaymentProfile', { body: { payment_profile: { ...own, ...card } } })
  await walker.call('deleteUnusedPaymentProfile', { paymentProfileId: leaving.payment_profile.id })
  return { numbered: paymentProfileId, vaulted: kept.payment_profile.id }
}

const account = {
  bank_name: 'Bank of Kansas City',
  bank_routing_number: '021000089',
  bank_account_type: 'savings',
  bank_account_holder_type: 'business',
  payment_type: 'bank_account',
}

/** One that pays at once, and one that pays once its customer has told the two deposits. */
export async function walkBankAccounts(walker: Walker, customerId: number): Promise<number> {
  const own = { customer_id: customerId, first_name: 'Ada', last_name: 'Byron', ...address }
  const shownAs = { bank_routing_number: null, bank_account_number: null }
  const make = async (bank_account_number: string): Promise<number> => {
    const payment_profile = { ...own, ...account, bank_account_number }
    const made = await walker.call('createPaymentProfile', { body: { payment_profile } }, { shownAs })
    return made.payment_profile.id
  }
  const bankAccountId = await make('4')
  const body = { bank_account_verification: { deposit_1_in_cents: 32, deposit_2_in_cents: 45 } }
  const deposits = { deposit_1_in_cents: null, deposit_2_in_cents: null }
  await walker.call('verifyBankAccount', { bankAccountId, body }, { shownAs: deposits })
  const paying = await make('111122223331')
  await walker.call('readPaymentProfile', { paymentProfileId: paying })
  const changes = { bank_name: 'Bank of Boston', billing_city: 'Salem' }
  await walker.call('updatePaymentProfile', { paymentProfileId: paying, body: { payment_profile: changes } })
  await walker.call('listPaymentProfiles', { customerId })
  return paying
}
