/** What subscriptions have of components: at the sign-up, allocated, set, listed, and every way to ask wrongly. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { decliningCard, made, openedAt, openOtherSite, openShop, type Shop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const tiers = [
  { starting_quantity: 1, ending_quantity: 10, unit_price: '2' },
  { starting_quantity: 11, ending_quantity: 20, unit_price: '1' },
]
const definitions = {
  quantity_based_component: [
    { name: 'Users', handle: 'users', unit_name: 'user', pricing_scheme: 'per_unit', unit_price: '15' },
    { name: 'Boxes', handle: 'boxes', unit_name: 'box', pricing_scheme: 'tiered', prices: tiers },
    {
      name: 'Fuel',
      handle: 'fuel',
      unit_name: 'liter',
      pricing_scheme: 'per_unit',
      unit_price: '1.5',
      allow_fractional_quantities: true,
    },
  ],
  on_off_component: [{ name: 'Support', handle: 'support', unit_price: '45' }],
  metered_component: [
    { name: 'Calls', handle: 'calls', unit_name: 'call', pricing_scheme: 'per_unit', unit_price: '0.0055' },
  ],
} as const

export type Stocked = Shop & { components: Record<string, number> }

async function openStockedShop(): Promise<Stocked> {
  const shop = await openShop()
  const components: Record<string, number> = {}
  for (const [kind, all] of Object.entries(definitions)) {
    for (const definition of all) {
      const tree = await made(shop, `POST /product_families/${shop.familyId}/${kind}s.json`, { [kind]: definition })
      components[definition.handle] = tree.component.id
    }
  }
  return { ...shop, components }
}

const shops = { json: await openStockedShop(), xml: await openStockedShop() }

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)
  const { users, boxes, fuel, support, calls } = shop.components as Record<keyof typeof shop.components, number>
  const subscribe = async (components: object[] = [], changes: object = {}): Promise<number> => {
    const { status, tree, text } = await say('POST /subscriptions', signup({ components, ...changes }))
    assert.equal(status, 201, text)
    return tree.subscription.id
  }
  const moneyOf = async (id: number) =>
    (await say(`GET /subscriptions/${id}/transactions?direction=asc`)).tree.map(
      (row: { type: string; memo: string; amount_in_cents: number }) => [row.type, row.memo, row.amount_in_cents],
    )
  const balanceOf = async (id: number) =>
    (await say(`GET /subscriptions/${id}`)).tree.subscription.balance_in_cents as number

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
      product_family_id: shop.familyId,
      allocated_quantity: 2,
      taxable: false,
      archived_at: null,
    })
    const events = await say(`GET /subscriptions/${id}/events`)
    assert.ok(!events.text.includes('component_allocation_change'), 'a sign-up is told as a sign-up')
  })

  test(`${format}: an allocation is created with what it was before, and listed without`, async () => {
    const id = await subscribe([{ component_id: users, allocated_quantity: 1 }])
    const path = `/subscriptions/${id}/components/${users}/allocations`
    const made = await say(`POST ${path}`, {
      allocation: { quantity: 2, memo: 'Grace & Alan', proration_upgrade_scheme: 'prorate-attempt-capture' },
    })
    assert.equal(made.status, 201, made.text)
    const { allocation } = made.tree
    const shown = {
      allocation_id: allocation.allocation_id,
      component_id: users,
      component_handle: 'users',
      subscription_id: id,
      quantity: 2,
      previous_quantity: 1,
      memo: 'Grace & Alan',
      timestamp: openedAt,
      proration_upgrade_scheme: 'prorate-attempt-capture',
      proration_downgrade_scheme: 'no-prorate',
      payment: {
        id: allocation.payment.id,
        amount_in_cents: 1500,
        success: true,
        memo: 'Payment for: Prorated component allocation changes.',
      },
    }
    assert.deepEqual(allocation, shown)
    const listed = await say(`GET ${path}`)
    const { previous_quantity: _, ...inList } = shown
    assert.deepEqual([listed.status, listed.tree[0], listed.tree.length], [200, inList, 2])
    assert.deepEqual((await moneyOf(id)).slice(3), [
      ['Charge', 'Users: 1 to 2 users', 1500],
      ['Payment', 'Payment for: Prorated component allocation changes.', 1500],
    ])
    const [event] = (await say(`GET /subscriptions/${id}/events`)).tree.filter(
      ({ key }: { key: string }) => key === 'component_allocation_change',
    )
    assert.deepEqual(event.event_specific_data, {
      previous_allocation: 1,
      new_allocation: 2,
      component_id: users,
      component_handle: 'users',
      memo: 'Grace & Alan',
      allocation_id: allocation.allocation_id,
    })
  })

  test(`${format}: a payment that is declined leaves the charge on the balance, and the allocation stands`, async () => {
    const terms = { product_handle: 'free', payment_profile_attributes: decliningCard }
    const id = await subscribe([], terms)
    const made = await say(`POST /subscriptions/${id}/components/${users}/allocations`, {
      allocation: { quantity: 1, proration_upgrade_scheme: 'full-price-attempt-capture' },
    })
    const { payment } = made.tree.allocation
    assert.deepEqual(
      [made.status, payment.success, payment.amount_in_cents, payment.memo],
      [201, false, 1500, 'Bogus Gateway: Forced failure'],
    )
    const { tree } = await say(`GET /subscriptions/${id}`)
    assert.deepEqual([tree.subscription.state, tree.subscription.balance_in_cents], ['active', 1500])
  })

  test(`${format}: several components are allocated at once, or none of them`, async () => {
    const id = await subscribe()
    const path = `POST /subscriptions/${id}/allocations`
    const allocations = [
      { component_id: users, quantity: 3, memo: 'three' },
      { component_id: support, quantity: 1, proration_upgrade_scheme: 'full-price-delay-capture' },
    ]
    const sent = { proration_upgrade_scheme: 'no-prorate', allocations }
    const made = await say(path, format === 'json' ? sent : { request: sent })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      made.tree.map((one: Record<string, unknown>) => [
        one.component_id,
        one.quantity,
        one.previous_quantity,
        one.memo,
      ]),
      [
        [users, 3, 0, 'three'],
        [support, 1, 0, null],
      ],
    )
    assert.equal(await balanceOf(id), 4500)
    const refused = {
      allocations: [
        { component_id: users, quantity: 9 },
        { component_id: calls, quantity: 1 },
      ],
    }
    const { status, errors } = await say(path, refused)
    assert.deepEqual([status, errors], [422, ['Allocations can only be updated for quantity and on/off components.']])
    const unknown = {
      allocations: [
        { component_id: users, quantity: 9 },
        { component_id: 999, quantity: 1 },
      ],
    }
    assert.equal((await say(path, unknown)).status, 404)
    const missing = { allocations: [{ component_id: users }, { quantity: 1 }] }
    assert.deepEqual((await say(path, missing)).errors, ['Quantity: cannot be blank.', 'Component: cannot be blank.'])
    assert.deepEqual((await say(path, { allocations: [] })).errors, ['Allocations: cannot be blank.'])
    const { tree } = await say(`GET /subscriptions/${id}/components/${users}`)
    assert.equal(tree.component.allocated_quantity, 3)
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

  test(`${format}: the site says what becomes of a change that does not say it itself`, async () => {
    const setting = { component_upgrade_scheme: 'full-price-delay-capture', component_downgrade_scheme: 'prorate' }
    await say('PUT /site', { site: setting })
    const id = await subscribe()
    const path = `POST /subscriptions/${id}/components/${users}/allocations`
    const { tree } = await say(path, { allocation: { quantity: 2 } })
    const { proration_upgrade_scheme: up, proration_downgrade_scheme: down } = tree.allocation
    assert.deepEqual([up, down], ['full-price-delay-capture', 'prorate'])
    assert.equal(await balanceOf(id), 3000)
    await say(path, { allocation: { quantity: 1 } })
    assert.equal(await balanceOf(id), 1500)
    await say('PUT /site', {
      site: { component_upgrade_scheme: 'no-prorate', component_downgrade_scheme: 'no-prorate' },
    })
  })

  test(`${format}: quantities are whole unless the component counts fractions`, async () => {
    const id = await subscribe()
    const allocate = async (component: number, quantity: unknown) =>
      (await say(`POST /subscriptions/${id}/components/${component}/allocations`, { allocation: { quantity } })).tree
        .allocation.quantity
    assert.equal(await allocate(users, '2.9'), 2)
    assert.equal(await allocate(fuel, '2.90'), '2.9')
    assert.equal(await allocate(fuel, 10), '10.0')
    assert.equal(await allocate(users, 0), 0)
  })

  test(`${format}: what is wrong with an allocation is told in words, and nothing is written`, async () => {
    const id = await subscribe()
    const cases: [what: string, component: number, allocation: object, error: string][] = [
      ['nothing', users, {}, 'Quantity: cannot be blank.'],
      ['null', users, { quantity: null }, 'Quantity: cannot be blank.'],
      ['a word', users, { quantity: 'many' }, 'Quantity: is not a number.'],
      ['a negative number', users, { quantity: -1 }, 'Quantity: must be greater than or equal to 0.'],
      ['too much', users, { quantity: 1e13 }, 'Quantity: must be less than or equal to 1000000000000.'],
      ['what nobody could pay', users, { quantity: 1e9 }, 'Quantity: is too large for Users.'],
      ['too many decimals', fuel, { quantity: '1.123456789' }, 'Quantity: must have at most 8 decimals.'],
      ['more than the last bracket', boxes, { quantity: 21 }, 'Quantity: Boxes has no price for more than 20.'],
      ['half a switch', support, { quantity: 2 }, 'Quantity: must be 0 or 1 for Support.'],
      ['metered', calls, { quantity: 1 }, 'Allocations can only be updated for quantity and on/off components.'],
      [
        'a long memo',
        users,
        { quantity: 1, memo: 'x'.repeat(65_536) },
        'Memo: is too long (maximum is 65535 characters).',
      ],
      [
        'another scheme',
        users,
        { quantity: 1, proration_upgrade_scheme: 'twice' },
        'Proration upgrade scheme: must be one of prorate-delay-capture, prorate-attempt-capture, full-price-attempt-capture, full-price-delay-capture, no-prorate.',
      ],
    ]
    for (const [what, component, allocation, error] of cases) {
      const refused = await say(`POST /subscriptions/${id}/components/${component}/allocations`, { allocation })
      assert.deepEqual([refused.status, refused.errors], [422, [error]], what)
    }
    for (const component of [users, boxes, fuel, support]) {
      assert.deepEqual((await say(`GET /subscriptions/${id}/components/${component}/allocations`)).tree, [])
    }
    assert.equal(await balanceOf(id), 0)
  })

  test(`${format}: what does not exist is a 404, before anything is said about the request`, async () => {
    const id = await subscribe()
    for (const path of [
      `/subscriptions/999/components/${users}/allocations`,
      `/subscriptions/${id}/components/999/allocations`,
      `/subscriptions/${id}/components/x/allocations`,
    ]) {
      assert.equal((await say(`GET ${path}`)).status, 404, path)
      assert.equal((await say(`POST ${path}`, { allocation: {} })).status, 404, path)
    }
    assert.equal((await say(`GET /subscriptions/999/components`)).status, 404)
    assert.equal((await say('POST /subscriptions/999/allocations', { allocations: [] })).status, 404)
    assert.equal((await say(`PUT /subscriptions/${id}/components/999`, { component: {} })).status, 404)
  })

  test(`${format}: a canceled subscription keeps what it has, and is allocated nothing`, async () => {
    const id = await subscribe([{ component_id: users, allocated_quantity: 1 }])
    await say(`DELETE /subscriptions/${id}`)
    const path = `/subscriptions/${id}/components/${users}/allocations`
    const refused = await say(`POST ${path}`, { allocation: { quantity: 2 } })
    const words = 'Components of a subscription that is canceled cannot be changed.'
    assert.deepEqual([refused.status, refused.errors], [422, [words]])
    assert.equal((await say(`GET ${path}`)).tree.length, 1)
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

test('allocations are listed 50 a page, newest first', async () => {
  const shop = shops.json
  const say = speaker(shop, 'json')
  const { tree } = await say('POST /subscriptions', signup())
  const path = `/subscriptions/${tree.subscription.id}/components/${shop.components.users}/allocations`
  for (let quantity = 1; quantity <= 51; quantity++) {
    assert.equal((await say(`POST ${path}`, { allocation: { quantity } })).status, 201)
  }
  const quantities = async (query: string) =>
    (await say(`GET ${path}${query}`)).tree.map((one: { quantity: number }) => one.quantity)
  const first = await quantities('?per_page=200')
  assert.deepEqual([first.length, first[0], first[49]], [50, 51, 2])
  assert.deepEqual(await quantities('?page=2'), [1])
  assert.deepEqual(await quantities('?page=3'), [])
  assert.deepEqual((await say(`GET ${path}?page=0`)).errors, ['invalid page: 0'])
})

test('parallel allocations of one subscription follow each other: each starts where the one before it ended', async () => {
  const shop = shops.json
  const say = speaker(shop, 'json')
  const { tree } = await say('POST /subscriptions', signup())
  const path = `/subscriptions/${tree.subscription.id}/components/${shop.components.users}/allocations`
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, place) =>
      say(`POST ${path}`, {
        allocation: {
          quantity: place + 1,
          proration_upgrade_scheme: 'prorate-delay-capture',
          proration_downgrade_scheme: 'prorate',
        },
      }),
    ),
  )
  assert.ok(replies.every(({ status }) => status === 201))
  const { tree: listed } = await say(`GET ${path}`)
  const { tree: after } = await say(`GET /subscriptions/${tree.subscription.id}`)
  assert.equal(after.subscription.balance_in_cents, 1500 * listed[0].quantity)
  const steps = replies.map(({ tree: one }) => one.allocation).toSorted((a, b) => a.allocation_id - b.allocation_id)
  for (const [place, step] of steps.entries()) assert.equal(step.previous_quantity, steps[place - 1]?.quantity ?? 0)
})

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

test('a repeated request with one key allocates once and is answered as the first time', async () => {
  const shop = shops.json
  const say = speaker(shop, 'json')
  const { tree } = await say('POST /subscriptions', signup())
  const path = `/subscriptions/${tree.subscription.id}/components/${shop.components.users}/allocations`
  for (const scheme of ['no-prorate', 'full-price-attempt-capture']) {
    const sent = { allocation: { quantity: scheme === 'no-prorate' ? 1 : 2, proration_upgrade_scheme: scheme } }
    const options = { headers: { 'Idempotency-Key': `key-${scheme}` } }
    const [first, second] = [await say(`POST ${path}`, sent, options), await say(`POST ${path}`, sent, options)]
    assert.deepEqual([second.status, second.text], [first.status, first.text])
  }
  assert.equal((await say(`GET ${path}`)).tree.length, 2)
})

test('the audit finds no difference after all of this', async () => {
  for (const { app } of Object.values(shops)) {
    const { differences, text } = await verify(app)
    assert.equal(differences, 0, text)
  }
})
