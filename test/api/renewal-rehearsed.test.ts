/** A renewal preview may suppose components: those and no others are priced, as they would be if the subscription had them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { made, signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { countRows } from './table-counts.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openStockedShop()
const { users, boxes, support, calls } = shop.components

for (const format of formats) {
  const say = speaker(shop, format)
  const subscribe = async (components: object[]): Promise<number> =>
    (await made(shop, 'POST /subscriptions.json', signup({ components }))).subscription.id
  const preview = async (id: number, components?: object[]) => {
    const tree = { renewal_preview: { ...(components && { components }) } }
    const said = await say(`POST /subscriptions/${id}/renewals/preview`, tree)
    return { ...said, shown: said.tree.renewal_preview }
  }

  test(`${format}: what is supposed is priced as if the subscription had it, and writes nothing`, async () => {
    const id = await subscribe([{ component_id: users, allocated_quantity: 4 }])
    const supposed = [
      { component_id: boxes, quantity: 12 },
      { component_id: 'handle:support', quantity: 1 },
      { component_id: calls, quantity: 2000 },
    ]
    const before = await countRows(shop)
    const { status, shown } = await preview(id, supposed)
    assert.equal(status, 200)
    assert.deepEqual(await countRows(shop), before)
    const real = await subscribe([
      { component_id: boxes, allocated_quantity: 12 },
      { component_id: support, enabled: true },
      { component_id: calls, unit_balance: 2000 },
    ])
    assert.deepEqual(shown, (await preview(real)).shown)
    assert.equal(shown.total_in_cents, 5000 + 2200 + 4500 + 1100)
    assert.equal((await preview(id)).shown.total_in_cents, 5000 + 6000, 'what the subscription has is as it was')
  })

  test(`${format}: without a quantity it is what the subscription has; an empty list supposes nothing`, async () => {
    const id = await subscribe([
      { component_id: users, allocated_quantity: 4 },
      { component_id: support, enabled: true },
    ])
    assert.equal((await preview(id, [{ component_id: users }])).shown.total_in_cents, 5000 + 6000)
    assert.equal((await preview(id, [])).shown.total_in_cents, 5000 + 6000 + 4500)
  })

  test(`${format}: what a subscription cannot have is refused`, async () => {
    const id = await subscribe([])
    const refusals: [object[], string][] = [
      [[{ component_id: 999, quantity: 1 }], 'Component: 999 could not be found.'],
      [[{ quantity: 1 }], 'Component: cannot be blank.'],
      [[{ component_id: support, quantity: 2 }], 'Quantity: must be 0 or 1 for Support.'],
      [[{ component_id: users, quantity: 1.5 }], 'Quantity: must be a whole number for Users.'],
      [[{ component_id: users, quantity: -1 }], 'Quantity: must be greater than or equal to 0.'],
      [
        [
          { component_id: users, quantity: 1 },
          { component_id: 'handle:users', quantity: 1 },
        ],
        'Component: Users is given more than once.',
      ],
    ]
    for (const [components, message] of refusals) {
      const { status, errors } = await preview(id, components)
      assert.deepEqual([status, errors], [422, [message]])
    }
  })
}

test('the list may stand in the body itself', async () => {
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
  const body = { components: [{ component_id: users, quantity: 1 }] }
  const { json } = await shop.ask(`POST /subscriptions/${subscription.id}/renewals/preview.json`, { body })
  assert.equal(json.renewal_preview.total_in_cents, 6500)
})
