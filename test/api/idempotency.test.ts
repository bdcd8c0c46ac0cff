/** Asking twice does things once: Idempotency-Key gives the first answer again, uniqueness_token refuses the second request. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/store/sql.ts'
import { ada, countLeftovers, goodCard, made, openOtherSite, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const other = await openOtherSite(shop)
const countSubscriptions = async () => (await countLeftovers(shop)).subscriptions
const usedOtherwise = ['Idempotency-Key: was used for another request.']
const duplicate = ['DuplicatePrevention::DuplicateSubmissionError']

for (const format of formats) {
  const say = speaker(shop, format)
  const keyed = (key: string) => ({ headers: { 'Idempotency-Key': `${key}-in-${format}` } })

  describe(`Idempotency-Key in ${format}`, () => {
    test('a repeated request gets the first answer, byte for byte, and writes nothing', async () => {
      const first = await say('POST /subscriptions', signup(), keyed('replay'))
      assert.equal(first.status, 201)
      const { id } = first.tree.subscription
      await say(`DELETE /subscriptions/${id}`)
      const before = await countLeftovers(shop)
      const again = await say('POST /subscriptions', signup(), keyed('replay'))
      assert.deepEqual([again.status, again.text], [201, first.text])
      assert.equal(again.headers.location, first.headers.location)
      assert.equal(again.headers['content-type'], first.headers['content-type'])
      assert.deepEqual(await countLeftovers(shop), before)
    })

    test('fifty racing requests make one subscription, and all get its answer', async () => {
      const before = await countSubscriptions()
      const calls = async () => (await shop.ask('GET /bogus_gateway/calls.json?per_page=200')).json.length
      const callsBefore = await calls()
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => say('POST /subscriptions', signup(), keyed('race'))),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
      assert.equal(await countSubscriptions(), before + 1)
      assert.equal(await calls(), callsBefore + 2)
    })

    test('the same key with another body, path or query is refused, and changes nothing', async () => {
      await say('POST /subscriptions', signup(), keyed('other'))
      const before = await countLeftovers(shop)
      const another = [
        say('POST /subscriptions', signup({ product_handle: 'free' }), keyed('other')),
        say('POST /subscriptions?page=2', signup(), keyed('other')),
        say('POST /customers', { customer: ada }, keyed('other')),
      ]
      for (const said of await Promise.all(another)) {
        assert.deepEqual([said.status, said.errors], [422, usedOtherwise])
      }
      assert.deepEqual(await countLeftovers(shop), before)
    })

    test('a request that was refused before a gateway was asked frees its key', async () => {
      const refused = [
        signup({ product_handle: 'none' }),
        signup({ payment_profile_attributes: { ...goodCard, expiration_year: 2020 } }),
      ]
      for (const tree of refused) assert.equal((await say('POST /subscriptions', tree, keyed('freed'))).status, 422)
      assert.equal((await say('DELETE /subscriptions/1', undefined, keyed('freed'))).status, 404)
      assert.equal((await say('POST /subscriptions', signup(), keyed('freed'))).status, 201)
    })

    test('a key belongs to one site', async () => {
      const first = await say('POST /customers', { customer: ada }, keyed('site'))
      const there = await say('POST /customers', { customer: ada }, { ...keyed('site'), key: other.apiKey })
      assert.deepEqual([first.status, there.status], [201, 201])
      assert.notEqual(there.tree.customer.id, first.tree.customer.id)
    })

    test('cancelling under a key is answered as the first time, whatever happened since', async () => {
      const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
      const because = { subscription: { cancellation_message: 'once' } }
      const first = await say(`DELETE /subscriptions/${subscription.id}`, because, keyed('cancel'))
      await say(`DELETE /subscriptions/${subscription.id}`, { subscription: { cancellation_message: 'since' } })
      const again = await say(`DELETE /subscriptions/${subscription.id}`, because, keyed('cancel'))
      assert.equal(again.text, first.text)
      assert.equal((await say(`GET /subscriptions/${subscription.id}`)).tree.subscription.cancellation_message, 'since')
    })

    test('an empty key is none, and one that is too long is refused', async () => {
      const before = await countSubscriptions()
      for (let times = 0; times < 2; times += 1) {
        await say('POST /subscriptions', signup(), { headers: { 'Idempotency-Key': '' } })
      }
      assert.equal(await countSubscriptions(), before + 2)
      const long = await say('POST /subscriptions', signup(), keyed('k'.repeat(256)))
      assert.deepEqual([long.status, long.errors], [422, ['Idempotency-Key: is too long (maximum is 255 characters).']])
    })
  })

  describe(`uniqueness_token in ${format}`, () => {
    test('a token counts once, from the document or from the query', async () => {
      const before = await countSubscriptions()
      // Beside the resource in JSON; XML has one root, so there it stands in the query.
      const inBody = { ...signup(), uniqueness_token: `body-${format}` }
      const send = () =>
        format === 'json'
          ? say('POST /subscriptions', inBody)
          : say(`POST /subscriptions?uniqueness_token=body-${format}`, signup())
      assert.equal((await send()).status, 201)
      const again = await send()
      assert.deepEqual([again.status, again.errors], [409, duplicate])
      const query = () => say(`POST /subscriptions?uniqueness_token=query-${format}`, signup())
      assert.deepEqual([(await query()).status, (await query()).status], [201, 409])
      assert.equal(await countSubscriptions(), before + 2)
    })

    test('a token is used up by a request that was refused', async () => {
      const send = (tree: object) => say(`POST /subscriptions?uniqueness_token=refused-${format}`, tree)
      assert.equal((await send(signup({ product_handle: 'none' }))).status, 422)
      assert.equal((await send(signup())).status, 409)
    })

    test('of racing requests with one token one is carried out', async () => {
      const before = await countSubscriptions()
      const racing = Array.from({ length: 10 }, () =>
        say(`POST /subscriptions?uniqueness_token=race-${format}`, signup()),
      )
      const statuses = (await Promise.all(racing)).map(({ status }) => status).sort()
      assert.deepEqual(statuses, [201, ...Array<number>(9).fill(409)])
      assert.equal(await countSubscriptions(), before + 1)
    })

    test('another site may use the same token', async () => {
      const line = `POST /customers?uniqueness_token=site-${format}`
      assert.equal((await say(line, { customer: ada })).status, 201)
      assert.equal((await say(line, { customer: ada }, { key: other.apiKey })).status, 201)
    })
  })
}

test('what is kept for a key holds no card number', async () => {
  const card = { ...goodCard, full_number: '4111111111111111', cvv: '987' }
  const headers = { 'Idempotency-Key': 'card' }
  await shop.ask('POST /subscriptions.json', { body: signup({ payment_profile_attributes: card }), headers })
  const rows = await shop.app.db.rows<{ key: string }>(
    sql`select * from idempotency_keys where site_id = ${shop.siteId}`,
  )
  assert(rows.some(({ key }) => key === 'card'))
  assert.equal(/4111111111111111|"987"|:987/.test(JSON.stringify(rows)), false)
})
