/** The next billing date moved, and the day of expiration: what follows from there, and what is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, having, keysOf, signedUp, site } from '../../test/support/story-facts.ts'
import { Act } from './act.ts'
import { moveBillingDate, moveExpiration } from './billing-date.ts'
import { Refusal } from './refusal.ts'
import { type Subscription, subscriptionStates } from './subscription.ts'

const now = at('2026-02-10T00:00:00Z')
const to = at('2026-03-05T08:00:00Z')

/** In its first period, 2026-01-31T12:00 to 2026-02-28T12:00, on a site in Berlin. */
function moved(change: Partial<Subscription> = {}, { expirationFollows = false, day = to } = {}) {
  const { facts, ids } = having(signedUp({ site: site({ timeZone: 'Europe/Berlin' }) }), change)
  const act = new Act(facts, now, ids)
  const { subscription, period } = moveBillingDate(act, facts.subscription, day, { expirationFollows })
  return { before: facts.subscription, subscription, period, changes: act.changes(subscription) }
}

test('the period ends then, and the periods after it are counted from there', () => {
  const { before, subscription, period, changes } = moved()
  assert.deepEqual(subscription, {
    ...before,
    currentPeriodEndsAt: to,
    nextAssessmentAt: to,
    anchorAt: to,
    anchorTimeZone: 'Europe/Berlin',
    anchorPeriodNumber: before.periodNumber + 1,
  })
  assert.deepEqual(period, { subscriptionId: 9, number: before.periodNumber, endsAt: to })
  assert.deepEqual(keysOf(changes), ['billing_date_change'])
  assert.match(changes.events![0]!.message, / from 02\/28\/2026 to 03\/05\/2026$/)
})

test('calendar billing ends with it', () => {
  assert.equal(moved({ snapDay: '15' }).subscription.snapDay, null)
})

test('a trial ends then too, and so does whoever leaves at the end of the period', () => {
  const ends = at('2026-02-28T12:00:00Z')
  const past = at('2026-02-01T00:00:00Z')
  const ended = (change: Partial<Subscription>) => {
    const { trialEndedAt, delayedCancelAt } = moved(change).subscription
    return [trialEndedAt, delayedCancelAt].map((day) => day && String(day))
  }
  assert.deepEqual(ended({ trialEndedAt: ends }), [String(to), null])
  assert.deepEqual(ended({ trialEndedAt: past }), [String(past), null])
  assert.deepEqual(ended({ cancelAtEndOfPeriod: true, delayedCancelAt: ends }), [null, String(to)])
  assert.deepEqual(ended({ cancelAtEndOfPeriod: false, delayedCancelAt: past }), [null, String(past)])
})

test('a retry that comes before the new date stays', () => {
  const retryAt = at('2026-02-12T00:00:00Z')
  const { subscription } = moved({ state: 'past_due', retryAt, nextAssessmentAt: retryAt })
  assert.deepEqual([subscription.retryAt, subscription.nextAssessmentAt], [retryAt, retryAt])
})

test('the expiration moves by the same time, when it is to follow and there is one', () => {
  const expiresAt = at('2026-12-31T12:00:00Z')
  const followed = moved({ expiresAt }, { expirationFollows: true })
  assert.equal(String(followed.subscription.expiresAt), '2027-01-05T08:00:00Z')
  assert.deepEqual(keysOf(followed.changes), ['billing_date_change', 'expiration_date_change'])
  assert.equal(moved({ expiresAt }).subscription.expiresAt, expiresAt)
  const without = moved({ expiresAt: null }, { expirationFollows: true })
  assert.equal(without.subscription.expiresAt, null)
  assert.deepEqual(keysOf(without.changes), ['billing_date_change'])
})

test('refused: a moment that has passed or is now, and what is never billed again', () => {
  assert.throws(() => moved({}, { day: now }), /must be in the future/)
  assert.throws(() => moved({}, { day: now.subtract({ seconds: 1 }) }), Refusal)
  assert.ok(moved({}, { day: now.add({ seconds: 1 }) }))
  const refused = subscriptionStates.filter((state) => {
    try {
      moved({ state })
      return false
    } catch (refusal) {
      assert.ok(refusal instanceof Refusal)
      return true
    }
  })
  assert.deepEqual(refused, ['canceled', 'expired', 'trial_ended', 'on_hold', 'awaiting_signup'])
})

test('an expiration that is set or taken away is told, and the next assessment stays where it is', () => {
  const { facts, ids } = having(signedUp(), { expiresAt: at('2026-12-31T12:00:00Z') })
  const act = new Act(facts, now, ids)
  const never = moveExpiration(act, facts.subscription, null)
  assert.deepEqual(never, { ...facts.subscription, expiresAt: null })
  assert.match(act.events[0]!.message, /^Expiration date changed .* from 12\/31\/2026 to never$/)
})
