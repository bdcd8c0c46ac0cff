/** Who tries wrong keys over and over is told to wait, without a question to the database; keys that are right go on working from there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOtherSite, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

for (const format of formats) {
  test(`a client that goes on with a wrong key is refused, and others of its address are not, in ${format}`, async (t) => {
    const shop = await openShop(t)
    const say = speaker(shop, format)
    const statuses: number[] = []
    for (let count = 0; count < 62; count++) {
      statuses.push((await say('GET /subscriptions', undefined, { key: 'revoked-long-ago' })).status)
    }
    assert.deepEqual([...new Set(statuses.slice(0, 60)), ...statuses.slice(60)], [401, 429, 429])
    const refused = await say('GET /subscriptions', undefined, { key: 'revoked-long-ago' })
    assert.match(refused.errors.join(), /^Too many wrong API keys came from your address\. Please wait \d+ seconds\.$/)
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal((await say('GET /subscriptions', undefined, { key: 'mistyped-once' })).status, 401)
    assert.equal((await say('GET /subscriptions')).status, 200)
  })
}

test('a flood of random keys is not looked up, and right keys, also new ones, go on working from that address', async (t) => {
  const shop = await openShop(t)
  for (let count = 0; count < 240; count++) await shop.ask('GET /subscriptions.json', { key: `${count}-wrong` })
  const arrays = shop.app.db.arrays.bind(shop.app.db)
  let lookUps = 0
  shop.app.db.arrays = (statement) => {
    lookUps += 1
    return arrays(statement)
  }
  const statuses = new Set<number>()
  for (let count = 0; count < 200; count++) {
    statuses.add((await shop.ask('GET /subscriptions.json', { key: `${count}-wrong-too` })).status)
  }
  assert.deepEqual([...statuses], [429])
  assert.ok(lookUps < 20, `${lookUps} questions for 200 keys`)
  shop.app.db.arrays = arrays
  assert.equal((await shop.ask('GET /subscriptions.json')).status, 200)
  const other = await openOtherSite(shop)
  const end = performance.now() + 10_000
  let reply = await shop.ask('GET /subscriptions.json', { key: other.apiKey })
  while (reply.status === 429 && performance.now() < end) {
    await new Promise((later) => setTimeout(later, 100))
    reply = await shop.ask('GET /subscriptions.json', { key: other.apiKey })
  }
  assert.equal(reply.status, 200)
})
