/** GET /subscriptions with filters and an order: by state, product, coupon and dates; 422 for what cannot be asked. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/store/sql.ts'
import { dealings } from './dealings.ts'
import { decliningCard, goodCard, made, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const { buy } = dealings(shop)
const { coupon } = await made(shop, 'POST /coupons.json', {
  coupon: { name: 'Tenth', code: 'TENTH', percentage: 10, product_family_id: shop.familyId, recurring: true },
})

const free = { product_handle: 'free', payment_profile_attributes: undefined }
const leave = { body: { subscription: { cancel_at_end_of_period: true } } }

/** In January; by the end of February the first is past due, the second has left, and the card of the fourth is over. */
const { id: owing } = await buy({ product_handle: 'card-trial', payment_profile_attributes: decliningCard })
const { id: left } = await buy(free)
await shop.ask(`PUT /subscriptions/${left}.json`, leave)
const { id: gone } = await buy(free)
await shop.ask(`DELETE /subscriptions/${gone}.json`)
const { id: staying } = await buy({
  payment_profile_attributes: { ...goodCard, expiration_month: 1, expiration_year: 2027 },
})
const { id: discounted } = await buy({ coupon_code: 'TENTH' })
await shop.moveClock('2027-02-20T12:00:00Z')
const { id: leaving } = await buy(free)
await shop.ask(`PUT /subscriptions/${leaving}.json`, leave)
const { id: trying } = await buy({ ...free, product_handle: 'free-trial' })
const newestFirst = [trying, leaving, discounted, staying, gone, left, owing]

for (const format of formats) {
  const say = speaker(shop, format)
  const listed = async (query: string): Promise<number[]> => {
    const said = await say(`GET /subscriptions?${query}`)
    assert.equal(said.status, 200, said.text)
    return said.tree.map(({ id }: { id: number }) => id)
  }

  describe(`200 in ${format}`, () => {
    test('only those in a state are shown', async () => {
      assert.deepEqual(await listed('state='), newestFirst)
      const expected: Record<string, number[]> = {
        active: [leaving, discounted, staying],
        trialing: [trying],
        past_due: [owing],
        canceled: [gone, left],
        expired: [],
        unpaid: [],
        trial_ended: [],
        on_hold: [],
        soft_failure: [],
        suspended: [],
      }
      for (const [state, ids] of Object.entries(expected)) assert.deepEqual(await listed(`state=${state}`), ids, state)
    })

    test('a cancellation that took place is pending no more, and a card is over when its month is', async () => {
      assert.deepEqual(await listed('state=pending_cancellation'), [leaving])
      assert.deepEqual(await listed('state=expired_cards'), [staying])
    })

    test('what has not been renewed when its period is over is pending, until it is', async (t) => {
      assert.deepEqual(await listed('state=pending_renewal'), [])
      const setEnd = (to: string) =>
        shop.app.db.run(sql`update subscriptions set current_period_ends_at = ${Temporal.Instant.from(to)}
          where site_id = ${shop.siteId} and id = ${staying}`)
      t.after(() => setEnd('2027-03-15T12:00:00Z'))
      await setEnd('2027-02-20T12:00:00Z')
      assert.deepEqual(await listed('state=pending_renewal'), [staying])
    })

    test('only those to a product, or with a coupon, and those to whom all of it applies', async () => {
      assert.deepEqual(await listed(`product=${shop.productIds.monthly}`), [discounted, staying])
      assert.deepEqual(await listed(`coupon=${coupon.id}`), [discounted])
      assert.deepEqual(await listed('product=1'), [])
      assert.deepEqual(await listed(`state=active&product=${shop.productIds.free}`), [leaving])
    })

    test('a window is about the date that is named, both its days belong to it, and moments come before days', async () => {
      assert.deepEqual(await listed('start_date=2027-02-20'), [trying, leaving])
      assert.deepEqual(await listed('end_date=2027-01-15'), newestFirst.slice(2))
      assert.deepEqual(await listed('date_field=canceled_at'), newestFirst)
      assert.deepEqual(await listed('date_field=canceled_at&start_date=2027-02-15&end_date=2027-02-15'), [left])
      assert.deepEqual(await listed('date_field=trial_ended_at&start_date=2027-01-01'), [trying, owing])
      assert.deepEqual(await listed('date_field=current_period_starts_at&start_date=2027-02-01&end_date=2027-02-19'), [
        discounted,
        staying,
        owing,
      ])
      const moment = encodeURIComponent('2027-02-20 07:00:00 -0500')
      assert.deepEqual(await listed(`start_date=2026-01-01&start_datetime=${moment}`), [trying, leaving])
    })

    test('the order is by the date that is asked for, either way, and pages follow it', async () => {
      assert.deepEqual(await listed('direction=asc'), newestFirst.toReversed())
      const byEnd = [left, gone, owing, staying, discounted, leaving, trying]
      assert.deepEqual(await listed('sort=period_end&direction=asc'), byEnd)
      assert.deepEqual(await listed('sort=period_end'), byEnd.toReversed())
      assert.deepEqual(await listed('sort=period_end&direction=asc&per_page=2&page=2'), byEnd.slice(2, 4))
      assert.equal((await listed('sort=next_assessment&direction=asc&state=past_due'))[0], owing)
    })
  })

  describe(`422 in ${format}`, () => {
    test('everything that cannot be asked is told at once', async () => {
      const said = await say(
        'GET /subscriptions?page=0&state=happy&product=almanac&coupon=x&date_field=id&start_date=soon&sort=id&direction=up',
      )
      assert.equal(said.status, 422)
      assert.deepEqual(said.errors, [
        'invalid page: 0',
        'State: must be one of active, awaiting_signup, canceled, expired, expired_cards, on_hold, past_due, pending_cancellation, pending_renewal, soft_failure, suspended, trial_ended, trialing, unpaid.',
        'Product: is not a number.',
        'Coupon: is not a number.',
        'Date field: must be one of current_period_ends_at, current_period_starts_at, created_at, activated_at, canceled_at, expires_at, trial_started_at, trial_ended_at, updated_at.',
        'Start date: must be a date in the form YYYY-MM-DD.',
        'Sort: must be one of signup_date, period_start, period_end, next_assessment, updated_at, created_at.',
        'Direction: must be one of asc, desc.',
      ])
    })
  })
}
