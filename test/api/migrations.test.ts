/** Migrations over the wire: the preview is what happens, a decline changes nothing, and nobody is credited for what was not paid. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { ada, decliningCard, made, openOtherSite, type Shop, signup, unpriced } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openStockedShop()
const product = (handle: string, terms: object) =>
  made(shop, `POST /product_families/${shop.familyId}/products.json`, {
    product: { name: handle, handle, interval: 1, interval_unit: 'month', taxable: true, ...terms },
  })
await product('gold', { price_in_cents: 90_000, initial_charge_in_cents: 1000 })
await product('silver', { price_in_cents: 25_000 })
const coupon = (code: string, percentage: string) =>
  made(shop, `POST /product_families/${shop.familyId}/coupons.json`, {
    coupon: { name: code, code, percentage, recurring: true },
  })
await coupon('FREE', '100')
await coupon('HALF', '50')
await made(shop, 'POST /taxes.json', { tax: { name: 'PA Tax', rate: '6.0', country: 'US', state: 'PA' } })

const subscribe = async (of: Shop, changes: object): Promise<number> =>
  (await made(of, 'POST /subscriptions.json', signup(changes))).subscription.id

type Figures = {
  prorated_adjustment_in_cents: number
  charge_in_cents: number
  payment_due_in_cents: number
  credit_applied_in_cents: number
}

const previewOf = async (id: number, migration: object): Promise<Figures> => {
  const { status, json, text } = await shop.ask(`POST /subscriptions/${id}/migrations/preview.json`, {
    body: { migration },
  })
  assert.equal(status, 200, text)
  return json.migration
}

const rowsOf = async (id: number) => {
  const { json } = await shop.ask(`GET /subscriptions/${id}/transactions.json?direction=asc&per_page=200`)
  return json.map(({ transaction }: { transaction: object }) => transaction)
}

const eventsOf = async (id: number): Promise<string[]> => {
  const { json } = await shop.ask(`GET /subscriptions/${id}/events.json?direction=asc&per_page=200`)
  return json.map(({ event }: { event: { key: string } }) => event.key)
}

/** Migrates as previewed and says what the new rows come to. */
async function migrate(
  id: number,
  migration: object,
): Promise<{ figures: Figures; subscription: Record<string, unknown> }> {
  const promised = await previewOf(id, migration)
  assert.deepEqual(await previewOf(id, migration), promised, 'asking again gives the same')
  const known = (await rowsOf(id)).length
  const { status, json, text } = await shop.ask(`POST /subscriptions/${id}/migrations.json`, { body: { migration } })
  assert.equal(status, 200, text)
  const written = (await rowsOf(id)).slice(known)
  const sum = (kept: (row: { type: string; kind: string }) => boolean): number =>
    written.filter(kept).reduce((total: number, row: { amount_in_cents: number }) => total + row.amount_in_cents, 0)
  const isCredit = ({ type, kind }: { type: string; kind: string }) => type === 'Adjustment' && kind === 'prorated'
  const [prorated, charge] = [sum(isCredit), sum((row) => row.type !== 'Payment' && !isCredit(row))]
  const figures = {
    prorated_adjustment_in_cents: prorated,
    charge_in_cents: charge,
    payment_due_in_cents: sum(({ type }) => type === 'Payment'),
    credit_applied_in_cents: Math.min(0, prorated + charge),
  }
  assert.deepEqual(figures, promised)
  return { figures, subscription: json.subscription }
}

describe('a migration', () => {
  test('of half a period: -125.00, 900.00, 775.00, 0; the preview writes nothing', async () => {
    const [tick, half] = ['2027-02-01T00:00:00Z', '2027-02-15T00:00:00Z']
    await shop.moveClock(tick)
    const id = await subscribe(shop, { product_handle: 'silver' })
    await shop.moveClock(half)
    const events = await eventsOf(id)
    await previewOf(id, { product_handle: 'gold' })
    assert.deepEqual(await eventsOf(id), events)
    const { figures, subscription } = await migrate(id, { product_handle: 'gold' })
    assert.deepEqual(Object.values(figures), [-12_500, 90_000, 77_500, 0])
    assert.equal((subscription.product as { handle: string }).handle, 'gold')
    assert.equal(subscription.current_period_started_at, '2027-02-15T00:00:00+00:00')
    assert.equal(subscription.current_period_ends_at, '2027-03-15T00:00:00+00:00')
    assert.equal(subscription.next_assessment_at, subscription.current_period_ends_at)
    assert.deepEqual((await eventsOf(id)).slice(events.length), [
      'upgrade_downgrade_success',
      'subscription_product_change',
      'payment_success',
      'statement_settled',
    ])
  })

  test('gives back no more than was paid: a free product earns nothing, half a price half of it with its tax', async () => {
    const customer_attributes = { ...ada, country: 'US', state: 'PA' }
    const free = await subscribe(shop, { product_handle: 'silver', customer_attributes, coupon_code: 'FREE' })
    const none = await migrate(free, { product_handle: 'gold' })
    assert.deepEqual(Object.values(none.figures), [0, 0, 0, 0])
    const half = await subscribe(shop, { product_handle: 'silver', customer_attributes, coupon_code: 'HALF' })
    const { figures } = await migrate(half, { product_handle: 'gold', include_coupons: 0 })
    // 250.00 less 125.00, and 7.50 of tax; a cent of it counts as used.
    assert.deepEqual(Object.values(figures), [-13_249, 95_400, 95_400 - 13_249, 0])
    assert.equal((await rowsOf(half)).filter(({ kind }: { kind: string }) => kind === 'coupon').length, 1)
  })

  test('credits components for the time that they were paid for, and nothing that came for nothing', async () => {
    const users = { component_id: shop.components.users, allocated_quantity: 2 }
    const calls = { component_id: shop.components.calls, unit_balance: 1000 }
    await shop.moveClock('2027-04-01T00:00:00Z')
    const id = await subscribe(shop, { product_handle: 'silver', components: [users, calls] })
    await shop.moveClock('2027-04-11T00:00:00Z')
    const allocation = { component_id: shop.components.users, quantity: 4 }
    const scheme = { proration_upgrade_scheme: 'prorate-delay-capture' }
    await made(shop, `POST /subscriptions/${id}/components/${allocation.component_id}/allocations.json`, {
      allocation: { ...allocation, ...scheme },
    })
    const support = `POST /subscriptions/${id}/components/${shop.components.support}/allocations.json`
    await made(shop, support, { allocation: { quantity: 1, proration_upgrade_scheme: 'no-prorate' } })
    await shop.moveClock('2027-04-16T00:00:00Z')
    const { figures } = await migrate(id, { product_handle: 'gold', include_initial_charge: 1 })
    // Half of 250.00 and of two users; of two more, paid for 20 days, 15.
    assert.equal(figures.prorated_adjustment_in_cents, -(12_500 + 1500 + 1500))
    assert.equal(figures.charge_in_cents, 90_000 + 1000 + 4 * 1500 + 4500 + 550)
    const again = await shop.ask(`GET /subscriptions/${id}/components/${shop.components.calls}.json`)
    assert.equal(again.json.component.unit_balance, 0)
  })

  test('may keep the period, again and again, and be undone', async () => {
    await shop.moveClock('2027-06-01T00:00:00Z')
    const id = await subscribe(shop, { product_handle: 'silver' })
    await shop.moveClock('2027-06-16T00:00:00Z')
    const keeping = { preserve_period: true }
    const up = await migrate(id, { product_handle: 'gold', ...keeping })
    assert.deepEqual(Object.values(up.figures), [-12_500, 45_000, 32_500, 0])
    assert.equal(up.subscription.current_period_ends_at, '2027-07-01T00:00:00+00:00')
    assert.equal(up.subscription.current_period_started_at, '2027-06-01T00:00:00+00:00')
    const down = await migrate(id, { product_handle: 'silver', ...keeping })
    assert.deepEqual(Object.values(down.figures), [-45_000, 12_500, 0, -32_500])
    assert.equal(down.subscription.balance_in_cents, -32_500)
  })

  test('that is declined is a 422 in the words of the gateway, and changes nothing', async () => {
    const { subscription } = await made(
      shop,
      'POST /subscriptions.json',
      signup({ product_handle: 'card-trial', payment_profile_attributes: decliningCard }),
    )
    const { id } = subscription
    const { status, json } = await shop.ask(`POST /subscriptions/${id}/migrations.json`, {
      body: { migration: { product_handle: 'gold' } },
    })
    assert.equal(status, 422)
    assert.deepEqual(json, { errors: ['Bogus Gateway: Forced failure'] })
    const now = (await shop.ask(`GET /subscriptions/${id}.json`)).json.subscription
    assert.deepEqual({ ...unpriced(now), updated_at: '' }, { ...subscription, updated_at: '' })
    assert.deepEqual((await eventsOf(id)).slice(-2), ['payment_failure', 'upgrade_downgrade_failure'])
  })

  test('with an Idempotency-Key happens once', async () => {
    const id = await subscribe(shop, { product_handle: 'silver' })
    const send = () =>
      shop.ask(`POST /subscriptions/${id}/migrations.json`, {
        body: { migration: { product_handle: 'gold' } },
        headers: { 'Idempotency-Key': 'migrate-once' },
      })
    const [first, second] = [await send(), await send()]
    assert.equal(first.status, 200, first.text)
    assert.equal(second.text, first.text)
    assert.equal((await eventsOf(id)).filter((key) => key === 'upgrade_downgrade_success').length, 1)
  })
})

for (const format of formats) {
  test(`refusals of migrations in ${format} name what is wrong, and write nothing`, async () => {
    const say = speaker(shop, format)
    const id = await subscribe(shop, { product_handle: 'silver' })
    const rows = await rowsOf(id)
    const monthly = shop.productIds.monthly
    const archived = await made(shop, `POST /product_families/${shop.familyId}/products.json`, {
      product: { name: 'Old', price_in_cents: 1, interval: 1, interval_unit: 'month' },
    })
    await shop.ask(`DELETE /products/${archived.product.id}.json`)
    const refused: [object, string][] = [
      [{ product_handle: 'nonsense' }, 'Invalid Product'],
      [{ product_handle: 'silver' }, 'Invalid Product'],
      [{ product_id: archived.product.id }, 'Invalid Product'],
      [{ product_id: 999 }, 'Invalid Product'],
      [{ product_id: -1 }, 'Product: must be greater than or equal to 0.'],
      [{ product_id: 'x' }, 'Product: is not a number.'],
      [{ product_handle: 'x'.repeat(256) }, 'Product handle: is too long (maximum is 255 characters).'],
      [{ product_id: monthly, include_trial: 'perhaps' }, 'Include trial: must be true or false.'],
      [{ product_id: monthly, include_initial_charge: 7 }, 'Include initial charge: must be true or false.'],
      [{ product_id: monthly, include_coupons: 'x' }, 'Include coupons: must be true or false.'],
      [{ product_id: monthly, preserve_period: 'x' }, 'Preserve period: must be true or false.'],
    ]
    for (const path of ['migrations', 'migrations/preview']) {
      for (const [migration, message] of refused) {
        const { status, errors } = await say(`POST /subscriptions/${id}/${path}`, { migration })
        const isPresent = 'product_handle' in migration && migration.product_handle === 'silver'
        const isUnknown = message === 'Invalid Product' && !isPresent && path === 'migrations/preview'
        const words = isUnknown ? 'Product must be specified' : message
        assert.deepEqual([status, errors], [422, [words]], `${path} ${JSON.stringify(migration)}`)
      }
      assert.equal((await say(`POST /subscriptions/1/${path}`, { migration: { product_id: 'x' } })).status, 404)
    }
    const nothing = await say(`POST /subscriptions/${id}/migrations/preview`, { migration: {} })
    assert.deepEqual(nothing.errors, ['Product must be specified'])
    assert.deepEqual((await say(`POST /subscriptions/${id}/migrations`, { migration: {} })).errors, ['Invalid Product'])
    assert.deepEqual(await rowsOf(id), rows)
    await shop.ask(`DELETE /subscriptions/${id}.json`)
    const ended = await say(`POST /subscriptions/${id}/migrations`, { migration: { product_id: monthly } })
    assert.deepEqual([ended.status, ended.errors], [422, ['Subscription must be active']])
  })

  test(`a preview of a migration in ${format} has its four numbers`, async () => {
    const id = await subscribe(shop, { product_handle: 'silver' })
    const { tree } = await speaker(shop, format)(`POST /subscriptions/${id}/migrations/preview`, {
      migration: { product_handle: 'gold' },
    })
    // Elements without a type, which are read as text.
    const written = (cents: number) => (format === 'json' ? cents : String(cents))
    assert.deepEqual(tree, {
      migration: {
        prorated_adjustment_in_cents: written(-24_999),
        charge_in_cents: written(90_000),
        payment_due_in_cents: written(65_001),
        credit_applied_in_cents: written(0),
      },
    })
  })
}

test("another site's subscription is not there, nor is its product", async () => {
  const id = await subscribe(shop, { product_handle: 'silver' })
  const { apiKey } = await openOtherSite(shop)
  for (const path of ['migrations', 'migrations/preview']) {
    const body = { migration: { product_handle: 'gold' } }
    assert.equal((await shop.ask(`POST /subscriptions/${id}/${path}.json`, { body, key: apiKey })).status, 404)
  }
})

test('after all of this the audit finds no difference', async () => {
  const { text, differences } = await verify(shop.app)
  assert.equal(differences, 0, text)
})
