/** Proves that periods are contiguous, never drift, and keep the wall time of their anchor in every zone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BrokenInvariant } from './assert.ts'
import {
  type Anchor,
  addDays,
  addHours,
  addIntervals,
  endOfDay,
  formatDay,
  type Interval,
  isAtOrBefore,
  isBefore,
  isTimeZone,
  maxOf,
  minOf,
  periodBoundaries,
  secondsBetween,
  startOfDay,
  truncateToSecond,
} from './calendar.ts'

const zones =
  `UTC America/New_York America/Chicago America/Denver America/Los_Angeles America/Anchorage Pacific/Honolulu
  America/St_Johns America/Halifax America/Sao_Paulo America/Santiago America/Asuncion America/Havana America/Caracas
  America/Phoenix America/Nuuk Atlantic/Azores Europe/London Europe/Dublin Europe/Paris Europe/Istanbul Africa/Casablanca
  Africa/Cairo Africa/Abidjan Africa/Monrovia Antarctica/Troll Antarctica/Casey Asia/Beirut Asia/Tehran Asia/Gaza Asia/Kathmandu
  Asia/Kolkata Asia/Yangon Asia/Pyongyang Asia/Tokyo Australia/Eucla Australia/Adelaide Australia/Lord_Howe Australia/Sydney
  Pacific/Chatham Pacific/Apia Pacific/Kiritimati Pacific/Norfolk Pacific/Marquesas`.split(/\s+/)

const utc = (text: string): Temporal.Instant => Temporal.Instant.from(text)
const epochSecond = (text: string): number => utc(text).epochMilliseconds / 1000
const zone = fc.constantFrom(...zones)
/** From 2012 on: no zone has dropped a whole day since. */
const instant = fc
  .integer({ min: epochSecond('2012-01-02T00:00:00Z'), max: epochSecond('2110-01-01T00:00:00Z') })
  .map((second) => Temporal.Instant.fromEpochMilliseconds(second * 1000))
const anchors = fc.record({ at: instant, timeZone: zone })
const intervals: fc.Arbitrary<Interval> = fc.record({
  count: fc.integer({ min: 1, max: 40 }),
  unit: fc.constantFrom('day', 'month'),
})
const monthly: Interval = { count: 1, unit: 'month' }
const daily: Interval = { count: 1, unit: 'day' }

function lastDayOf(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!
}

test('periods are contiguous and strictly increasing for any anchor, zone and interval', () => {
  fc.assert(
    fc.property(anchors, intervals, fc.integer({ min: 0, max: 200 }), (anchor, interval, k) => {
      const period = periodBoundaries(anchor, interval, k)
      assert.ok(isBefore(period.startsAt, period.endsAt), `${period.startsAt} to ${period.endsAt}`)
      assert.ok(period.endsAt.equals(periodBoundaries(anchor, interval, k + 1).startsAt))
      assert.equal(period.endsAt.epochMilliseconds % 1000, 0)
      assert.ok(addIntervals(anchor, interval, 0).equals(anchor.at))
    }),
  )
})

test('period k never drifts: k intervals of n months are k * n intervals of one', () => {
  fc.assert(
    fc.property(anchors, intervals, fc.integer({ min: -10, max: 60 }), (anchor, interval, k) => {
      const single = { count: 1, unit: interval.unit }
      assert.ok(addIntervals(anchor, interval, k).equals(addIntervals(anchor, single, interval.count * k)))
    }),
  )
})

test('the day of the month is the anchor day or the last day of a shorter month; the wall time stays, but for a gap', () => {
  fc.assert(
    fc.property(anchors, fc.integer({ min: 1, max: 200 }), (anchor, k) => {
      const from = anchor.at.toZonedDateTimeISO(anchor.timeZone)
      const to = addIntervals(anchor, monthly, k).toZonedDateTimeISO(anchor.timeZone)
      const months = from.year * 12 + (from.month - 1) + k
      const expected = { year: Math.floor(months / 12), month: (months % 12) + 1 }
      const day = Math.min(from.day, lastDayOf(expected.year, expected.month))
      const wall = Temporal.PlainDate.from({ ...expected, day }).toPlainDateTime(from.toPlainTime())
      if (to.toPlainDateTime().equals(wall)) return
      // Only a skipped wall time may move, and then by no more than the gap.
      const before = to.getTimeZoneTransition('previous')!
      const gapSeconds = (before.offsetNanoseconds - before.subtract({ seconds: 1 }).offsetNanoseconds) / 1e9
      const movedSeconds = to.toPlainDateTime().since(wall).total('seconds')
      assert.equal(movedSeconds, gapSeconds)
      assert.ok(secondsBetween(before.toInstant(), to.toInstant()) < gapSeconds)
    }),
  )
})

test('days keep the wall time too: day k is k calendar days on', () => {
  fc.assert(
    fc.property(anchors, fc.integer({ min: 1, max: 400 }), (anchor, k) => {
      const from = anchor.at.toZonedDateTimeISO(anchor.timeZone).toPlainDate()
      const to = addIntervals(anchor, daily, k).toZonedDateTimeISO(anchor.timeZone).toPlainDate()
      // The calendar days since 1970 are counted here by hand, not by the library.
      const dayNumber = (date: Temporal.PlainDate) => Date.UTC(date.year, date.month - 1, date.day) / 86_400_000
      assert.equal(dayNumber(to) - dayNumber(from), k)
    }),
  )
})

for (const timeZone of ['UTC', 'America/New_York', 'Pacific/Chatham'])
  for (const firstYear of [2023, 2099])
    test(`days 1 to 31 over 48 months from ${firstYear} in ${timeZone}: month ends come back`, () => {
      for (let day = 1; day <= 31; day++) {
        const at = Temporal.ZonedDateTime.from({ timeZone, year: firstYear, month: 1, day, hour: 12 }).toInstant()
        for (let k = 0; k <= 48; k++) {
          const year = firstYear + Math.floor(k / 12)
          const month = (k % 12) + 1
          const due = addIntervals({ at, timeZone }, monthly, k).toZonedDateTimeISO(timeZone)
          const text = [year, month, Math.min(day, lastDayOf(year, month)), 12, 0]
          assert.deepEqual([due.year, due.month, due.day, due.hour, due.minute], text)
        }
      }
    })

test('31 January, 28 February, 31 March; 29 February comes back in leap years only', () => {
  const list = (anchor: Anchor, interval: Interval, count: number): string[] =>
    Array.from({ length: count }, (_, index) => addIntervals(anchor, interval, index).toString().slice(0, 10))
  const end = { at: utc('2026-01-31T09:30:05Z'), timeZone: 'UTC' }
  assert.deepEqual(list(end, monthly, 5), ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'])
  const leap = { at: utc('2024-02-29T23:59:59Z'), timeZone: 'UTC' }
  const yearly: Interval = { count: 12, unit: 'month' }
  assert.deepEqual(list(leap, yearly, 5), ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'])
  assert.equal(addIntervals(leap, yearly, 76).toString(), '2100-02-28T23:59:59Z')
})

test('the wall time is kept through the weeks in which clocks change', () => {
  const cases: [zone: string, anchor: string, interval: Interval, k: number, expected: string][] = [
    // New York, 8 March 2026: 02:00 becomes 03:00.
    ['America/New_York', '2026-03-07T17:00:00Z', daily, 1, '2026-03-08T16:00:00Z'],
    ['America/New_York', '2026-03-07T07:30:00Z', daily, 1, '2026-03-08T07:30:00Z'],
    ['America/New_York', '2026-03-07T07:30:00Z', daily, 2, '2026-03-09T06:30:00Z'],
    // New York, 1 November 2026: 01:30 occurs twice, the earlier counts.
    ['America/New_York', '2026-10-31T05:30:00Z', daily, 1, '2026-11-01T05:30:00Z'],
    ['America/New_York', '2026-10-31T05:30:00Z', daily, 2, '2026-11-02T06:30:00Z'],
    ['America/New_York', '2016-11-03T17:43:36Z', { count: 7, unit: 'day' }, 1, '2016-11-10T18:43:36Z'],
    ['America/New_York', '2026-01-31T17:00:00Z', monthly, 2, '2026-03-31T16:00:00Z'],
    // Berlin, 29 March and 25 October 2026.
    ['Europe/Berlin', '2026-03-28T01:30:00Z', daily, 1, '2026-03-29T01:30:00Z'],
    ['Europe/Berlin', '2026-03-28T01:30:00Z', daily, 2, '2026-03-30T00:30:00Z'],
    ['Europe/Berlin', '2026-09-25T00:30:00Z', monthly, 1, '2026-10-25T00:30:00Z'],
    ['Europe/Berlin', '2026-09-25T00:30:00Z', monthly, 2, '2026-11-25T01:30:00Z'],
    // Lord Howe moves by half an hour: 4 October 2026, 02:00 becomes 02:30; 5 April 2026, 02:00 becomes 01:30.
    ['Australia/Lord_Howe', '2026-10-02T15:45:00Z', daily, 1, '2026-10-03T15:45:00Z'],
    ['Australia/Lord_Howe', '2026-10-02T15:45:00Z', daily, 2, '2026-10-04T15:15:00Z'],
    ['Australia/Lord_Howe', '2026-04-03T14:45:00Z', daily, 1, '2026-04-04T14:45:00Z'],
    ['Australia/Lord_Howe', '2026-04-03T14:45:00Z', daily, 2, '2026-04-05T15:15:00Z'],
    // Apia dropped 30 December 2011: its period is empty.
    ['Pacific/Apia', '2011-12-29T20:00:00Z', daily, 1, '2011-12-30T20:00:00Z'],
    ['Pacific/Apia', '2011-12-29T20:00:00Z', daily, 2, '2011-12-30T20:00:00Z'],
    ['Pacific/Apia', '2011-12-29T20:00:00Z', daily, 3, '2011-12-31T20:00:00Z'],
    ['UTC', '2026-03-07T07:30:00Z', daily, 2, '2026-03-09T07:30:00Z'],
  ]
  for (const [timeZone, anchor, interval, k, expected] of cases)
    assert.equal(
      addIntervals({ at: utc(anchor), timeZone }, interval, k).toString(),
      expected,
      `${timeZone} ${anchor} ${k}`,
    )
})

test('the short way for UTC agrees with the general one', () => {
  const anyInstant = fc.integer({ min: epochSecond('1960-01-01T00:00:00Z'), max: epochSecond('2110-01-01T00:00:00Z') })
  fc.assert(
    fc.property(anyInstant, intervals, fc.integer({ min: -20, max: 60 }), (second, interval, k) => {
      const at = Temporal.Instant.fromEpochMilliseconds(second * 1000)
      const short = addIntervals({ at, timeZone: 'UTC' }, interval, k)
      const general = addIntervals({ at, timeZone: 'Etc/UTC' }, interval, k)
      assert.equal(short.toString(), general.toString())
    }),
    { numRuns: 500 },
  )
})

test('an interval that is not a positive whole number, and an anchor with a fraction of a second, are bugs', () => {
  const anchor = { at: utc('2026-01-31T00:00:00Z'), timeZone: 'UTC' }
  for (const count of [0, -1, 1.5, Number.NaN])
    assert.throws(() => addIntervals(anchor, { count, unit: 'day' }, 1), BrokenInvariant)
  assert.throws(() => addIntervals(anchor, monthly, 0.5), BrokenInvariant)
  const at = utc('2026-01-31T00:00:00.5Z')
  assert.throws(() => addIntervals({ at, timeZone: 'UTC' }, monthly, 1), BrokenInvariant)
})

test("hours and links' days are absolute, whatever the wall clocks do", () => {
  const eve = utc('2026-03-07T17:00:00Z')
  assert.equal(addHours(eve, 24).toString(), '2026-03-08T17:00:00Z')
  assert.equal(addDays(eve, 15).toString(), '2026-03-22T17:00:00Z')
  assert.equal(secondsBetween(eve, addHours(eve, 24)), 86_400)
  assert.equal(secondsBetween(addHours(eve, 1), eve), -3600)
})

test('instants are cut to the second towards the past', () => {
  assert.equal(truncateToSecond(utc('2026-01-01T00:00:00.999999999Z')).toString(), '2026-01-01T00:00:00Z')
  assert.equal(truncateToSecond(utc('2026-01-01T00:00:01Z')).toString(), '2026-01-01T00:00:01Z')
  assert.equal(truncateToSecond(utc('1969-12-31T23:59:58.5Z')).toString(), '1969-12-31T23:59:58Z')
})

test('instants compare, and the least and the greatest are found', () => {
  const [first, second, third] = [utc('2026-01-01T00:00:00Z'), utc('2026-01-01T00:00:01Z'), utc('2027-01-01T00:00:00Z')]
  assert.ok(isBefore(first, second) && !isBefore(second, first) && !isBefore(first, first))
  assert.ok(isAtOrBefore(first, second) && isAtOrBefore(first, first) && !isAtOrBefore(second, first))
  assert.equal(minOf(second, third, first), first)
  assert.equal(maxOf(second, third, first), third)
  assert.equal(minOf(second), second)
})

test('a day is shown as the zone sees it', () => {
  const evening = utc('2016-10-05T02:30:00Z')
  assert.equal(formatDay(evening, 'UTC'), '10/05/2016')
  assert.equal(formatDay(evening, 'America/New_York'), '10/04/2016')
  assert.equal(formatDay(utc('2026-12-31T12:00:00Z'), 'Pacific/Kiritimati'), '01/01/2027')
})

test('a day begins at its first second and ends at its last, also where midnight is skipped or repeated', () => {
  const cases: [date: string, zone: string, start: string, end: string][] = [
    ['2026-02-28', 'UTC', '2026-02-28T00:00:00Z', '2026-02-28T23:59:59Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00Z', '2026-03-09T03:59:59Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z'],
    // Beirut skips the hour after midnight; Asuncion's 23:00 came twice.
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00Z', '2026-03-29T20:59:59Z'],
    ['2023-03-25', 'America/Asuncion', '2023-03-25T03:00:00Z', '2023-03-26T03:59:59Z'],
  ]
  for (const [date, timeZone, start, end] of cases) {
    assert.equal(startOfDay(date, timeZone)?.toString(), start, `${date} ${timeZone}`)
    assert.equal(endOfDay(date, timeZone)?.toString(), end, `${date} ${timeZone}`)
  }
  for (const wrong of [
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20260101',
    '',
    'today',
    '2026-01-01T00:00',
    '2026-01-01\n',
  ]) {
    assert.equal(startOfDay(wrong, 'UTC'), undefined, wrong)
    assert.equal(endOfDay(wrong, 'UTC'), undefined, wrong)
  }
})

test('a zone is known by its proper name only; an offset is not a zone', () => {
  for (const name of [...zones, 'Etc/GMT+5', 'US/Eastern', 'America/Argentina/Buenos_Aires'])
    assert.ok(isTimeZone(name), name)
  for (const name of [
    '',
    '+02:00',
    'utc',
    'america/new_york',
    'Mars/Olympus',
    '2026-01-01T00:00[Europe/Paris]',
    'UTC ',
    'x'.repeat(99),
  ])
    assert.ok(!isTimeZone(name), name)
})
