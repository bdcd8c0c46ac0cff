/** The merchant's own reference of a subscription: kept, unique within the site, and good for finding it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { goodCard, made, openOtherSite, openShop, signup } from './shop.ts'
import { countRows } from './table-counts.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const taken = ['Subscription reference: must be unique - that value has been taken.']
const subscribe = async (changes: object = {}) =>
  (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription

for (const format of formats) {
  const say = speaker(shop, format)
  const own = (name: string) => `${name}-${format}`
  const put = (id: number, fields: object) => say(`PUT /subscriptions/${id}`, { subscription: fields })

  describe(`a subscription's reference in ${format}`, () => {
    test('is kept by a sign-up and by an import, and finds the subscription', async () => {
      for (const [reference, more] of [
        [own('First & foremost'), {}],
        [own('imported'), { next_billing_at: '2027-03-01T00:00:00Z' }],
      ] as const) {
        const created = await say('POST /subscriptions', signup({ reference, ...more }))
        assert.deepEqual([created.status, created.tree.subscription?.reference], [201, reference], created.text)
        const found = await say(`GET /subscriptions/lookup?reference=${encodeURIComponent(reference)}`)
        assert.equal(found.status, 200)
        assert.deepEqual(found.tree, (await say(`GET /subscriptions/${created.tree.subscription.id}`)).tree)
        const { tree: listed } = await say(`GET /subscriptions?q=${encodeURIComponent(reference)}`)
        assert.deepEqual(
          listed.map(({ id }: { id: number }) => id),
          [created.tree.subscription.id],
        )
      }
    })

    test('is given, left and taken away by updates', async () => {
      const { id } = await subscribe()
      const shownAfter = async (fields: object) => (await put(id, fields)).tree.subscription.reference
      assert.equal(await shownAfter({ reference: own('later') }), own('later'))
      assert.equal(await shownAfter({ reference: own('later') }), own('later'), 'its own is not taken')
      assert.equal(await shownAfter({ reference: '' }), own('later'))
      assert.equal(await shownAfter({ cancellation_message: 'Hm' }), own('later'))
      assert.equal(await shownAfter({ reference: null }), null)
      assert.equal((await say(`GET /subscriptions/lookup?reference=${own('later')}`)).status, 404)
    })

    test('that another one has is refused before anything is charged or stored', async () => {
      await subscribe({ reference: own('mine') })
      const { id } = await subscribe({ reference: own('yours') })
      const before = await countRows(shop)
      for (const path of ['/subscriptions', '/subscriptions/preview']) {
        const refused = await say(`POST ${path}`, signup({ reference: own('mine') }))
        assert.deepEqual([refused.status, refused.errors], [422, taken], path)
      }
      const changes = { reference: own('mine'), credit_card_attributes: { ...goodCard, last_name: 'Byron' } }
      assert.deepEqual((await put(id, changes)).errors, taken)
      assert.deepEqual(await countRows(shop), before)
      assert.equal((await say(`GET /subscriptions/${id}`)).tree.subscription.reference, own('yours'))
    })

    test('is unknown on another site, and free again once its customer is deleted', async () => {
      const { id, customer } = await subscribe({ reference: own('moving') })
      const beta = await openOtherSite(shop, `beta-${format}`)
      const lookup = `GET /subscriptions/lookup?reference=${own('moving')}`
      assert.equal((await say(lookup, undefined, { key: beta.apiKey })).status, 404)
      for (const query of ['', '?reference=', '?reference=none']) {
        assert.equal((await say(`GET /subscriptions/lookup${query}`)).status, 404, query)
      }
      await say(`DELETE /subscriptions/${id}`)
      assert.equal((await shop.ask(`DELETE /customers/${customer.id}.json`)).status, 204)
      assert.equal((await say(lookup)).status, 404)
      assert.equal((await say('POST /subscriptions', signup({ reference: own('moving') }))).status, 201)
    })

    test('that is too long, or no text, is refused', async () => {
      for (const [reference, sentence] of [
        ['r'.repeat(256), 'Subscription reference: is too long (maximum is 255 characters).'],
        [{ a: 'b' }, 'Subscription reference: must be a string.'],
      ] as const) {
        assert.deepEqual((await say('POST /subscriptions', signup({ reference }))).errors, [sentence])
      }
    })
  })
}

test('two sign-ups at once with one reference make one subscription, and money is kept once', async () => {
  const replies = await Promise.all(
    [1, 2, 3].map(() => shop.ask('POST /subscriptions.json', { body: signup({ reference: 'race' }) })),
  )
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 422, 422])
  const refused = replies.filter(({ status }) => status === 422)
  for (const { json } of refused) assert.deepEqual(json.errors, taken)
})
