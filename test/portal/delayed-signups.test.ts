/** A customer sees a subscription that has not begun, and can call it off or give another card. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goodCard } from '../api/shop.ts'
import { linkOf, openWorld } from './people.ts'
import { enter, wordsOf } from './visitor.ts'

test('a subscription that waits shows its first payment, or none yet, and may be canceled', async () => {
  const world = await openWorld()
  const visitor = await enter(world, await linkOf(world, world.customerId))
  const sign = async (when: object): Promise<number> => {
    const body = {
      subscription: {
        product_handle: 'monthly',
        customer_id: world.customerId,
        payment_profile_attributes: goodCard,
        ...when,
      },
    }
    const reply = await world.ask('POST /subscriptions.json', { body })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.subscription.id
  }
  const dated = await sign({ initial_billing_at: '2027-03-01' })
  const undated = await sign({ defer_signup: true })
  const page = async (id: number) => wordsOf(await visitor.get(`/account/subscriptions/${id}`))
  assert.match(await page(dated), /Begins later.*Next payment, on March 1, 2027.*\$50\.00/)
  assert.match(await page(undated), /Begins later.*Next payment Not known yet/)
  for (const id of [dated, undated]) assert.doesNotMatch(await page(id), /Current period/)
  assert.match(wordsOf(await visitor.get('/account')), /Begins later/)
  assert.match(await page(dated), /Cancel subscription/)
})
