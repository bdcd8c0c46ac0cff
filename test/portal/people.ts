/** A shop with a customer who has something of everything: an active subscription, one in its trial, one that is past due, one canceled. */
import type { TestContext } from 'node:test'
import { stoppedClock } from '../../src/host/clock.ts'
import { ada, decliningCard, goodCard, made, openedAt, openShop, type ProductHandle, type Shop } from '../api/shop.ts'

export type World = Shop & { customerId: number; active: number; trial: number; overdue: number; canceled: number }

const accent = '#7c2d6b'

const names: Record<ProductHandle, string> = {
  monthly: 'The Daily Almanac',
  'with-setup-fee': 'Tide Tables',
  'card-optional': 'Sunrise Calendar',
  free: 'Moon Phases',
  'free-trial': 'Comet Watch',
  'card-trial': 'Star Charts',
  'paid-trial': 'Weather Lore',
  'late-setup-fee': 'Harvest Guide',
  expiring: 'Eclipse Season',
}

/** Ada's four subscriptions, a month after she signed up; customers may do everything. */
export async function openWorld(t?: Pick<TestContext, 'after'>): Promise<World> {
  const shop = await openShop(t, { clock: stoppedClock(openedAt) })
  await shop.ask('PUT /site.json', { body: { site: { name: 'Almanac House' } } })
  await shop.ask('PUT /portal/settings.json', {
    body: {
      portal_settings: {
        may_change_product: true,
        may_cancel_at_once: true,
        accent_color: accent,
        support_email: 'care@almanac.example',
        terms: 'Almanac House, 12 St James’s Square, London. Prices include what the law wants them to include.',
      },
    },
  })
  for (const [handle, name] of Object.entries(names)) {
    await shop.ask(`PUT /products/${shop.productIds[handle as ProductHandle]}.json`, {
      body: { product: { name, description: 'Printed and posted every month' } },
    })
  }
  const card = { ...goodCard, full_number: '4111111111111111' }
  const subscribe = async (handle: string, changes: object): Promise<[id: number, customerId: number]> => {
    const subscription = { product_handle: handle, payment_profile_attributes: card, ...changes }
    const reply = await made(shop, 'POST /subscriptions.json', { subscription })
    return [reply.subscription.id, reply.subscription.customer.id]
  }
  const person = {
    ...ada,
    organization: 'Engines & Co',
    address: '12 St James’s Square',
    city: 'London',
    zip: 'SW1Y 4LB',
    country: 'GB',
  }
  const [active, customerId] = await subscribe('monthly', { customer_attributes: person })
  const of = { customer_id: customerId }
  const [overdue] = await subscribe('with-setup-fee', of)
  const [canceled] = await subscribe('expiring', of)
  await shop.ask(`PUT /subscriptions/${overdue}.json`, {
    body: { subscription: { credit_card_attributes: decliningCard } },
  })
  await shop.moveClock('2027-02-15T12:00:00Z')
  await shop.ask(`DELETE /subscriptions/${canceled}.json`)
  const [trial] = await subscribe('card-trial', of)
  return { ...shop, customerId, active, trial, overdue, canceled }
}

/** The link into the portal, which is opened to the customer where it is not. */
export async function linkOf({ ask }: Shop, customerId: number): Promise<string> {
  await ask(`POST /portal/customers/${customerId}/enable.json`)
  return (await ask(`GET /portal/customers/${customerId}/management_link.json`)).json.url
}
