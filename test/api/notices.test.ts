/** Notices of renewals, ends of trials and expiring cards: each once, at the instant at which it is due, with the amount to expect. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveNoticesOfPeriods } from '../../src/actions/give-notices.ts'
import { verify } from '../../src/actions/verify.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { sql } from '../../src/store/sql.ts'
import { goodCard, made, openShop, signup } from './shop.ts'

const settings = { renewalDays: 3, trialDays: 3, expiringCards: true }
const noticeKeys = 'upcoming_renewal_notice,trial_end_notice,expiring_card'
type Shop = Awaited<ReturnType<typeof openShop>>

const noticesOf = async ({ ask }: Shop, id: number): Promise<[key: string, at: string, message: string][]> => {
  const { json } = await ask(`GET /subscriptions/${id}/events.json?direction=asc&per_page=200&filter=${noticeKeys}`)
  return json.map(({ event }: { event: { key: string; created_at: string; message: string } }) => [
    event.key,
    event.created_at.slice(0, 19),
    event.message,
  ])
}
const whens = async (shop: Shop, id: number): Promise<string[]> =>
  (await noticesOf(shop, id)).map(([key, at]) => `${at.slice(0, 16)} ${key}`)

test('a renewal and the end of a trial are announced three days of 24 hours ahead, once for each period', async (t) => {
  const shop = await openShop(t, { notices: settings })
  const { subscription: monthly } = await made(shop, 'POST /subscriptions.json', signup())
  const { subscription: trial } = await made(shop, 'POST /subscriptions.json', signup({ product_handle: 'card-trial' }))
  await shop.moveClock('2027-02-12T11:59:59Z')
  assert.deepEqual(await noticesOf(shop, monthly.id), [])
  await shop.moveClock('2027-02-12T12:00:00Z')
  assert.deepEqual(await noticesOf(shop, monthly.id), [
    [
      'upcoming_renewal_notice',
      '2027-02-12T12:00:00',
      "Upcoming renewal notice sent for Ada Lovelace's subscription to Monthly",
    ],
  ])
  await shop.moveClock('2027-04-14T00:00:00Z')
  assert.deepEqual(await whens(shop, monthly.id), [
    '2027-02-12T12:00 upcoming_renewal_notice',
    '2027-03-12T12:00 upcoming_renewal_notice',
    '2027-04-12T12:00 upcoming_renewal_notice',
  ])
  assert.deepEqual(await whens(shop, trial.id), [
    '2027-02-12T12:00 trial_end_notice',
    '2027-03-12T12:00 upcoming_renewal_notice',
    '2027-04-12T12:00 upcoming_renewal_notice',
  ])
  assert.equal(await giveNoticesOfPeriods(shop.app, shop.siteId, { limit: 500, asDue: false }), 0)
  assert.equal((await verify(shop.app)).differences, 0)
})

test('a moved billing date is announced anew; what ends with its period is not', async (t) => {
  const shop = await openShop(t, { notices: settings })
  const moved = (await made(shop, 'POST /subscriptions.json', signup())).subscription
  const ending = (await made(shop, 'POST /subscriptions.json', signup())).subscription
  await shop.ask(`PUT /subscriptions/${ending.id}.json`, { body: { subscription: { cancel_at_end_of_period: true } } })
  await shop.moveClock('2027-02-13T00:00:00Z')
  const change = { subscription: { next_billing_at: '2027-02-20T12:00:00Z' } }
  assert.equal((await shop.ask(`PUT /subscriptions/${moved.id}.json`, { body: change })).status, 200)
  await shop.moveClock('2027-02-19T00:00:00Z')
  assert.deepEqual(await whens(shop, moved.id), [
    '2027-02-12T12:00 upcoming_renewal_notice',
    '2027-02-17T12:00 upcoming_renewal_notice',
  ])
  assert.deepEqual(await whens(shop, ending.id), [])
  assert.equal((await verify(shop.app)).differences, 0)
})

test('how many days ahead is a setting of the site, and 0 is never; a period no longer than that is not announced', async (t) => {
  const shop = await openShop(t, { notices: settings })
  const change = { upcoming_renewal_notice_days: 7, trial_end_notice_days: 7, expiring_card_notices: false }
  const { json } = await shop.ask('PUT /site.json', { body: { site: change } })
  assert.equal(json.site.upcoming_renewal_notice_days, 7)
  const sevenDays = (await made(shop, 'POST /subscriptions.json', signup({ product_handle: 'paid-trial' })))
    .subscription
  await shop.moveClock('2027-02-23T00:00:00Z')
  assert.deepEqual(await whens(shop, sevenDays.id), ['2027-02-15T12:00 upcoming_renewal_notice'])
  await shop.ask('PUT /site.json', { body: { site: { upcoming_renewal_notice_days: 0 } } })
  await shop.moveClock('2027-05-01T00:00:00Z')
  assert.equal((await whens(shop, sevenDays.id)).length, 1)
  for (const days of [-1, 31, 'many']) {
    const refused = await shop.ask('PUT /site.json', { body: { site: { trial_end_notice_days: days } } })
    assert.equal(refused.status, 422)
  }
})

test('a card is noticed as the 1st, the 15th and the 7th day before the end of the month before begin, on the wall of the site', async (t) => {
  const shop = await openShop(t, { notices: settings, timeZone: 'America/New_York' })
  const card = { ...goodCard, expiration_month: 4, expiration_year: 2027 }
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup({ payment_profile_attributes: card }))
  await made(shop, 'POST /subscriptions.json', signup())
  await shop.moveClock('2027-06-01T00:00:00Z')
  const { json } = await shop.ask('GET /events.json?filter=expiring_card&direction=asc')
  assert.deepEqual(
    json.map(({ event }: { event: { subscription_id: number; created_at: string; message: string } }) => [
      event.subscription_id === subscription.id,
      event.created_at,
      event.message,
    ]),
    ['2027-03-01T00:00:00-05:00', '2027-03-15T00:00:00-04:00', '2027-03-24T00:00:00-04:00'].map((at) => [
      true,
      at,
      "Credit card expires soon on Ada Lovelace's subscription to Monthly",
    ]),
  )
})

test('workers give notices that are due, dated now, and not twice when several look at once', async (t) => {
  let now = '2027-01-15T12:00:00Z'
  const shop = await openShop(t, { notices: settings, clock: { now: () => stoppedClock(now).now() } })
  const ids: number[] = []
  for (let place = 0; place < 5; place++) {
    ids.push((await made(shop, 'POST /subscriptions.json', signup())).subscription.id)
  }
  now = '2027-02-12T15:00:00Z'
  const look = (): Promise<number> => giveNoticesOfPeriods(shop.app, shop.siteId, { limit: 3, asDue: false })
  const done = await Promise.all([look(), look(), look()])
  assert.equal(done.reduce((sum, one) => sum + one, 0) + (await look()), 5)
  for (const id of ids) assert.deepEqual(await whens(shop, id), ['2027-02-12T15:00 upcoming_renewal_notice'])
})

test('the webhook of a notice says whether a letter goes with it', async (t) => {
  const shop = await openShop(t, { notices: settings })
  const endpoint = { url: 'https://hooks.example.com/', webhook_subscriptions: noticeKeys.split(',') }
  assert.equal((await shop.ask('POST /endpoints.json', { body: { endpoint } })).status, 201)
  await made(shop, 'POST /subscriptions.json', signup({ product_handle: 'card-trial' }))
  await made(shop, 'POST /subscriptions.json', signup())
  const change = { letter_settings: { upcoming_renewal: false } }
  assert.equal((await shop.ask('PUT /letters/settings.json', { body: change })).status, 200)
  await shop.moveClock('2027-02-13T00:00:00Z')
  const rows = await shop.app.db.arrays(sql`
    select w.event, substring(w.body from 'payload\\[email_sent\\]=([a-z]+)') from webhooks w where w.site_id = ${shop.siteId} order by w.event`)
  const { json } = await shop.ask('GET /letters.json')
  const kinds = json
    .map(({ letter }: { letter: { kind: string } }) => letter.kind)
    .filter((kind: string) => !/^(receipt|invitation)$/.test(kind))
  assert.deepEqual(
    [rows, kinds],
    [
      [
        ['trial_end_notice', 'true'],
        ['upcoming_renewal_notice', 'false'],
      ],
      ['trial_ending'],
    ],
  )
})
