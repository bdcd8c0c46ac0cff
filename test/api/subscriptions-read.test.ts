/** GET /subscriptions, of a site and of a customer, and one by its id: 200, 404, and 422 for a page that is none. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Clock } from '../../src/host/clock.ts'
import { ada, goodCard, grace, made, openedAt, openOtherSite, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

/** Each look at it is a second later, so that newest first means something. */
let looks = 0
const ticking: Clock = { now: () => Temporal.Instant.from(openedAt).add({ seconds: looks++ }) }
const shop = await openShop(undefined, { clock: ticking })

const { customer } = await made(shop, 'POST /customers.json', { customer: { ...grace, reference: 'grace' } })
const { customer: alone } = await made(shop, 'POST /customers.json', { customer: ada })
const other = await openOtherSite(shop)
const sold: number[] = []
/** Of 203 subscriptions the first is Ada's with a card, the third Grace's. */
for (let place = 0; place < 203; place += 1) {
  const free = { product_handle: 'free', payment_profile_attributes: undefined }
  const grace = { ...free, customer_attributes: undefined, customer_id: customer.id }
  const { subscription } = await made(
    shop,
    'POST /subscriptions.json',
    signup(place === 0 ? {} : place === 2 ? grace : free),
  )
  sold.push(subscription.id)
}
const newestFirst = sold.toReversed()

for (const format of formats) {
  const say = speaker(shop, format)
  const listed = async (query: string): Promise<number[]> => {
    const said = await say(`GET /subscriptions${query}`)
    assert.equal(said.status, 200, said.text)
    return said.tree.map(({ id }: { id: number }) => id)
  }

  describe(`200 in ${format}`, () => {
    test('the list shows twenty, newest first, and continues on the next page', async () => {
      assert.deepEqual(await listed(''), newestFirst.slice(0, 20))
      assert.deepEqual(await listed('?page=2'), newestFirst.slice(20, 40))
      assert.deepEqual(await listed('?page=&per_page=&direction='), newestFirst.slice(0, 20))
    })

    test('per_page goes up to 200, and what is more is lowered to it', async () => {
      assert.deepEqual(await listed('?per_page=3&page=2'), newestFirst.slice(3, 6))
      for (const perPage of ['200', '201', '99999999999999999999']) {
        assert.deepEqual(await listed(`?per_page=${perPage}`), newestFirst.slice(0, 200), perPage)
      }
      assert.deepEqual(await listed('?per_page=200&page=2'), newestFirst.slice(200))
      assert.deepEqual(await listed('?per_page=0'), newestFirst.slice(0, 20))
      for (const nothing of ['-5', 'many']) {
        assert.equal((await say(`GET /subscriptions?per_page=${nothing}`)).status, 422, nothing)
      }
    })

    test('a page past the end is empty, however far', async () => {
      for (const page of ['12', '9007199254740993', '9'.repeat(40)]) assert.deepEqual(await listed(`?page=${page}`), [])
    })

    test('a customer has a list of his own, empty if he bought nothing', async () => {
      const said = await say(`GET /customers/${customer.id}/subscriptions`)
      assert.deepEqual([said.status, said.tree.map(({ id }: { id: number }) => id)], [200, [sold[2]]])
      const nothing = await say(`GET /customers/${alone.id}/subscriptions`)
      assert.deepEqual([nothing.status, nothing.tree], [200, []])
    })

    test('one subscription reads the same alone, in the list and in the list of its customer', async () => {
      const { tree } = await say(`GET /subscriptions/${sold[2]}`)
      const { current_billing_amount_in_cents: priced, ...alike } = tree.subscription
      assert.deepEqual((await say(`GET /subscriptions?per_page=1&page=201`)).tree, [alike])
      assert.deepEqual((await say(`GET /customers/${customer.id}/subscriptions`)).tree, [alike])
      assert.deepEqual([priced, alike.previous_state], [0, alike.state])
    })

    test('the nested records are those that their own addresses show', async () => {
      const { subscription } = (await say(`GET /subscriptions/${sold[0]}`)).tree
      const { id: customerId } = subscription.customer
      assert.deepEqual(subscription.customer, (await say(`GET /customers/${customerId}`)).tree.customer)
      assert.deepEqual(subscription.product, (await say(`GET /products/${subscription.product.id}`)).tree.product)
      const card = (await say(`GET /payment_profiles/${subscription.credit_card.id}`)).tree.payment_profile
      assert.deepEqual(subscription.credit_card, card)
      assert.equal(card.customer_id, customerId)
    })
  })

  describe(`404 in ${format}`, () => {
    test('what does not exist, and what is no id, is not found', async () => {
      for (const id of ['1', '0', '-1', 'abc', '9'.repeat(15), '9'.repeat(40), '1e3', '0x10', '%20', `${sold[0]}%00`]) {
        const said = await say(`GET /subscriptions/${id}`)
        assert.equal(said.status, 404, `${id}: ${said.text}`)
      }
      assert.equal((await say('GET /subscriptions/')).status, 404)
      assert.equal((await say('GET /customers/1/subscriptions')).status, 404)
      for (const records of ['transactions', 'events', 'statements']) {
        assert.equal((await say(`GET /subscriptions/1/${records}`)).status, 404)
        assert.equal((await say(`GET /subscriptions/1/${records}?page=0`)).status, 404)
      }
    })

    test('a subscription of another site does not exist here', async () => {
      for (const path of [
        `subscriptions/${sold[0]}`,
        `subscriptions/${sold[0]}/events`,
        `customers/${customer.id}/subscriptions`,
      ]) {
        assert.equal((await say(`GET /${path}`)).status, 200)
        assert.equal((await say(`GET /${path}`, undefined, { key: other.apiKey })).status, 404)
      }
      assert.deepEqual((await say('GET /subscriptions', undefined, { key: other.apiKey })).tree, [])
      const canceled = await say(`DELETE /subscriptions/${sold[0]}`, undefined, { key: other.apiKey })
      assert.equal(canceled.status, 404)
      assert.equal((await say(`GET /subscriptions/${sold[0]}`)).tree.subscription.state, 'active')
    })
  })

  describe(`422 in ${format}`, () => {
    test('a page that is not 1 or more is refused by name', async () => {
      for (const page of ['0', '-1']) {
        const said = await say(`GET /subscriptions?page=${page}`)
        assert.deepEqual([said.status, said.errors], [422, [`invalid page: ${page}`]])
        const records = await say(`GET /subscriptions/${sold[0]}/transactions?page=${page}`)
        assert.deepEqual([records.status, records.errors], [422, [`invalid page: ${page}`]])
      }
      for (const page of ['two', '1.5', '1e1', ' 1', '%3Cscript%3E']) {
        const said = await say(`GET /subscriptions?page=${encodeURIComponent(page)}`)
        assert.deepEqual([said.status, said.errors], [422, ['invalid page']], page)
      }
    })
  })
}

test('a card is shown without its number and without its code', async () => {
  const reply = await shop.ask(`GET /subscriptions/${sold[0]}.json`)
  assert.equal(reply.text.includes(goodCard.cvv), false)
  assert.equal('full_number' in reply.json.subscription.credit_card, false)
})
