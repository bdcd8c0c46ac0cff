/** An update that names components: quantities are set with the rest of it or not at all, and nothing is charged for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { made, signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { countRows } from './table-counts.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openStockedShop()
const { users, boxes, support, calls } = shop.components
const { product_family: otherFamily } = await made(shop, 'POST /product_families.json', {
  product_family: { name: 'Atlases' },
})
const { product: atlas } = await made(shop, `POST /product_families/${otherFamily.id}/products.json`, {
  product: { name: 'Atlas', handle: 'atlas', price_in_cents: 9000, interval: 1, interval_unit: 'month' },
})
const { component: maps } = await made(
  shop,
  `POST /product_families/${otherFamily.id}/quantity_based_components.json`,
  {
    quantity_based_component: { name: 'Maps', unit_name: 'map', pricing_scheme: 'per_unit', unit_price: '7' },
  },
)

for (const format of formats) {
  const say = speaker(shop, format)
  const subscribe = async (changes: object = {}): Promise<number> => {
    const components = [{ component_id: users, allocated_quantity: 1 }]
    return (await say('POST /subscriptions', signup({ components, ...changes }))).tree.subscription.id
  }
  const put = (id: number, changes: object) => say(`PUT /subscriptions/${id}`, { subscription: changes })
  const held = async (id: number) =>
    Object.fromEntries(
      (await say(`GET /subscriptions/${id}/components`)).tree.map(
        (one: { name: string; allocated_quantity?: number; unit_balance?: number }) => [
          one.name,
          one.allocated_quantity ?? one.unit_balance,
        ],
      ),
    )
  const newest = async (id: number) => {
    const events = (await say(`GET /subscriptions/${id}/events?per_page=3`)).tree
    return events.filter(({ key }: { key: string }) => key === 'component_allocation_change')
  }

  test(`quantities and switches in ${format} are set without a charge; the renewal bills them`, async () => {
    const id = await subscribe()
    const before = await countRows(shop)
    const components = [
      { component_id: users, allocated_quantity: 3 },
      { component_id: 'handle:support', enabled: true },
      { component_id: boxes, allocated_quantity: 0 },
    ]
    const { status, tree } = await put(id, { components, cancellation_message: 'Perhaps' })
    assert.deepEqual([status, tree.subscription.cancellation_message], [200, 'Perhaps'])
    const now = await held(id)
    assert.deepEqual([now.Users, now.Support, now.Boxes], [3, 1, 0])
    const after = await countRows(shop)
    assert.deepEqual(after, {
      ...before,
      allocations: before.allocations! + 2,
      events: before.events! + 2,
      subscription_components: before.subscription_components! + 1,
    })
    assert.deepEqual(
      (await newest(id)).map(({ message }: { message: string }) => message.match(/of (\w+) .* from (.*)$/)?.slice(1)),
      [
        ['Support', '0 to 1'],
        ['Users', '1 to 3'],
      ],
    )
    const [allocation] = (await say(`GET /subscriptions/${id}/components/${users}/allocations`)).tree
    assert.deepEqual(
      [allocation.quantity, allocation.proration_upgrade_scheme, allocation.proration_downgrade_scheme],
      [3, 'no-prorate', 'no-prorate'],
    )
    const { json } = await shop.ask(`POST /subscriptions/${id}/renewals/preview.json`)
    assert.equal(json.renewal_preview.total_in_cents, 5000 + 3 * 1500 + 4500)
    const again = await put(id, { components })
    assert.equal(again.tree.subscription.updated_at, tree.subscription.updated_at)
    assert.deepEqual(await countRows(shop), after)
  })

  test(`components that an update in ${format} cannot set leave everything as it was`, async () => {
    const id = await subscribe()
    const metered = 'Allocations can only be updated for quantity and on/off components.'
    const cases: [object, string][] = [
      [[{ component_id: users, allocated_quantity: -1 }], 'Allocated quantity: must be greater than or equal to 0.'],
      [[{ component_id: users, allocated_quantity: 'many' }], 'Allocated quantity: is not a number.'],
      [[{ component_id: users, allocated_quantity: null }], 'Allocated quantity: cannot be blank.'],
      [[{ allocated_quantity: 2 }], 'Component: cannot be blank.'],
      [[{ component_id: support, enabled: 'perhaps' }], 'Enabled: must be true or false.'],
      [[{ component_id: support, allocated_quantity: 2 }], 'Quantity: must be 0 or 1 for Support.'],
      [[{ component_id: calls, unit_balance: 2 }], 'Unit balance: cannot be set by an update; record usage instead.'],
      [[{ component_id: calls, allocated_quantity: 2 }], metered],
      [[{ component_id: maps.id, allocated_quantity: 2 }], `Component: ${maps.id} could not be found.`],
      [
        [
          { component_id: users, allocated_quantity: 2 },
          { component_id: users, allocated_quantity: 3 },
        ],
        'Component: Users is given more than once.',
      ],
      [[{ component_id: boxes, allocated_quantity: 21 }], 'Quantity: Boxes has no price for more than 20.'],
    ]
    const before = await countRows(shop)
    const { updated_at } = (await say(`GET /subscriptions/${id}`)).tree.subscription
    for (const [components, message] of cases) {
      const customer_attributes = { first_name: 'Augusta' }
      const { status, errors } = await put(id, { components, customer_attributes, product_handle: 'free' })
      assert.equal(status, 422, JSON.stringify(components))
      assert.deepEqual(errors, [message], JSON.stringify(components))
    }
    const { subscription } = (await say(`GET /subscriptions/${id}`)).tree
    assert.deepEqual(
      [subscription.updated_at, subscription.customer.first_name, subscription.product.handle],
      [updated_at, 'Ada', 'monthly'],
    )
    assert.deepEqual(await countRows(shop), before)
    await say(`DELETE /subscriptions/${id}`)
    const over = await put(id, { components: [{ component_id: users, allocated_quantity: 2 }] })
    assert.deepEqual(over.errors, ['Components of a subscription that is canceled cannot be changed.'])
  })

  test(`a product change in ${format} takes the components of the new product along`, async () => {
    const id = await subscribe()
    const components = [
      { component_id: maps.id, allocated_quantity: 2 },
      { component_id: users, allocated_quantity: 0 },
    ]
    const { status, tree } = await put(id, { product_handle: 'atlas', components })
    assert.deepEqual([status, tree.subscription.product.handle], [200, 'atlas'])
    const now = await held(id)
    assert.deepEqual([now.Maps, now.Users], [2, 0])
  })

  test(`a component in ${format} that a migration left behind is told of, and cannot be had again`, async () => {
    const id = await subscribe()
    await say(`POST /subscriptions/${id}/components/${calls}/usages`, { usage: { quantity: 10 } })
    const moved = await say(`POST /subscriptions/${id}/migrations`, { migration: { product_id: atlas.id } })
    assert.equal(moved.status, 200, moved.text)
    const path = `/subscriptions/${id}/components`
    assert.equal((await say(`GET ${path}/${users}`)).tree.component.allocated_quantity, 0)
    assert.deepEqual(
      (await say(`GET ${path}/${users}/allocations`)).tree.map((one: { quantity: number }) => one.quantity),
      [0, 1],
    )
    const before = await countRows(shop)
    const notSold = (name: string) => [`Component: ${name} is not sold with the product of this subscription.`]
    const asked = { allocation: { quantity: 5 } }
    assert.deepEqual((await say(`POST ${path}/${users}/allocations`, asked)).errors, notSold('Users'))
    assert.deepEqual(
      (await say(`PUT ${path}/${users}`, { component: { allocated_quantity: 5 } })).errors,
      notSold('Users'),
    )
    const several = { allocations: [{ component_id: users, quantity: 5 }] }
    const inRoot = format === 'json' ? several : { request: several }
    assert.deepEqual((await say(`POST /subscriptions/${id}/allocations`, inRoot)).errors, notSold('Users'))
    const preview = await say(`POST /subscriptions/${id}/allocations/preview`, inRoot)
    assert.deepEqual([preview.status, preview.text.includes(notSold('Users')[0]!)], [422, true])
    const usage = await say(`POST ${path}/${calls}/usages`, { usage: { quantity: 1 } })
    assert.deepEqual([usage.status, usage.errors], [422, notSold('Calls')])
    const update = await put(id, { components: [{ component_id: users, allocated_quantity: 5 }] })
    assert.deepEqual(update.errors, [`Component: ${users} could not be found.`])
    assert.deepEqual(await countRows(shop), before)
    assert.equal((await say(`POST ${path}/${maps.id}/allocations`, asked)).status, 201)
  })
}

test('the audit finds no difference after all of this', async () => {
  const { text, differences } = await verify(shop.app)
  assert.equal(differences, 0, text)
})
