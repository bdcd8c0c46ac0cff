/** When an attempt is one too many, and when it is forgotten. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AttemptCounts, networkOf } from './attempt-counts.ts'

test('the most in a stretch are let pass, further ones wait for its end, each subject by itself', () => {
  const counts = new AttemptCounts({ most: 2, stretchMs: 10_000 })
  assert.equal(counts.add('one', 0), 1)
  assert.equal(counts.secondsToWait('one', 1000), 0)
  assert.equal(counts.add('one', 1000), 2)
  assert.equal(counts.secondsToWait('one', 1500), 9)
  assert.equal(counts.secondsToWait('other', 1500), 0)
  assert.equal(counts.secondsToWait('one', 10_000), 0)
  assert.equal(counts.add('one', 10_000), 1)
})

test('memory stays bounded however many subjects there are', () => {
  const counts = new AttemptCounts({ most: 1, stretchMs: 10_000 })
  for (let subject = 0; subject < 100_000; subject++) counts.add(String(subject), 0)
  assert.equal(counts.secondsToWait('99999', 0), 10)
})

test('addresses of one network of IPv6 count together', () => {
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7')
  assert.equal(networkOf('::ffff:203.0.113.7'), '::ffff:203.0.113.7')
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(networkOf('2001:db8:1:2::9'), '2001:db8:1:2')
  assert.equal(networkOf('2001:db8::9'), '2001:db8:0:0')
  assert.equal(networkOf('::1'), '0:0:0:0')
})
