/** Notices of what is coming: when each is due, what it says, and when there is nothing to say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, having, type Lived, product, signedUp, site } from '../../test/support/story-facts.ts'
import type { Changes } from './changes.ts'
import { cents } from './money.ts'
import {
  cardsNoticedThrough,
  decideCardNotice,
  decideNotice,
  firstCardMoment,
  monthNumber,
  newestCardMoment,
  nextCardMoment,
  noticeDays,
  noticeDueAt,
} from './notice.ts'

const trial = { interval: { count: 14, unit: 'day' }, price: cents(0), type: 'payment_expected' } as const

/** Renews on 2026-02-28 at noon. */
const active = (notices: Partial<ReturnType<typeof site>['notices']> = {}): Lived =>
  signedUp({ site: site({ notices: { ...site().notices, ...notices } }) })

const toldOf = ({ events = [] }: Changes) =>
  events.map(({ key, message, createdAt, particulars }) => [
    ...[key, message, String(createdAt)],
    ...[particulars?.estimatedAmount, String(particulars?.periodEndsAt)],
  ])

test('a renewal is announced 3 days of 24 hours before it, with the amount that will be taken', () => {
  assert.deepEqual(toldOf(decideNotice(active().facts, null)), [
    [
      'upcoming_renewal_notice',
      "Upcoming renewal notice sent for Ada Lovelace's subscription to Pro",
      '2026-02-25T12:00:00Z',
      5000,
      '2026-02-28T12:00:00Z',
    ],
  ])
  assert.equal(String(noticeDueAt(at('2026-03-30T12:00:00Z'), 2)), '2026-03-28T12:00:00Z')
  assert.equal(String(noticeDueAt(at('2026-03-30T12:00:00Z'), 0)), '2026-03-30T12:00:00Z')
})

test('a notice that comes late is dated when it came', () => {
  const [told] = toldOf(decideNotice(active().facts, at('2026-02-27T00:00:00Z')))
  assert.equal(told?.[2], '2026-02-27T00:00:00Z')
})

test('the end of a trial is announced by days of its own', () => {
  const { facts } = signedUp({
    product: product({ trial }),
    site: site({ notices: { ...site().notices, trialDays: 1 } }),
  })
  assert.equal(facts.subscription.state, 'trialing')
  assert.deepEqual(toldOf(decideNotice(facts, null)), [
    [
      'trial_end_notice',
      "End of trial notice sent for Ada Lovelace's subscription to Pro",
      '2026-02-13T12:00:00Z',
      5000,
      '2026-02-14T12:00:00Z',
    ],
  ])
  assert.deepEqual(noticeDays({ renewalDays: 5, trialDays: 2, expiringCards: true }), { active: 5, trialing: 2 })
})

test('nothing is announced of a period no longer than the notice is ahead', () => {
  assert.equal(toldOf(decideNotice(active({ renewalDays: 27 }).facts, null)).length, 1)
  assert.deepEqual(decideNotice(active({ renewalDays: 28 }).facts, null), {})
  assert.deepEqual(decideNotice(active({ renewalDays: 29 }).facts, null), {})
})

test('nothing is announced where nothing renews: in other states, or where the subscription ends with the period', () => {
  for (const state of ['past_due', 'soft_failure', 'unpaid', 'canceled', 'on_hold'] as const) {
    assert.deepEqual(decideNotice(having(active(), { state }).facts, null), {}, state)
  }
  assert.deepEqual(decideNotice(having(active(), { cancelAtEndOfPeriod: true }).facts, null), {})
  assert.deepEqual(decideNotice(having(active(), { expiresAt: at('2026-02-28T12:00:00Z') }).facts, null), {})
  assert.equal(toldOf(decideNotice(having(active(), { expiresAt: at('2026-02-28T12:00:01Z') }).facts, null)).length, 1)
})

test('a card that expires is told of its subscription, never dated before what is on record', () => {
  const { facts } = active()
  assert.deepEqual(
    toldOf(decideCardNotice(facts, at('2026-02-15T00:00:00Z'))).map((told) => told.slice(0, 3)),
    [['expiring_card', "Credit card expires soon on Ada Lovelace's subscription to Pro", '2026-02-15T00:00:00Z']],
  )
  assert.equal(toldOf(decideCardNotice(facts, at('2026-01-01T00:00:00Z')))[0]?.[2], '2026-01-31T12:00:00Z')
})

const berlin = 'Europe/Berlin'

/** The moments at which cards are noticed after one, with the month in which those cards expire. */
function momentsAfter(after: string, count: number, timeZone: string): string[] {
  const moments: string[] = []
  let last = at(after)
  for (let told = 0; told < count; told++) {
    const { at: moment, expiring } = nextCardMoment(last, timeZone)
    moments.push(`${moment} ${Math.floor((expiring - 1) / 12)}-${((expiring - 1) % 12) + 1}`)
    last = moment
  }
  return moments
}

test('cards are noticed on the 1st, the 15th and the 7th day before the end of the month before they expire', () => {
  assert.deepEqual(momentsAfter('2026-01-31T00:00:00Z', 4, 'UTC'), [
    '2026-02-01T00:00:00Z 2026-3',
    '2026-02-15T00:00:00Z 2026-3',
    '2026-02-21T00:00:00Z 2026-3',
    '2026-03-01T00:00:00Z 2026-4',
  ])
  assert.deepEqual(momentsAfter('2026-11-24T00:00:00Z', 4, 'UTC'), [
    '2026-12-01T00:00:00Z 2027-1',
    '2026-12-15T00:00:00Z 2027-1',
    '2026-12-24T00:00:00Z 2027-1',
    '2027-01-01T00:00:00Z 2027-2',
  ])
})

test('those days begin in the zone of the site, summer or winter', () => {
  assert.deepEqual(momentsAfter('2026-03-14T22:59:59Z', 3, berlin), [
    '2026-03-14T23:00:00Z 2026-4',
    '2026-03-23T23:00:00Z 2026-4',
    '2026-03-31T22:00:00Z 2026-5',
  ])
})

test('the first notice of a card is on the first day of the month before it expires, across a year too', () => {
  const march = monthNumber({ year: 2026, month: 3 })
  assert.deepEqual(firstCardMoment(march, berlin), { at: at('2026-01-31T23:00:00Z'), expiring: march })
  const january = monthNumber({ year: 2027, month: 1 })
  assert.deepEqual(firstCardMoment(january, 'UTC'), { at: at('2026-12-01T00:00:00Z'), expiring: january })
  assert.equal(january - march, 10)
})

test('of several moments that have passed the newest is told, the very one that has come among them', () => {
  const first = firstCardMoment(monthNumber({ year: 2026, month: 3 }), 'UTC')
  const newest = (now: string) => String(newestCardMoment(first, at(now), 'UTC').at)
  assert.deepEqual(
    ['2026-02-01T00:00:00Z', '2026-02-14T23:59:59Z', '2026-02-15T00:00:00Z', '2026-04-10T00:00:00Z'].map(newest),
    ['2026-02-01T00:00:00Z', '2026-02-01T00:00:00Z', '2026-02-15T00:00:00Z', '2026-04-01T00:00:00Z'],
  )
})

test('once the time of a site has moved on by more than a day, what is long gone is not made up for', () => {
  const now = at('2026-06-10T12:00:00Z')
  assert.equal(String(cardsNoticedThrough(at('2026-02-01T00:00:00Z'), now)), '2026-06-09T12:00:00Z')
  assert.equal(String(cardsNoticedThrough(at('2026-06-10T00:00:00Z'), now)), '2026-06-10T00:00:00Z')
})
