/** DELETE /subscriptions/<id>: 200 with the canceled subscription, by every road that clients take; and 404, 422. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dealings } from './dealings.ts'
import { made, openShop, signup, unpriced } from './shop.ts'
import { asXml, formats, speaker } from './two-formats.ts'

const shop = await openShop()
const now = '2027-01-15T12:00:00+00:00'

const { buy } = dealings(shop)

for (const format of formats) {
  const say = speaker(shop, format)
  const because = (message: unknown, more: object = {}) => ({
    subscription: { cancellation_message: message, ...more },
  })

  describe(`200 in ${format}`, () => {
    test('the answer is the canceled subscription, with its message; dates and balance stay', async () => {
      const bought = await buy()
      const said = await say(`DELETE /subscriptions/${bought.id}`, because('Too dear & too late'))
      assert.equal(said.status, 200, said.text)
      const { subscription } = said.tree
      assert.deepEqual(
        [subscription.state, subscription.previous_state, subscription.canceled_at, subscription.cancellation_method],
        ['canceled', 'canceled', now, 'merchant_api'],
      )
      assert.equal(subscription.cancellation_message, 'Too dear & too late')
      for (const kept of ['current_period_ends_at', 'next_assessment_at', 'balance_in_cents', 'activated_at']) {
        assert.equal(subscription[kept], bought[kept], kept)
      }
      assert.deepEqual(unpriced((await say(`GET /subscriptions/${bought.id}`)).tree.subscription), subscription)
    })

    test('no document is needed', async () => {
      const { id } = await buy()
      const said = await say(`DELETE /subscriptions/${id}`)
      assert.deepEqual([said.status, said.tree.subscription.cancellation_message], [200, null])
    })

    test('the message may stand without the wrapper', async () => {
      const { id } = await buy()
      const said = await say(`DELETE /subscriptions/${id}`, { cancellation_message: 'Too dear' })
      assert.deepEqual([said.status, said.tree.subscription.cancellation_message], [200, 'Too dear'])
    })

    test('a message that was given before stays where none is sent', async () => {
      const { id } = await buy()
      await say(`PUT /subscriptions/${id}`, because('Too dear', { cancel_at_end_of_period: true }))
      for (const _ of ['once', 'again']) {
        const said = await say(`DELETE /subscriptions/${id}`)
        assert.deepEqual([said.status, said.tree.subscription.cancellation_message], [200, 'Too dear'])
      }
      const cleared = await say(`DELETE /subscriptions/${id}`, because(null))
      assert.deepEqual([cleared.status, cleared.tree.subscription.cancellation_message], [200, null])
    })

    test('a POST with the method override is the same', async () => {
      for (const method of ['DELETE', 'delete']) {
        const { id } = await buy()
        const headers = { 'X-Http-Method-Override': method }
        const said = await say(`POST /subscriptions/${id}`, because('Override', { reason_code: 'PRICE' }), { headers })
        assert.equal(said.status, 200, said.text)
        const { state, cancellation_message: message, reason_code: reason } = said.tree.subscription
        assert.deepEqual([state, message, reason], ['canceled', 'Override', 'PRICE'])
      }
    })

    test('cancelling again succeeds, keeps the moment, notes what is said, and tells no second event', async () => {
      const { id } = await buy({ product_handle: 'free-trial' })
      await say(`DELETE /subscriptions/${id}`, because('First', { reason_code: 'A' }))
      const again = await say(`DELETE /subscriptions/${id}`, because('Second'))
      assert.equal(again.status, 200)
      const { cancellation_message: message, reason_code: reason, canceled_at: at } = again.tree.subscription
      assert.deepEqual([message, reason, at], ['Second', 'A', now])
      const { tree: events } = await say(`GET /subscriptions/${id}/events`)
      const changes = events.filter(({ key }: { key: string }) => key === 'subscription_state_change')
      assert.deepEqual(
        changes.map((event: { event_specific_data: object }) => event.event_specific_data),
        [{ new_subscription_state: 'canceled', previous_subscription_state: 'trialing' }],
      )
    })

    test('a canceled subscription is never billed again', async (t) => {
      const other = await openShop(t)
      const { subscription } = await made(other, 'POST /subscriptions.json', signup())
      await speaker(other, format)(`DELETE /subscriptions/${subscription.id}`)
      await other.moveClock('2027-06-01T00:00:00Z')
      const { tree: rows } = await speaker(other, format)(`GET /subscriptions/${subscription.id}/transactions`)
      assert.equal(rows.length, 2)
    })
  })

  describe(`404 in ${format}`, () => {
    test('there is no such subscription, whatever the document says', async () => {
      for (const tree of [undefined, because('x'), because('x'.repeat(65_536))]) {
        assert.equal((await say('DELETE /subscriptions/1', tree)).status, 404)
        assert.equal((await say('DELETE /subscriptions/none', tree)).status, 404)
      }
    })
  })

  describe(`422 in ${format}`, () => {
    test('a message or reason that is too long changes nothing', async () => {
      const { id } = await buy()
      const said = await say(
        `DELETE /subscriptions/${id}`,
        because('x'.repeat(65_536), { reason_code: 'y'.repeat(256) }),
      )
      assert.deepEqual(
        [said.status, said.errors],
        [
          422,
          [
            'Cancellation message: is too long (maximum is 65535 characters).',
            'Reason code: is too long (maximum is 255 characters).',
          ],
        ],
      )
      assert.equal((await say(`GET /subscriptions/${id}`)).tree.subscription.state, 'active')
    })
  })
}

test('the document may be in the other format than the answer', async () => {
  const { id } = await buy()
  const reply = await shop.ask(`DELETE /subscriptions/${id}.json`, {
    body: asXml({ subscription: { cancellation_message: 'In XML' } }),
  })
  assert.equal(reply.json.subscription.cancellation_message, 'In XML')
})
