/** What subscriptions have of components: at the sign-up, allocated, set, listed, and every way to ask wrongly. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { decliningCard, openedAt, signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { formats, speaker } from './two-formats.ts'

const shops = { json: await openStockedShop(), xml: await openStockedShop() }

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)
  const { users, boxes, fuel, support, calls } = shop.components
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
      created_at: openedAt,
      price_point_id: users,
      price_point_name: 'Original',
      price_point_handle: 'original',
      previous_price_point_id: users,
      proration_upgrade_scheme: 'prorate-attempt-capture',
      proration_downgrade_scheme: 'no-prorate',
      upgrade_charge: 'prorated',
      downgrade_credit: 'none',
      accrue_charge: false,
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
    assert.equal(await allocate(users, '2.0'), 2)
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
