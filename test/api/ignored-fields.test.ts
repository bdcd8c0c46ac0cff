/** Who asks is told which fields of a request nobody read. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ignoredFields } from '../../src/api/ignored-fields.ts'
import { descriptions } from '../../src/api/openapi/descriptions.ts'
import { ada, goodCard, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()

for (const format of formats) {
  const say = speaker(shop, format)
  const asking = { headers: { 'Kalends-Ignored': 'tell' } }
  const ignored = async (line: string, tree: object): Promise<[number, unknown]> => {
    const { status, headers } = await say(line, tree, asking)
    return [status, headers['kalends-ignored']]
  }

  describe(`in ${format}`, () => {
    test('every field that is unknown is named with where it stands', async () => {
      const subscription = {
        product_handle: 'monthly',
        flavor: 'salty',
        customer_attributes: { ...ada, hair: 'long', metafields: { color: 'blue' } },
        payment_profile_attributes: { ...goodCard, scent: 'rose' },
        metafields: { size: '7' },
      }
      assert.deepEqual(await ignored('POST /subscriptions', { subscription }), [
        201,
        'subscription.flavor, subscription.customer_attributes.hair, subscription.payment_profile_attributes.scent',
      ])
    })

    test('a request that was understood whole has a blank list, and one that does not ask has none', async () => {
      const customer = { ...ada, uniqueness_token: `once-${format}` }
      assert.deepEqual(await ignored('POST /customers', { customer }), [201, ''])
      const { headers } = await say('POST /customers', { customer: { ...ada, hair: 'long' } })
      assert.equal(headers['kalends-ignored'], undefined)
    })

    test('a name that no header can hold is told percent-encoded', async () => {
      const body = `{"customer":{"first_name":"A","last_name":"B","email":"a@example.com","x\\r\\ny: é":1}}`
      const { headers } = await shop.ask('POST /customers.json', { body, ...asking })
      assert.equal(headers['kalends-ignored'], 'customer.x%0D%0Ay%3A%20%C3%A9')
    })

    test('fields that stand in the body itself are known under any root of a document', async () => {
      const { tree } = await say('POST /endpoints', { endpoint: { url: `https://example.com/${format}` } })
      assert.ok(tree.endpoint.id)
      const settings = { webhooks_enabled: true, volume: 11 }
      const [status, told] = await ignored('PUT /webhooks/settings', { webhook_settings: settings })
      assert.deepEqual([status, told], [200, 'webhook_settings.volume'])
    })
  })
}

test('a field of an item is named without a number, once, however the list is written', () => {
  const input = descriptions['POST /subscriptions/:subscription_id/allocations']!.input!
  const items = [
    { component_id: 1, quantity: 2, shade: 'red' },
    { component_id: 2, quantity: 2, shade: 'blue' },
  ]
  const told = ['allocations.shade']
  assert.deepEqual(ignoredFields(input, { allocations: items }), told)
  assert.deepEqual(ignoredFields(input, { request: { allocations: { allocation: items } } }), told)
})
