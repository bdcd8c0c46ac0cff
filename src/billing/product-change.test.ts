/** A change of product: when it takes place, what it does to a trial, and from where periods are counted afterwards. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assessed, at, having, keysOf, product, risingIds, signedUp } from '../../test/support/story-facts.ts'
import { addIntervals } from './calendar.ts'
import { cents } from './money.ts'
import { onProduct, withNextProduct } from './product-change.ts'
import { nextPeriod } from './renewal.ts'
import { anchorOf, type Subscription } from './subscription.ts'

const now = at('2026-02-10T08:00:00Z')
const every = (count: number, unit: 'day' | 'month') => ({ interval: { count, unit } }) as const

/** In its n-th period. */
const inPeriod = (count: number, from: ReturnType<typeof product>, signedUpAt: string, timeZone = 'UTC') => {
  const lived = signedUp({ product: from, now: signedUpAt })
  const { subscription } = lived.facts
  const anchorTimeZone = timeZone
  const ends = addIntervals({ at: subscription.anchorAt, timeZone }, from.interval, count)
  return having(lived, { periodNumber: count, currentPeriodEndsAt: ends, anchorTimeZone }).facts.subscription
}

/** When the next periods end, as the calendar has it. */
const endsOf = (subscription: Subscription, { interval }: ReturnType<typeof product>, periods: number): string[] =>
  Array.from({ length: periods }, (_, k) =>
    String(
      addIntervals(
        anchorOf(subscription),
        interval,
        subscription.periodNumber + 2 + k - subscription.anchorPeriodNumber,
      ),
    ),
  )

/** One period later. */
const assessedOn = (subscription: Subscription, of: ReturnType<typeof product>): Subscription => ({
  ...subscription,
  periodNumber: subscription.periodNumber + 1,
  currentPeriodEndsAt: at(endsOf(subscription, of, 1)[0]!),
})

describe('the anchor', () => {
  test('stays when the length of the period stays', () => {
    const before = inPeriod(3, product(), '2026-01-31T12:00:00Z')
    const after = onProduct(before, product(), product({ productId: 8 }), now)
    assert.deepEqual([after.anchorAt, after.anchorPeriodNumber], [before.anchorAt, before.anchorPeriodNumber])
  })

  test('counts from the start of the next period when the unit changes', () => {
    const before = inPeriod(3, product(), '2026-01-31T12:00:00Z')
    const weekly = product(every(7, 'day'))
    const after = onProduct(before, product(), weekly, now)
    assert.deepEqual(endsOf(after, weekly, 3), ['2026-05-07T12:00:00Z', '2026-05-14T12:00:00Z', '2026-05-21T12:00:00Z'])
    const later = assessedOn(after, weekly)
    const back = onProduct(later, weekly, product(), now)
    assert.deepEqual(endsOf(back, product(), 2), ['2026-06-07T12:00:00Z', '2026-07-07T12:00:00Z'])
  })

  test('comes back on the 31st after a year that was to begin in February', () => {
    const yearly = product(every(12, 'month'))
    const monthly = inPeriod(2, product(), '2023-12-31T12:00:00Z')
    assert.equal(String(monthly.currentPeriodEndsAt), '2024-02-29T12:00:00Z')
    const onYearly = onProduct(monthly, product(), yearly, now)
    for (const before of [onYearly, assessedOn(onYearly, yearly)]) {
      const after = onProduct(before, yearly, product(), now)
      const days = endsOf(after, product(), 12).map((end) => end.slice(5, 10))
      const february = endsOf(after, product(), 12).find((end) => end.slice(5, 7) === '02')
      assert.deepEqual(
        days.filter((day) => !day.startsWith('02')),
        '03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31 01-31'.split(' '),
      )
      assert.match(february ?? '', /-02-28T/)
    }
  })

  test('survives days that nobody lived through', () => {
    const before = inPeriod(1, product(), '2026-01-31T12:00:00Z')
    const weekly = product(every(7, 'day'))
    const back = onProduct(onProduct(before, product(), weekly, now), weekly, product(), now)
    assert.deepEqual(endsOf(back, product(), 2), ['2026-03-31T12:00:00Z', '2026-04-30T12:00:00Z'])
  })

  test('is never lost, however often months grow and shrink, in every zone and in skipped hours', () => {
    const months = fc.constantFrom(1, 2, 3, 6, 12)
    const cases = fc.record({
      start: fc.integer({ min: 0, max: 366 * 48 }),
      zone: fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu'),
      first: months,
      changes: fc.array(fc.record({ to: months, assessments: fc.integer({ min: 0, max: 4 }) }), { maxLength: 8 }),
    })
    fc.assert(
      fc.property(cases, ({ start, zone, first, changes }) => {
        // Every half hour, so that skipped and doubled hours are among them.
        const begun = at('2024-01-01T00:00:00Z').add({ minutes: 30 * start })
        let of = product(every(first, 'month'))
        let subscription = inPeriod(1, of, begun.toString(), zone)
        let elapsed = first
        for (const { to, assessments } of changes) {
          const next = product(every(to, 'month'))
          subscription = onProduct(subscription, of, next, now)
          of = next
          for (let count = 0; count < assessments; count++) {
            subscription = assessedOn(subscription, of)
            elapsed += to
            const due = addIntervals({ at: begun, timeZone: zone }, { count: 1, unit: 'month' }, elapsed)
            assert.equal(String(subscription.currentPeriodEndsAt), String(due))
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('is the start of the next period where that was moved without it', () => {
    const moved = { ...inPeriod(1, product(), '2026-01-31T12:00:00Z'), currentPeriodEndsAt: at('2026-03-05T00:00:00Z') }
    const after = onProduct(moved, product(), product(every(3, 'month')), now)
    assert.deepEqual(endsOf(after, product(every(3, 'month')), 1), ['2026-06-05T00:00:00Z'])
  })

  test('keeps the day of the month when months grow or shrink, in every zone', () => {
    const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe']
    const cases = fc.record({
      day: fc.integer({ min: 1, max: 31 }),
      month: fc.integer({ min: 0, max: 11 }),
      from: fc.constantFrom(1, 2, 3, 6, 12),
      to: fc.constantFrom(1, 2, 3, 6, 12),
      period: fc.integer({ min: 1, max: 20 }),
      zone: fc.constantFrom(...zones),
    })
    fc.assert(
      fc.property(cases, ({ day, month, from, to, period, zone }) => {
        const start = new Date(Date.UTC(2024, month, day, 15)).toISOString().replace('.000', '')
        const before = inPeriod(period, product(every(from, 'month')), start, zone)
        const after = onProduct(before, product(every(from, 'month')), product(every(to, 'month')), now)
        const wall = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(zone)
        const wanted = wall(before.anchorAt).day
        const start0 = addIntervals(
          anchorOf(after),
          { count: to, unit: 'month' },
          period + 1 - after.anchorPeriodNumber,
        )
        assert.ok(start0.equals(before.currentPeriodEndsAt), 'the next period starts where this one ends')
        for (let k = 1; k <= 6; k++) {
          const end = wall(
            addIntervals(anchorOf(after), { count: to, unit: 'month' }, period + 1 + k - after.anchorPeriodNumber),
          )
          assert.equal(end.day, Math.min(wanted, end.daysInMonth), `${end}`)
          const months = k * to
          assert.equal(
            end.toPlainDate().with({ day: 1 }).toString(),
            wall(start0).toPlainDate().with({ day: 1 }).add({ months }).toString(),
          )
        }
      }),
      { numRuns: 200 },
    )
  })

  test('days go on from the same time of day', () => {
    const before = inPeriod(5, product(every(7, 'day')), '2026-01-05T12:00:00Z')
    const after = onProduct(before, product(every(7, 'day')), product(every(10, 'day')), now)
    const ends = addIntervals(anchorOf(after), { count: 10, unit: 'day' }, 7 - after.anchorPeriodNumber)
    assert.equal(String(ends), String(before.currentPeriodEndsAt.add({ hours: 240 })))
  })
})

describe('a trial', () => {
  const trial = { price: cents(0), interval: { count: 14, unit: 'day' }, type: 'no_obligation' } as const
  const trying = product({ trial, initialCharge: cents(500), initialChargeAfterTrial: true })

  test('ends at once where the new product has none, and with it the setup fee that was to come', () => {
    const { subscription } = signedUp({ product: trying }).facts
    const after = onProduct(subscription, trying, product({ productId: 8 }), now)
    assert.deepEqual(
      [after.state, after.trialEndedAt, after.activatedAt, after.initialChargeDue, after.currentPeriodEndsAt],
      ['active', now, now, false, subscription.currentPeriodEndsAt],
    )
  })

  test('goes on where the new product has one; the setup fee is that of the new product', () => {
    const { subscription } = signedUp({ product: trying }).facts
    const after = onProduct(subscription, trying, product({ productId: 8, trial }), now)
    assert.deepEqual([after.state, after.initialChargeDue], ['trialing', true])
  })

  test('that obliged to nothing still ends unpaid when a delayed change takes place with it', () => {
    const lived = signedUp({ product: trying })
    const { pricing } = lived.facts
    const nextProduct = product({ productId: 8, name: 'Next' })
    const facts = { ...lived.facts, pricing: { ...pricing, nextProduct } }
    const { changes, settled } = assessed({ facts, ids: risingIds() }, { result: 'declined', message: 'no' })
    assert.deepEqual(keysOf(changes), ['subscription_product_change'])
    assert.equal(settled.subscription?.state, 'unpaid')
  })
})

describe('a delayed change', () => {
  test('prices the next period, under the name of the new product', () => {
    const { facts } = signedUp()
    const nextProduct = product({ productId: 8, versionNumber: 3, name: 'Next', price: cents(9000) })
    const changed = { ...facts, pricing: { ...facts.pricing, nextProduct } }
    const { assessment, facts: after } = nextPeriod(changed)
    assert.deepEqual([assessment.total, assessment.lines[0]?.memo], [9000, 'Next (02/28/2026 - 03/31/2026)'])
    const { productId, productVersionNumber, nextProductId } = after.subscription
    assert.deepEqual([productId, productVersionNumber, nextProductId], [8, 3, null])
    assert.equal(withNextProduct(facts), facts)
  })

  test('ends with the subscription', () => {
    for (const state of [{ cancelAtEndOfPeriod: true }, { expiresAt: at('2026-02-20T00:00:00Z') }]) {
      const { changes } = assessed(having(signedUp(), { ...state, nextProductId: 8 }))
      assert.equal(changes.subscription?.nextProductId, null)
    }
  })

  test('is told before the renewal, whose rows belong to the new product', () => {
    const lived = signedUp()
    const nextProduct = product({ productId: 8, name: 'Next' })
    const facts = { ...lived.facts, pricing: { ...lived.facts.pricing, nextProduct } }
    const { changes } = assessed({ facts, ids: lived.ids })
    const [told] = changes.events ?? []
    assert.equal(told?.message, "Product changed on Ada Lovelace's subscription from 'Pro' to 'Next'")
    assert.deepEqual(told?.eventSpecificData, { new_product_id: 8, previous_product_id: 7 })
    assert.deepEqual(
      changes.transactions?.map(({ productId }) => productId),
      [8],
    )
  })
})
