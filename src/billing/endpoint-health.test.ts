/** An endpoint that keeps failing is slowed down by and by, and never given up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at } from '../../test/support/story-facts.ts'
import { afterFailure, type EndpointHealth, failuresBeforeSlowing, healthy, isSlowed } from './endpoint-health.ts'

const since = at('2026-02-28T12:00:00Z')

/** The gap in seconds before the next attempt, after failures for so long. */
const gapAfter = (failingSeconds: number): number | undefined => {
  const now = since.add({ seconds: failingSeconds })
  const before: EndpointHealth = { failuresInARow: failuresBeforeSlowing - 1, failingSince: since, slowedUntil: null }
  return afterFailure(before, now).slowedUntil?.since(now).total('seconds')
}

test('24 failures in a row slow nothing, the 25th does', () => {
  let health = healthy
  for (let failures = 1; failures <= 24; failures++) {
    health = afterFailure(health, since.add({ seconds: failures }))
    assert.deepEqual(health, { failuresInARow: failures, failingSince: since.add({ seconds: 1 }), slowedUntil: null })
    assert.equal(isSlowed(health), false)
  }
  const slowed = afterFailure(health, since.add({ seconds: 100 }))
  assert.equal(slowed.failuresInARow, 25)
  assert.equal(isSlowed(slowed), true)
  assert.equal(String(slowed.failingSince), String(since.add({ seconds: 1 })))
})

test('the gap is a quarter of the time for which it fails, from 10 seconds to 10 minutes', () => {
  assert.deepEqual([0, 40, 41, 400, 401, 2400, 86_400].map(gapAfter), [10, 10, 11, 100, 101, 600, 600])
})

test('a healthy endpoint has not failed and waits for nothing', () => {
  assert.deepEqual(healthy, { failuresInARow: 0, failingSince: null, slowedUntil: null })
  assert.equal(isSlowed(healthy), false)
})
