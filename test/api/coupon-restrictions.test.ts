/** Coupons that are good for some products and components only, or leave allocations out: made, read, refused, put on, previewed and billed, in JSON and in XML. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { discountsOf, refusedCode } from './coupon-shop.ts'
import { made, signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { formats, speaker } from './two-formats.ts'

const shops = { json: await openStockedShop(), xml: await openStockedShop() }

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)
  const { productIds } = shop
  const { users, support } = shop.components
  const monthly = productIds.monthly
  const held = [
    { component_id: users, allocated_quantity: 2 },
    { component_id: support, enabled: true },
  ]
  const ofProduct = (id: number) => ({ item_type: 'Product', item_id: id })
  const ofComponent = (id: number) => ({ item_type: 'Component', item_id: id })

  let made_ = 0
  /** A coupon of half the price, unless said otherwise; gives its id and its code. */
  const coupon = async (fields: object): Promise<{ id: number; code: string }> => {
    const code = `HALF${++made_}`
    const { status, tree, text } = await say('POST /coupons', {
      coupon: { name: 'Half', code, ...(!('amount' in fields) && { percentage: 50 }), recurring: true, ...fields },
    })
    assert.equal(status, 201, text)
    return { id: tree.coupon.id, code }
  }
  const restrictionsOf = async (id: number) => {
    const { tree } = await say(`GET /coupons/${id}`)
    return tree.coupon.coupon_restrictions.map(({ id: _, ...one }: { id: number }) => one)
  }
  const atOnce = { proration_upgrade_scheme: 'prorate-attempt-capture', proration_downgrade_scheme: 'prorate' }
  const allocate = async (subscription: number, component: number, quantity: number): Promise<void> => {
    const path = `/subscriptions/${subscription}/components/${component}/allocations`
    const { status, text } = await say(`POST ${path}`, { allocation: { quantity, ...atOnce } })
    assert.equal(status, 201, text)
  }
  const named = {
    monthly: { ...ofProduct(monthly), name: 'Monthly', handle: 'monthly' },
    users: { ...ofComponent(users), name: 'Users', handle: 'users' },
  }

  describe(`a restricted coupon, in ${format}`, () => {
    test('is read back as it was made, wherever it is shown', async () => {
      const { id, code } = await coupon({
        restricted_products: { [monthly]: true, [productIds.free]: 'false' },
        restricted_components: { [users]: '1', [support]: 0 },
      })
      const both = [named.monthly, named.users]
      assert.deepEqual(await restrictionsOf(id), both)
      const { tree: one } = await say(`GET /coupons/${id}`)
      assert.ok(one.coupon.coupon_restrictions.every(({ id }: { id: number }) => id > 0))
      for (const path of [`/coupons/find?code=${code}`, `/coupons/validate?code=${code}`]) {
        assert.deepEqual((await say(`GET ${path}`)).tree, one)
      }
      const { tree: all } = await say('GET /coupons?per_page=200')
      assert.deepEqual(
        all.find((each: { id: number }) => each.id === id),
        one.coupon,
      )
      assert.deepEqual(await restrictionsOf((await coupon({})).id), [])
    })

    test('takes the form in which it is shown, and keeps its ids', async () => {
      const { id } = await coupon({ coupon_restrictions: [ofProduct(monthly), ofComponent(users), ofProduct(monthly)] })
      assert.deepEqual(await restrictionsOf(id), [named.monthly, named.users])
      const { tree: before } = await say(`GET /coupons/${id}`)
      assert.equal((await say(`PUT /coupons/${id}`, { coupon: before.coupon })).status, 200)
      assert.deepEqual(
        (await say(`GET /coupons/${id}`)).tree.coupon.coupon_restrictions,
        before.coupon.coupon_restrictions,
      )
    })

    test('changes by what is sent of products and of components; an empty object lifts it', async () => {
      const { id } = await coupon({
        restricted_products: { [monthly]: true },
        restricted_components: { [users]: true },
      })
      const change = (fields: object) => say(`PUT /coupons/${id}`, { coupon: fields })
      assert.equal((await change({ name: 'Other' })).status, 200)
      assert.deepEqual(await restrictionsOf(id), [named.monthly, named.users])
      assert.equal((await change({ restricted_products: { [monthly]: false } })).status, 200)
      assert.deepEqual(await restrictionsOf(id), [named.users])
      assert.deepEqual((await change({ restricted_components: { [users]: false } })).errors, [
        'Restricted components: must name with true what the coupon is good for.',
      ])
      assert.equal((await change({ restricted_components: null })).status, 200)
      assert.deepEqual(await restrictionsOf(id), [])
    })

    test('is refused where it makes no sense, and nothing is written', async () => {
      const before = (await say('GET /coupons?per_page=200')).tree.length
      for (const [fields, errors] of [
        [{ restricted_products: { 9: true } }, ['Restricted products: there is no 9 in the product family.']],
        [{ restricted_components: { 7: true } }, ['Restricted components: there is no 7 in the product family.']],
        [
          { restricted_products: { [monthly]: 'x' } },
          ['Restricted products: must be an object of ids with true or false.'],
        ],
        [{ restricted_products: 'all' }, ['Restricted products: must be an object of ids with true or false.']],
        [
          { restricted_products: { monthly: true } },
          ['Restricted products: must be an object of ids with true or false.'],
        ],
        [
          { restricted_products: { [monthly]: false } },
          ['Restricted products: must name with true what the coupon is good for.'],
        ],
        [
          { restricted_products: { [monthly]: true }, allow_negative_balance: true },
          ['Allow negative balance: cannot be used together with restrictions.'],
        ],
        [
          { coupon_restrictions: [{ item_type: 'Price', item_id: monthly }] },
          ['Coupon restrictions: Item type: must be one of Product, Component.'],
        ],
        [{ coupon_restrictions: [{ item_type: 'Product' }] }, ['Coupon restrictions: Item: cannot be blank.']],
      ] as const) {
        const { status, errors: told } = await say('POST /coupons', {
          coupon: { name: 'Bad', code: 'BAD', percentage: 50, ...fields },
        })
        assert.deepEqual([status, told], [422, errors])
      }
      assert.equal((await say('GET /coupons?per_page=200')).tree.length, before)
    })

    test('discounts only what it names, and the preview says so', async () => {
      for (const [fields, off] of [
        [{ restricted_products: { [monthly]: true } }, 2500],
        [{ restricted_components: { [users]: true } }, 1500],
        [{ restricted_components: { [users]: true, [support]: true } }, 3750],
        [{ amount: '40.00', restricted_components: { [users]: true } }, 3000],
      ] as const) {
        const { code } = await coupon(fields)
        const body = signup({ coupon_code: code, components: held })
        const { tree: preview } = await say('POST /subscriptions/preview', body)
        const { current_billing_manifest: now, next_billing_manifest: next } = preview.subscription_preview
        assert.deepEqual(
          [now.total_discount_in_cents, next.total_discount_in_cents],
          [off, off],
          JSON.stringify(fields),
        )
        const { subscription } = (await say('POST /subscriptions', body)).tree
        assert.deepEqual(await discountsOf(shop, subscription.id), [[code, -off]])
        const { tree: renewal } = await say(`POST /subscriptions/${subscription.id}/renewals/preview`)
        assert.equal(renewal.renewal_preview.total_discount_in_cents, off)
      }
    })

    test('takes off beside others what those before it left of its own', async () => {
      const [half, all] = [await coupon({}), await coupon({ restricted_components: { [users]: true } })]
      const body = signup({ coupon_codes: [half.code, all.code], components: held })
      const { subscription } = (await say('POST /subscriptions', body)).tree
      assert.deepEqual(await discountsOf(shop, subscription.id), [
        [half.code, -6250],
        [all.code, -750],
      ])
    })

    test('is refused on a product that it is not good for, at a sign-up, its preview, and later', async () => {
      const { code } = await coupon({ restricted_products: { [productIds.expiring]: true } })
      const told = refusedCode(code, 'Coupon is not good for this product.')
      for (const line of ['POST /subscriptions', 'POST /subscriptions/preview']) {
        assert.deepEqual((await say(line, signup({ coupon_codes: [code] }))).errors, [told])
        assert.deepEqual((await say(line, signup({ coupon_code: code }))).errors, ['Coupon Code: is invalid'])
      }
      const { subscription } = (await say('POST /subscriptions', signup())).tree
      const path = `/subscriptions/${subscription.id}`
      assert.equal((await say(`POST ${path}/add_coupon?code=${code}`)).status, 422)
      assert.equal((await say(`POST ${path}/add_coupon`, { codes: [code] })).status, 422)
      assert.deepEqual((await say(`PUT ${path}`, { subscription: { coupon_codes: [code] } })).errors, [told])
      const moved = await say(`PUT ${path}`, { subscription: { product_handle: 'expiring', coupon_codes: [code] } })
      assert.deepEqual([moved.status, moved.tree.subscription.coupon_code], [200, code])
    })

    test('stays through a change of product, and waits without being used where it is not good', async () => {
      const { code } = await coupon({ restricted_products: { [monthly]: true } })
      const { subscription } = (await say('POST /subscriptions', signup({ coupon_code: code }))).tree
      const path = `/subscriptions/${subscription.id}`
      const moved = await say(`POST ${path}/migrations`, { migration: { product_id: productIds.expiring } })
      assert.equal(moved.status, 200, moved.text)
      assert.deepEqual(
        moved.tree.subscription.coupons.map((one: { code: string; use_count: number }) => [one.code, one.use_count]),
        [[code, 1]],
      )
      const renewal = await say(`POST ${path}/renewals/preview`)
      assert.equal(renewal.tree.renewal_preview.total_discount_in_cents, 0)
    })

    test('takes part in changes of what it names alone, and gives back of it alone', async () => {
      const { code } = await coupon({ amount: '10.00', restricted_components: { [users]: true } })
      const { subscription } = (await say('POST /subscriptions', signup({ coupon_code: code, components: held }))).tree
      const taken = async () => (await discountsOf(shop, subscription.id)).map(([, amount]) => amount)
      assert.deepEqual(await taken(), [-1000])
      for (const [component, quantity, off] of [
        [support, 0, [-1000]],
        [support, 1, [-1000]],
        [users, 1, [-1000]],
        [users, 0, [-1000, 1000]],
        [users, 3, [-1000, 1000, -1000]],
      ] as const) {
        await allocate(subscription.id, component, quantity)
        assert.deepEqual(await taken(), off, `${component} to ${quantity}`)
      }
    })

    test('that leaves allocations out takes nothing off what they charge until the renewal', async () => {
      const { id, code } = await coupon({ exclude_mid_period_allocations: true })
      assert.equal((await say(`GET /coupons/${id}`)).tree.coupon.exclude_mid_period_allocations, true)
      const components = [{ component_id: users, allocated_quantity: 2 }]
      const { subscription } = (await say('POST /subscriptions', signup({ coupon_code: code, components }))).tree
      const path = `/subscriptions/${subscription.id}`
      for (const [quantity, off] of [
        [4, [-4000]],
        [2, [-4000]],
        [0, [-4000, 1500]],
        [1, [-4000, 1500]],
      ] as const) {
        const body = { allocations: [{ component_id: users, quantity }], ...atOnce }
        const preview = await say(`POST ${path}/allocations/preview`, { request: body })
        const taken = preview.tree.allocation_preview.line_items.filter(
          ({ kind }: { kind: string }) => kind === 'coupon',
        )
        await allocate(subscription.id, users, quantity)
        const rows = (await discountsOf(shop, subscription.id)).map(([, amount]) => amount)
        assert.deepEqual(rows, off, `to ${quantity}`)
        assert.equal(taken.length, quantity === 0 ? 1 : 0)
      }
      const renewal = await say(`POST ${path}/renewals/preview`)
      assert.equal(renewal.tree.renewal_preview.total_discount_in_cents, 3250)
    })

    test('keeps what is to happen when a subscription ends, where nothing is billed', async () => {
      const flags = { apply_on_cancel_at_end_of_period: true, apply_on_subscription_expiration: true }
      const { id } = await coupon(flags)
      const { apply_on_cancel_at_end_of_period: cancel, apply_on_subscription_expiration: expiration } = (
        await say(`GET /coupons/${id}`)
      ).tree.coupon
      assert.deepEqual([cancel, expiration], [true, true])
    })

    test('leaves books that prove themselves', async () => {
      const { differences, text } = await verify(shop.app)
      assert.equal(differences, 0, text)
    })
  })
}

test('restrictions stand beside the coupon as well, as typed clients send them', async () => {
  const { familyId, productIds, components } = shops.json
  const body = {
    coupon: { name: 'Half', code: 'BESIDE', percentage: '50' },
    restricted_products: { [productIds.monthly]: true },
    restricted_components: { [components.users]: true },
  }
  const { coupon } = await made(shops.json, `POST /product_families/${familyId}/coupons.json`, body)
  assert.equal(coupon.coupon_restrictions.length, 2)
  const path = `/product_families/${familyId}/coupons/${coupon.id}.json`
  const { json } = await shops.json.ask(`PUT ${path}`, { body: { coupon: { name: 'Half' }, restricted_products: {} } })
  assert.deepEqual(
    json.coupon.coupon_restrictions.map(({ item_type }: { item_type: string }) => item_type),
    ['Component'],
  )
})
