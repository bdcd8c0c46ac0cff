/** Dates as clients of every language write them, where a subscription's next billing date and other dates are sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { made, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()

const noon = '2028-08-06T12:00:00+00:00'
const midnight = '2028-08-06T00:00:00+00:00'
const moments: [sent: string, read: string][] = [
  ['20280806T120000Z', noon],
  ['2028/08/06', midnight],
  ['August 6, 2028', midnight],
  ['6 Aug 2028', midnight],
  ['06-Aug-2028', midnight],
  ['8/6/2028 12:00 pm UTC', noon],
  ['Sun Aug 06 2028', midnight],
  ['Sun Aug 06 2028 22:00:00 GMT+1000 (Australian Eastern Standard Time)', noon],
]

for (const format of formats) {
  const say = speaker(shop, format)

  test(`${format}: a date is read in every form that has one meaning, at sign-up and after it`, async () => {
    const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
    for (const [sent, read] of moments) {
      const begun = await say('POST /subscriptions', signup({ next_billing_at: sent }))
      assert.deepEqual([begun.status, begun.tree.subscription?.next_assessment_at], [201, read], sent)
      const path = `/subscriptions/${subscription.id}`
      const moved = await say(`PUT ${path}`, { subscription: { next_billing_at: sent } })
      assert.deepEqual([moved.status, moved.tree.subscription?.next_assessment_at], [200, read], sent)
    }
  })

  test(`${format}: a date that may mean two is refused with both`, async () => {
    const refused = await say('POST /subscriptions', signup({ next_billing_at: '06-08-2028' }))
    const sentence = 'Next billing: may mean 2028-06-08 or 2028-08-06; please send which is meant.'
    assert.deepEqual([refused.status, refused.errors], [422, [sentence]])
    const zone = await say('GET /events?start_datetime=8/6/2028%2010:00%20BST')
    assert.deepEqual(zone.errors, [
      'Start datetime: may mean +01:00 (Britain) or +06:00 (Bangladesh); please send which is meant.',
    ])
  })
}
