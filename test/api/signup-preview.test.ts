/** The preview of a sign-up is the sign-up and the renewal after it; it writes nothing and needs no card. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ada, countLeftovers, goodCard, made, signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openStockedShop()
await made(shop, `POST /product_families/${shop.familyId}/coupons.json`, {
  coupon: { name: 'Once', code: 'ONCE', percentage: '50' },
})
await made(shop, `POST /product_families/${shop.familyId}/products.json`, {
  product: { name: 'Taxed', handle: 'taxed', price_in_cents: 3000, interval: 1, interval_unit: 'month', taxable: true },
})
await made(shop, 'POST /taxes.json', { tax: { name: 'PA Tax', rate: '25.0', country: 'US', state: 'PA' } })

type Line = { transaction_type: string; kind: string; amount_in_cents: number; memo: string }
type Manifest = {
  line_items: Line[]
  total_in_cents: number
  start_date: string
  end_date: string
  existing_balance_in_cents: number
}

const previewOf = async (changes: object): Promise<{ current: Manifest; next: Manifest }> => {
  const { status, json, text } = await shop.ask('POST /subscriptions/preview.json', { body: signup(changes) })
  assert.equal(status, 200, text)
  const { current_billing_manifest: current, next_billing_manifest: next } = json.subscription_preview
  return { current, next }
}

const shownOf = ({ transaction_type, kind, amount_in_cents, memo }: Line) => [
  transaction_type,
  kind,
  amount_in_cents,
  memo,
]

/** A sign-up preview has one kind for all components. */
const asManifest = (line: Line): Line => ({ ...line, kind: line.kind?.replace(/^\w+_component$/, 'component') })

const chargesOf = async (id: number): Promise<unknown[]> => {
  const { json } = await shop.ask(`GET /subscriptions/${id}/transactions.json?direction=asc&per_page=200`)
  return json
    .map(({ transaction }: { transaction: Line & { type: string } }) => transaction)
    .filter(({ type }: { type: string }) => type === 'Charge' || type === 'Adjustment')
    .map((row: Line) => shownOf(asManifest(row)))
}

describe('a sign-up preview promises what is charged', () => {
  const living = { customer_attributes: { ...ada, country: 'US', state: 'PA' } }
  const users = { component_id: shop.components.users, allocated_quantity: 2 }
  const calls = { component_id: shop.components.calls, unit_balance: 1000 }
  const offers: Record<string, object> = {
    monthly: {},
    'with-setup-fee': { components: [users, calls] },
    'late-setup-fee': { components: [users] },
    'card-trial': { coupon_code: 'once' },
    taxed: { ...living, coupon_code: 'ONCE' },
    free: { payment_profile_attributes: null },
    'card-optional': { calendar_billing: { snap_day: 'end' }, components: [users] },
    expiring: { next_billing_at: '2027-05-01' },
  }
  for (const [product_handle, changes] of Object.entries(offers)) {
    test(`of ${product_handle} with ${Object.keys(changes).join(' and ') || 'nothing else'}`, async () => {
      const leftovers = await countLeftovers(shop)
      const { current, next } = await previewOf({ product_handle, ...changes })
      assert.deepEqual(await countLeftovers(shop), leftovers, 'nothing is written')
      const created = await made(shop, 'POST /subscriptions.json', signup({ product_handle, ...changes }))
      const { id, current_period_started_at, current_period_ends_at, balance_in_cents } = created.subscription
      assert.deepEqual(await chargesOf(id), current.line_items.map(shownOf))
      const period = [current_period_started_at, current_period_ends_at].map((shown) => shown.replace('+00:00', 'Z'))
      assert.deepEqual([current.start_date, current.end_date], period)
      assert.equal(balance_in_cents, next.existing_balance_in_cents)
      const renewal = await shop.ask(`POST /subscriptions/${id}/renewals/preview.json`)
      const { line_items, total_in_cents } = renewal.json.renewal_preview
      assert.deepEqual(next.line_items, line_items.map(asManifest))
      assert.equal(next.total_in_cents, total_in_cents)
      assert.equal(next.start_date, current.end_date)
    })
  }

  test('30.00 half off and 25 % of tax: 18.75 now, 37.50 next', async () => {
    const { current, next } = await previewOf({ product_handle: 'taxed', ...living, coupon_code: 'ONCE' })
    assert.deepEqual([current.total_in_cents, next.total_in_cents], [1875, 3750])
  })
})

const line = {
  transaction_type: 'charge',
  discount_amount_in_cents: 0,
  taxable_amount_in_cents: 0,
  component_id: null,
  component_handle: null,
  component_name: null,
  product_id: shop.productIds['paid-trial'],
  product_handle: 'paid-trial',
  product_name: 'Paid Trial',
  period_range_start: null,
  period_range_end: null,
}
const during = (start: string, end: string) => ({ period_range_start: start, period_range_end: end })

for (const format of formats) {
  test(`a sign-up preview in ${format} has all its fields, without any card`, async () => {
    const body = signup({ payment_profile_attributes: null, product_handle: 'paid-trial' })
    const { status, tree } = await speaker(shop, format)('POST /subscriptions/preview', body)
    assert.equal(status, 200)
    assert.deepEqual(tree, {
      subscription_preview: {
        current_billing_manifest: {
          line_items: [
            {
              ...line,
              kind: 'trial',
              amount_in_cents: 100,
              memo: 'Trial Price (01/15/2027 - 01/22/2027)',
              ...during('15 Jan 2027', '22 Jan 2027'),
            },
            { ...line, kind: 'initial', amount_in_cents: 2500, memo: 'Initial/Startup fees' },
          ],
          subtotal_in_cents: 2600,
          total_discount_in_cents: 0,
          total_tax_in_cents: 0,
          total_in_cents: 2600,
          start_date: '2027-01-15T12:00:00Z',
          end_date: '2027-01-22T12:00:00Z',
          period_type: 'trial',
          existing_balance_in_cents: 0,
        },
        next_billing_manifest: {
          line_items: [
            {
              ...line,
              kind: 'baseline',
              amount_in_cents: 5000,
              memo: 'Paid Trial (01/22/2027 - 02/22/2027)',
              ...during('22 Jan 2027', '22 Feb 2027'),
            },
          ],
          subtotal_in_cents: 5000,
          total_discount_in_cents: 0,
          total_tax_in_cents: 0,
          total_in_cents: 5000,
          start_date: '2027-01-22T12:00:00Z',
          end_date: '2027-02-22T12:00:00Z',
          period_type: 'recurring',
          existing_balance_in_cents: 0,
        },
      },
    })
  })

  test(`a sign-up preview in ${format} is refused in the words of the sign-up`, async () => {
    const say = speaker(shop, format)
    const wrong: object[] = [
      { product_handle: 'nonsense' },
      { product_handle: null },
      { customer_id: 999, customer_attributes: null },
      { coupon_code: 'NONSENSE' },
      { components: [{ component_id: 999, allocated_quantity: 1 }] },
      { next_billing_at: 'soon' },
      { next_billing_at: '2001-01-01' },
      { payment_profile_attributes: { ...goodCard, expiration_year: 2001 } },
      { payment_collection_method: 'barter' },
      { calendar_billing: { snap_day: '31' } },
      { calendar_billing: { snap_day: 15 }, product_handle: 'card-trial' },
    ]
    const leftovers = await countLeftovers(shop)
    for (const changes of wrong) {
      const previewed = await say('POST /subscriptions/preview', signup(changes))
      const created = await say('POST /subscriptions', signup(changes))
      assert.deepEqual([previewed.status, previewed.errors], [422, created.errors], JSON.stringify(changes))
      assert.notDeepEqual(created.errors, [])
    }
    assert.deepEqual(await countLeftovers(shop), leftovers)
  })
}

for (const format of formats) {
  const say = speaker(shop, format)
  const kindsOf = ({ line_items }: Manifest) => line_items.map(({ kind }) => kind)

  test(`a sign-up preview in ${format} needs no customer, and taxes by an address without a name`, async () => {
    const asked = { product_handle: 'taxed', payment_profile_attributes: null }
    const nobody = await say('POST /subscriptions/preview', signup({ ...asked, customer_attributes: null }))
    assert.equal(nobody.status, 200, nobody.text)
    assert.deepEqual(kindsOf(nobody.tree.subscription_preview.current_billing_manifest), ['baseline'])
    const place = { country: 'US', state: 'PA' }
    const somebody = await say(
      'POST /subscriptions/preview',
      signup({ ...asked, coupon_code: 'ONCE', customer_attributes: place }),
    )
    const { current_billing_manifest: current } = somebody.tree.subscription_preview
    assert.deepEqual([kindsOf(current), current.total_in_cents], [['baseline', 'coupon', 'tax'], 1875])
    for (const customer_attributes of [null, place]) {
      const made = await say('POST /subscriptions', signup({ ...asked, customer_attributes }))
      assert.equal(made.status, 422, 'a sign-up needs a customer with a name')
    }
  })

  test(`a sign-up preview in ${format} names what its lines are about, and usage with the days of its period`, async () => {
    const components = [
      { component_id: shop.components.users, allocated_quantity: 2 },
      { component_id: shop.components.calls, unit_balance: 1000 },
    ]
    const { tree } = await say('POST /subscriptions/preview', signup({ components, coupon_code: 'ONCE' }))
    const about = (manifest: Manifest) =>
      (manifest.line_items as unknown as Record<string, unknown>[]).map((line) => [
        line.kind,
        line.component_id,
        line.component_handle,
        line.component_name,
        line.product_handle,
        line.period_range_start,
        line.period_range_end,
      ])
    const { users, calls } = shop.components
    const nothing = [null, null, null]
    const january = ['15 Jan 2027', '15 Feb 2027']
    const february = ['15 Feb 2027', '15 Mar 2027']
    const { current_billing_manifest: current, next_billing_manifest: next } = tree.subscription_preview
    assert.deepEqual(about(current), [
      ['baseline', ...nothing, 'monthly', ...january],
      ['component', users, 'users', 'Users', null, ...january],
      ['coupon', ...nothing, null, null, null],
    ])
    assert.deepEqual(about(next), [
      ['baseline', ...nothing, 'monthly', ...february],
      ['component', users, 'users', 'Users', null, ...february],
      ['component', calls, 'calls', 'Calls', null, ...january],
    ])
  })
}
