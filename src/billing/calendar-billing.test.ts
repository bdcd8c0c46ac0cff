/** Calendar billing: the first charge and every date after it, by the published examples and in every zone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { at, having, keysOf, product, signedUp, site, written } from '../../test/support/story-facts.ts'
import { Act } from './act.ts'
import { addIntervals } from './calendar.ts'
import { firstCharges, isSnapDay, nextSnap, startCalendar } from './calendar-billing.ts'
import { cents, prorate } from './money.ts'
import { beginPeriod, planPeriod } from './new-period.ts'
import { nextPeriod } from './renewal.ts'
import { anchorOf } from './subscription.ts'
import { decideUpdate } from './update.ts'

const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia']
const snapDays = [...Array.from({ length: 28 }, (_, day) => String(day + 1)), 'end']
const wall = (moment: Temporal.Instant, timeZone: string) => moment.toZonedDateTimeISO(timeZone)
const local = (text: string, timeZone: string) =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).toInstant()

describe('the first period of calendar billing, by the six published examples', () => {
  // Each product costs a cent a second, so that the charge shows the seconds. Days are those of 2026.
  const secondsOf = (from: string, to: string) =>
    (local(to, 'America/New_York').epochMilliseconds - local(from, 'America/New_York').epochMilliseconds) / 1000
  const examples: [day: string, signup: string, previous: string | 'full', end: string][] = [
    ['15', '2026-06-02T15:00', '2026-05-15T12:00', '2026-06-15T12:00'],
    ['15', '2026-06-14T15:00', 'full', '2026-07-15T12:00'],
    ['15', '2026-06-15T12:01', '2026-06-15T12:00', '2026-07-15T12:00'],
    ['end', '2026-06-02T15:00', '2026-05-31T12:00', '2026-06-30T12:00'],
    ['end', '2026-06-29T15:00', 'full', '2026-07-31T12:00'],
    ['end', '2026-06-30T12:01', '2026-06-30T12:00', '2026-07-31T12:00'],
  ]
  for (const [snapDay, signup, previous, end] of examples) {
    test(`day ${snapDay}, signed up at ${signup}: ${previous === 'full' ? 'a full month' : 'a part'}, until ${end}`, () => {
      const price = previous === 'full' ? 3000 : secondsOf(previous, end)
      const { facts, changes } = signedUp({
        now: String(local(signup, 'America/New_York')),
        site: site({ timeZone: 'America/New_York' }),
        product: product({ price: cents(price) }),
        calendar: { snapDay, firstCharge: 'prorated' },
      })
      const { subscription } = facts
      assert.equal(subscription.currentPeriodEndsAt.toString(), local(end, 'America/New_York').toString())
      assert.equal(subscription.nextAssessmentAt.toString(), subscription.currentPeriodEndsAt.toString())
      assert.equal(changes.transactions?.[0]?.amount, previous === 'full' ? 3000 : secondsOf(signup, end))
      assert.equal(subscription.snapDay, snapDay)
    })
  }

  test('the eve begins exactly 24 hours before noon, whatever the clocks do', () => {
    const eve = (moment: string) =>
      startCalendar(at(moment), 'America/New_York', { snapDay: '8', firstCharge: 'prorated' })
    // Noon of 8 March 2026 is 16:00Z: the clocks went forward that night.
    assert.deepEqual(eve('2026-03-07T16:00:00Z').share, { part: 1, whole: 1 })
    assert.equal(eve('2026-03-07T15:59:59Z').share.part, 86_401)
    assert.equal(eve('2026-03-07T15:59:59Z').share.whole, 28 * 86_400 - 3600)
  })

  test('at noon of the day itself the whole month is ahead', () => {
    const start = startCalendar(at('2026-06-15T12:00:00Z'), 'UTC', { snapDay: '15', firstCharge: 'prorated' })
    assert.deepEqual(start.share, { part: 30 * 86_400, whole: 30 * 86_400 })
  })
})

describe('what a calendar sign-up charges first', () => {
  const amounts = (firstCharge: (typeof firstCharges)[number], now: string) => {
    const { facts, changes } = signedUp({
      now,
      product: product({ price: cents(3000), initialCharge: cents(500) }),
      calendar: { snapDay: '15', firstCharge },
    })
    const renewal = nextPeriod(facts).assessment.lines.map(({ kind, amount }) => [kind, amount])
    return {
      now: (changes.transactions ?? [])
        .filter(({ type }) => type === 'charge')
        .map(({ kind, amount }) => [kind, amount]),
      ends: facts.subscription.currentPeriodEndsAt.toString(),
      renewal,
    }
  }

  test('prorated: part of the price and the whole setup fee', () => {
    assert.deepEqual(amounts('prorated', '2026-05-31T00:00:00Z'), {
      now: [
        ['baseline', 1500],
        ['initial', 500],
      ],
      ends: '2026-06-15T12:00:00Z',
      renewal: [['baseline', 3000]],
    })
  })

  test('immediate: all of it', () => {
    const { now, ends } = amounts('immediate', '2026-05-31T00:00:00Z')
    assert.deepEqual(now, [
      ['baseline', 3000],
      ['initial', 500],
    ])
    assert.equal(ends, '2026-06-15T12:00:00Z')
  })

  test('delayed: nothing, and everything at the very next noon, also on the eve', () => {
    assert.deepEqual(amounts('delayed', '2026-06-15T11:00:00Z'), {
      now: [],
      ends: '2026-06-15T12:00:00Z',
      renewal: [
        ['baseline', 3000],
        ['initial', 500],
      ],
    })
  })
})

test('products that are not monthly, begin with a trial or expire do not go with calendar billing', () => {
  const unfit = [
    { interval: { count: 3, unit: 'month' as const } },
    { interval: { count: 30, unit: 'day' as const } },
    { trial: { price: cents(0), interval: { count: 14, unit: 'day' as const }, type: 'no_obligation' as const } },
    { expiration: { count: 12, unit: 'month' as const } },
  ]
  const calendar = { snapDay: '15', firstCharge: 'prorated' } as const
  for (const change of unfit) {
    assert.throws(() => signedUp({ product: product(change), calendar }), /the product must renew every month/)
  }
  assert.throws(
    () => signedUp({ nextBillingAt: at('2026-03-01T00:00:00Z'), calendar }),
    /does not go with next_billing_at/,
  )
})

test('a snap day is 1 to 28, or end', () => {
  for (const day of snapDays) assert.equal(isSnapDay(day), true, day)
  for (const day of ['0', '29', '31', '015', '1.5', '-1', '', 'End', 'last', ' 5', '5\n']) {
    assert.equal(isSnapDay(day), false, day)
  }
})

test('for years, every renewal is at noon of the snap day, in any zone and from any moment', () => {
  const cases = fc.record({
    seconds: fc.integer({ min: 0, max: 8 * 365 * 86_400 }),
    timeZone: fc.constantFrom(...zones),
    snapDay: fc.constantFrom(...snapDays),
    firstCharge: fc.constantFrom(...firstCharges),
  })
  fc.assert(
    fc.property(cases, ({ seconds, timeZone, snapDay, firstCharge }) => {
      const now = at('2024-01-01T00:00:00Z').add({ seconds })
      const { facts } = signedUp({ now: String(now), site: site({ timeZone }), calendar: { snapDay, firstCharge } })
      const { subscription } = facts
      const first = wall(subscription.currentPeriodEndsAt, timeZone)
      for (const k of Array.from({ length: 30 }, (_, index) => index)) {
        const number = 2 + k
        const start = addIntervals(
          anchorOf(subscription),
          facts.product.interval,
          number - subscription.anchorPeriodNumber,
        )
        const month = first.toPlainDate().toPlainYearMonth().add({ months: k })
        const day = snapDay === 'end' ? month.daysInMonth : Number(snapDay)
        const noon = month.toPlainDate({ day }).toZonedDateTime({ timeZone, plainTime: '12:00' })
        assert.equal(String(start), String(noon.toInstant()), `period ${number}`)
      }
      assert.equal(String(nextPeriod(facts).period.startsAt), String(subscription.currentPeriodEndsAt))
    }),
    { numRuns: 40 },
  )
})

test('the parts before and after any moment between two snap days sum to the month', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000_000 }),
      fc.constantFrom(...snapDays),
      fc.integer({ min: 0, max: 1_000_000 }),
      (seconds, snapDay, amount) => {
        const now = at('2026-02-01T00:00:00Z').add({ seconds })
        const { share } = startCalendar(now, 'Europe/Berlin', { snapDay, firstCharge: 'prorated' })
        const price = cents(amount)
        const rest = prorate(price, { part: share.whole - share.part, whole: share.whole }, 1)
        assert.ok(Math.abs(prorate(price, share, 1) + rest - price) <= 1)
        assert.ok(prorate(price, share, 1) <= price)
      },
    ),
    { numRuns: 200 },
  )
})

describe('moving the snap day', () => {
  const june = () =>
    signedUp({ now: '2026-06-02T15:00:00Z', product: product(), calendar: { snapDay: '15', firstCharge: 'prorated' } })

  test('ends the period on that day of its month, counts from there and tells the billing date', () => {
    const { facts, ids } = june()
    const changes = decideUpdate(facts, { snapDay: 'end' }, at('2026-06-03T00:00:00Z'), ids)
    const { subscription } = written({ facts, ids }, changes).facts
    assert.equal(subscription.snapDay, 'end')
    assert.equal(String(subscription.currentPeriodEndsAt), '2026-06-30T12:00:00Z')
    assert.equal(String(subscription.nextAssessmentAt), '2026-06-30T12:00:00Z')
    assert.deepEqual(keysOf(changes), ['billing_date_change'])
    assert.equal(String(changes.movedPeriods?.[0]?.endsAt), '2026-06-30T12:00:00Z')
    assert.equal(String(nextPeriod({ ...facts, subscription }).period.endsAt), '2026-07-31T12:00:00Z')
  })

  test('moves a cancellation that waits for the end of the period', () => {
    const { facts, ids } = having(june(), { cancelAtEndOfPeriod: true, delayedCancelAt: at('2026-06-15T12:00:00Z') })
    const { subscription } = decideUpdate(facts, { snapDay: 'end' }, at('2026-06-03T00:00:00Z'), ids)
    assert.equal(String(subscription?.delayedCancelAt), '2026-06-30T12:00:00Z')
  })

  test('to a day that has passed goes to the next month', () => {
    const { facts, ids } = june()
    const changes = decideUpdate(facts, { snapDay: '1' }, at('2026-06-03T00:00:00Z'), ids)
    assert.equal(String(changes.subscription?.currentPeriodEndsAt), '2026-07-01T12:00:00Z')
  })

  test('to the same day changes nothing; without calendar billing, or with next_billing_at, it is refused', () => {
    const { facts, ids } = june()
    const now = at('2026-06-03T00:00:00Z')
    assert.deepEqual(decideUpdate(facts, { snapDay: '15' }, now, ids), {})
    const next = at('2026-07-03T00:00:00Z')
    assert.throws(() => decideUpdate(facts, { snapDay: '16', nextBillingAt: next }, now, ids), /next_billing_at/)
    const plain = having({ facts, ids }, { snapDay: null })
    assert.throws(() => decideUpdate(plain.facts, { snapDay: '16' }, now, ids), /goes with calendar billing only/)
    const ended = having({ facts, ids }, { state: 'canceled' })
    assert.throws(() => decideUpdate(ended.facts, { snapDay: '16' }, now, ids), /Snap day: cannot be changed/)
  })

  test('calendar billing ends where the date is moved by hand or the product is no longer monthly', () => {
    const { facts, ids } = june()
    const now = at('2026-06-03T00:00:00Z')
    const moved = decideUpdate(facts, { nextBillingAt: at('2026-07-03T00:00:00Z') }, now, ids)
    assert.equal(moved.subscription?.snapDay, null)
    const yearly = product({ productId: 8, interval: { count: 12, unit: 'month' } })
    assert.equal(decideUpdate(facts, { product: yearly }, now, ids).subscription?.snapDay, null)
    const other = product({ productId: 8, price: cents(1) })
    assert.equal(decideUpdate(facts, { product: other }, now, ids).subscription?.snapDay, '15')
  })
})

test('the next snap lies after the moment, never at it', () => {
  assert.equal(String(nextSnap(at('2026-06-15T11:59:59Z'), '15', 'UTC')), '2026-06-15T12:00:00Z')
  assert.equal(String(nextSnap(at('2026-06-15T12:00:00Z'), '15', 'UTC')), '2026-07-15T12:00:00Z')
  assert.equal(String(nextSnap(at('2028-01-31T12:00:00Z'), 'end', 'UTC')), '2028-02-29T12:00:00Z')
})

describe('a period that begins anew on calendar billing', () => {
  const reactivated = (withTrial: boolean) => {
    const trial = { price: cents(0), interval: { count: 14, unit: 'day' as const }, type: 'no_obligation' as const }
    const { facts, ids } = signedUp({
      now: '2026-05-31T12:00:00Z',
      product: product({ price: cents(3000) }),
      calendar: { snapDay: 'end', firstCharge: 'prorated' },
    })
    const on = { ...facts, product: { ...facts.product, trial } }
    const act = new Act(on, at('2026-06-15T12:00:00Z'), ids)
    const plan = planPeriod(on, act.now, { withTrial })
    return { plan, facts: { ...on, ...beginPeriod(act, facts.subscription, plan, 'reactivation') } }
  }

  test('lasts until the snap day and is charged for the time until then', () => {
    const { plan, facts } = reactivated(false)
    assert.equal(plan.total, 1500)
    assert.equal(String(facts.subscription.currentPeriodEndsAt), '2026-06-30T12:00:00Z')
    assert.equal(facts.subscription.snapDay, 'end')
    assert.equal(String(nextPeriod(facts).period.endsAt), '2026-07-31T12:00:00Z')
  })

  test('ends calendar billing where it is a trial', () => {
    const { facts } = reactivated(true)
    assert.equal(facts.subscription.snapDay, null)
    assert.equal(String(nextPeriod(facts).period.endsAt), '2026-07-29T12:00:00Z')
  })
})
