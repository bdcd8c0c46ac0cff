/** The uses that codes have left, where several codes are asked for together and many ask at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { couponsOf, openCouponShop, refusedCode } from './coupon-shop.ts'
import { countLeftovers, made, signup } from './shop.ts'

test('of 20 at once that want the last uses of two codes, in either order, one gets both and nobody waits in a circle', async (t) => {
  const shop = await openCouponShop(t)
  const orders = Array.from({ length: 20 }, (_, place) => (place % 2 === 0 ? 'LAST1,LAST2' : 'LAST2,LAST1'))
  const answers = await Promise.all(
    orders.map((codes) => shop.ask('POST /subscriptions.json', { body: signup({ coupon_codes: codes }) })),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  for (const { status, json } of answers.filter((answer) => answer.status !== 201)) {
    // Who looked at one code before the other one's last use was gone is told of one alone.
    assert.equal(status, 422)
    assert.ok(json.errors.length > 0)
    for (const sentence of json.errors) {
      assert.match(sentence, /^Coupon Code: 'LAST[12]' - Coupon has no uses left\.$/)
    }
  }
  assert.equal((await countLeftovers(shop)).subscriptions, 1)
  const { text, differences } = await verify(shop.app)
  assert.equal(differences, 0, text)
})

test('of 20 subscriptions at once that want the last uses of two codes, one gets both, by a list or by an update', async (t) => {
  const shop = await openCouponShop(t)
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => (await made(shop, 'POST /subscriptions.json', signup())).subscription.id),
  )
  const answers = await Promise.all(
    ids.map((id, place) => {
      const codes = place % 4 < 2 ? ['LAST1', 'LAST2'] : ['LAST2', 'LAST1']
      return place % 2 === 0
        ? shop.ask(`POST /subscriptions/${id}/add_coupon.json`, { body: { codes } })
        : shop.ask(`PUT /subscriptions/${id}.json`, { body: { subscription: { coupon_codes: codes } } })
    }),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 19 }, () => 422)])
})

test('a code that has no uses left takes none of those that are asked for with it', async (t) => {
  const shop = await openCouponShop(t)
  const { subscription: one } = await made(shop, 'POST /subscriptions.json', signup({ coupon_codes: 'LAST1' }))
  const refused = await shop.ask('POST /subscriptions.json', { body: signup({ coupon_codes: 'LAST1,LAST2' }) })
  assert.deepEqual(refused.json.errors, [refusedCode('LAST1', 'Coupon has no uses left.')])
  const put = await shop.ask(`PUT /subscriptions/${one.id}.json`, {
    body: { subscription: { coupon_codes: ['LAST1', 'LAST2'] } },
  })
  assert.deepEqual(couponsOf(put.json), [
    ['LAST1', 1, null],
    ['LAST2', 0, null],
  ])
})
