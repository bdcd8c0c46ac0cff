/** What subscriptions have of components: from the sign-up on, listed, set the older way, and archived. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { made, openedAt, openOtherSite, signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { formats, speaker } from './two-formats.ts'

const shops = { json: await openStockedShop(), xml: await openStockedShop() }

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)
  const { users, boxes, support, calls } = shop.components
  const subscribe = async (components: object[] = [], changes: object = {}): Promise<number> => {
    const { status, tree, text } = await say('POST /subscriptions', signup({ components, ...changes }))
    assert.equal(status, 201, text)
    return tree.subscription.id
  }
  const moneyOf = async (id: number) =>
    (await say(`GET /subscriptions/${id}/transactions?direction=asc`)).tree.map(
      (row: { type: string; memo: string; amount_in_cents: number }) => [row.type, row.memo, row.amount_in_cents],
    )

  test(`${format}: the list is narrowed by use, family and price, in the order of choice`, async () => {
    const id = await subscribe([
      {
        component_id: users,
        allocated_quantity: 2,
        custom_price: { prices: [{ starting_quantity: 1, unit_price: 1 }] },
      },
      { component_id: support, enabled: true },
    ])
    const listed = async (query: string): Promise<number[]> =>
      (await say(`GET /subscriptions/${id}/components?${query}`)).tree.map(
        (one: { component_id: number }) => one.component_id,
      )
    const all = await listed('')
    assert.ok(all.length > 3 && all.includes(boxes))
    assert.deepEqual(await listed('in_use=true'), [users, support].toSorted())
    assert.deepEqual(
      await listed('in_use=false'),
      all.filter((one) => one !== users && one !== support),
    )
    assert.deepEqual(await listed('direction=desc&sort=id'), all.toReversed())
    assert.deepEqual(await listed(`product_family_ids=${shop.familyId},7`), all)
    assert.deepEqual(await listed('product_family_ids[]=7'), [])
    assert.deepEqual(
      await listed('price_point_ids=not_null'),
      all.filter((one) => one !== users),
    )
    assert.deepEqual(await listed('filter[currencies]=usd'), all)
    assert.deepEqual(await listed('filter[currencies]=EUR'), [])
    for (const query of ['date_field=updated_at', 'start_date=2027-01-01', 'sort=updated_at', 'in_use=maybe']) {
      assert.equal((await say(`GET /subscriptions/${id}/components?${query}`)).status, 422, query)
    }
  })

  test(`${format}: a sign-up pays its components in advance, and has them`, async () => {
    const id = await subscribe([
      { component_id: users, allocated_quantity: 2 },
      { component_id: support, enabled: true },
      { component_id: 'handle:fuel', allocated_quantity: '1.5' },
      { component_id: calls, unit_balance: 10 },
    ])
    assert.deepEqual(await moneyOf(id), [
      ['Charge', 'Monthly (01/15/2027 - 02/15/2027)', 5000],
      ['Charge', 'Users: 2 users', 3000],
      ['Charge', 'Fuel: 1.5 liters', 225],
      ['Charge', 'Support', 4500],
      ['Payment', 'Ada Lovelace - Monthly: Signup payment', 12_725],
    ])
    const listed = await say(`GET /subscriptions/${id}/components`)
    assert.deepEqual(
      listed.tree.map((one: Record<string, unknown>) => [
        one.name,
        one.allocated_quantity,
        one.unit_balance,
        one.enabled,
      ]),
      [
        ['Users', 2, undefined, undefined],
        ['Boxes', 0, undefined, undefined],
        ['Fuel', '1.5', undefined, undefined],
        ['Support', 1, undefined, true],
        ['Calls', undefined, 10, undefined],
      ],
    )
    const { tree } = await say(`GET /subscriptions/${id}/components/${users}`)
    assert.deepEqual(tree.component, {
      component_id: users,
      subscription_id: id,
      component_handle: 'users',
      name: 'Users',
      unit_name: 'user',
      kind: 'quantity_based_component',
      pricing_scheme: 'per_unit',
      unit_price: '15.0',
      prices: [{ starting_quantity: 1, ending_quantity: null, unit_price: '15.0' }],
      price_point_id: shop.components.users,
      price_point_handle: 'original',
      price_point_name: 'Original',
      price_point_type: 'default',
      product_family_id: shop.familyId,
      allocated_quantity: 2,
      taxable: false,
      recurring: true,
      archived_at: null,
      created_at: openedAt,
      updated_at: openedAt,
    })
    const events = await say(`GET /subscriptions/${id}/events`)
    assert.ok(!events.text.includes('component_allocation_change'), 'a sign-up is told as a sign-up')
  })

  test(`${format}: the older way sets a quantity and charges nothing`, async () => {
    const id = await subscribe()
    const set = await say(`PUT /subscriptions/${id}/components/${users}`, { component: { allocated_quantity: 23 } })
    assert.deepEqual([set.status, set.tree.component.allocated_quantity], [200, 23], set.text)
    const on = await say(`PUT /subscriptions/${id}/components/${support}`, { component: { enabled: true } })
    assert.deepEqual([on.tree.component.enabled, on.tree.component.allocated_quantity], [true, 1])
    assert.equal((await moneyOf(id)).length, 2)
    const refused = await say(`PUT /subscriptions/${id}/components/${users}`, { component: {} })
    assert.deepEqual([refused.status, refused.errors], [422, ['Allocated quantity: cannot be blank.']])
  })

  test(`${format}: a sign-up is refused what it cannot have, and leaves nothing behind`, async () => {
    const refuses = async (components: unknown, errors: string[]) => {
      const refused = await say('POST /subscriptions', signup({ components }))
      assert.deepEqual([refused.status, refused.errors], [422, errors])
    }
    await refuses([{ component_id: 999, allocated_quantity: 1 }], ['Component: 999 could not be found.'])
    await refuses([{ allocated_quantity: 1 }], ['Component: cannot be blank.'])
    await refuses(
      [{ component_id: users, allocated_quantity: -1 }],
      ['Allocated quantity: must be greater than or equal to 0.'],
    )
    await refuses([{ component_id: users, allocated_quantity: 'x' }], ['Allocated quantity: is not a number.'])
    await refuses([{ component_id: support, enabled: 'perhaps' }], ['Enabled: must be true or false.'])
    await refuses([{ component_id: boxes, allocated_quantity: 21 }], ['Quantity: Boxes has no price for more than 20.'])
    await refuses(
      [{ component_id: users, allocated_quantity: 1 }, { component_id: 'handle:users' }],
      ['Component: Users is given more than once.'],
    )
  })
}

test("another site's components cannot be allocated or signed up for, and archived ones only where they are kept", async () => {
  const shop = shops.json
  const say = speaker(shop, 'json')
  const family = `/product_families/${shop.familyId}`
  const old = await made(shop, `POST ${family}/on_off_components.json`, {
    on_off_component: { name: 'Old', unit_price: '1' },
  })
  const components = [{ component_id: old.component.id, enabled: true }]
  const keeper = (await say('POST /subscriptions', signup({ components }))).tree.subscription.id
  const stranger = (await say('POST /subscriptions', signup())).tree.subscription.id
  await say(`DELETE ${family}/components/${old.component.id}`)
  const off = { allocation: { quantity: 0 } }
  const path = (id: number) => `POST /subscriptions/${id}/components/${old.component.id}/allocations`
  assert.equal((await say(path(stranger), off)).status, 404)
  assert.equal((await say(path(keeper), off)).status, 201)
  const words = `Component: ${old.component.id} could not be found.`
  assert.deepEqual((await say('POST /subscriptions', signup({ components }))).errors, [words])
  const { apiKey } = await openOtherSite(shop)
  assert.equal((await say(path(keeper), off, { key: apiKey })).status, 404)
})

test('the audit finds no difference after all of this', async () => {
  for (const { app } of Object.values(shops)) {
    const { differences, text } = await verify(app)
    assert.equal(differences, 0, text)
  }
})

for (const format of formats) {
  test(`${format}: what a subscription has is dated by its allocations, where these tell`, async () => {
    const shop = await openStockedShop()
    const say = speaker(shop, format)
    const { users, calls } = shop.components
    const cups = (
      await made(shop, `POST /product_families/${shop.familyId}/quantity_based_components.json`, {
        quantity_based_component: {
          name: 'Cups',
          unit_name: 'cup',
          unit_price: 3,
          pricing_scheme: 'per_unit',
          recurring: false,
        },
      })
    ).component.id
    const components = [users, cups].map((id) => ({ component_id: id, allocated_quantity: 1 }))
    const { subscription } = await made(shop, 'POST /subscriptions.json', signup({ components }))
    const later = '2027-01-20T12:00:00Z'
    assert.equal((await say('PUT /test_clock', { test_clock: { now: later } })).status, 200)
    const path = `/subscriptions/${subscription.id}/components`
    const set = await say(`PUT ${path}/${users}`, { component: { allocated_quantity: 2 } })
    const datesOf = (one: typeof set.tree) => [one.created_at, one.updated_at]
    assert.deepEqual(datesOf(set.tree.component), [openedAt, later])
    await say(`POST ${path}/${calls}/usages`, { usage: { quantity: 1 } })
    for (const [id, dates] of [
      [users, [openedAt, later]],
      [cups, [openedAt, null]],
      [calls, [null, null]],
    ] as const) {
      assert.deepEqual(datesOf((await say(`GET ${path}/${id}`)).tree.component), dates)
      const { tree } = await say(`GET ${path}`)
      assert.deepEqual(datesOf(tree.find((one: typeof tree) => one.component_id === id)), dates)
    }
  })
}
