/** A shop with one of everything, and a second site with the same: whose things must not be reached from the first. */
import { sql } from '../../src/store/sql.ts'
import { made, openOtherSite, type Shop, signup } from './shop.ts'
import { openStockedShop, type Stocked } from './stocked-shop.ts'

/** The ids of one of each thing. */
type Things = {
  subscription: number
  customer: number
  card: number
  product: number
  family: number
  component: number
  metered: number
  coupon: number
  note: number
  reason: number
  tax: number
}

export type Place = {
  shop: Stocked
  own: Things
  foreign: Things
  /** Of the first site, but no longer sold. */
  archived: { product: number; component: number; coupon: string }
  canceled: number
  /** On hold. */
  held: number
  spare: number
  payment: number
  /** The line with the other site's ids in its path; undefined when it names nothing. */
  abroad(line: string): string | undefined
}

const coupon = { name: 'Half', description: '', percentage: 50 }

type Asks = Pick<Shop, 'ask'>

async function stock(at: Asks, family: number): Promise<Omit<Things, 'component' | 'metered'>> {
  const { product } = await made(at, `POST /product_families/${family}/products.json`, {
    product: { name: 'Plain', handle: 'plain', price_in_cents: 1000, interval: 1, interval_unit: 'month' },
  })
  const { subscription } = await made(at, 'POST /subscriptions.json', signup({ product_handle: 'plain' }))
  const { coupon: half } = await made(at, 'POST /coupons.json', {
    coupon: { ...coupon, code: 'HALF', product_family_id: family },
  })
  const note = await at.ask(`POST /subscriptions/${subscription.id}/notes.json`, { body: { note: { body: 'Call' } } })
  const { reason_code } = await made(at, 'POST /reason_codes.json', { reason_code: { code: 'R', description: 'Why' } })
  const { tax } = await made(at, 'POST /taxes.json', { tax: { name: 'Tax', rate: 5, country: 'DE' } })
  return {
    subscription: subscription.id,
    customer: subscription.customer.id,
    card: subscription.credit_card.id,
    product: product.id,
    family,
    coupon: half.id,
    note: note.json.note.id,
    reason: reason_code.id,
    tax: tax.id,
  }
}

const metered = { name: 'Calls', unit_name: 'call', pricing_scheme: 'per_unit', unit_price: '1' }

async function stockAbroad(shop: Shop): Promise<Things> {
  const { apiKey } = await openOtherSite(shop)
  const ask: Shop['ask'] = (line, options = {}) => shop.ask(line, { ...options, key: apiKey })
  const { product_family } = await made({ ask }, 'POST /product_families.json', { product_family: { name: 'Atlases' } })
  const things = await stock({ ask }, product_family.id)
  const inFamily = `POST /product_families/${product_family.id}`
  const calls = await made({ ask }, `${inFamily}/metered_components.json`, { metered_component: metered })
  const users = await made({ ask }, `${inFamily}/quantity_based_components.json`, {
    quantity_based_component: { ...metered, name: 'Users' },
  })
  return { ...things, component: users.component.id, metered: calls.component.id }
}

export async function openPlace(): Promise<Place> {
  const shop = await openStockedShop()
  const own: Things = {
    ...(await stock(shop, shop.familyId)),
    component: shop.components.users,
    metered: shop.components.calls,
  }
  const foreign = await stockAbroad(shop)
  const inFamily = `/product_families/${shop.familyId}`
  await shop.ask(`DELETE /products/${shop.productIds.expiring}.json`)
  await shop.ask(`DELETE ${inFamily}/components/${shop.components.fuel}.json`)
  const gone = await made(shop, 'POST /coupons.json', { coupon: { ...coupon, code: 'GONE' } })
  await shop.ask(`DELETE /coupons/${gone.coupon.id}.json`)
  const buy = async (): Promise<number> => (await made(shop, 'POST /subscriptions.json', signup())).subscription.id
  const [canceled, held, spare] = [await buy(), await buy(), await buy()]
  await shop.ask(`DELETE /subscriptions/${canceled}.json`)
  await shop.ask(`POST /subscriptions/${held}/hold.json`)
  const [payment] = await shop.app.db.arrays(sql`
    select t.id from transactions t
    where t.site_id = ${shop.siteId} and t.subscription_id = ${own.subscription} and t.type = 'payment'`)
  return {
    shop,
    own,
    foreign,
    archived: { product: shop.productIds.expiring, component: shop.components.fuel, coupon: 'GONE' },
    canceled,
    held,
    spare,
    payment: payment![0] as number,
    abroad: (line) => abroad(line, own, foreign),
  }
}

const nouns: readonly [noun: string, thing: keyof Things][] = [
  ['subscriptions', 'subscription'],
  ['customers', 'customer'],
  ['payment_profiles', 'card'],
  ['products', 'product'],
  ['product_families', 'family'],
  ['coupons', 'coupon'],
  ['notes', 'note'],
  ['reason_codes', 'reason'],
  ['taxes', 'tax'],
]

function abroad(line: string, own: Things, foreign: Things): string | undefined {
  for (const [noun, thing] of nouns) {
    const named = `/${noun}/${own[thing]}`
    if (line.includes(named)) return line.replace(named, `/${noun}/${foreign[thing]}`)
  }
  return undefined
}
