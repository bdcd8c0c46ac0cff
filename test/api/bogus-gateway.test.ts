/** The test gateway as a test site sees it: its record of calls and its behaviour, in JSON and in XML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSite } from '../../src/actions/create-site.ts'
import { goodCard, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const steady = { latency_in_ms: 0, decline_rate: 0, error_rate: 0, lose_answer_rate: 0 }

/** In XML a rate has the type of a decimal, and decimals are read as text. */
const numbersOf = ({ behaviour }: { behaviour: object }): object =>
  Object.fromEntries(Object.entries(behaviour).map(([name, value]) => [name, Number(value)]))

const shops = { json: await openShop(), xml: await openShop() }

for (const format of formats) {
  const say = speaker(shops[format], format)

  test(`${format}: the test gateway lists every call in order, in pages and from an id on`, async () => {
    const { tree } = await say('POST /subscriptions', signup())
    const { status, tree: calls } = await say('GET /bogus_gateway/calls')
    assert.equal(status, 200)
    assert.equal(calls.length, 2)
    const [store, purchase] = calls
    const { id: _, idempotency_key: key, created_at: at, ...call } = purchase
    assert.deepEqual(call, {
      kind: 'purchase',
      amount_in_cents: 5000,
      outcome: 'approved',
      subscription_id: tree.subscription.id,
    })
    assert.deepEqual([store.kind, store.amount_in_cents, store.subscription_id], ['store', 0, null])
    assert.ok(key.length > 0)
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
    assert.deepEqual((await say(`GET /bogus_gateway/calls?since_id=${purchase.id}`)).tree, [purchase])
    assert.deepEqual((await say('GET /bogus_gateway/calls?per_page=1&page=2')).tree, [purchase])
    assert.deepEqual((await say(`GET /bogus_gateway/calls?since_id=${purchase.id + 1}`)).tree, [])
    assert.equal((await say('GET /bogus_gateway/calls?since_id=x')).status, 422)
  })

  test(`${format}: the test gateway behaves as it is told, and keeps what it is not told`, async () => {
    assert.deepEqual(numbersOf((await say('GET /bogus_gateway/behaviour')).tree), steady)
    const rates = { decline_rate: 0.25, error_rate: '1' }
    const set = await say('PUT /bogus_gateway/behaviour', { behaviour: rates })
    assert.equal(set.status, 200)
    assert.deepEqual(numbersOf(set.tree), { ...steady, decline_rate: 0.25, error_rate: 1 })
    assert.deepEqual((await say('GET /bogus_gateway/behaviour')).tree, set.tree)
    const refused = await say('POST /subscriptions', signup())
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.errors, ['Bogus Gateway: Forced error'])
    await say('PUT /bogus_gateway/behaviour', { behaviour: { error_rate: 0, decline_rate: 1 } })
    const declined = await say('POST /subscriptions', signup({ payment_profile_attributes: goodCard }))
    assert.deepEqual(declined.errors, ['Bogus Gateway: Forced failure'])
  })

  test(`${format}: the test gateway is not told nonsense`, async () => {
    const refused = await say('PUT /bogus_gateway/behaviour', {
      behaviour: { latency_in_ms: -1, decline_rate: 2, error_rate: 'often', lose_answer_rate: -0.5 },
    })
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.errors, [
      'Latency: must be greater than or equal to 0.',
      'Decline rate: must be less than or equal to 1.',
      'Error rate: is not a number.',
      'Lose answer rate: must be greater than or equal to 0.',
    ])
  })
}

test('a live site has no test gateway', async (t) => {
  const shop = await openShop(t)
  const { apiKey: key } = await createSite(shop.app, {
    subdomain: 'live',
    live: true,
    timeZone: 'UTC',
    currency: 'USD',
    apiKey: undefined,
  })
  const say = speaker(shop, 'json')
  for (const line of ['GET /bogus_gateway/calls', 'GET /bogus_gateway/behaviour', 'PUT /bogus_gateway/behaviour']) {
    assert.equal((await say(line, line.startsWith('PUT') ? { behaviour: {} } : undefined, { key })).status, 404, line)
  }
})

test('setting a behaviour twice with one Idempotency-Key sets it once', async (t) => {
  const say = speaker(await openShop(t), 'json')
  const options = { headers: { 'Idempotency-Key': 'b' } }
  const set = () => say('PUT /bogus_gateway/behaviour', { behaviour: { decline_rate: 1 } }, options)
  const first = await set()
  await say('PUT /bogus_gateway/behaviour', { behaviour: { decline_rate: 0 } })
  assert.equal((await set()).text, first.text)
  assert.equal((await say('GET /bogus_gateway/behaviour')).tree.behaviour.decline_rate, 0)
})
