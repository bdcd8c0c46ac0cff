/** Two sites of one installation that sell the same, so that what came of a race on one can be done over in turn on the other. */
import type { Reply, TestApp } from '../support/test-app.ts'
import { goodCard, openOtherSite } from './shop.ts'

export type Twin = {
  siteId: number
  familyId: number
  components: { users: number; support: number; calls: number }
  /** Asks for this site: `ask('POST /subscriptions.json', body)`. */
  ask(line: string, body?: object, headers?: Record<string, string>): Promise<Reply>
}

const monthly = { price_in_cents: 5000, interval: 1, interval_unit: 'month', require_credit_card: true }
const products = [
  { ...monthly, name: 'Monthly', handle: 'monthly' },
  { ...monthly, name: 'Dear', handle: 'dear', price_in_cents: 7999, initial_charge_in_cents: 1500, taxable: true },
  {
    ...monthly,
    name: 'Tried',
    handle: 'tried',
    trial_interval: 3,
    trial_interval_unit: 'month',
    trial_price_in_cents: 0,
  },
  {
    ...monthly,
    name: 'Brief',
    handle: 'brief',
    trial_interval: 14,
    trial_interval_unit: 'day',
    trial_price_in_cents: 0,
    trial_type: 'no_obligation',
  },
]
const tiers = [
  { starting_quantity: 1, ending_quantity: 5, unit_price: '3.3333' },
  { starting_quantity: 6, unit_price: '1.01' },
]
const components = {
  users: ['quantity_based_component', { unit_name: 'user', pricing_scheme: 'tiered', prices: tiers, taxable: true }],
  support: ['on_off_component', { unit_price: '7.77' }],
  calls: ['metered_component', { unit_name: 'call', pricing_scheme: 'per_unit', unit_price: '0.0333' }],
} as const

export async function openTwins(app: TestApp): Promise<[Twin, Twin]> {
  const other = await openOtherSite(app)
  const { id } = (await app.ask('GET /site.json', { key: other.apiKey })).json.site
  return [await stock(app, app.apiKey, app.siteId), await stock(app, other.apiKey, id)]
}

async function stock(app: TestApp, key: string, siteId: number): Promise<Twin> {
  const ask: Twin['ask'] = (line, body, headers = {}) => app.ask(line, { key, headers, ...(body && { body }) })
  const create = async (line: string, body: object): Promise<Reply['json']> => {
    const reply = await ask(line, body)
    if (reply.status !== 201) throw new Error(`${line}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  const settings = { upcoming_renewal_notice_days: 3, trial_end_notice_days: 3, expiring_card_notices: true }
  await ask('PUT /site.json', { site: settings })
  const { product_family: family } = await create('POST /product_families.json', { product_family: { name: 'Twins' } })
  const inFamily = `POST /product_families/${family.id}`
  for (const product of products) await create(`${inFamily}/products.json`, { product })
  const ids: [string, number][] = []
  for (const [handle, [kind, terms]] of Object.entries(components)) {
    const { component } = await create(`${inFamily}/${kind}s.json`, { [kind]: { name: handle, handle, ...terms } })
    ids.push([handle, component.id])
  }
  const half = { name: 'Half', code: 'HALF', percentage: '50', recurring: true, duration_period_count: 3 }
  const fixed = { name: 'Fixed', code: 'FIXED', amount: '7.77', recurring: true }
  const tenth = { ...half, name: 'Tenth', code: 'TENTH', percentage: '10', compounding_strategy: 'full-price' }
  for (const coupon of [half, fixed, tenth]) await create(`${inFamily}/coupons.json`, { coupon })
  await create('POST /taxes.json', { tax: { name: 'VAT', rate: '7.5', country: 'US' } })
  return { siteId, familyId: family.id, components: Object.fromEntries(ids) as Twin['components'], ask }
}

export type Lived = { id: number; paymentId: number }

/** A subscription of the monthly product; gives its id and that of its sign-up payment. */
export async function signUp(twin: Pick<Twin, 'ask'>, name: string, changes: object = {}): Promise<Lived> {
  const reply = await twin.ask('POST /subscriptions.json', {
    subscription: {
      product_handle: 'monthly',
      customer_attributes: { first_name: name, last_name: 'Racer', email: `${name}@example.com`, country: 'US' },
      payment_profile_attributes: goodCard,
      ...changes,
    },
  })
  if (reply.status !== 201) throw new Error(`${name}: ${reply.text}`)
  const { id, signup_payment_id: paymentId } = reply.json.subscription
  return { id, paymentId }
}
