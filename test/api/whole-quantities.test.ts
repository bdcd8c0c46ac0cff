/** What is counted in whole units is refused in fractions, by each way in: nothing is cut off in silence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openStockedShop()
const { users, calls } = shop.components

for (const format of formats) {
  const say = speaker(shop, format)

  test(`${format}: fractions of a component that counts whole units are refused, and nothing is written`, async () => {
    const { id } = (await say('POST /subscriptions', signup())).tree.subscription
    const path = `/subscriptions/${id}`
    const words = (name: string) => [422, [`Quantity: must be a whole number for ${name}.`]]
    const refused = async (line: string, tree: object) => {
      const { status, errors } = await say(line, tree)
      return [status, errors.map((one: string | { message: string }) => (typeof one === 'string' ? one : one.message))]
    }
    const half = { allocation: { quantity: '10.3' } }
    assert.deepEqual(await refused(`POST ${path}/components/${users}/allocations`, half), words('Users'))
    const stock = { component: { allocated_quantity: 10.3 } }
    assert.deepEqual(await refused(`PUT ${path}/components/${users}`, stock), words('Users'))
    const usage = { usage: { quantity: 1.5 } }
    assert.deepEqual(await refused(`POST ${path}/components/${calls}/usages`, usage), words('Calls'))
    const several = { allocations: { allocations: [{ component_id: users, quantity: 0.5 }] } }
    assert.deepEqual(await refused(`POST ${path}/allocations/preview`, several), words('Users'))
    const change = { subscription: { components: [{ component_id: users, allocated_quantity: 0.5 }] } }
    assert.deepEqual(await refused(`PUT ${path}`, change), words('Users'))
    const bought = (choice: object) => refused('POST /subscriptions', signup({ components: [choice] }))
    assert.deepEqual(await bought({ component_id: users, allocated_quantity: 1.5 }), words('Users'))
    assert.deepEqual(await bought({ component_id: calls, unit_balance: '0.5' }), words('Calls'))
    assert.deepEqual((await say(`GET ${path}/components/${users}/allocations`)).tree, [])
    assert.deepEqual((await say(`GET ${path}/components/${calls}/usages`)).tree, [])
  })
}
