/** The test clock: shown, moved forward, refused otherwise, in JSON and in XML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginAdvance } from '../../src/actions/advance-clock.ts'
import { createSite } from '../../src/actions/create-site.ts'
import { moveClock } from '../../src/actions/move-clock.ts'
import { openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shops = {
  json: await openShop(undefined, { timeZone: 'America/New_York' }),
  xml: await openShop(undefined, { timeZone: 'America/New_York' }),
}

for (const format of formats) {
  const say = speaker(shops[format], format)
  const shows = async (now: string, status = 'ready') =>
    assert.deepEqual((await say('GET /test_clock')).tree, { test_clock: { now, status } })

  test(`${format}: the test clock shows wall time in UTC until it is moved`, async () => {
    await shows('2027-01-15T12:00:00Z')
  })

  test(`${format}: the test clock moves forward and does what falls due on the way`, async () => {
    const { tree } = await say('POST /subscriptions', signup())
    const moved = await say('PUT /test_clock', { test_clock: { now: '2027-03-01T00:00:00Z' } })
    assert.equal(moved.status, 200)
    assert.deepEqual(moved.tree, { test_clock: { now: '2027-03-01T00:00:00Z', status: 'ready' } })
    await shows('2027-03-01T00:00:00Z')
    const { subscription } = (await say(`GET /subscriptions/${tree.subscription.id}`)).tree
    assert.equal(subscription.current_period_ends_at, '2027-03-15T07:00:00-04:00')
  })

  test(`${format}: the test clock reads a time without zone as the site’s`, async () => {
    await say('PUT /test_clock', { test_clock: { now: '2027-03-02' } })
    await shows('2027-03-02T05:00:00Z')
  })

  test(`${format}: the test clock refuses to go back, and what is no date`, async () => {
    const refusals: [object, string][] = [
      [{ now: '2027-03-01T00:00:00Z' }, 'Test clock: cannot be moved backwards.'],
      [{ now: 'tomorrow' }, 'Now: is not a date that can be read.'],
      [{ now: '2027-02-30' }, 'Now: is not a date that can be read.'],
      [{ now: '' }, 'Now: cannot be blank.'],
      [{}, 'Now: cannot be blank.'],
    ]
    for (const [test_clock, message] of refusals) {
      const refused = await say('PUT /test_clock', { test_clock })
      assert.equal(refused.status, 422)
      assert.deepEqual(refused.errors, [message])
    }
    await shows('2027-03-02T05:00:00Z')
  })
}

test('a repeated move with the same Idempotency-Key is answered as the first time', async (t) => {
  const say = speaker(await openShop(t), 'json')
  const move = () =>
    say('PUT /test_clock', { test_clock: { now: '2027-02-01T00:00:00Z' } }, { headers: { 'Idempotency-Key': 'm' } })
  const first = await move()
  await say('PUT /test_clock', { test_clock: { now: '2027-03-01T00:00:00Z' } })
  const again = await move()
  assert.deepEqual([again.status, again.text], [200, first.text])
})

test('the clock of a live site shows the time and cannot be moved', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const { apiKey: key } = await createSite(shop.app, {
    subdomain: 'live',
    live: true,
    timeZone: 'UTC',
    currency: 'USD',
    apiKey: undefined,
  })
  assert.equal((await say('GET /test_clock', undefined, { key })).status, 200)
  const refused = await say('PUT /test_clock', { test_clock: { now: '2030-01-01T00:00:00Z' } }, { key })
  assert.equal(refused.status, 422)
  assert.deepEqual(refused.errors, ['Test clock: the clock of a live site cannot be moved.'])
})

test('a move that takes long goes on by itself: 202 until it has arrived, and no second move meanwhile', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const { tree } = await say('POST /subscriptions', signup())
  const hold = shop.hold(tree.subscription.id)
  await moveClock(shop.app, shop.siteId, Temporal.Instant.from('2027-02-20T00:00:00Z'), { waitMs: 5 })
  assert.equal((await say('GET /test_clock')).tree.test_clock.status, 'advancing')
  const second = await say('PUT /test_clock', { test_clock: { now: '2027-04-01T00:00:00Z' } })
  assert.equal(second.status, 409)
  assert.equal((await say('POST /sites/clear_data')).status, 409)
  hold.release()
  let clock = (await say('GET /test_clock')).tree.test_clock
  while (clock.status === 'advancing') clock = (await say('GET /test_clock')).tree.test_clock
  assert.deepEqual(clock, { now: '2027-02-20T00:00:00Z', status: 'ready' })
})

test('a clock that is on its way is shown as advancing', async (t) => {
  const shop = await openShop(t)
  await beginAdvance(shop.app, shop.siteId, Temporal.Instant.from('2027-02-20T00:00:00Z'))
  const { tree } = await speaker(shop, 'xml')('GET /test_clock')
  assert.deepEqual(tree, { test_clock: { now: '2027-01-15T12:00:00Z', status: 'advancing' } })
})
