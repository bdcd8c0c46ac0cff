/** Periods as the engine itself makes them: one ends where the next begins, and none drifts from the first day. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Interval } from '../../src/billing/calendar.ts'
import { search } from '../support/campaign.ts'
import { approved, assessed, declined, product, signedUp, site, wrong } from '../support/story-facts.ts'

const zones = Intl.supportedValuesOf('timeZone')

const unit = fc.constantFrom<Interval['unit']>('day', 'month')
const interval = fc.record({ count: fc.integer({ min: 1, max: 40 }), unit })
const instant = fc
  .integer({ min: 1_577_836_800, max: 2_208_988_800 })
  .map((seconds) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000))

/** The wall time of the first day, k intervals later, by plain arithmetic on the calendar. */
function expected(anchor: Temporal.Instant, zone: string, { count, unit }: Interval, k: number): Temporal.Instant {
  const { year, month, day, hour, minute, second } = anchor.toZonedDateTimeISO(zone)
  const time = { hour, minute, second }
  if (unit === 'day') {
    const days = Math.round(Date.UTC(year, month - 1, day) / 86_400_000) + count * k
    const date = new Date(days * 86_400_000)
    return onWall(zone, { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), ...time })
  }
  const months = year * 12 + month - 1 + count * k
  const last = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate()
  return onWall(zone, { year: Math.floor(months / 12), month: (months % 12) + 1, day: Math.min(day, last), ...time })
}

const onWall = (zone: string, wall: Temporal.PlainDateTimeLike): Temporal.Instant =>
  Temporal.PlainDateTime.from(wall).toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant()

test('periods are contiguous, numbered without a gap, and never drift, for any first day, zone and interval, paid or not', (t) => {
  fc.assert(
    fc.property(
      instant,
      fc.constantFrom(...zones),
      interval,
      fc.option(interval, { nil: null }),
      fc.array(fc.constantFrom(approved, approved, declined, wrong), { minLength: 1, maxLength: 30 }),
      (start, timeZone, paid, trialLength, outcomes) => {
        const trial = trialLength && { price: 0 as never, interval: trialLength, type: 'payment_expected' as const }
        const dunning = { attempts: 100, intervalHours: 500, finalAction: 'unpaid' } as const
        let lived = signedUp({
          site: site({ timeZone, dunning }),
          product: product({ interval: paid, trial }),
          now: start.toString(),
        })
        const periods = [...(lived.changes.periods ?? [])]
        for (const outcome of outcomes) {
          const next = assessed(lived, outcome)
          periods.push(...(next.changes.periods ?? []))
          lived = next
        }
        const anchor = trial === null ? start : periods[0]!.endsAt
        const before = trial === null ? 0 : 1
        for (const [index, { number, startedAt, endsAt }] of periods.entries()) {
          const what = `period ${number} from ${startedAt} to ${endsAt}`
          assert.equal(number, index + 1, what)
          assert.ok(startedAt.equals(periods[index - 1]?.endsAt ?? start), `${what} begins where the last one ended`)
          assert.ok(Temporal.Instant.compare(startedAt, endsAt) < 0, `${what} is not empty`)
          const due =
            index < before
              ? expected(start, timeZone, trialLength!, 1)
              : expected(anchor, timeZone, paid, index + 1 - before)
          assert.ok(endsAt.equals(due), `${what} should end at ${due}`)
        }
        const { subscription } = lived.facts
        assert.ok(periods.at(-1)!.endsAt.equals(subscription.currentPeriodEndsAt))
      },
    ),
    search(t, 300),
  )
})
