/** The clocks tell whole seconds. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stoppedClock, wallClock } from './clock.ts'

test('the wall clock tells the current second, never one that has not begun', () => {
  const before = Math.floor(Date.now() / 1000) * 1000
  const told = wallClock.now().epochMilliseconds
  assert.ok(told >= before && told <= Date.now())
  assert.equal(wallClock.now().epochNanoseconds % 1_000_000_000n, 0n)
})

test('a stopped clock truncates and stays', () => {
  const clock = stoppedClock('2026-11-20T12:00:00.999Z')
  assert.equal(clock.now().toString(), '2026-11-20T12:00:00Z')
  assert.equal(clock.now().toString(), '2026-11-20T12:00:00Z')
  assert.equal(stoppedClock('1969-12-31T23:59:59.5Z').now().toString(), '1969-12-31T23:59:59Z')
})
