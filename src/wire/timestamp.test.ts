/** Proves which texts are moments and which are nonsense, and that what is written reads back as the same instant. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '../../test/support/patience.ts'
import { formatTimestamp, formatUtc, parseTimestamp } from './timestamp.ts'

const newYork = 'America/New_York'
const read = (text: string, timeZone = newYork): string | undefined => parseTimestamp(text, { timeZone })?.toString()

const same = '2010-08-06T15:34:00Z'

test('the six published ways of writing one moment are one moment', () => {
  for (const text of [
    'Aug 06 11:34:00 -0400 2010',
    'Aug 06 11:34 -0400 2010',
    '2010-08-06T11:34:00-04:00',
    '8/6/2010 11:34:00 EDT',
    '8/6/2010 8:34:00 PDT',
    '2010-08-06T15:34:00Z',
  ])
    for (const timeZone of ['UTC', 'Asia/Kathmandu']) assert.equal(read(text, timeZone), same, text)
})

const accepted: [text: string, expected: string][] = [
  // ISO 8601
  ['2010-08-06T11:34:00-0400', same],
  ['2010-08-06T11:34:00-04', same],
  ['2010-08-06T11:34-04:00', same],
  ['2010-08-06t15:34:00z', same],
  ['2010-08-06 15:34:00Z', same],
  ['2010-08-06 15:34:00 UTC', same],
  ['2010-08-06 11:34:00 -0400', same],
  ['2010-08-06T15:34:00+00:00', same],
  ['2010-08-06T15:34:00-00:00', same],
  ['2010-08-06T15:34:00.999Z', same],
  ['2010-08-06T15:34:00,123456789Z', same],
  ['2010-08-06T21:19:00+05:45', same],
  ['2010-08-06T11:34:00', same],
  ['2010-08-06 11:34', same],
  ['2010-08-06', '2010-08-06T04:00:00Z'],
  ['2010-12-06', '2010-12-06T05:00:00Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z'],
  ['1969-12-31T19:00:00-05:00', '1970-01-01T00:00:00Z'],
  ['9999-12-30T23:59:59Z', '9999-12-30T23:59:59Z'],
  // month/day/year
  ['08/06/2010 11:34:00 EDT', same],
  ['8/6/2010 11:34 EDT', same],
  ['8/6/2010 10:34:00 CDT', same],
  ['8/6/2010 9:34:00 mdt', same],
  ['8/6/2010 7:34:00 AKDT', same],
  ['8/6/2010 5:34:00 HST', same],
  ['8/6/2010 17:34:00 CEST', same],
  ['8/6/2010 15:34:00 GMT', same],
  ['8/6/2010 15:34:00 Z', same],
  ['8/6/2010 15:34:00Z', same],
  ['8/6/2010 11:34:00 -0400', same],
  ['8/6/2010 11:34:00', same],
  ['8/6/2010', '2010-08-06T04:00:00Z'],
  ['12/31/2026 11:00:00 EST', '2026-12-31T16:00:00Z'],
  ['12/31/2026 11:00:00 CST', '2026-12-31T17:00:00Z'],
  ['12/31/2026 11:00:00 MST', '2026-12-31T18:00:00Z'],
  ['12/31/2026 11:00:00 PST', '2026-12-31T19:00:00Z'],
  // An abbreviation is an offset, in summer as in winter.
  ['8/6/2010 10:34:00 EST', same],
  // RFC 2822
  ['Fri, 06 Aug 2010 11:34:00 -0400', same],
  ['Fri, 6 Aug 2010 11:34:00 -0400', same],
  ['06 Aug 2010 15:34:00 +0000', same],
  ['6 Aug 2010 15:34 GMT', same],
  ['Fri, 06 Aug 2010 15:34:00 GMT', same],
  ['Fri, 06 Aug 2010 15:34:00 UT', same],
  ['fri, 06 aug 2010 11:34:00 edt', same],
  ['Fri, 06 Aug 2010 11:34:00', same],
  // The year last
  ['Fri Aug 06 11:34:00 EDT 2010', same],
  ['Fri Aug  6 11:34:00 2010', same],
  ['Aug 6 11:34:00 2010', same],
  // Blanks around
  ['  2010-08-06T15:34:00Z ', same],
  // The site's gap hour moves forward, its double hour is the earlier one.
  ['2026-03-08T02:30:00', '2026-03-08T07:30:00Z'],
  ['2026-11-01T01:30:00', '2026-11-01T05:30:00Z'],
]

test('every accepted form is read, in the zone that it names or else in the site’s', () => {
  for (const [text, expected] of accepted) assert.equal(read(text), expected, text)
})

test('a date without a time is midnight in the site’s zone, or the first moment of a day without midnight', () => {
  assert.equal(read('2026-11-20', 'UTC'), '2026-11-20T00:00:00Z')
  assert.equal(read('2026-11-20', 'Asia/Kathmandu'), '2026-11-19T18:15:00Z')
  assert.equal(read('3/29/2026', 'Asia/Beirut'), '2026-03-28T22:00:00Z')
})

const refused: string[] = [
  // No such date or time
  '2010-02-30',
  '2010-02-30T00:00:00Z',
  '2023-02-29',
  '2100-02-29',
  '2/30/2010',
  '13/45/2010',
  '13/1/2010',
  '0/1/2010',
  '1/0/2010',
  '2010-13-01',
  '2010-00-01',
  '2010-01-00',
  '2010-04-31',
  '31 Apr 2010 10:00:00 GMT',
  'Feb 30 11:34:00 -0400 2010',
  '2010-08-06T24:00:01Z',
  '2010-08-06T24:00:00Z',
  '2010-08-06T25:00:00Z',
  '2010-08-06T10:60:00Z',
  '2010-08-06T10:00:60Z',
  '8/6/2010 25:00:00 EDT',
  '8/6/2010 10:61:00',
  'Mon, 06 Aug 2010 11:34:00 -0400',
  'Sat Aug 06 11:34:00 EDT 2010',
  // No such offset; abbreviations that are unknown or stand for several zones
  '2010-08-06T11:34:00+24:00',
  '2010-08-06T11:34:00+02:60',
  '2010-08-06T11:34:00+2',
  '2010-08-06T11:34:00 04:00',
  '8/6/2010 11:34:00 IST',
  '8/6/2010 11:34:00 BST',
  '8/6/2010 11:34:00 AST',
  '8/6/2010 11:34:00 XYZ',
  '8/6/2010 13:34:00 PM',
  '8/6/2010 0:34 AM',
  '8/6/2010 11:34:00 America/New_York',
  '2010-08-06T11:34:00[Europe/Paris]',
  '2010-08-06T11:34:00Z[UTC]',
  '2010-08-06T11:34:00Z+01',
  // Outside of 1970 to 9999
  '1969-12-31T23:59:59Z',
  '1970-01-01T00:00:00+00:01',
  '1/1/1969',
  '0001-01-01',
  '0000-00-00',
  '9999-12-31T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01',
  '10000-01-01',
  '8/6/10',
  '06 Aug 10 11:34:00 GMT',
  // Not a form of ours
  '',
  ' ',
  'tomorrow',
  'now',
  'null',
  '1281108840',
  '20101306',
  '201008061534',
  '2010-218',
  '2010-W31-5',
  '2010-08',
  '2010',
  '2010/08-06',
  '06.08.2010',
  '6-8-2010',
  '2010-08-06T',
  '2010-08-06T11',
  '2010-08-06T9:34:00Z',
  '2010-08-06T11:34:00.Z',
  '2010-08-06Z',
  '2010-08-06 EDT',
  '2010-08-06T15:34:00ZZ',
  '2010-08-06T15:34:00Z x',
  'x 2010-08-06T15:34:00Z',
  '2010-08-06\n11:34',
  'Auguste 06 2010',
  'Foo 06 11:34:00 -0400 2010',
  'Aug 06 11:34:00 -0400',
  'Thu, 06 Aug 2010',
  'Frinesday, 06 Aug 2010',
  '٢٠١٠-٠٨-٠٦',
  '2010–08–06',
]

test('nonsense is no moment', () => {
  for (const text of refused) assert.equal(read(text), undefined, text)
  assert.equal(read(`${' '.repeat(87)}2010-08-06`), undefined)
})

test('no text throws, and none takes long', () => {
  const pieces = fc.constantFrom(
    '2010',
    '08',
    '6',
    'Aug',
    'Fri',
    'EDT',
    'Z',
    '-',
    '/',
    ':',
    ' ',
    ',',
    '+',
    'T',
    '.',
    '0400',
    '99',
  )
  const anything = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.array(pieces, { maxLength: 20 }).map((list) => list.join('')),
  )
  fc.assert(
    fc.property(anything, (text) => void read(text)),
    { numRuns: 2000 },
  )
  const cost = processorMs(() => {
    for (const character of '0 /:+-azT.,') read(character.repeat(1_000_000))
    for (const character of '0 /:+-azT.,') read(`Aug 06 11:34:00 ${character.repeat(48)}`)
  })
  assert.ok(cost < 200, `${cost} ms`)
})

const zones =
  `UTC America/New_York America/St_Johns America/Sao_Paulo Africa/Casablanca Africa/Monrovia Antarctica/Troll
  Asia/Kathmandu Asia/Pyongyang Australia/Lord_Howe Australia/Eucla Europe/Dublin Pacific/Apia Pacific/Chatham Pacific/Kiritimati
  Pacific/Marquesas Etc/GMT+12`.split(/\s+/)
const lastSecond = Date.UTC(9999, 11, 31) / 1000 - 1
const instants = fc
  .oneof(fc.nat(4_102_444_800), fc.nat(lastSecond), fc.constantFrom(0, lastSecond))
  .map((second) => Temporal.Instant.fromEpochMilliseconds(second * 1000))

test('what is written reads back as the same instant, from any zone in any other', () => {
  fc.assert(
    fc.property(instants, fc.constantFrom(...zones), fc.constantFrom(...zones), (instant, writer, reader) => {
      assert.equal(read(formatTimestamp(instant, writer), reader), instant.toString())
      assert.equal(read(formatUtc(instant), reader), instant.toString())
    }),
    { numRuns: 500 },
  )
})

test('what is written is what Temporal would write, also around the changes of a zone’s clocks', () => {
  const wholeMinuteZones = zones.filter((name) => name !== 'Africa/Monrovia')
  for (const timeZone of wholeMinuteZones) {
    let at: Temporal.ZonedDateTime | null = Temporal.Instant.from('2040-01-01T00:00:00Z').toZonedDateTimeISO(timeZone)
    // Before 1972 some zones kept odd seconds, which are written in whole minutes.
    while (at && at.year > 1972) {
      for (const seconds of [0, -1, 1]) {
        const instant = at.toInstant().add({ seconds })
        const expected = instant
          .toZonedDateTimeISO(timeZone)
          .toString({ timeZoneName: 'never', smallestUnit: 'second' })
        assert.equal(formatTimestamp(instant, timeZone), expected)
      }
      at = at.getTimeZoneTransition('previous')
    }
  }
})

test('a zone that is first asked for at the second of a change is right about the second before', () => {
  const write = (text: string): string => formatTimestamp(Temporal.Instant.from(text), 'Europe/Berlin')
  assert.equal(write('2026-03-29T01:00:00Z'), '2026-03-29T03:00:00+02:00')
  assert.equal(write('2026-03-29T00:59:59Z'), '2026-03-29T01:59:59+01:00')
})

test('a timestamp carries the offset of the site’s zone at that moment', () => {
  const cases: [instant: string, zone: string, expected: string][] = [
    ['2026-11-20T17:00:00Z', newYork, '2026-11-20T12:00:00-05:00'],
    ['2026-07-20T17:00:00Z', newYork, '2026-07-20T13:00:00-04:00'],
    ['2026-11-20T17:00:00Z', 'UTC', '2026-11-20T17:00:00+00:00'],
    ['2026-11-20T17:00:00Z', 'Asia/Kathmandu', '2026-11-20T22:45:00+05:45'],
    ['2026-11-20T17:00:00Z', 'Pacific/Marquesas', '2026-11-20T07:30:00-09:30'],
    ['2026-11-20T17:00:00.9Z', 'Pacific/Kiritimati', '2026-11-21T07:00:00+14:00'],
  ]
  for (const [instant, timeZone, expected] of cases)
    assert.equal(formatTimestamp(Temporal.Instant.from(instant), timeZone), expected)
  assert.equal(formatUtc(Temporal.Instant.from('2026-11-20T17:00:00.9Z')), '2026-11-20T17:00:00Z')
})
