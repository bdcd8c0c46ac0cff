/** No date is written that cannot be shown; one that is there all the same stops nobody, and can be set right. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/store/sql.ts'
import { dealings } from './dealings.ts'
import { openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const tooLate = ['Dates: one that follows from this would be later than 30 December 9999.']

for (const format of formats) {
  describe(`dates at the end of all calendars, in ${format}`, async () => {
    const shop = await openShop()
    const { buy } = dealings(shop)
    const say = speaker(shop, format)
    const put = (id: number, subscription: object) => say(`PUT /subscriptions/${id}`, { subscription })
    const shows = async (id: number) => (await say(`GET /subscriptions/${id}`)).tree.subscription

    test('an expiration that would follow the billing date out of the calendar is refused, and nothing is written', async () => {
      const { id } = await buy()
      assert.equal((await put(id, { expires_at: '9999-12-01T00:00:00Z' })).status, 200)
      const before = await shows(id)
      const refused = await put(id, {
        next_billing_at: '2035-01-01T00:00:00Z',
        expiration_tracks_next_billing_change: true,
      })
      assert.deepEqual([refused.status, refused.errors], [422, tooLate])
      assert.deepEqual(await shows(id), before)
      assert.equal((await say('GET /subscriptions')).status, 200)
    })

    test('a billing date at the end of the calendar can be shown, moved and not counted on from', async () => {
      const { id } = await buy()
      assert.equal((await put(id, { next_billing_at: '9999-12-30T12:00:00Z' })).status, 200)
      const preview = await say(`POST /subscriptions/${id}/renewals/preview`)
      assert.ok(preview.status === 200 || preview.status === 422, preview.text)
      assert.equal((await say('GET /subscriptions')).status, 200)
      assert.equal((await put(id, { next_billing_at: '2027-03-01T12:00:00Z' })).status, 200)
    })

    test('later dates are refused wherever they are sent, and so is a clock that leaves no room for them', async () => {
      const { id } = await buy()
      for (const field of ['next_billing_at', 'expires_at']) {
        assert.equal((await put(id, { [field]: '9999-12-31T12:00:00Z' })).status, 422, field)
        assert.equal((await put(id, { [field]: '10000-01-01T12:00:00Z' })).status, 422, field)
      }
      const override = await say(`PUT /subscriptions/${id}/override`, { subscription: { expires_at: '10000-01-01' } })
      assert.equal(override.status, 422)
      const moved = await say('PUT /test_clock', { test_clock: { now: '9000-01-01T00:00:00Z' } })
      assert.deepEqual([moved.status, moved.errors], [422, ['Now: must be before the year 9000.']])
    })

    test('a date beyond them that is there all the same stops no list and no renewal, and is set right by an update', async () => {
      const good = await buy()
      const ids: number[] = []
      for (const field of ['expires_at', 'next_assessment_at', 'current_period_ends_at']) {
        const { id } = await buy()
        ids.push(id)
        for (const at of ['12345-06-07 08:09:10+00', 'infinity', '0044-03-15 00:00:00+00 BC']) {
          if (field !== 'expires_at' && at.endsWith('BC')) continue
          await shop.app.db.run(sql`
            update subscriptions set expires_at = case when ${field}::text = 'expires_at' then ${at}::timestamptz else expires_at end,
              next_assessment_at = case when ${field}::text = 'expires_at' then next_assessment_at else ${at}::timestamptz end,
              current_period_ends_at = case when ${field}::text = 'current_period_ends_at' then ${at}::timestamptz else current_period_ends_at end
            where site_id = ${shop.siteId} and id = ${id}`)
          assert.equal((await say('GET /subscriptions?per_page=200')).status, 200, `${field} ${at}`)
          assert.equal((await say(`GET /subscriptions/${id}`)).status, 200, `${field} ${at}`)
        }
      }
      await shop.moveClock(good.next_assessment_at)
      assert.equal((await shows(good.id)).total_revenue_in_cents, 10_000)
      const [expiring, ...waiting] = ids
      await say(`PUT /subscriptions/${expiring}/override`, { subscription: { expires_at: '2030-01-01T00:00:00Z' } })
      assert.equal((await shows(expiring!)).expires_at, '2030-01-01T00:00:00+00:00')
      for (const id of waiting) {
        const said = await put(id, { next_billing_at: '2027-04-01T00:00:00Z' })
        assert.equal(said.status, 200, said.text)
        assert.equal((await shows(id)).next_assessment_at, '2027-04-01T00:00:00+00:00')
      }
    })
  })
}
