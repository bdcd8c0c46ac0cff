/** A site's clock is the wall's until it is put; then it runs on from there, and stands while it is moved. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteNow, wallClockOfSite } from './site-clock.ts'

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text)

test('a clock that was put runs on from there, and stands still on its way', () => {
  const wall = at('2027-01-15T12:00:10Z')
  assert.equal(siteNow(wallClockOfSite, wall), wall)
  const put = { ...wallClockOfSite, setTo: at('2030-01-01T00:00:00Z'), setAt: at('2027-01-15T12:00:00Z') }
  assert.equal(String(siteNow(put, wall)), '2030-01-01T00:00:10Z')
  assert.equal(String(siteNow({ ...put, advancingTo: at('2031-01-01T00:00:00Z') }, wall)), '2030-01-01T00:00:00Z')
  assert.equal(siteNow({ ...put, setAt: null }, wall), wall)
})
