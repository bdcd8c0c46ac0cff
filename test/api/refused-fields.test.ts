/** Fields that other versions of the API know and that would move money, dates or access are refused by name, and never ignored. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedFields } from '../../src/api/refused-fields.ts'
import { ada, goodCard, made, signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { countRows } from './table-counts.ts'
import { formats, speaker, wordsOf } from './two-formats.ts'

const shop = await openStockedShop()
const { users, calls } = shop.components
const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
const path = `/subscriptions/${subscription.id}`

/** What typed clients send of each. */
const values: Record<string, unknown> = {
  custom_price: { price_in_cents: 100, interval: 1, interval_unit: 'month' },
  canceled_at: '2020-01-01',
  group: { target: { type: 'self' } },
  offer_id: 'starter',
  prepaid_configuration: { initial_funding_amount_in_cents: 5000 },
  billing_schedule: { initial_billing_at: '2027-03-01' },
  price_points: [{ name: 'Second', pricing_scheme: 'per_unit', prices: [{ starting_quantity: 1, unit_price: 1 }] }],
  interval: 12,
  upgrade_charge: 'full',
  downgrade_credit: 'prorated',
  chargify_token: 'tok_123',
  payment_method_nonce: 'nonce',
  parent_id: 7001,
  default_auto_renewal_profile_id: 7001,
  stored_credential_transaction_id: 166411599220288,
  dunning_communication_delay_enabled: true,
  expiration_tracks_next_billing_change: true,
  skip_billing_manifest_taxes: true,
  gateway_handle: 'other',
  duration_interval: 3,
  currency_prices: [{ currency: 'EUR', price: 10 }],
  proration_date: '2027-01-01T00:00:00Z',
  calendar_billing: { reactivation_charge: 'prorated' },
  use_credits_and_prepayments: true,
  payment_collection_method: 'remittance',
  initiate_dunning: true,
  effective_proration_date: '2027-01-02',
}
const nothings = [null, '', 0, false, {}, { a: [{ b: 0 }] }]

/** `product_price_point_id` is named as "Product price point id". */
const named = (message: string, field: string): boolean =>
  message.toLowerCase().replaceAll(' ', '_').startsWith(field.replace('offer_id', 'offer')) &&
  message.includes(': is not supported; ')

for (const format of formats) {
  const say = speaker(shop, format)

  const other = format === 'json' ? 'free' : 'card-optional'
  const places: [line: string, input: keyof typeof refusedFields, body: (fields: object) => object][] = [
    ['POST /subscriptions', 'signup', (fields) => signup(fields)],
    ['POST /subscriptions/preview', 'signup', (fields) => signup(fields)],
    [`PUT ${path}`, 'update', (fields) => ({ subscription: fields })],
    ['POST /subscriptions', 'card', (fields) => signup({ payment_profile_attributes: { ...goodCard, ...fields } })],
    [
      'POST /payment_profiles',
      'card',
      (fields) => ({ payment_profile: { customer_id: subscription.customer.id, ...goodCard, ...fields } }),
    ],
    [`PUT /payment_profiles/${subscription.credit_card.id}`, 'card', (fields) => ({ payment_profile: fields })],
    ['POST /customers', 'customer', (fields) => ({ customer: { ...ada, ...fields } })],
    [`PUT /customers/${subscription.customer.id}`, 'customer', (fields) => ({ customer: fields })],
    ['POST /subscriptions', 'customer', (fields) => signup({ customer_attributes: { ...ada, ...fields } })],
    [`POST ${path}/migrations`, 'migration', (fields) => ({ migration: { product_handle: other, ...fields } })],
    [
      `POST ${path}/components/${users}/allocations`,
      'allocation',
      (fields) => ({ allocation: { quantity: 1, ...fields } }),
    ],
    [
      `POST ${path}/allocations/preview`,
      'allocation',
      (fields) => ({ request: { allocations: [{ component_id: users, quantity: 1, ...fields }] } }),
    ],
    [
      `POST ${path}/allocations/preview`,
      'allocations',
      (fields) => ({ request: { allocations: [{ component_id: users, quantity: 1 }], ...fields } }),
    ],
    [
      `POST /product_families/${shop.familyId}/coupons`,
      'coupon',
      (fields) => ({ coupon: { name: 'Sale', code: `SALE${format}`, percentage: 10, ...fields } }),
    ],
    [`POST ${path}/components/${calls}/usages`, 'usage', (fields) => ({ usage: { quantity: 1, ...fields } })],
    [
      `POST /product_families/${shop.familyId}/on_off_components`,
      'component',
      (fields) => ({ on_off_component: { name: 'Switch', unit_price: 1, ...fields } }),
    ],
  ]

  test(`${format}: each field is refused by its name, and nothing is written`, async () => {
    const before = await countRows(shop)
    const taken: string[] = []
    for (const [line, input, body] of places) {
      for (const field of Object.keys(refusedFields[input])) {
        assert.ok(field in values, `no value for ${field}`)
        const { status, errors } = await say(line, body({ [field]: values[field] }))
        if (status !== 422 || !errors.some((one) => named(wordsOf(one), field))) {
          taken.push(`${line} ${field}: ${status} ${errors}`)
        }
      }
    }
    assert.deepEqual(taken, [])
    assert.deepEqual(await countRows(shop), before)
  })

  test(`${format}: fields that say nothing pass`, async () => {
    const refused: string[] = []
    for (const [place, [line, input, body]] of places.entries()) {
      const nothing = nothings[place % nothings.length]
      const fields = Object.fromEntries(Object.keys(refusedFields[input]).map((field) => [field, nothing]))
      const whole = body({ ...fields, name: `Switch ${format}` })
      const { status, errors } = await say(line, whole)
      if (status >= 300) refused.push(`${line}: ${status} ${errors}`)
    }
    assert.deepEqual(refused, [])
  })

  test(`${format}: what a reactivation cannot follow is refused by name, in a body and in the query`, async () => {
    for (const field of Object.keys(refusedFields.reactivation)) {
      const { status, errors } = await say(`PUT ${path}/reactivate`, { request: { [field]: values[field] } })
      assert.deepEqual([status, errors.some((one) => named(one, field))], [422, true], `${field}: ${errors}`)
    }
    const line = `PUT ${path}/reactivate?calendar_billing[reactivation_charge]=prorated`
    assert.match((await say(line)).errors.join(' '), /^Calendar billing: is not supported/)
  })

  test(`${format}: a currency is the site's`, async () => {
    const words = ['Currency: must be USD, the currency of the site.']
    for (const [line, body] of [
      ['POST /subscriptions', signup],
      [`PUT ${path}`, (fields: object) => ({ subscription: fields })],
    ] as const) {
      const refused = await say(line, body({ currency: 'EUR' }))
      assert.deepEqual([refused.status, refused.errors], [422, words])
      assert.ok((await say(line, body({ currency: 'usd' }))).status < 300)
    }
  })
}
