/** What may be given back, and what giving it back does. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { approved, at, declined, having, keysOf, signedUp, wrong } from '../../test/support/story-facts.ts'
import type { Changes, SettledOutcome } from './changes.ts'
import type { Transaction } from './ledger.ts'
import { type Cents, cents } from './money.ts'
import { decideRefund, type Refund, type Refundable } from './refund.ts'
import { Refusal } from './refusal.ts'
import { settlements } from './settlement.ts'
import { subscriptionStates } from './subscription.ts'

const now = at('2026-02-10T08:00:00Z')
const lived = signedUp()
const payment = lived.changes.transactions!.find(({ type }) => type === 'payment')!

/** Paid 5000 at the sign-up; `revenue` says otherwise for the subscription as a whole. */
const refundable = (change: { left?: number; underWay?: number; payment?: Transaction | null } = {}): Refundable => ({
  payment:
    change.payment === null ? null : { transaction: change.payment ?? payment, left: cents(change.left ?? 5000) },
  underWay: cents(change.underWay ?? 0),
})

const refund = (change: Partial<Refund> = {}): Refund => ({
  amount: cents(2000),
  memo: 'Sorry',
  paymentId: payment.id,
  isExternal: false,
  ...change,
})

const worth = (revenue: number) => having(lived, { totalRevenue: cents(revenue) })

const decide = (asked: Refund, known: Refundable = refundable(), revenue = 5000): Changes =>
  decideRefund(worth(revenue).facts, asked, known, now, lived.ids)

function refusalOf(...asked: Parameters<typeof decide>): readonly string[] {
  try {
    decide(...asked)
  } catch (error) {
    if (error instanceof Refusal) return error.messages
    throw error
  }
  return []
}

const settle = (changes: Changes, outcome: SettledOutcome, revenue = 5000): Changes =>
  settlements.refund(
    worth(revenue).facts,
    { ...changes.attempt!, intent: JSON.parse(JSON.stringify(changes.attempt!.intent)) },
    outcome,
    now,
    lived.ids,
  )

describe('a refund by the gateway', () => {
  test('is on record before it is asked for, and nothing waits for it', () => {
    const { attempt, ...others } = decide(refund())
    assert.deepEqual(others, {})
    assert.deepEqual([attempt?.reason, attempt?.amount, attempt?.gateway], ['refund', 2000, 'bogus'])
    assert.deepEqual(attempt?.intent, { paymentId: payment.id, memo: 'Sorry', gatewayTransactionId: '9' })
  })

  test('recorded ledger of 15236915: 10000 leads from 0 to 0, names its payment and the gateway, and no transaction of it', () => {
    const signup = { ...payment, amount: cents(10_000) }
    const asked = decide(refund({ amount: cents(10_000) }), refundable({ payment: signup, left: 10_000 }), 12_000)
    const { transactions: rows = [], events, subscription } = settle(asked, approved, 12_000)
    const [row] = rows
    assert.equal(rows.length, 1)
    assert.deepEqual(
      [row?.type, row?.kind, row?.amount, row?.startingBalance, row?.endingBalance],
      ['refund', null, 10_000, 0, 0],
    )
    assert.deepEqual([row?.refundedPaymentId, row?.gatewayUsed, row?.gatewayTransactionId], [payment.id, 'bogus', null])
    assert.equal(subscription?.totalRevenue, 2000)
    assert.deepEqual(
      events?.map(({ key, message, eventSpecificData }) => [key, message, eventSpecificData]),
      [
        [
          'refund_success',
          "Successful refund of $100.00 for Ada Lovelace's subscription to Pro",
          { refund_id: row?.id, gateway_transaction_id: 9, product_id: 7 },
        ],
      ],
    )
  })

  for (const outcome of [declined, wrong]) {
    test(`that is ${outcome.result} stays on record as failed and moves nothing`, () => {
      const changes = settle(decide(refund()), outcome)
      const [row] = changes.transactions ?? []
      assert.deepEqual([row?.success, row?.memo, row?.refundedPaymentId], [false, outcome.message, payment.id])
      assert.deepEqual(keysOf(changes), ['refund_failure'])
      assert.deepEqual([changes.subscription?.totalRevenue, changes.subscription?.balance], [5000, 0])
    })
  }

  test('is made of what is left of its payment, and not of a cent more', () => {
    const tooMuch = (left: string) => [
      `Amount: must be less than or equal to ${left}, which is what is left to refund.`,
    ]
    assert.deepEqual(refusalOf(refund({ amount: cents(3000) }), refundable({ left: 3000 })), [])
    assert.deepEqual(refusalOf(refund({ amount: cents(3001) }), refundable({ left: 3000 })), tooMuch('$30.00'))
    assert.deepEqual(refusalOf(refund(), refundable(), 1999), tooMuch('$19.99'))
    assert.deepEqual(refusalOf(refund(), refundable({ underWay: 3001 })), tooMuch('$19.99'))
    assert.deepEqual(refusalOf(refund(), refundable({ underWay: 9000 })), tooMuch('$0.00'))
  })

  test('names a payment, one that the gateway took', () => {
    assert.deepEqual(refusalOf(refund({ paymentId: null }), refundable({ payment: null })), [
      'Payment: cannot be blank.',
    ])
    assert.deepEqual(refusalOf(refund({ paymentId: 1 }), refundable({ payment: null })), [
      'Payment: could not be found.',
    ])
    const manual = { ...payment, gatewayUsed: null, gatewayTransactionId: null }
    assert.deepEqual(refusalOf(refund(), refundable({ payment: manual })), [
      'Payment: was not taken by a gateway, so that its refund must be external.',
    ])
  })
})

describe('a refund from elsewhere', () => {
  test('recorded ledger of 15236915: 2000 is manual and names no payment', () => {
    const known = refundable({ payment: null })
    const changes = decide(refund({ isExternal: true, paymentId: null }), known)
    const [row] = changes.transactions ?? []
    assert.deepEqual(
      [row?.type, row?.kind, row?.amount, row?.startingBalance, row?.endingBalance],
      ['refund', 'manual', 2000, 0, 0],
    )
    assert.deepEqual([row?.refundedPaymentId, row?.gatewayUsed], [null, null])
    assert.deepEqual(
      [changes.attempt, changes.subscription?.totalRevenue, keysOf(changes)],
      [undefined, 3000, ['refund_success']],
    )
  })

  test('may name the payment, and then counts to it', () => {
    const changes = decide(refund({ isExternal: true }))
    assert.equal(changes.transactions?.[0]?.refundedPaymentId, payment.id)
    assert.equal(refusalOf(refund({ isExternal: true }), refundable({ left: 1999 })).length, 1)
  })

  test('is never above what was paid in all', () => {
    const known = refundable({ payment: null })
    assert.equal(refusalOf(refund({ isExternal: true, paymentId: null }), known, 1999).length, 1)
  })

  test('is made in every state', () => {
    for (const state of subscriptionStates) {
      const { facts, ids } = having(lived, { state })
      assert.equal(decideRefund(facts, refund({ isExternal: true }), refundable(), now, ids).subscription?.state, state)
    }
  })
})

test('however often refunds are asked for, no more is given back than was paid', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 4000 }), fc.boolean(), fc.constantFrom(approved, declined)), {
        maxLength: 8,
      }),
      (wishes) => {
        let left = 5000
        let revenue = 5000
        for (const [amount, isExternal, outcome] of wishes) {
          const asked = refund({ amount: cents(amount), isExternal })
          if (refusalOf(asked, refundable({ left }), revenue).length > 0) {
            assert.ok(amount > left)
            continue
          }
          const changes = decide(asked, refundable({ left }), revenue)
          const done = changes.attempt === undefined ? changes : settle(changes, outcome, revenue)
          const after: Cents = done.subscription!.totalRevenue
          left -= revenue - after
          revenue = after
        }
        assert.ok(revenue >= 0 && left >= 0)
      },
    ),
  )
})
