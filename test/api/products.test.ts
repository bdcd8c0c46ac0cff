/** Products: every field, versions of their terms, archiving, and the ways to find one, in JSON and in XML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const everything = {
  name: 'Almanac & Atlas',
  handle: 'almanac-atlas',
  description: 'Both <of them>',
  accounting_code: 'A-1',
  request_credit_card: false,
  expiration_interval: 24,
  expiration_interval_unit: 'month',
  price_in_cents: 4900,
  interval: 30,
  interval_unit: 'day',
  initial_charge_in_cents: 1500,
  trial_price_in_cents: 100,
  trial_interval: 2,
  trial_interval_unit: 'month',
  trial_type: 'no_obligation',
  require_credit_card: false,
  return_params: 'id={subscription_id}',
  return_url: 'https://example.com/done',
  taxable: true,
  tax_code: 'D0000000',
  update_return_url: 'https://example.com/updated',
  update_return_params: 'x=1',
  initial_charge_after_trial: true,
  require_billing_address: true,
  request_billing_address: true,
  require_shipping_address: true,
  request_shipping_address: true,
}

const shops = {
  json: await openShop(undefined, { timeZone: 'America/New_York' }),
  xml: await openShop(undefined, { timeZone: 'America/New_York' }),
}

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)
  const inFamily = `/product_families/${shop.familyId}/products`

  test(`${format}: products are created with every field, and found by id, handle and lookup`, async () => {
    const made = await say(`POST ${inFamily}`, { product: everything })
    assert.equal(made.status, 201)
    const { id, ...product } = made.tree.product
    assert.equal(made.headers.location, `/products/${id}`)
    assert.deepEqual(product, {
      ...everything,
      created_at: '2027-01-15T07:00:00-05:00',
      updated_at: '2027-01-15T07:00:00-05:00',
      archived_at: null,
      version_number: 1,
      default_product_price_point_id: id,
      product_price_point_id: id,
      product_price_point_name: 'Original',
      product_price_point_handle: 'original',
      product_family: {
        id: shop.familyId,
        name: 'Almanacs',
        handle: 'almanacs',
        accounting_code: null,
        description: null,
      },
      public_signup_pages: [],
    })
    for (const path of [`/products/${id}`, '/products/handle/almanac-atlas', '/products/lookup?handle=almanac-atlas']) {
      const read = await say(`GET ${path}`)
      assert.equal(read.status, 200)
      assert.deepEqual(read.tree, made.tree, path)
    }
  })

  test(`${format}: products of which little is said are monthly, never expire and have no trial; prices may be strings`, async () => {
    const plain = {
      name: 'Plain',
      price_in_cents: '2500',
      interval: '1',
      handle: '',
      trial_interval: 0,
      trial_price_in_cents: 0,
    }
    const { status, tree } = await say(`POST ${inFamily}`, { product: plain })
    assert.equal(status, 201)
    const { product } = tree
    assert.deepEqual(
      [product.price_in_cents, product.interval, product.interval_unit, product.handle],
      [2500, 1, 'month', null],
    )
    assert.deepEqual([product.expiration_interval, product.expiration_interval_unit], [null, 'never'])
    assert.deepEqual(
      [product.trial_price_in_cents, product.trial_interval, product.trial_interval_unit, product.trial_type],
      [null, null, 'month', null],
    )
    assert.deepEqual([product.initial_charge_in_cents, product.initial_charge_after_trial], [null, false])
    assert.deepEqual([product.request_credit_card, product.require_credit_card, product.taxable], [true, true, false])
  })

  test(`${format}: products are refused with every problem at once, in words`, async () => {
    const wrong = await say(`POST ${inFamily}`, {
      product: { interval_unit: 'week', price_in_cents: -1, trial_interval: 1 },
    })
    assert.equal(wrong.status, 422)
    assert.deepEqual(wrong.errors, [
      'Name: cannot be blank.',
      'Price: must be greater than or equal to 0.',
      'Interval: cannot be blank.',
      'Interval unit: must be one of day, month.',
      'Trial Price: must be given if a trial interval (duration) is provided.',
    ])
    const priced = { name: 'X', price_in_cents: 1, interval: 1, trial_price_in_cents: 5 }
    const lengthless = await say(`POST ${inFamily}`, { product: priced })
    assert.deepEqual(lengthless.errors, ['Trial Interval: must be given if a trial price is provided.'])
    const taken = await say(`POST ${inFamily}`, {
      product: { name: 'X', price_in_cents: 1, interval: 1, handle: 'monthly' },
    })
    assert.equal(taken.status, 422)
    assert.deepEqual(taken.errors, ['API Handle: must be unique - that value has been taken.'])
  })

  test(`${format}: products keep their version when words change, and get a new one when terms do`, async () => {
    const id = shop.productIds['card-trial']
    const renamed = await say(`PUT /products/${id}`, {
      product: { name: 'Renamed', taxable: true, description: null },
    })
    assert.equal(renamed.status, 200)
    assert.deepEqual(
      [renamed.tree.product.name, renamed.tree.product.description, renamed.tree.product.version_number],
      ['Renamed', null, 1],
    )
    const whole = await say(`PUT /products/${id}`, renamed.tree)
    assert.deepEqual(whole.tree, renamed.tree)
    const dearer = await say(`PUT /products/${id}`, { product: { price_in_cents: 6000 } })
    assert.deepEqual([dearer.tree.product.price_in_cents, dearer.tree.product.version_number], [6000, 2])
    assert.equal(dearer.tree.product.trial_interval, 1)
    const shown = []
    for (const charge of [0, 500, null, '']) {
      const { tree } = await say(`PUT /products/${id}`, { product: { initial_charge_in_cents: charge } })
      shown.push(tree.product.initial_charge_in_cents)
    }
    assert.deepEqual(shown, [0, 500, null, null], 'none is told from one of 0')
    const sold = await say(`PUT /products/${id}`, { product: { trial_interval: null } })
    assert.deepEqual([sold.tree.product.trial_price_in_cents, sold.tree.product.version_number], [null, 6])
    const lengthless = await say(`PUT /products/${id}`, { product: { name: '', trial_price_in_cents: 5 } })
    assert.equal(lengthless.status, 422)
    assert.deepEqual(lengthless.errors, ['Name: cannot be blank.'])
    const expiring = await say(`PUT /products/${id}`, { product: { expiration_interval: 6 } })
    assert.deepEqual(
      [expiring.tree.product.expiration_interval, expiring.tree.product.expiration_interval_unit],
      [6, 'month'],
    )
    const taken = await say(`PUT /products/${id}`, { product: { handle: 'monthly' } })
    assert.deepEqual(taken.errors, ['API Handle: must be unique - that value has been taken.'])
  })

  test(`${format}: products that are archived are shown with the date, hidden from lists and no longer sold`, async () => {
    const id = shop.productIds.expiring
    const archived = await say(`DELETE /products/${id}`)
    assert.equal(archived.status, 200)
    assert.equal(archived.tree.product.archived_at, '2027-01-15T07:00:00-05:00')
    const again = await say(`DELETE /products/${id}`)
    assert.deepEqual([again.status, again.errors], [422, ['Product: is archived already.']])
    assert.equal((await say(`GET /products/${id}`)).status, 200)
    const ids = async (line: string) => (await say(line)).tree.map((product: { id: number }) => product.id)
    for (const path of ['/products', inFamily]) {
      assert.ok(!(await ids(`GET ${path}?per_page=200`)).includes(id), path)
      assert.ok((await ids(`GET ${path}?per_page=200&include_archived=true`)).includes(id), path)
    }
    for (const path of ['/products', inFamily, '/coupons', '/components']) {
      const garbage = await say(`GET ${path}?include_archived=garbage`)
      assert.deepEqual([garbage.status, garbage.errors], [422, ['Include archived: must be true or false.']], path)
    }
    const refused = await say('POST /subscriptions', signup({ product_handle: 'expiring' }))
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.errors, ["Product with API Handle 'expiring' does not exist for this merchant."])
  })

  test(`${format}: products are listed in pages, oldest first`, async () => {
    const first = await say('GET /products?per_page=2')
    assert.equal(first.status, 200)
    assert.deepEqual(
      first.tree.map((product: { handle: string }) => product.handle),
      ['monthly', 'with-setup-fee'],
    )
    const second = await say('GET /products?per_page=2&page=2')
    assert.equal(second.tree[0].handle, 'card-optional')
    assert.deepEqual((await say('GET /products?page=99')).tree, [])
    assert.deepEqual((await say('GET /products?page=0')).errors, ['invalid page: 0'])
  })

  test(`${format}: products that do not exist are a 404, before anything is said about the request`, async () => {
    for (const line of [
      'GET /products/999',
      'GET /products/x',
      'GET /products/handle/nothing',
      'GET /products/lookup',
      'GET /products/lookup?handle=nothing',
      'DELETE /products/999',
    ]) {
      assert.equal((await say(line)).status, 404, line)
    }
    assert.equal((await say('PUT /products/999', { product: { price_in_cents: -1 } })).status, 404)
  })
}

test('a subscription keeps the price that it was sold at when the product becomes dearer', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const { tree: old } = await say('POST /subscriptions', signup())
  await say(`PUT /products/${shop.productIds.monthly}`, { product: { price_in_cents: 7500 } })
  const { tree: kept } = await say(`GET /subscriptions/${old.subscription.id}`)
  const { product_price_in_cents: price, product_version_number: version, product } = kept.subscription
  assert.deepEqual([price, version, product.price_in_cents, product.version_number], [5000, 1, 7500, 2])
  const { tree: fresh } = await say('POST /subscriptions', signup())
  assert.equal(fresh.subscription.product_price_in_cents, 7500)
})

test('two changes of one product at the same time make two versions', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const path = `PUT /products/${shop.productIds.monthly}`
  const replies = await Promise.all(
    [6000, 7000, 8000].map((price) => say(path, { product: { price_in_cents: price } })),
  )
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  )
  const { tree } = await say(`GET /products/${shop.productIds.monthly}`)
  assert.equal(tree.product.version_number, 4)
})
