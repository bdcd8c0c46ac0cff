/** Bank accounts, and those who pay from them. */
import assert from 'node:assert/strict'
import { ada, signup } from './shop.ts'
import type { Say } from './two-formats.ts'

export const account = {
  bank_name: 'Bank of Kansas City',
  bank_routing_number: '021000089',
  bank_account_number: '0011223344',
  bank_account_type: 'savings',
  bank_account_holder_type: 'business',
}
export const numbered = (bank_account_number: string) => ({
  ...account,
  payment_type: 'bank_account',
  bank_account_number,
})
export const address = { billing_address: '456 Juniper Court', billing_city: 'Boulder', billing_country: 'US' }

export const customerOf = async (say: Say): Promise<number> =>
  (await say('POST /customers', { customer: ada })).tree.customer.id

export const make = async (say: Say, payment_profile: object) => {
  const { status, text, tree } = await say('POST /payment_profiles', { payment_profile })
  assert.equal(status, 201, text)
  return tree.payment_profile
}

export const signUp = async (say: Say, changes: object = {}) => {
  const { status, text, tree } = await say(
    'POST /subscriptions',
    signup({ payment_profile_attributes: undefined, ...changes }),
  )
  assert.equal(status, 201, text)
  return tree.subscription
}

export const eventsOf = async (say: Say, id: number): Promise<[string, string][]> =>
  (await say(`GET /subscriptions/${id}/events?direction=asc`)).tree.map((one: { key: string; message: string }) => [
    one.key,
    one.message,
  ])
