/** custom_price of components: what one subscription alone pays for them, from its sign-up or from an update on. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reply } from '../support/test-app.ts'
import { dealings } from './dealings.ts'
import { signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openStockedShop()
const { users, boxes, support, calls } = shop.components
const { buy, rowsOf, keysOf } = dealings(shop)

const one = (price: string) => [{ starting_quantity: 1, unit_price: price }]
const volume = {
  pricing_scheme: 'volume',
  prices: [
    { starting_quantity: 1, ending_quantity: 5, unit_price: '4' },
    { starting_quantity: 6, ending_quantity: null, unit_price: '3' },
  ],
}
const everything = [
  { component_id: users, allocated_quantity: 2, custom_price: { pricing_scheme: 'per_unit', prices: one('10') } },
  { component_id: boxes, allocated_quantity: 6, custom_price: volume },
  { component_id: support, enabled: true, custom_price: { prices: one('0') } },
  { component_id: calls, unit_balance: 100, custom_price: { prices: one('0.02') } },
]

const chargesOf = async (id: number): Promise<unknown[]> =>
  (await rowsOf(id))
    .filter(({ component_id: component }) => component)
    .map(({ component_id: component, amount_in_cents: amount }) => [component, amount])

for (const format of formats) {
  const say = speaker(shop, format)
  const put = (id: number, components: object[]) => say(`PUT /subscriptions/${id}`, { subscription: { components } })
  const renewalOf = async (id: number): Promise<unknown> =>
    (await say(`POST /subscriptions/${id}/renewals/preview`)).tree.renewal_preview.total_amount_due_in_cents
  const held = async (id: number): Promise<Map<number, Reply['json']>> =>
    new Map(
      (await say(`GET /subscriptions/${id}/components`)).tree.map((each: Reply['json']) => [each.component_id, each]),
    )

  describe(`at the sign-up, in ${format}`, () => {
    test('it is previewed, charged, renewed with the usage, and shown; the catalog stays as it is', async () => {
      const asked = signup({ components: everything })
      const { tree: preview } = await say('POST /subscriptions/preview', asked)
      assert.equal(preview.subscription_preview.current_billing_manifest.total_in_cents, 8800)
      const { status, text, tree } = await say('POST /subscriptions', asked)
      assert.equal(status, 201, text)
      const { id } = tree.subscription
      assert.deepEqual(await chargesOf(id), [
        [users, 2000],
        [boxes, 1800],
      ])
      assert.equal(await renewalOf(id), 5000 + 2000 + 1800 + 200)
      const shown = await held(id)
      assert.deepEqual(
        [users, boxes, support, calls].map((each) => shown.get(each).price_point_type),
        ['custom', 'custom', 'custom', 'custom'],
      )
      assert.deepEqual([shown.get(users).unit_price, shown.get(support).unit_price], ['10.0', '0.0'])
      assert.equal(shown.get(boxes).pricing_scheme, 'volume')
      assert.deepEqual(
        shown
          .get(boxes)
          .prices.map((each: Reply['json']) => [each.starting_quantity, each.ending_quantity, each.unit_price]),
        [
          [1, 5, '4.0'],
          [6, null, '3.0'],
        ],
      )
      const sold = (await say(`GET /product_families/${shop.familyId}/components/${users}`)).tree.component
      assert.equal(sold.unit_price, '15.0')
      const other = await held((await buy()).id)
      assert.deepEqual([other.get(users).price_point_type, other.get(users).unit_price], ['default', '15.0'])
    })

    test('eight decimals count to the last, and are read back', async () => {
      const components = [{ component_id: calls, unit_balance: 7692, custom_price: { prices: one('0.00000065') } }]
      const { id } = await buy({ components })
      assert.equal((await held(id)).get(calls).unit_price, '0.00000065')
      assert.equal(await renewalOf(id), 5000)
      await say(`POST /subscriptions/${id}/components/${calls}/usages`, { usage: { quantity: 1 } })
      assert.equal(await renewalOf(id), 5001)
    })

    test('allocations, their preview and usage go on at it', async () => {
      const { id } = await buy({ components: everything })
      const allocation = { quantity: 4, proration_upgrade_scheme: 'full-price-delay-capture' }
      const { tree } = await say(`POST /subscriptions/${id}/allocations/preview`, {
        request: { allocations: [{ component_id: users, ...allocation }] },
      })
      assert.equal(tree.allocation_preview.total_in_cents, 2000)
      await say(`POST /subscriptions/${id}/components/${users}/allocations`, { allocation })
      assert.deepEqual((await chargesOf(id)).at(-1), [users, 2000])
      await say(`POST /subscriptions/${id}/components/${calls}/usages`, { usage: { quantity: 50 } })
      assert.equal(await renewalOf(id), 2000 + 5000 + 4000 + 1800 + 300)
      assert.equal((await held(id)).get(calls).price_point_type, 'custom')
    })
  })

  describe(`by an update, in ${format}`, () => {
    test('alone it keeps the quantity, charges nothing now, and is told', async () => {
      const { id } = await buy({ components: [{ component_id: users, allocated_quantity: 2 }] })
      const before = (await rowsOf(id)).length
      const said = await put(id, [
        { component_id: users, custom_price: { prices: one('1.5') } },
        { component_id: calls, custom_price: { prices: one('1') } },
      ])
      assert.equal(said.status, 200, said.text)
      assert.equal((await rowsOf(id)).length, before)
      const shown = await held(id)
      assert.deepEqual(
        [shown.get(users).allocated_quantity, shown.get(users).unit_price, shown.get(calls).unit_price],
        [2, '1.5', '1.0'],
      )
      assert.equal(await renewalOf(id), 5300)
      assert.equal((await keysOf(id)).at(-1), 'component_allocation_change')
      await say(`POST /subscriptions/${id}/components/${calls}/usages`, { usage: { quantity: 3 } })
      assert.equal(await renewalOf(id), 5600)
    })

    test('with a quantity both change; the same again changes nothing', async () => {
      const { id } = await buy({ components: everything })
      const wish = [{ component_id: users, allocated_quantity: 3, custom_price: { prices: one('20') } }]
      await put(id, wish)
      assert.equal(await renewalOf(id), 5000 + 6000 + 1800 + 200)
      const told = (await keysOf(id)).length
      await put(id, wish)
      await put(id, [{ component_id: calls, custom_price: { prices: one('0.02') } }])
      assert.equal((await keysOf(id)).length, told)
    })

    test('metered components have no quantity to be given with it', async () => {
      const { id } = await buy()
      const { errors } = await put(id, [
        { component_id: calls, allocated_quantity: 2, custom_price: { prices: one('1') } },
      ])
      assert.deepEqual(errors, ['Allocations can only be updated for quantity and on/off components.'])
    })
  })

  test(`${format}: it outlives a cancellation, a reactivation and a change of product`, async () => {
    const { id } = await buy({ components: everything.slice(0, 1) })
    await say(`DELETE /subscriptions/${id}`)
    await say(`PUT /subscriptions/${id}/reactivate`)
    assert.deepEqual(await chargesOf(id), [
      [users, 2000],
      [users, 2000],
    ])
    const said = await say(`POST /subscriptions/${id}/migrations`, { migration: { product_handle: 'free' } })
    assert.equal(said.status, 200, said.text)
    assert.deepEqual((await chargesOf(id)).at(-1), [users, 2000])
    assert.equal((await chargesOf(id)).length, 3)
  })

  test(`${format}: what does not fit is refused by name`, async () => {
    const { id } = await buy()
    const cases: [number, unknown, string[]][] = [
      [users, { pricing_scheme: 'per_unit' }, ['At least 1 price bracket must be defined']],
      [
        users,
        { prices: [...one('1'), { starting_quantity: 2, unit_price: 1 }] },
        ['Exactly 1 price bracket may be defined for the pricing scheme per_unit'],
      ],
      [
        boxes,
        { pricing_scheme: 'volume', prices: [{ ...volume.prices[0] }] },
        ['Quantity: Boxes has no price for more than 5.'],
      ],
      [support, { ...volume }, ['Pricing scheme: Support is a switch and has one price.']],
      [users, { prices: one('-1') }, ['Custom price unit price: must be greater than or equal to 0.']],
      [users, { prices: one('0.000000011') }, ['Custom price unit price: must have at most 8 decimals.']],
      [users, { prices: one('x') }, ['Custom price unit price: is not a number.']],
      [
        users,
        { pricing_scheme: 'cheap', prices: one('1') },
        ['Custom price pricing scheme: must be one of per_unit, volume, tiered, stairstep.'],
      ],
      [
        users,
        { prices: one('1'), interval: 3, interval_unit: 'month' },
        [
          'Custom price interval: is not supported; components are billed with the period of the subscription.',
          'Custom price interval unit: is not supported; components are billed with the period of the subscription.',
        ],
      ],
      [
        users,
        { prices: one('1'), tax_included: true },
        ['Custom price tax included: is not supported; taxes come on top of prices.'],
      ],
      [users, 'cheap', ['Custom price: must be an object.']],
    ]
    for (const [component, price, messages] of cases) {
      const quantity = component === support ? { enabled: true } : { allocated_quantity: 9 }
      const components = [{ component_id: component, ...quantity, custom_price: price }]
      for (const said of [await say('POST /subscriptions', signup({ components })), await put(id, components)]) {
        assert.deepEqual([said.status, said.errors], [422, messages], JSON.stringify(price))
      }
    }
  })
}
