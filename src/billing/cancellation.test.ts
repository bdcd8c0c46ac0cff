/** What an immediate cancellation changes, and what it leaves alone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { at, having, keysOf, signedUp } from '../../test/support/story-facts.ts'
import { type CancellationNotes, decideCancellation, decideDelayedCancellation } from './cancellation.ts'
import { cents } from './money.ts'
import { type Subscription, subscriptionStates } from './subscription.ts'

const now = at('2026-02-10T08:00:00Z')
const later = at('2026-02-11T08:00:00Z')

const why: CancellationNotes = { message: 'Too dear', reasonCode: 'CH1' }

const cancel = (change: Partial<Subscription>, notes = why, moment = now) => {
  const { facts, ids } = having(signedUp(), change)
  const changes = decideCancellation(facts, notes, moment, ids)
  return { before: facts.subscription, changes, after: changes.subscription! }
}

describe('a cancellation', () => {
  for (const state of subscriptionStates.filter((one) => one !== 'canceled')) {
    test(`of a subscription that is ${state} tells the change of state`, () => {
      const { changes, after } = cancel({ state })
      assert.deepEqual(keysOf(changes), ['subscription_state_change'])
      assert.deepEqual(changes.events?.[0]?.eventSpecificData, {
        previous_subscription_state: state,
        new_subscription_state: 'canceled',
      })
      assert.deepEqual(
        [after.state, String(after.canceledAt), after.cancellationMethod],
        ['canceled', String(now), 'merchant_api'],
      )
      assert.deepEqual([after.cancellationMessage, after.reasonCode], ['Too dear', 'CH1'])
    })
  }

  test('ends the dunning and leaves balance, period, next assessment and statement as they were', () => {
    const retryAt = at('2026-02-12T00:00:00Z')
    const { before, changes, after } = cancel({
      state: 'past_due',
      balance: cents(5000),
      retryAt,
      dunningAttempts: 2,
      dunningSince: at('2026-02-10T00:00:00Z'),
      nextAssessmentAt: retryAt,
    })
    assert.deepEqual([after.retryAt, after.dunningAttempts, after.dunningSince], [null, 0, null])
    assert.deepEqual([changes.transactions, changes.statements, changes.newStatements], [[], [], []])
    const same = (s: Subscription) => [
      s.balance,
      String(s.currentPeriodEndsAt),
      String(s.nextAssessmentAt),
      s.openStatementId,
      s.periodNumber,
    ]
    assert.deepEqual(same(after), same(before))
  })

  test('clears one that was scheduled for the end of the period, and says that none is', () => {
    const scheduled = cancel({ cancelAtEndOfPeriod: true, delayedCancelAt: later }).after
    assert.deepEqual([scheduled.cancelAtEndOfPeriod, scheduled.delayedCancelAt], [false, null])
    assert.equal(cancel({}).after.cancelAtEndOfPeriod, null)
  })

  test('of a canceled subscription keeps the moment, how it came about, and what was scheduled, and notes what is said of it', () => {
    const done = {
      state: 'canceled',
      canceledAt: now,
      cancellationMethod: 'dunning',
      cancelAtEndOfPeriod: true,
      delayedCancelAt: now,
      cancellationMessage: 'old',
    } as const
    for (const message of ['Far too dear', null]) {
      const { changes, after } = cancel(done, { message }, later)
      assert.deepEqual(keysOf(changes), [])
      assert.equal(after.cancellationMessage, message)
      assert.deepEqual(
        [String(after.canceledAt), after.cancellationMethod, after.cancelAtEndOfPeriod, String(after.delayedCancelAt)],
        [String(now), 'dunning', true, String(now)],
      )
    }
  })
})

test('a message and a reason that were given before stay where a cancellation says none', () => {
  const given = { cancellationMessage: 'old', reasonCode: 'OLD' }
  for (const state of ['active', 'canceled'] as const) {
    const noted = (notes: CancellationNotes) => {
      const { after } = cancel({ ...given, state }, notes)
      return [after.cancellationMessage, after.reasonCode]
    }
    assert.deepEqual(noted({}), ['old', 'OLD'])
    assert.deepEqual(noted({ message: 'new' }), ['new', 'OLD'])
    assert.deepEqual(noted({ reasonCode: null }), ['old', null])
  }
})

test('a cancellation at the end of the period that is scheduled already is told no second time', () => {
  const scheduled = (change: Partial<Subscription>) => {
    const { facts, ids } = having(signedUp(), change)
    return decideDelayedCancellation(facts, {}, now, ids)
  }
  const again = scheduled({ cancelAtEndOfPeriod: true, delayedCancelAt: later })
  assert.deepEqual([again.events, String(again.subscription!.delayedCancelAt)], [[], String(later)])
  assert.deepEqual(keysOf(scheduled({ cancelAtEndOfPeriod: false })), ['pending_cancellation_change'])
  assert.throws(() => scheduled({ state: 'canceled', cancelAtEndOfPeriod: true }), /already canceled/)
  assert.throws(() => scheduled({ state: 'expired' }), /cannot be set on a subscription that is expired/)
})

test('what a request says of a scheduled cancellation is kept, and what it leaves out stays', () => {
  const noted = (notes: Parameters<typeof decideDelayedCancellation>[1]) => {
    const { facts, ids } = having(signedUp(), { cancellationMessage: 'Before', reasonCode: 'CH1' })
    const { subscription } = decideDelayedCancellation(facts, notes, now, ids)
    return [subscription!.cancellationMessage, subscription!.reasonCode]
  }
  assert.deepEqual(noted({}), ['Before', 'CH1'])
  assert.deepEqual(noted({ message: 'After' }), ['After', 'CH1'])
  assert.deepEqual(noted({ message: null, reasonCode: 'CH2' }), [null, 'CH2'])
})
