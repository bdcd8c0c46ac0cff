/** What may be done by hand about money that is missing. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approved, at, declined, having, keysOf, signedUp, written } from '../../test/support/story-facts.ts'
import { cents } from './money.ts'
import { decideBalanceReset, decideEndOfDunning, decideRetry } from './retry.ts'
import { settlements } from './settlement.ts'
import { may, type Subscription, subscriptionStates } from './subscription.ts'

const now = at('2026-02-10T08:00:00Z')
const retryAt = at('2026-02-11T00:00:00Z')
const owing = (change: Partial<Subscription> = {}) =>
  having(signedUp(), {
    state: 'past_due',
    balance: cents(5000),
    retryAt,
    dunningAttempts: 2,
    dunningSince: at('2026-02-09T00:00:00Z'),
    nextAssessmentAt: retryAt,
    ...change,
  })

const retried = (change: Partial<Subscription>, outcome: typeof approved | typeof declined) => {
  const lived = owing(change)
  const changes = decideRetry(lived.facts, now, lived.ids)
  const { facts } = written(lived, changes)
  return {
    before: lived.facts.subscription,
    settled: settlements.retry(facts, changes.attempt!, outcome, now, lived.ids),
  }
}

describe('a retry', () => {
  test('asks for the whole balance in the states that owe, leaves the living alone, and tells the rest why not', () => {
    for (const state of subscriptionStates) {
      const { facts, ids } = owing({ state })
      if (state === 'active' || state === 'trialing') assert.deepEqual(decideRetry(facts, now, ids), {})
      else if (may('retry', state)) assert.equal(decideRetry(facts, now, ids).attempt?.amount, 5000)
      else {
        const words = `Only subscriptions that are past due or unpaid can be retried, and this one is ${state}.`
        assert.throws(() => decideRetry(facts, now, ids), { name: 'Refusal', messages: [words] }, state)
      }
    }
  })

  test('that is declined is none of the attempts, and leaves the schedule alone', () => {
    for (const state of ['past_due', 'soft_failure', 'unpaid'] as const) {
      const { before, settled } = retried({ state }, declined)
      const { dunningAttempts, dunningSince, nextAssessmentAt, balance, state: after } = settled.subscription!
      assert.deepEqual([after, dunningAttempts, balance], [state, 2, 5000])
      assert.deepEqual(dunningSince, before.dunningSince)
      assert.ok(nextAssessmentAt.equals(before.nextAssessmentAt))
      assert.deepEqual(keysOf(settled), ['payment_failure'])
    }
  })

  test('that is paid ends the dunning', () => {
    for (const state of ['past_due', 'soft_failure', 'unpaid'] as const) {
      const { settled } = retried({ state }, approved)
      const { dunningAttempts, dunningSince, retryAt: none, ...rest } = settled.subscription!
      assert.deepEqual([rest.state, rest.balance, rest.collectingAttemptId], ['active', 0, null])
      assert.deepEqual([dunningAttempts, dunningSince, none], [0, null, null])
      assert.deepEqual(keysOf(settled), ['subscription_state_change', 'payment_success'])
    }
  })

  test('of an unpaid subscription that owes nothing makes it active; without a card it is refused', () => {
    const { facts, ids } = owing({ state: 'unpaid', balance: cents(0), retryAt: null })
    const changes = decideRetry(facts, now, ids)
    assert.deepEqual([changes.subscription?.state, keysOf(changes)], ['active', ['subscription_state_change']])
    const bare = owing()
    assert.throws(() => decideRetry({ ...bare.facts, card: null }, now, bare.ids), /No credit card is on file/)
  })
})

describe('the end of dunning', () => {
  test('is for what is past due, and what is owed stays', () => {
    for (const state of subscriptionStates) {
      const { facts, ids } = owing({ state })
      if (state === 'past_due') {
        const { state: after, balance, nextAssessmentAt } = decideEndOfDunning(facts, now, ids).subscription!
        assert.deepEqual([after, balance, nextAssessmentAt], ['active', 5000, facts.subscription.currentPeriodEndsAt])
      } else
        assert.throws(() => decideEndOfDunning(facts, now, ids), /not eligible to have its dunning canceled/, state)
    }
    const { facts, ids } = owing({ collectingAttemptId: 4 })
    assert.throws(() => decideEndOfDunning(facts, now, ids), /is being processed/)
  })
})

describe('a reset of the balance', () => {
  test('credits what is owed; what was past due or in trouble is active again, what was given up is not', () => {
    const outcomes = {
      past_due: 'active',
      soft_failure: 'active',
      unpaid: 'unpaid',
      canceled: 'canceled',
      active: 'active',
    } as const
    for (const [state, expected] of Object.entries(outcomes)) {
      const { facts, ids } = owing({ state: state as keyof typeof outcomes })
      const changes = decideBalanceReset(
        { ...facts, unsettledStatements: [{ id: 77, owed: cents(1_000_000) }] },
        now,
        ids,
      )
      assert.deepEqual([changes.subscription?.state, changes.subscription?.balance], [expected, 0], state)
      assert.deepEqual(
        changes.transactions?.map(({ type, amount }) => [type, amount]),
        [['adjustment', -5000]],
      )
      assert.deepEqual(keysOf(changes), [
        ...(state === expected ? [] : ['subscription_state_change']),
        'statement_settled',
      ])
    }
  })

  test('does nothing about a credit, and waits for a payment that is under way', () => {
    for (const balance of [cents(0), cents(-1)]) {
      const { facts, ids } = owing({ balance, collectingAttemptId: 4 })
      assert.deepEqual(decideBalanceReset(facts, now, ids), {})
    }
    const { facts, ids } = owing({ collectingAttemptId: 4 })
    assert.throws(() => decideBalanceReset(facts, now, ids), /is being processed/)
  })
})

test('a single cent is owed too: it is asked for and reset; nothing owed asks and resets nothing', () => {
  const { facts, ids } = owing({ balance: cents(1) })
  assert.equal(decideRetry(facts, now, ids).attempt?.amount, 1)
  const reset = decideBalanceReset(facts, now, ids)
  assert.deepEqual([reset.subscription?.balance, reset.transactions?.[0]?.amount], [0, -1])
  const even = owing({ balance: cents(0) })
  assert.equal(decideRetry(even.facts, now, even.ids).attempt, undefined)
  assert.deepEqual(decideBalanceReset(even.facts, now, even.ids), {})
})
