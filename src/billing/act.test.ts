/** How one act gathers what it writes: statements that turn, older ones that settle, and states that are passed through. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { at, having, keysOf, signedUp } from '../../test/support/story-facts.ts'
import { Act } from './act.ts'
import type { Transaction } from './ledger.ts'
import { cents } from './money.ts'

const now = at('2026-02-10T00:00:00Z')

const actOf = (balance: number, unsettled: number[] = [], openTotal = 0) => {
  const { facts, ids } = having(signedUp(), { balance: cents(balance), openStatementTotal: cents(openTotal) })
  const known = { ...facts, unsettledStatements: unsettled.map((id) => ({ id, owed: cents(100 * id) })) }
  return { act: new Act(known, now, ids), subscription: facts.subscription }
}

describe('turning the statement', () => {
  test('closes the open one with all that it lists, and opens the next at the same balance', () => {
    const { act, subscription } = actOf(-300, [], 700)
    act.ledger.write({ type: 'charge', amount: cents(500), memo: '' })
    act.ledger.write({ type: 'adjustment', amount: cents(-50), memo: '' })
    act.ledger.write({ type: 'payment', amount: cents(150), memo: '' })
    const turned = act.turnStatement(subscription)
    const { statements, newStatements } = act.changes(turned)
    assert.deepEqual(
      statements?.map((one) => [one.id, one.total, one.endingBalance, String(one.settledAt)]),
      [[subscription.openStatementId, 1150, 0, String(now)]],
    )
    assert.deepEqual(
      newStatements?.map((one) => [one.id, one.startingBalance]),
      [[turned.openStatementId, 0]],
    )
    assert.equal(turned.openStatementTotal, 0)
  })

  test('tells exactly one of closed and settled', () => {
    for (const balance of [-1, 0, 1]) {
      const settled = balance <= 0
      const { act, subscription } = actOf(balance)
      const changes = act.changes(act.turnStatement(subscription))
      assert.deepEqual(keysOf(changes), [settled ? 'statement_settled' : 'statement_closed'])
      assert.equal(changes.statements?.[0]?.settledAt === null, !settled)
    }
  })
})

test('older statements settle oldest first, each with its event, and nothing else of them changes', () => {
  const { act, subscription } = actOf(0, [21, 22])
  act.settleOlderStatements()
  const { statements, events } = act.changes(subscription)
  assert.deepEqual(
    statements?.map(({ id, total, closedAt, endingBalance, settledAt }) => [
      id,
      total,
      closedAt,
      endingBalance,
      String(settledAt),
    ]),
    [21, 22].map((id) => [id, null, null, null, String(now)]),
  )
  assert.deepEqual(
    events?.map(({ message }) => /^Statement \d+/.exec(message)?.[0]),
    ['Statement 21', 'Statement 22'],
  )
})

describe('older statements are paid, the oldest first', () => {
  const settledBy = (...rows: (Pick<Transaction, 'type' | 'amount'> & Partial<Transaction>)[]) => {
    const { act, subscription } = actOf(9000, [21, 22])
    for (const row of rows) act.ledger.write({ memo: '', ...row })
    return (act.changes(subscription).statements ?? []).map(({ id }) => id)
  }

  test('by money that comes to what each left unpaid, whatever was charged since', () => {
    const payment = (amount: number, more: Partial<Transaction> = {}) =>
      ({ type: 'payment', amount: cents(amount), ...more }) as const
    assert.deepEqual(settledBy(payment(2099)), [])
    assert.deepEqual(settledBy(payment(2100)), [21])
    assert.deepEqual(settledBy(payment(2200)), [21, 22])
    assert.deepEqual(settledBy(payment(1000), { type: 'charge', amount: cents(5000) }, payment(1100)), [21])
    assert.deepEqual(settledBy(payment(2200, { success: false })), [])
    for (const kind of ['one_time', 'component_proration'] as const)
      assert.deepEqual(settledBy(payment(2200, { kind })), [])
    assert.deepEqual(settledBy({ type: 'refund', amount: cents(9000) }), [])
  })

  test('by credits that take nothing off a new charge', () => {
    const off = (amount: number, kind: Transaction['kind'] = null) =>
      ({ type: 'adjustment', amount: cents(amount), kind }) as const
    assert.deepEqual(settledBy(off(-2100)), [21])
    assert.deepEqual(settledBy(off(2100)), [])
    assert.deepEqual(settledBy(off(-2100, 'coupon')), [])
    assert.deepEqual(settledBy(off(-2100, 'prorated')), [])
    const returned = { type: 'credit', amount: cents(-2150) } as const
    assert.deepEqual(settledBy(returned), [21])
    assert.deepEqual(settledBy(returned, off(51, 'coupon')), [])
  })

  test('and all of them where nothing is owed any more, each told once', () => {
    const { act, subscription } = actOf(100, [21, 22])
    act.ledger.write({ type: 'payment', amount: cents(100), memo: '' })
    act.settleOlderStatements()
    assert.deepEqual(keysOf(act.changes(subscription)), ['statement_settled', 'statement_settled'])
  })
})

test('each state that is passed through is told, from the present one on', () => {
  const { act, subscription } = actOf(0)
  act.tellStates(['past_due', 'unpaid'])
  assert.deepEqual(
    act.changes(subscription).events?.map(({ eventSpecificData: data }) => data),
    [
      { previous_subscription_state: 'active', new_subscription_state: 'past_due' },
      { previous_subscription_state: 'past_due', new_subscription_state: 'unpaid' },
    ],
  )
})

test('statements that end without a word are settled only when nothing is owed', () => {
  for (const balance of [-5, 0, 5]) {
    const { act, subscription } = actOf(balance)
    const ended = act.endStatements(subscription)
    const { statements, events, newStatements } = act.changes(ended)
    assert.equal(statements?.[0]?.settledAt !== null, balance <= 0)
    assert.deepEqual([events, newStatements, ended.openStatementId], [[], [], null])
    assert.equal(act.endStatements(ended), ended)
  }
})

test('the subscription carries the balance, the covered rows and the moment of the act', () => {
  const { act, subscription } = actOf(100)
  const row = act.ledger.write({ type: 'payment', amount: cents(100), memo: '' })
  const { subscription: after } = act.changes(subscription)
  assert.deepEqual([after?.balance, after?.coveredThroughId, String(after?.updatedAt)], [0, row.id, String(now)])
})
