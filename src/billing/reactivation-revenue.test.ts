/** What a payment for a reactivation does to the books: revenue, events and older statements. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approved, at, declined, having, type Lived, signedUp } from '../../test/support/story-facts.ts'
import { cents } from './money.ts'
import { noCard } from './payment-attempt.ts'
import { decideReactivation, recordPayment } from './reactivation.ts'

const now = at('2026-07-02T00:00:00Z')

/** Two statements wait for money. */
const waiting = (balance: number, state: 'canceled' | 'active' = 'canceled'): Lived => {
  const { facts, ids } = having(signedUp({ now: '2026-06-01T00:00:00Z' }), {
    ...{ state, balance: cents(balance), totalRevenue: cents(100), collectingAttemptId: 301 },
  })
  return {
    facts: {
      ...facts,
      unsettledStatements: [
        { id: 11, owed: cents(1_000_000) },
        { id: 12, owed: cents(1_000_000) },
      ],
    },
    ids,
  }
}

const recorded = ({ facts, ids }: Lived, outcome: typeof approved | typeof declined) => {
  const attempt = {
    ...{ siteId: 1, id: 301, subscriptionId: 9, reason: 'reactivation' as const, periodNumber: 1 },
    ...{ idempotencyKey: 'k', amount: cents(5000), gateway: 'bogus', vaultToken: '1', intent: null, createdAt: now },
    ...noCard,
  }
  const { subscription, statements, events } = recordPayment(facts, attempt, outcome, now, ids)
  const { balance, totalRevenue, collectingAttemptId } = subscription!
  return [balance, totalRevenue, collectingAttemptId, statements!.length, events![0]!.key]
}

test('a payment that comes too late stays: it counts as revenue, and settles older statements once nothing is owed', () => {
  assert.deepEqual(recorded(waiting(5000), approved), [0, 5100, null, 2, 'payment_success'])
  assert.deepEqual(recorded(waiting(5001), approved), [1, 5100, null, 0, 'payment_success'])
  assert.deepEqual(recorded(waiting(4999), approved), [-1, 5100, null, 2, 'payment_success'])
})

test('a payment that failed changes neither balance nor revenue nor statements', () => {
  assert.deepEqual(recorded(waiting(5000), declined), [5000, 100, null, 0, 'payment_failure'])
  assert.deepEqual(recorded(waiting(0), declined), [0, 100, null, 0, 'payment_failure'])
})

test('who comes back on credit pays nothing, and revenue stays as it is', () => {
  const { facts, ids } = having(waiting(-6000), { collectingAttemptId: null })
  const wish = { includeTrial: false, preserveBalance: true, resume: false, requireResume: false }
  const changes = decideReactivation(facts, { ...wish, forgiveBalance: false, coupon: null }, now, ids)
  assert.equal(changes.attempt, undefined)
  const { state, totalRevenue, balance } = changes.subscription!
  assert.deepEqual([state, totalRevenue, balance], ['active', 100, -1000])
  assert.deepEqual(
    changes.statements!.filter(({ id }) => id < 100).map(({ id, settledAt }) => [id, settledAt]),
    [
      [11, now],
      [12, now],
    ],
  )
})
