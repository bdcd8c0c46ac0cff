/** How a list is narrowed, and what is said about a filter that cannot be meant. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { InputErrors } from '../wire/input.ts'
import { readDateWindow, readIdFilter, readTimeWindow, readWord, readWords } from './list-input.ts'

const complaints = (read: () => unknown): readonly string[] => {
  try {
    read()
  } catch (error) {
    return (error as InputErrors).messages
  }
  return assert.fail('nothing was refused')
}

const shown = (window: { since: Temporal.Instant | null; until: Temporal.Instant | null }) => [
  window.since?.toString() ?? null,
  window.until?.toString() ?? null,
]

describe('a window of days', () => {
  const read = (since_date: string, until_date: string, timeZone = 'UTC') =>
    shown(readDateWindow({ since_date, until_date }, timeZone))

  test('reaches from midnight to 23:59:59 in the zone of the site', () => {
    assert.deepEqual(read('2027-01-15', '2027-01-15'), ['2027-01-15T00:00:00Z', '2027-01-15T23:59:59Z'])
    assert.deepEqual(read('2027-03-14', '2027-03-14', 'America/New_York'), [
      '2027-03-14T05:00:00Z',
      '2027-03-15T03:59:59Z',
    ])
  })

  test('begins with the first moment of a day that has no midnight', () => {
    assert.deepEqual(read('2018-11-04', '2018-11-04', 'America/Sao_Paulo'), [
      '2018-11-04T03:00:00Z',
      '2018-11-05T01:59:59Z',
    ])
  })

  test('is open where nothing was sent', () => {
    assert.deepEqual(shown(readDateWindow({}, 'UTC')), [null, null])
    assert.deepEqual(shown(readDateWindow({ until_date: '2027-01-15' }, 'UTC')), [null, '2027-01-15T23:59:59Z'])
    assert.deepEqual(shown(readDateWindow({ start_date: '2027-01-15' }, 'UTC', ['start_date', 'end_date'])), [
      '2027-01-15T00:00:00Z',
      null,
    ])
  })

  test('of dates that nothing can lie beyond ends where the database still reads it', () => {
    assert.deepEqual(read('0000-01-01', '9999-12-31', 'Pacific/Honolulu'), [
      '1970-01-01T00:00:00Z',
      '9999-12-30T23:59:59Z',
    ])
  })

  test('is refused for what is no date and for days that do not exist, both ends at once', () => {
    for (const text of ['yesterday', '2027-1-5', '01/15/2027', '2027-01-15T00:00:00Z', '20270115', '+12027-01-15']) {
      assert.deepEqual(
        complaints(() => readDateWindow({ since_date: text }, 'UTC')),
        ['Since date: must be a date in the form YYYY-MM-DD.'],
        text,
      )
    }
    assert.deepEqual(
      complaints(() => readDateWindow({ since_date: '2027-02-29', until_date: '2027-13-01' }, 'UTC')),
      ['Since date: is not a possible date.', 'Until date: is not a possible date.'],
    )
    for (const text of ['2027-00-10', '2027-04-31', '2027-01-00']) {
      assert.deepEqual(
        complaints(() => readDateWindow({ end_date: text }, 'UTC', ['start_date', 'end_date'])),
        ['End date: is not a possible date.'],
      )
    }
  })

  test('is refused when it ends before it begins', () => {
    assert.deepEqual(
      complaints(() => readDateWindow({ since_date: '2027-01-16', until_date: '2027-01-15' }, 'UTC')),
      ['Until date: must not be before the since date.'],
    )
  })

  test('holds every moment of its days and no other, in every zone', () => {
    const zones = [
      'UTC',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
      'Pacific/Apia',
      'Africa/Casablanca',
    ]
    const seconds = fc.integer({ min: 200_000, max: 4_000_000_000 })
    fc.assert(
      fc.property(seconds, fc.constantFrom(...zones), (second, timeZone) => {
        const at = Temporal.Instant.fromEpochMilliseconds(second * 1000)
        const day = at.toZonedDateTimeISO(timeZone).toPlainDate()
        const holds = (date: string): boolean => {
          const { since, until } = readDateWindow({ since_date: date, until_date: date }, timeZone)
          return Temporal.Instant.compare(since!, at) <= 0 && Temporal.Instant.compare(at, until!) <= 0
        }
        assert.equal(holds(day.toString()), true)
        assert.equal(holds(day.add({ days: 1 }).toString()), false)
        assert.equal(holds(day.subtract({ days: 1 }).toString()), false)
      }),
    )
  })
})

describe('a window of moments', () => {
  const names = ['start_datetime', 'end_datetime'] as const

  test('is read in the forms of the API, in the zone of the site where they name none', () => {
    const query = { start_datetime: '2027-01-15 10:00:00', end_datetime: '2027-01-15T16:00:00Z' }
    assert.deepEqual(shown(readTimeWindow(query, 'America/New_York', names)), [
      '2027-01-15T15:00:00Z',
      '2027-01-15T16:00:00Z',
    ])
  })

  test('is refused for what is none, and when it ends before it begins', () => {
    assert.deepEqual(
      complaints(() => readTimeWindow({ start_datetime: 'soon' }, 'UTC', names)),
      ['Start datetime: is not a date and time.'],
    )
    const query = { start_datetime: '2027-01-15 10:00', end_datetime: '2027-01-15 09:59' }
    assert.deepEqual(
      complaints(() => readTimeWindow(query, 'UTC', names)),
      ['End datetime: must not be before the start datetime.'],
    )
  })
})

describe('words', () => {
  const states = ['unpaid', 'partial', 'paid'] as const

  test('come as a list, one by one, or with commas', () => {
    assert.deepEqual(readWords({ status: ['paid', 'unpaid', 'paid'] }, 'status', states), ['unpaid', 'paid'])
    assert.deepEqual(readWords({ status: 'paid' }, 'status', states), ['paid'])
    assert.deepEqual(readWords({ status: 'paid, partial' }, 'status', states), ['partial', 'paid'])
    assert.equal(readWords({}, 'status', states), null)
  })

  test('that nobody knows are refused with those that are known', () => {
    for (const status of ['late', ['paid', 'late'], 'paid,', ',', 'PAID', '__proto__']) {
      assert.deepEqual(
        complaints(() => readWords({ status }, 'status', states)),
        ['Status: must be one of unpaid, partial, paid.'],
      )
    }
  })

  test('may be one only, with a usual one', () => {
    assert.equal(readWord({ order: 'oldest_first' }, 'order', ['newest_first', 'oldest_first'], null), 'oldest_first')
    assert.equal(readWord({}, 'order', ['newest_first', 'oldest_first'], 'newest_first'), 'newest_first')
    assert.deepEqual(
      complaints(() => readWord({ order: 'any' }, 'order', ['newest_first', 'oldest_first'], null)),
      ['Order: must be one of newest_first, oldest_first.'],
    )
  })
})

test('an id to filter by is a whole number', () => {
  assert.equal(readIdFilter({ subscription_id: '500001' }, 'subscription_id'), 500001)
  assert.equal(readIdFilter({}, 'subscription_id'), null)
  for (const subscription_id of ['abc', '-1', '1.5', '']) {
    assert.deepEqual(
      complaints(() => readIdFilter({ subscription_id }, 'subscription_id')),
      ['Subscription id: is not a number.'],
    )
  }
})
