/** Each product and each component has one price point, which bears its id and shows what the catalog has for its price. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { made, openedAt, openOtherSite, signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { formats, speaker, wordsOf } from './two-formats.ts'

const shop = await openStockedShop()
const { users, boxes, support } = shop.components
const dates = { archived_at: null, created_at: openedAt, updated_at: openedAt }
const common = {
  name: 'Original',
  handle: 'original',
  type: 'default',
  use_site_exchange_rate: true,
  tax_included: false,
}

for (const format of formats) {
  const say = speaker(shop, format)
  /** A list in JSON has a name, and in XML is the root. */
  const listed = async (line: string) => {
    const { status, tree } = await say(`GET ${line}`)
    assert.equal(status, 200)
    return format === 'json' ? tree.price_points : tree
  }

  test(`${format}: the price point of a component is read by id and by handle, and listed`, async () => {
    const { status, tree } = await say(`GET /components/${users}/price_points/${users}`)
    assert.equal(status, 200)
    assert.deepEqual(tree.price_point, {
      ...common,
      id: users,
      default: true,
      pricing_scheme: 'per_unit',
      component_id: users,
      prices: [{ starting_quantity: 1, ending_quantity: null, unit_price: '15.0' }],
      interval: null,
      interval_unit: null,
      ...dates,
    })
    const byHandles = await say('GET /components/handle:users/price_points/handle:original')
    assert.deepEqual(byHandles.tree, tree)
    assert.deepEqual(await listed(`/components/${users}/price_points`), [tree.price_point])
    assert.deepEqual(await listed(`/components/${users}/price_points?page=2`), [])
    const { tree: known } = await say('GET /components/lookup?handle=users')
    const { default_price_point_id, default_price_point_name, price_point_count, price_points_url } = known.component
    assert.deepEqual([default_price_point_id, default_price_point_name, price_point_count], [users, 'Original', 1])
    assert.deepEqual(await listed(price_points_url), [tree.price_point])
    const all = await listed('/components_price_points')
    assert.deepEqual(
      all.map(({ id }: { id: number }) => id),
      Object.values(shop.components),
    )
    const tiered = all.find(({ id }: { id: number }) => id === boxes)
    assert.deepEqual([tiered.pricing_scheme, tiered.prices.length], ['tiered', 2])
    const onOff = all.find(({ id }: { id: number }) => id === support)
    assert.deepEqual(onOff.prices, [{ starting_quantity: 1, ending_quantity: null, unit_price: '45.0' }])
  })

  test(`${format}: the price point of a product shows the terms on which it is sold, and is listed`, async () => {
    const id = shop.productIds['paid-trial']
    const { status, tree } = await say(`GET /products/${id}/price_points/${id}`)
    assert.equal(status, 200)
    assert.deepEqual(tree.price_point, {
      ...common,
      id,
      price_in_cents: 5000,
      interval: 1,
      interval_unit: 'month',
      trial_price_in_cents: 100,
      trial_interval: 7,
      trial_interval_unit: 'day',
      trial_type: 'payment_expected',
      introductory_offer: null,
      initial_charge_in_cents: 2500,
      initial_charge_after_trial: false,
      expiration_interval: null,
      expiration_interval_unit: 'never',
      product_id: id,
      subscription_id: null,
      ...dates,
    })
    assert.deepEqual((await say('GET /products/handle:paid-trial/price_points/handle:original')).tree, tree)
    assert.deepEqual(await listed(`/products/${id}/price_points`), [tree.price_point])
    const all = await listed('/products_price_points')
    assert.deepEqual(
      all.map((one: { product_id: number }) => one.product_id),
      Object.values(shop.productIds),
    )
    const [only, ...others] = await listed('/products_price_points?per_page=1&page=2')
    assert.deepEqual([only, others], [all[1], []])
  })

  test(`${format}: no other price point exists, and none of another site`, async () => {
    const monthly = shop.productIds.monthly
    const beta = await openOtherSite(shop, `beta-${format}`)
    for (const line of [
      `/components/${users}/price_points/${boxes}`,
      `/components/${users}/price_points/handle:yearly`,
      '/components/999/price_points',
      `/products/${monthly}/price_points/999`,
      '/products/999/price_points',
      '/products/999/price_points/999',
    ]) {
      assert.equal((await say(`GET ${line}`)).status, 404, line)
    }
    for (const line of [`/components/${users}/price_points/${users}`, `/products/${monthly}/price_points`]) {
      assert.equal((await say(`GET ${line}`, undefined, { key: beta.apiKey })).status, 404, line)
    }
  })
}

for (const format of formats) {
  const say = speaker(shop, format)
  const { calls } = shop.components

  test(`${format}: what names the price point of a component works, and every other is refused by its name`, async () => {
    const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
    const path = `/subscriptions/${subscription.id}`
    const chosen = (fields: object) => [{ component_id: 'handle:users', allocated_quantity: 2, ...fields }]
    const places: [line: string, owner: number, body: (fields: object) => object][] = [
      ['POST /subscriptions/preview', users, (fields) => signup({ components: chosen(fields) })],
      ['POST /subscriptions', users, (fields) => signup({ components: chosen(fields) })],
      [`PUT ${path}`, users, (fields) => ({ subscription: { components: chosen(fields) } })],
      [`POST ${path}/components/${users}/allocations`, users, (fields) => ({ allocation: { quantity: 1, ...fields } })],
      [
        `POST ${path}/allocations/preview`,
        users,
        (fields) => ({ request: { allocations: [{ component_id: users, quantity: 1, ...fields }] } }),
      ],
      [`POST ${path}/components/${calls}/usages`, calls, (fields) => ({ usage: { quantity: 1, ...fields } })],
      [
        `POST ${path}/renewals/preview`,
        users,
        (fields) => ({ renewal_preview: { components: [{ component_id: users, quantity: 1, ...fields }] } }),
      ],
    ]
    const wrong: string[] = []
    for (const [line, owner, body] of places) {
      for (const price_point_id of [owner, String(owner), 'handle:original', null, '', 0]) {
        const { status, text } = await say(line, body({ price_point_id }))
        if (status >= 300) wrong.push(`${line} ${price_point_id}: ${status} ${text}`)
      }
      for (const price_point_id of [51, boxes, 'handle:yearly', 'original']) {
        const { status, errors } = await say(line, body({ price_point_id }))
        const name = owner === users ? 'Users' : 'Calls'
        const sentence = `Price point id: is not supported; ${name} has one price point, ${owner}.`
        if (status !== 422 || wordsOf(errors[0] ?? '') !== sentence) {
          wrong.push(`${line} ${price_point_id}: ${status} ${JSON.stringify(errors)}`)
        }
      }
    }
    assert.deepEqual(wrong, [])
  })

  test(`${format}: a subscription with prices of its own is not at the price point of the catalog`, async () => {
    const own = {
      component_id: users,
      allocated_quantity: 1,
      custom_price: { prices: [{ starting_quantity: 1, unit_price: 9 }] },
    }
    const { subscription } = await made(shop, 'POST /subscriptions.json', signup({ components: [own] }))
    const refused = ["Price point id: is not supported; Users has prices of this subscription's own."]
    const both = await say('POST /subscriptions', signup({ components: [{ ...own, price_point_id: users }] }))
    assert.deepEqual([both.status, both.errors], [422, refused])
    const components = [{ component_id: users, allocated_quantity: 2, price_point_id: users }]
    const updated = await say(`PUT /subscriptions/${subscription.id}`, { subscription: { components } })
    assert.deepEqual([updated.status, updated.errors], [422, refused])
  })

  test(`${format}: an allocation tells at which price it was, and at which the one before it`, async () => {
    const components = [{ component_id: users, allocated_quantity: 1 }]
    const { subscription } = await made(shop, 'POST /subscriptions.json', signup({ components }))
    const own = { component_id: users, custom_price: { prices: [{ starting_quantity: 1, unit_price: 9 }] } }
    await say(`PUT /subscriptions/${subscription.id}`, { subscription: { components: [own] } })
    const path = `/subscriptions/${subscription.id}/components/${users}/allocations`
    const { tree } = await say(`POST ${path}`, { allocation: { quantity: 2 } })
    const told = ({ price_point_id: id, price_point_name: name, previous_price_point_id: before }: typeof tree) => [
      id,
      name,
      before,
    ]
    assert.deepEqual(told(tree.allocation), [null, null, null])
    assert.deepEqual((await say(`GET ${path}`)).tree.map(told), [
      [null, null, null],
      [null, null, users],
      [users, 'Original', null],
    ])
  })
}

for (const format of formats) {
  const say = speaker(shop, format)
  const { monthly, free, 'with-setup-fee': withFee } = shop.productIds
  const only = (name: string, id: number | undefined) => `${name} has one price point, ${id} (original).`
  const product = 'product_price_point_id'

  test(`${format}: what names the price point of a product works, and every other is refused by its name`, async () => {
    const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
    const path = `/subscriptions/${subscription.id}`
    const update = (about: object) => (fields: object) => ({ subscription: { ...about, ...fields } })
    const migration = (fields: object) => ({ migration: { product_handle: 'free', ...fields } })
    const places: [line: string, owner: number | undefined, name: string, body: (fields: object) => object][] = [
      ['POST /subscriptions/preview', monthly, 'Monthly', (fields) => signup(fields)],
      ['POST /subscriptions', monthly, 'Monthly', (fields) => signup(fields)],
      [`PUT ${path}`, monthly, 'Monthly', update({})],
      [`PUT ${path}`, monthly, 'Monthly', update({ product_id: monthly })],
      [`PUT ${path}`, free, 'Free', update({ product_handle: 'free', product_change_delayed: true })],
      [`PUT ${path}`, withFee, 'With Setup Fee', update({ product_id: withFee })],
      [`POST ${path}/migrations/preview`, free, 'Free', migration],
    ]
    const wrong: string[] = []
    for (const [line, owner, name, body] of places) {
      for (const field of [product, 'product_price_point_handle']) {
        for (const other of [51, free === owner ? monthly : free, 'yearly', 'handle:yearly']) {
          const { status, errors } = await say(line, body({ [field]: other }))
          const label = field.replaceAll('_', ' ').replace('p', 'P')
          const sentence = `${label}: is not supported; ${only(name, owner)}`
          if (status !== 422 || wordsOf(errors[0] ?? '') !== sentence) {
            wrong.push(`${line} ${field} ${other}: ${status} ${JSON.stringify(errors)}, not ${sentence}`)
          }
        }
        for (const own of [null, '', 0, owner, String(owner), 'original', 'handle:original']) {
          const { status, text } = await say(line, body({ [field]: own }))
          if (status >= 300) wrong.push(`${line} ${field} ${own}: ${status} ${text}`)
        }
      }
    }
    assert.deepEqual(wrong, [])
    const refused = await say(`POST ${path}/migrations`, migration({ [product]: monthly }))
    assert.deepEqual(refused.errors, [`Product price point id: is not supported; ${only('Free', free)}`])
    const { status, tree, text } = await say(`POST ${path}/migrations`, migration({ [product]: free }))
    assert.deepEqual([status, tree.subscription?.product.id], [200, free], text)
  })

  test(`${format}: the price point of the next period is that of the product which comes with it`, async () => {
    const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
    const update = (fields: object) => say(`PUT /subscriptions/${subscription.id}`, { subscription: fields })
    const next = 'next_product_price_point_id'
    const label = 'Next product price point id: is not supported; '
    const none = `${label}no other product comes with the next period.`
    assert.deepEqual((await update({ [next]: monthly })).errors, [none])
    assert.deepEqual((await update({ next_product_id: free, [next]: monthly })).errors, [label + only('Free', free)])
    const said = await update({ next_product_id: free, [next]: String(free) })
    assert.deepEqual([said.status, said.tree.subscription?.next_product_id], [200, free])
    assert.equal((await update({ [next]: free, [product]: monthly })).status, 200)
    assert.deepEqual((await update({ [next]: withFee })).errors, [label + only('Free', free)])
    assert.deepEqual((await update({ next_product_id: '', [next]: free })).errors, [none])
    const off = await update({ next_product_id: '', [next]: '' })
    assert.deepEqual([off.status, off.tree.subscription?.next_product_id], [200, null])
  })

  test(`${format}: a price of a subscription's own is not the price point of the product`, async () => {
    const custom_price = { price_in_cents: 900, interval: 1, interval_unit: 'month' }
    const refused = ["Product price point id: is not supported; Monthly has a price of this subscription's own."]
    for (const line of ['POST /subscriptions', 'POST /subscriptions/preview']) {
      const both = await say(line, signup({ custom_price, [product]: monthly }))
      assert.deepEqual([both.status, both.errors], [422, refused])
    }
    const { subscription } = await made(shop, 'POST /subscriptions.json', signup({ custom_price }))
    const update = (fields: object) => say(`PUT /subscriptions/${subscription.id}`, { subscription: fields })
    assert.deepEqual((await update({ [product]: monthly })).errors, refused)
    assert.deepEqual((await update({ product_id: monthly, [product]: monthly })).errors, refused)
    const kept = await update({ next_product_id: monthly, next_product_price_point_id: monthly })
    assert.equal(kept.status, 422, kept.text)
    const moved = await update({ product_id: free, [product]: free })
    assert.deepEqual([moved.status, moved.tree.subscription?.product_price_in_cents], [200, 0], moved.text)
  })
  test(`${format}: a product and a subscription tell their price point`, async () => {
    const idOf = (one: { [name: string]: unknown }) => [
      one.default_product_price_point_id,
      one.product_price_point_id,
      one.product_price_point_name,
      one.product_price_point_handle,
    ]
    const original = ['Original', 'original']
    const { tree } = await say('GET /products/handle/monthly')
    assert.deepEqual(idOf(tree.product), [monthly, monthly, ...original])
    const pointed = await say(`GET /products/${monthly}/price_points/${tree.product.product_price_point_id}`)
    assert.equal(pointed.tree.price_point.product_id, monthly)

    const sold = await made(shop, 'POST /subscriptions.json', signup())
    const path = `/subscriptions/${sold.subscription.id}`
    const { subscription } = (await say(`GET ${path}`)).tree
    assert.deepEqual([subscription.product_price_point_id, subscription.next_product_price_point_id], [monthly, null])
    assert.deepEqual(idOf(subscription.product), [monthly, monthly, ...original])
    const sentBack = await say(`PUT ${path}`, { subscription: { ...subscription, next_product_id: free } })
    assert.deepEqual([sentBack.status, sentBack.tree.subscription?.next_product_price_point_id], [200, free])

    const custom_price = { name: 'For Ada', price_in_cents: 900, interval: 1, interval_unit: 'month' }
    const own = (await made(shop, 'POST /subscriptions.json', signup({ custom_price }))).subscription
    const shown = (await say(`GET /subscriptions/${own.id}`)).tree.subscription
    assert.deepEqual([shown.product_price_point_id, shown.product_price_point_type], [null, 'custom'])
    assert.deepEqual(idOf(shown.product), [monthly, null, 'For Ada', null])
  })
}
