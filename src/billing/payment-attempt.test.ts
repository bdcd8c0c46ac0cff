/** The key of an attempt is the same whenever it is asked for, and another one on every site and database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptKey } from './payment-attempt.ts'

test('a key names the site with the second of its birth, the subscription and the attempt', () => {
  const site = { id: 3, createdAt: Temporal.Instant.from('2027-01-15T12:00:00Z') }
  assert.equal(attemptKey(site, { subscriptionId: 9, id: 301 }), '3-1800014400-9-301')
})
