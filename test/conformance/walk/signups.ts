/** Who subscribes, in every way that a sign-up knows. */
import type { ShownAs } from '../found-again.ts'
import type { Walker } from '../walker.ts'
import type { Catalog } from './catalog.ts'
import { card } from './people.ts'

let people = 0
/** Every one of them is somebody else. */
export const someone = () => {
  people += 1
  return { first_name: `Mary${people}`, last_name: 'Somerville', email: `mary${people}@example.com` }
}

/** What is chosen by one name and shown by another. */
const chosen: ShownAs = {
  product_handle: 'handle',
  product_id: 'id',
  customer_id: 'id',
  payment_profile_id: 'id',
  customer_reference: 'reference',
  next_billing_at: 'next_assessment_at',
  initial_billing_at: 'next_assessment_at',
  // Shown by the state.
  defer_signup: null,
}

/** What an answer to a sign-up does not tell: it has readings of its own. */
const elsewhere: ShownAs = { component_id: null, allocated_quantity: null, enabled: null, color: null }

const nothingButSums: ShownAs = {
  ...elsewhere,
  product_handle: null,
  first_name: null,
  last_name: null,
  email: null,
  organization: null,
  reference: null,
  expiration_month: null,
  expiration_year: null,
  billing_zip: null,
  coupon_codes: null,
  net_terms: null,
  receives_invoice_emails: null,
}

export async function subscribe(walker: Walker, subscription: object): Promise<number> {
  const { subscription: made } = await walker.call(
    'createSubscription',
    { body: { subscription } },
    { shownAs: chosen },
  )
  return made.id
}

/** With everything that a sign-up can say, rehearsed before. */
export async function walkSignup(walker: Walker, { users, support }: Catalog): Promise<number> {
  const subscription = {
    product_handle: 'monthly',
    customer_attributes: { ...someone(), organization: 'Stars', reference: 'mary-1' },
    credit_card_attributes: { ...card, first_name: 'Mary', last_name: 'Fairfax', billing_zip: '02110' },
    coupon_codes: ['SHARE', 'LASTING'],
    components: [
      { component_id: users, allocated_quantity: 3 },
      { component_id: support, enabled: true },
    ],
    metafields: { color: 'red' },
    reference: 'order-1',
    net_terms: '15',
    receives_invoice_emails: 'true',
  }
  const body = { subscription }
  await walker.call('previewSubscription', { body }, { shownAs: nothingButSums })
  const { subscription: made } = await walker.call(
    'createSubscription',
    { body },
    { shownAs: { ...chosen, ...elsewhere } },
  )
  await walker.call('findSubscription', { reference: 'order-1' })
  await walker.call('readSubscription', { subscriptionId: made.id, include: ['coupons'] })
  return made.id
}

export const bankAccount = {
  payment_type: 'bank_account',
  bank_name: 'Bank of Kansas City',
  bank_routing_number: '021000089',
  bank_account_number: '111122223331',
  bank_account_type: 'checking',
  bank_account_holder_type: 'personal',
}

/** At prices of its own. */
export async function walkCustomPrices(walker: Walker, { users }: Catalog): Promise<void> {
  const custom_price = { price_in_cents: '4321', interval: 2, interval_unit: 'month', initial_charge_in_cents: '77' }
  const prices = [{ starting_quantity: 1, unit_price: '7.5' }]
  const subscription = {
    product_handle: 'monthly',
    customer_attributes: someone(),
    credit_card_attributes: card,
    custom_price: { name: 'For friends', ...custom_price },
    components: [{ component_id: users, allocated_quantity: 3, custom_price: { pricing_scheme: 'per_unit', prices } }],
  }
  const shownAs = {
    ...chosen,
    ...elsewhere,
    'subscription.custom_price.name': 'product_price_point_name',
    starting_quantity: null,
    unit_price: null,
    pricing_scheme: null,
  }
  const made = await walker.call('createSubscription', { body: { subscription } }, { shownAs })
  const subscriptionId = made.subscription.id
  const changed = { price_in_cents: '4400', interval: 2, interval_unit: 'month' }
  await walker.call('updateSubscription', { subscriptionId, body: { subscription: { custom_price: changed } } })
  await walker.call('listSubscriptionComponents', { subscriptionId })
  await walker.call('listSubscriptions', { perPage: 5 })
}

/** From an account on file, and from one that comes with the sign-up. */
export async function walkPaidFromAccounts(walker: Walker, customer_id: number, accountId: number): Promise<number> {
  await subscribe(walker, { product_handle: 'other', customer_id, payment_profile_id: accountId })
  const body = {
    subscription: {
      product_handle: 'other',
      customer_attributes: someone(),
      bank_account_attributes: bankAccount,
    },
  }
  const shownAs = { ...chosen, bank_routing_number: null, bank_account_number: null }
  const { subscription } = await walker.call('createSubscription', { body }, { shownAs })
  return subscription.id
}

/** By who is known already, with the card on file, from another system. */
export async function walkImport(walker: Walker, productId: number, customerId: number, cardId: number): Promise<void> {
  await subscribe(walker, {
    product_id: productId,
    customer_id: customerId,
    payment_profile_id: cardId,
    next_billing_at: '2028-08-31T12:00:00Z',
  })
  await subscribe(walker, { product_id: productId, customer_reference: 'ada-1', payment_profile_id: cardId })
  await walker.call('listCustomerSubscriptions', { customerId })
}
