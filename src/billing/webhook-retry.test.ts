/** The schedule of retries: quick at first, then growing with jitter, at most three days, and never sooner than the receiver asks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { attemptsMax, nextAttempt, readRetryAfter } from './webhook-retry.ts'

const now = Temporal.Instant.from('2027-01-15T12:00:00Z')
/** Up to a second has passed already when the clock says `now`. */
const cut = 1

test('gaps stay within their jitter, and all of them within three days', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 0.999_999, noNaN: true }), { minLength: 20 }), (chances) => {
      let at: Temporal.Instant | null = now
      let last = now
      let tries = 0
      while (at !== null) {
        last = at
        tries += 1
        at = nextAttempt({ tries, triedSince: now, now: last, retryAfterSeconds: null, chance: chances[tries] ?? 0 })
      }
      assert.equal(tries, attemptsMax)
      const hours = now.until(last).total('hours')
      assert.ok(hours > 57 && hours <= 72, `${hours} hours`)
    }),
  )
})

test('a longer wait that is asked for is kept, up to a day and within the three days', () => {
  const tried = { tries: 1, triedSince: now, now, chance: 0 }
  const gap = (retryAfterSeconds: number, since = now) =>
    now.until(nextAttempt({ ...tried, triedSince: since, retryAfterSeconds })!).total('seconds')
  assert.equal(gap(5), 10 + cut)
  assert.equal(gap(120), 120 + cut)
  assert.equal(gap(1e9), 86_400 + cut)
  assert.equal(gap(86_400, now.subtract({ hours: 71 })), 3600)
  assert.equal(nextAttempt({ ...tried, triedSince: now.subtract({ hours: 72 }), retryAfterSeconds: null }), null)
})

test('no attempt comes before its gap has passed, wherever in its second the one before it failed', () => {
  const quick = [10, 15, 90, 180]
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: attemptsMax - 1 }),
      fc.integer({ min: 0, max: 999 }),
      fc.double({ min: 0, max: 0.999_999, noNaN: true }),
      fc.option(fc.integer({ min: 0, max: 90_000 })),
      (tries, milliseconds, chance, retryAfterSeconds) => {
        const failedAt = now.add({ milliseconds })
        const next = nextAttempt({ tries, triedSince: now, now, retryAfterSeconds, chance })!
        const gap = failedAt.until(next).total('seconds')
        assert.ok(gap >= (quick[tries - 1] ?? 540))
        assert.ok(gap >= Math.min(retryAfterSeconds ?? 0, 86_400))
      },
    ),
  )
})

test('Retry-After is read as seconds or as a date, and nothing else', () => {
  assert.equal(readRetryAfter('120', now), 120)
  assert.equal(readRetryAfter('Fri, 15 Jan 2027 12:01:00 GMT', now), 60)
  assert.equal(readRetryAfter('Fri, 15 Jan 2027 11:00:00 GMT', now), 0)
  for (const text of ['', 'soon', '-1', '1e9', '2027-01-15', null]) assert.equal(readRetryAfter(text, now), null)
})

test('the first four gaps are exact, the later ones stray by a tenth to either side', () => {
  const gap = (tries: number, chance: number) =>
    now.until(nextAttempt({ tries, triedSince: now, now, retryAfterSeconds: null, chance })!).total('seconds') - cut
  assert.deepEqual(
    [1, 2, 3, 4].map((tries) => gap(tries, 0.9)),
    [10, 15, 90, 180],
  )
  assert.deepEqual([gap(5, 0), gap(5, 0.25), gap(5, 0.5), gap(5, 1)], [540, 570, 600, 660])
  const minutes = [6, 7, 8, 9, 10, 11, 12, 13, 14].map((tries) => gap(tries, 0.5) / 60)
  assert.deepEqual(minutes, [30, 60, 120, 240, 480, 720, 720, 720, 720])
})
