/** How the balance is corrected by hand, and when that brings a subscription back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { at, having, keysOf, type Lived, signedUp } from '../../test/support/story-facts.ts'
import { type Adjustment, decideAdjustment } from './adjustment.ts'
import type { Changes } from './changes.ts'
import { cents } from './money.ts'
import { decideExternalPayment } from './payment.ts'
import { Refusal } from './refusal.ts'
import { type SubscriptionState, subscriptionStates } from './subscription.ts'

const now = at('2026-02-10T08:00:00Z')

const inState = (state: SubscriptionState, balance: number, unsettledStatementIds: number[] = []): Lived => {
  const lived = having(signedUp(), {
    state,
    balance: cents(balance),
    dunningAttempts: 1,
    dunningSince: now,
    retryAt: now,
  })
  const unsettledStatements = unsettledStatementIds.map((id) => ({ id, owed: cents(1_000_000) }))
  return { ...lived, facts: { ...lived.facts, unsettledStatements } }
}

const adjust = (lived: Lived, amount: number, change: Partial<Adjustment> = {}): Changes =>
  decideAdjustment(lived.facts, { amount: cents(amount), memo: 'Sorry', isTarget: false, ...change }, now, lived.ids)

const pay = (lived: Lived, amount: number): Changes =>
  decideExternalPayment(lived.facts, { amount: cents(amount), memo: 'Cheque' }, now, lived.ids)

const moved = ({ transactions = [] }: Changes) =>
  transactions.map((row) => [row.type, row.kind, row.amount, row.startingBalance, row.endingBalance])

describe('an adjustment', () => {
  test('recorded ledger of 14823581: -1000 leads from 177 to -823', () => {
    assert.deepEqual(moved(adjust(inState('active', 177), -1000)), [['adjustment', null, -1000, 177, -823]])
  })

  test('to a target writes the difference', () => {
    assert.deepEqual(moved(adjust(inState('active', 177), 500, { isTarget: true })), [
      ['adjustment', null, 323, 177, 500],
    ])
    assert.deepEqual(moved(adjust(inState('active', 177), -500, { isTarget: true })), [
      ['adjustment', null, -677, 177, -500],
    ])
  })

  test('counts in the open statement', () => {
    assert.equal(adjust(inState('active', 0), 250).subscription?.openStatementTotal, 250)
  })

  for (const state of ['past_due', 'soft_failure'] as const) {
    test(`that leaves nothing owed makes ${state} active at once, and settles what waited for money`, () => {
      const changes = adjust(inState(state, 5000, [41, 42]), -5000)
      const { subscription } = changes
      assert.deepEqual([subscription?.state, subscription?.dunningAttempts, subscription?.retryAt], ['active', 0, null])
      assert.equal(subscription?.dunningSince, null)
      assert.ok(subscription?.nextAssessmentAt.equals(subscription.currentPeriodEndsAt))
      assert.deepEqual(keysOf(changes), ['subscription_state_change', 'statement_settled', 'statement_settled'])
      assert.deepEqual(
        changes.statements?.map(({ id, settledAt }) => [id, settledAt?.equals(now)]),
        [
          [41, true],
          [42, true],
        ],
      )
    })

    test(`that leaves a cent owed leaves ${state} as it is`, () => {
      const changes = adjust(inState(state, 5000, [41]), -4999)
      assert.deepEqual([changes.subscription?.state, keysOf(changes), changes.statements], [state, [], []])
    })
  }

  test('that leaves nothing owed settles what waited for money of an unpaid subscription, which stays unpaid', () => {
    const changes = adjust(inState('unpaid', 5000, [41]), -6000)
    assert.deepEqual([changes.subscription?.state, keysOf(changes)], ['unpaid', ['statement_settled']])
  })

  test('helps at once also while a payment is under way, which goes on', () => {
    const changes = adjust(having(inState('past_due', 5000), { collectingAttemptId: 300 }), -5000)
    assert.deepEqual([changes.subscription?.state, keysOf(changes)], ['active', ['subscription_state_change']])
    assert.equal(changes.subscription?.collectingAttemptId, 300)
  })

  test('to a target waits for a payment that is under way, which would lead away from it', () => {
    const asked = having(inState('past_due', 5000), { collectingAttemptId: 300 })
    assert.throws(() => adjust(asked, 2000, { isTarget: true }), /A payment for this subscription is being processed/)
  })

  test('is refused in the end states and before the beginning, in words', () => {
    const adjusts = (state: SubscriptionState): boolean => {
      try {
        adjust(inState(state, 0), 1)
        return true
      } catch (error) {
        assert.ok(error instanceof Refusal)
        assert.deepEqual(error.messages, ['This subscription is not eligible to accept adjustments.'])
        return false
      }
    }
    assert.deepEqual(
      subscriptionStates.filter((state) => !adjusts(state)),
      ['canceled', 'expired', 'trial_ended', 'awaiting_signup'],
    )
  })
})

describe('a payment from elsewhere', () => {
  const recorded: [subscription: string, amount: number, from: number, to: number][] = [
    ['14823387', 10_000, 2177, -7823],
    ['15054201', 1000, -13_989, -14_989],
    ['14823581', 1000, 2177, 1177],
    ['14900541', 1000, 3750, 2750],
  ]
  for (const [subscription, amount, from, to] of recorded) {
    test(`recorded ledger of ${subscription}: manual ${amount} leads from ${from} to ${to}`, () => {
      const changes = pay(inState('active', from), amount)
      assert.deepEqual(moved(changes), [['payment', 'manual', amount, from, to]])
      assert.equal(changes.transactions?.[0]?.gatewayUsed, null)
      assert.deepEqual(keysOf(changes), ['payment_success'])
      assert.equal(changes.subscription?.totalRevenue, 5000 + amount)
      assert.equal(changes.subscription?.openStatementTotal, 0)
    })
  }

  for (const state of ['past_due', 'soft_failure', 'unpaid'] as const) {
    test(`of all that is owed makes ${state} active, told before the payment and the statement`, () => {
      const changes = pay(inState(state, 5000, [41]), 5000)
      assert.equal(changes.subscription?.state, 'active')
      assert.deepEqual(keysOf(changes), ['subscription_state_change', 'payment_success', 'statement_settled'])
    })

    test(`of a part leaves ${state} as it is`, () => {
      const changes = pay(inState(state, 5000, [41]), 4999)
      assert.deepEqual([changes.subscription?.state, keysOf(changes)], [state, ['payment_success']])
    })
  }

  test('is taken in every state, and changes none but those of failed payments', () => {
    const states = subscriptionStates.map((state) => pay(inState(state, 5000), 5000).subscription?.state)
    const expected = subscriptionStates.map((state) =>
      ['past_due', 'soft_failure', 'unpaid'].includes(state) ? 'active' : state,
    )
    assert.deepEqual(states, expected)
  })
})
