/** A shop with one of each thing that a request may name. */

import { ada, goodCard, made, openShop, type Shop } from '../api/shop.ts'
import type { Say } from '../api/two-formats.ts'

export type World = {
  readonly shop: Shop
  /** A word that no other request has; what is read back of it is masked. */
  readonly unique: () => string
  readonly componentIds: Readonly<Record<'seats' | 'support' | 'calls', number>>
  readonly otherCustomerId: number
  readonly otherCardId: number
}

let count = 0
const unique = (): string => `u${++count}u`

export async function openWorld(): Promise<World> {
  const shop = await openShop()
  const family = `/product_families/${shop.familyId}`
  const component = async (kind: string, terms: object): Promise<number> =>
    (await made(shop, `POST ${family}/${kind}s.json`, { [kind]: terms })).component.id
  const perUnit = { pricing_scheme: 'per_unit', unit_price: '2.00', taxable: true }
  const componentIds = {
    seats: await component('quantity_based_component', { name: 'Seats', unit_name: 'seat', ...perUnit }),
    support: await component('on_off_component', { name: 'Support', unit_price: '9.00' }),
    calls: await component('metered_component', { name: 'Calls', unit_name: 'call', ...perUnit }),
  }
  await made(shop, `POST ${family}/coupons.json`, {
    coupon: { name: 'Spring', code: 'SPRING', percentage: 10, recurring: true },
  })
  await made(shop, `POST ${family}/coupons.json`, { coupon: { name: 'Autumn', code: 'AUTUMN', amount_in_cents: 100 } })
  await made(shop, 'POST /taxes.json', { tax: { name: 'VAT', rate: '20', country: 'DE' } })
  const { subscription } = await made(shop, 'POST /subscriptions.json', {
    subscription: {
      product_handle: 'monthly',
      customer_attributes: { ...ada, first_name: 'Bea', reference: 'bea' },
      payment_profile_attributes: goodCard,
    },
  })
  return {
    shop,
    unique,
    componentIds,
    otherCustomerId: subscription.customer.id,
    otherCardId: subscription.credit_card.id,
  }
}

/** A subscription of a new customer, with its component's seats. */
export async function subscribed(say: Say, changes: object = {}) {
  const subscription = {
    product_handle: 'monthly',
    customer_attributes: ada,
    payment_profile_attributes: goodCard,
    ...changes,
  }
  return (await done(say, 'POST /subscriptions', { subscription })).subscription
}

/** What a request was answered that must be accepted. */
export async function done(say: Say, line: string, tree?: object) {
  const answer = await say(line, tree)
  if (answer.status >= 400) throw new Error(`${line}: ${answer.status} ${answer.errors.join(' ')}`)
  return answer.tree
}

/** All that can be read of a subscription. */
export const readsOf = (subscription: { id: number; customer: { id: number } }): string[] => {
  const path = `/subscriptions/${subscription.id}`
  const parts = ['', '/transactions', '/components', '/metadata', '/events', '/notes', '/statements']
  const customer = `/customers/${subscription.customer.id}`
  return [...parts.map((part) => `${path}${part}`), customer, `${customer}/metadata`]
}
