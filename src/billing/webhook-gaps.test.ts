/** Every gap between the attempts of a webhook, and what a receiver may ask for instead. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptsMax, nextAttempt, readRetryAfter } from './webhook-retry.ts'

const now = Temporal.Instant.from('2027-01-15T12:00:00Z')
/** The clock is cut to whole seconds; a gap is longer by as much as that may have been. */
const cut = 1
const gap = (tries: number, retryAfterSeconds: number | null = null): number | undefined => {
  const next = nextAttempt({ tries, triedSince: now, now, retryAfterSeconds, chance: 0.5 })
  return next === null ? undefined : now.until(next).total('seconds') - cut
}

test('each gap has its length, in the middle of its jitter', () => {
  const minute = 60
  const later = [10, 30, 60, 120, 240, 480, 720, 720, 720, 720].map((minutes) => minutes * minute)
  const all = Array.from({ length: attemptsMax - 1 }, (_, place) => gap(place + 1))
  assert.deepEqual(all, [10, 15, 90, 180, ...later])
  assert.equal(gap(attemptsMax), undefined)
})

test('a receiver may ask for a longer wait, of a day at most, in seconds or by a date', () => {
  assert.equal(gap(1, 5), 10)
  assert.equal(gap(1, 0), 10)
  assert.equal(gap(1, 4000), 4000)
  assert.equal(gap(1, 1_000_000), 86_400)
  assert.equal(readRetryAfter('Fri, 15 Jan 2027 12:02:05 GMT', now), 125)
  assert.equal(readRetryAfter('Fri, 15 Jan 2027 11:02:05 GMT', now), 0)
})
