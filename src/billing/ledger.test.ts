/** What each kind of row does to the balance, and which charges a payment is said to cover. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { at } from '../../test/support/story-facts.ts'
import { Ledger, transactionTypes } from './ledger.ts'
import { cents } from './money.ts'

const origin = {
  siteId: 1,
  subscriptionId: 2,
  customerId: 3,
  productId: 4,
  statementId: 5,
  periodNumber: 6,
  createdAt: at('2026-01-01T00:00:00Z'),
}

const ledgerAt = (balance: number, coveredThroughId = 0): Ledger => {
  let next = 11
  return new Ledger({ balance: cents(balance), coveredThroughId }, origin, () => next++)
}

describe('the ledger', () => {
  const effects: [type: (typeof transactionTypes)[number], amount: number, success: boolean, ends: number][] = [
    ['charge', 500, true, 1500],
    ['credit', -500, true, 500],
    ['adjustment', -1500, true, -500],
    ['adjustment', 500, true, 1500],
    ['payment', 1000, true, 0],
    ['payment', 1500, true, -500],
    ['payment', 1000, false, 1000],
    ['refund', 300, true, 1000],
    ['refund', 300, false, 1000],
    ['info', 0, true, 1000],
  ]
  for (const [type, amount, success, ends] of effects) {
    test(`a ${success ? '' : 'failed '}${type} of ${amount} leads from 1000 to ${ends}`, () => {
      const ledger = ledgerAt(1000)
      const row = ledger.write({ type, amount: cents(amount), memo: 'm', success })
      assert.deepEqual([row.startingBalance, row.endingBalance, ledger.balance], [1000, ends, ends])
    })
  }

  test('each row starts where the one before it ended, with an id that rises', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            type: fc.constantFrom(...transactionTypes),
            amount: fc.integer({ min: 0, max: 10_000 }).map(cents),
            success: fc.boolean(),
          }),
        ),
        (entries) => {
          const ledger = ledgerAt(250)
          for (const entry of entries) ledger.write({ ...entry, memo: '' })
          for (const [index, row] of ledger.rows.entries()) {
            assert.equal(row.startingBalance, ledger.rows[index - 1]?.endingBalance ?? 250)
            assert.equal(row.id, 11 + index)
          }
          assert.equal(ledger.balance, ledger.rows.at(-1)?.endingBalance ?? 250)
        },
      ),
    )
  })

  test('a row carries whose it is and when it was, unless it says otherwise, and nothing that was not said', () => {
    const row = ledgerAt(0).write({ type: 'charge', amount: cents(1), memo: 'm', periodNumber: 7 })
    const { id, type, amount, memo, success, startingBalance, endingBalance, ...rest } = row
    assert.deepEqual(
      [id, type, amount, memo, success, startingBalance, endingBalance],
      [11, 'charge', 1, 'm', true, 0, 1],
    )
    const { discountAmount, taxableAmount, ...others } = rest
    assert.deepEqual([discountAmount, taxableAmount], [0, 0])
    for (const [field, value] of Object.entries(others)) {
      const expected = field === 'periodNumber' ? 7 : ((origin as Record<string, unknown>)[field] ?? null)
      assert.equal(value, expected, field)
    }
  })
})

describe('a payment', () => {
  const pay = (ledger: Ledger, amount: number, success = true) =>
    ledger.write({ type: 'payment', amount: cents(amount), memo: '', success }).coversAfterId
  const charge = (ledger: Ledger, amount: number) => ledger.write({ type: 'charge', amount: cents(amount), memo: '' })

  test('covers everything since nothing was owed before', () => {
    const ledger = ledgerAt(0, 4)
    charge(ledger, 100)
    charge(ledger, 50)
    assert.equal(pay(ledger, 150), 4)
    charge(ledger, 30)
    assert.equal(pay(ledger, 30), 13)
  })

  test('does not cover a charge of 0, nor one that credit covered', () => {
    const ledger = ledgerAt(0)
    const free = charge(ledger, 0)
    charge(ledger, 100)
    assert.equal(pay(ledger, 100), free.id)
    ledger.write({ type: 'adjustment', amount: cents(-70), memo: '' })
    const credited = charge(ledger, 50)
    charge(ledger, 50)
    assert.equal(pay(ledger, 30), credited.id)
  })

  test('covers nothing when it fails or leaves something owed', () => {
    const ledger = ledgerAt(100)
    assert.equal(pay(ledger, 100, false), null)
    assert.equal(pay(ledger, 40), null)
    assert.equal(pay(ledger, 60), 0)
  })
})
