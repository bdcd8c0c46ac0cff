/** Proves that a date is read in every unambiguous form, and that both meanings of an ambiguous one are named. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTimestamp, readingsOf } from './timestamp.ts'

const read = (text: string): string | undefined => parseTimestamp(text, { timeZone: 'America/New_York' })?.toString()

const moment = '2010-08-06T15:34:00Z'
const day = '2010-08-06T04:00:00Z'

const accepted: [expected: string, texts: string[]][] = [
  [
    day,
    [
      '20100806',
      '2010/08/06',
      '2010/8/6',
      '2010-8-6',
      'August 6, 2010',
      'August 6 2010',
      'Aug. 6, 2010',
      'aug 6th, 2010',
      '6 Aug 2010',
      '6th August, 2010',
      '06-Aug-2010',
      '2010-Aug-06',
      'Fri Aug 06 2010',
      'Friday, August 6, 2010',
      'Fri August 6 2010',
      'Fri, 06 Aug 2010',
      '8/6/2010 12 AM',
      '8/6/2010, 12:00:00 AM',
    ],
  ],
  [
    moment,
    [
      '20100806T153400Z',
      '20100806T1534Z',
      '20100806T113400-0400',
      '20100806T113400',
      '2010/08/06 11:34:00',
      '2010/08/06 11:34 AM EDT',
      '2010-08-06 3:34 PM GMT',
      '8/6/2010, 11:34:00 AM',
      '8/6/2010 11:34am',
      'August 6, 2010 at 11:34 AM',
      'August 6, 2010, 3:34 pm UTC',
      '6 Aug 2010 11:34 -04:00',
      '06-Aug-2010 11:34:00',
      'Fri Aug 06 2010 11:34:00 GMT-0400 (Eastern Daylight Time)',
      'Sat Aug 07 2010 01:34:00 GMT+1000 (Australian Eastern Standard Time)',
      'Fri Aug 06 2010 15:34:00 GMT+0000 (Coordinated Universal Time)',
    ],
  ],
  ['2026-12-01T05:00:00Z', ['01-Dec-2026', '1 December 2026', 'Tuesday, 1 December 2026', 'Tues, Dec 1, 2026']],
  ['2026-09-30T04:00:00Z', ['Sept 30, 2026', '30 September 2026', '30.9.2026', '30-09-2026', '09-30-2026']],
  ['2026-09-09T04:00:00Z', ['9.9.2026', '09-09-2026']],
  ['2026-09-09T16:00:00Z', ['9 Sep 2026 12 pm', '9 Sep 2026 12:00']],
]

test('a date is read in every form that has one meaning', () => {
  for (const [expected, texts] of accepted) for (const text of texts) assert.equal(read(text), expected, text)
})

test('what may mean two things is no date, and both meanings are named', () => {
  const ambiguous: [text: string, readings: string[]][] = [
    ['06-08-2010', ['2010-06-08', '2010-08-06']],
    ['6.8.2010', ['2010-06-08', '2010-08-06']],
    ['6.8.2010 11:34 EDT', ['2010-06-08', '2010-08-06']],
    ['8/6/2010 11:34 BST', ['+01:00 (Britain)', '+06:00 (Bangladesh)']],
    ['8/6/2010 11:34 ist', ['+05:30 (India)', '+02:00 (Israel)', '+01:00 (Ireland)']],
  ]
  for (const [text, readings] of ambiguous) {
    assert.equal(read(text), undefined, text)
    assert.deepEqual(readingsOf(text), readings, text)
  }
  for (const text of [
    '',
    'tomorrow',
    '2010-08-06',
    '30.9.2026',
    '0.0.2010',
    '8/6/2010 11:34 EDT',
    '8/6/2010 11:34 XYZ',
  ])
    assert.deepEqual(readingsOf(text), [], text)
})

test('a day or an hour that does not exist is none in any form', () => {
  for (const text of [
    '20100230',
    '2010/02/30',
    'February 30, 2010',
    '31-Apr-2010',
    '31.4.2010',
    '20100806T2500Z',
    '31.31.2010',
  ])
    assert.equal(read(text), undefined, text)
})
