/** What comes first when several things are due for a subscription at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, having, signedUp } from '../../test/support/story-facts.ts'
import { type Due, dueFor } from './due.ts'
import type { Subscription } from './subscription.ts'

const end = at('2026-02-28T12:00:00Z')
const before = end.subtract({ seconds: 1 })
const after = end.add({ hours: 24 * 90 })

const cases: [title: string, change: Partial<Subscription>, now: Temporal.Instant, due: Due][] = [
  ['a period that has ended is renewed', {}, end, 'renewal'],
  ['before the end of the period only a retry is due', { state: 'past_due', retryAt: before }, before, 'retry'],
  ['a period that ended comes before a retry of the same moment', { state: 'past_due', retryAt: end }, end, 'renewal'],
  [
    'a period that ended comes before a retry that was missed',
    { state: 'past_due', retryAt: before },
    after,
    'renewal',
  ],
  ['a delayed cancellation takes the place of the renewal', { cancelAtEndOfPeriod: true }, end, 'delayed_cancel'],
  [
    'a delayed cancellation comes before an expiration',
    { cancelAtEndOfPeriod: true, expiresAt: before },
    end,
    'delayed_cancel',
  ],
  ['a delayed cancellation waits for the end of the period', { cancelAtEndOfPeriod: true }, before, 'retry'],
  ['a delayed cancellation that was taken back does nothing', { cancelAtEndOfPeriod: false }, end, 'renewal'],
  ['an expiration at the end of the period takes the place of the renewal', { expiresAt: end }, end, 'expiration'],
  ['an expiration within the period waited for its end', { expiresAt: before }, end, 'expiration'],
  ['an expiration after the period lets it be renewed', { expiresAt: end.add({ seconds: 1 }) }, end, 'renewal'],
  [
    'a missed period before the expiration is billed, however late',
    { expiresAt: end.add({ hours: 24 }) },
    after,
    'renewal',
  ],
]

for (const [title, change, now, due] of cases) {
  test(title, () => assert.equal(dueFor(having(signedUp(), change).facts.subscription, now), due))
}
