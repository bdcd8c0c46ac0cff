/** GET /events and /subscriptions/<id>/events: pages, ids, keys, days; their count; and what cannot be meant. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownEventKeys } from '../../src/billing/event.ts'
import type { Clock } from '../../src/host/clock.ts'
import { type EventFilter, listEvents } from '../../src/store/events.ts'
import { type Sql, sql } from '../../src/store/sql.ts'
import { ada, grace, made, openOtherSite, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

/** A day passes with each customer. */
let now = Temporal.Instant.from('2027-01-15T12:00:00Z')
const clock: Clock = { now: () => now }
const shop = await openShop(undefined, { clock, timeZone: 'America/New_York' })
const other = await openOtherSite(shop)

const subscriptionIds: number[] = []
for (let place = 0; place < 4; place++) {
  const customer_attributes = place % 2 === 0 ? ada : grace
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup({ customer_attributes }))
  subscriptionIds.push(subscription.id)
  now = now.add({ hours: 24 })
}
/** Told by each sign-up: a new customer, the sign-up, the payment, the settled statement. */
const keys = ['customer_create', 'signup_success', 'payment_success', 'statement_settled']

for (const format of formats) {
  const say = speaker(shop, format)
  type Event = { id: number; key: string; subscription_id: number | null; customer_id: number; created_at: string }
  const listed = async (query: string, path = '/events'): Promise<Event[]> => {
    const said = await say(`GET ${path}${query}`)
    assert.equal(said.status, 200, said.text)
    return said.tree
  }
  const count = async (query: string): Promise<number> => Number((await say(`GET /events/count${query}`)).tree.count)

  describe(`events in ${format}`, async () => {
    const all = await listed('?direction=asc&per_page=200')
    const ids = all.map(({ id }) => id)

    test('all of the site, newest first unless asked otherwise, twenty to a page', async () => {
      assert.deepEqual(
        all.map(({ key }) => key),
        [...keys, ...keys, ...keys, ...keys],
      )
      assert.deepEqual(await listed(''), all.toReversed().slice(0, 20))
      assert.deepEqual(await listed('?per_page=3&page=2'), all.toReversed().slice(3, 6))
      assert.deepEqual(await listed('?per_page=3&page=2&direction=asc'), all.slice(3, 6))
      assert.deepEqual(await listed('?page=99'), [])
    })

    test('since an id and up to an id, both included: the way to go on reading', async () => {
      assert.deepEqual(await listed(`?since_id=${ids[4]}&direction=asc`), all.slice(4))
      assert.deepEqual(await listed(`?since_id=${ids[4]}&max_id=${ids[6]}&direction=asc`), all.slice(4, 7))
      assert.deepEqual(await listed(`?since_id=${ids.at(-1)! + 1}`), [])
      assert.deepEqual(await listed(`?since_id=${'9'.repeat(30)}`), [])
    })

    test('of some keys; those that nothing causes any more match nothing', async () => {
      const payments = all.filter(({ key }) => key === 'payment_success')
      assert.deepEqual(await listed('?filter=payment_success&direction=asc'), payments)
      const both = all.filter(({ key }) => key === 'payment_success' || key === 'signup_success')
      assert.deepEqual(await listed('?filter=payment_success,%20signup_success&direction=asc'), both)
      assert.deepEqual(
        await listed('?filter=signup_success,payment_success,signup_success&per_page=3&page=2'),
        both.toReversed().slice(3, 6),
      )
      for (const key of ['payment_success_recreated', 'renewal_failure_recreated', 'revenue_post_success']) {
        assert.deepEqual(await listed(`?filter=${key}`), [], key)
        assert.deepEqual(await listed(`?filter=${key},payment_success&direction=asc`), payments, key)
      }
      assert.equal((await listed('?filter=')).length, 16)
    })

    test('of some days of the site, or between two moments', async () => {
      const query = 'date_field=created_at&direction=asc'
      assert.deepEqual(await listed(`?${query}&start_date=2027-01-16&end_date=2027-01-17`), all.slice(4, 12))
      assert.deepEqual(await listed(`?${query}&start_datetime=2027-01-16%2007:00:00`), all.slice(4))
      assert.deepEqual(await listed(`?${query}&start_datetime=2027-01-16%2007:00:01`), all.slice(8))
      assert.deepEqual(
        await listed('?start_date=2027-01-01&filter=signup_success&end_datetime=2027-01-16T12:00:00Z&direction=asc'),
        [all[1], all[5]],
      )
    })

    test('are counted under the same conditions', async () => {
      assert.equal(await count(''), 16)
      assert.equal(await count('?filter=payment_success,signup_success'), 8)
      assert.equal(await count(`?since_id=${ids[4]}&max_id=${ids[6]}`), 3)
      assert.equal(await count('?start_date=2027-01-17'), 8)
      assert.equal(await count('?filter=payment_success_recreated'), 0)
    })

    test('of one subscription, under the same conditions; 404 when the site has no such subscription', async () => {
      const [first, second] = subscriptionIds
      const path = `/subscriptions/${second}/events`
      assert.deepEqual(await listed('?direction=asc', path), all.slice(5, 8))
      assert.deepEqual(await listed('?filter=payment_success', path), [all[6]])
      assert.deepEqual(await listed(`?since_id=${ids[7]}`, path), [all[7]])
      assert.equal((await say('GET /subscriptions/1/events')).status, 404)
      assert.equal((await say(`GET /subscriptions/${first}/events`, undefined, { key: other.apiKey })).status, 404)
    })

    test('are seen by their own site alone', async () => {
      assert.deepEqual((await say('GET /events', undefined, { key: other.apiKey })).tree, [])
      assert.equal(Number((await say('GET /events/count', undefined, { key: other.apiKey })).tree.count), 0)
    })

    test('of what cannot be meant there are none: every problem is told', async () => {
      const refused: [query: string, errors: string[]][] = [
        ['?page=0', ['invalid page: 0']],
        ['?direction=up', ['Direction: must be one of asc, desc.']],
        [
          '?since_id=a&filter=Payment!',
          ['Since id: is not a number.', 'Filter: must be event keys, separated by commas.'],
        ],
        ['?date_field=updated_at', ['Date field: must be one of created_at.']],
        [
          '?start_date=soon&end_datetime=late',
          ['Start date: must be a date in the form YYYY-MM-DD.', 'End datetime: is not a date and time.'],
        ],
        ['?start_date=2027-01-16&end_date=2027-01-15', ['End date: must not be before the start date.']],
      ]
      for (const [query, errors] of refused) {
        const said = await say(`GET /events${query}`)
        assert.equal(said.status, 422, query)
        assert.deepEqual(said.errors, errors, query)
      }
      assert.equal((await say(`GET /events?filter=${Array(101).fill('a').join(',')}`)).status, 422)
    })
  })
}

const unfiltered = { subscriptionId: null, sinceId: null, maxId: null, keys: null, since: null, until: null }
const undo = 'nothing of it stays'

test('walk along an index, however many there are; rows are read of one page only', async () => {
  const undone = shop.app.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into events (site_id, key, message, created_at)
      select ${shop.siteId}::bigint, 'renewal_success', 'bulk', now() from generate_series(1, 20000)`)
    await tx.run(sql`analyze events`)
    const planOf = async (filter: Partial<EventFilter>): Promise<string> => {
      const plans: string[] = []
      const asked = async (statement: Sql): Promise<unknown[][]> => {
        plans.push((await tx.arrays(sql`explain (costs off) ${statement}`)).join('\n'))
        return tx.arrays(statement)
      }
      const page = { perPage: 20, offset: 15_000, direction: 'desc' } as const
      await listEvents({ ...tx, arrays: asked }, shop.siteId, { ...unfiltered, ...filter }, page)
      return plans.join()
    }
    const since = Temporal.Instant.from('2020-01-01T00:00:00Z')
    for (const [filter, index] of [
      [{ sinceId: 510_000 }, 'events_pkey'],
      [{ since }, 'events_by_time'],
      [{ sinceId: 510_000, exceptKeys: ownEventKeys }, 'events_pkey'],
      [{ since, exceptKeys: ownEventKeys }, 'events_by_time'],
      [{ keys: ['renewal_success', 'payment_success'] }, 'events_of_a_key'],
    ] as const) {
      const plan = await planOf(filter)
      assert.match(plan, new RegExp(`Index Only Scan (Backward )?using ${index} `), plan)
      assert.doesNotMatch(plan, /Seq Scan on events /, plan)
    }
    throw new Error(undo)
  })
  await assert.rejects(undone, { message: undo })
})
