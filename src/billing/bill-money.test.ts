/** What of payments and credits settles a bill: the oldest debt first, no more than there is, and nothing twice. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BillRecord } from './bill-lines.ts'
import { type AppliedRecord, applyToInvoice, applyToStatement } from './bill-money.ts'
import type { Transaction } from './ledger.ts'
import { cents } from './money.ts'

let nextId = 0
const row = (type: Transaction['type'], amount: number, change: Partial<Transaction> = {}): Transaction =>
  ({
    id: ++nextId,
    type,
    kind: null,
    success: true,
    amount: cents(amount),
    discountAmount: cents(0),
    memo: '',
    ...change,
  }) as Transaction
const record = (transaction: Transaction, paymentId: number | null = null): BillRecord => ({
  transaction,
  paymentId,
  taxations: [],
})
const parts = (applied: readonly AppliedRecord[]) => applied.map((one) => one.applied)
const unsettled = (startingBalance: number) => ({ startingBalance: cents(startingBalance), settledAt: null })
const settledAt = Temporal.Instant.from('2027-01-15T12:00:00Z')

describe('an invoice', () => {
  test('lists what was too much for it, and takes no more than there was to pay', () => {
    const entries = [row('adjustment', -1000), row('payment', 9000)].map((transaction) => ({
      transaction,
      amount: cents(Math.abs(transaction.amount)),
    }))
    const { credits, payments, due } = applyToInvoice(cents(5000), { credit: cents(500), due: cents(0) }, entries)
    assert.deepEqual([parts(credits), parts(payments), due], [[1000], [3500], 0])
  })

  test('that is paid in part has the rest due', () => {
    const payment = row('payment', 2000)
    const invoice = { credit: cents(0), due: cents(3000) }
    const { payments, due } = applyToInvoice(cents(5000), invoice, [{ transaction: payment, amount: cents(2000) }])
    assert.deepEqual([parts(payments), due], [[2000], 3000])
  })
})

describe('a statement', () => {
  const charge = record(row('charge', 5000))

  test('owes the newest part of what the subscriber owes', () => {
    const money = { rows: [charge], laterPayments: [], owed: cents(7000) }
    assert.equal(applyToStatement(cents(5000), unsettled(2000), money, [charge]).due, 5000)
    assert.equal(applyToStatement(cents(5000), unsettled(2000), { ...money, owed: cents(1200) }, [charge]).due, 1200)
    assert.equal(applyToStatement(cents(5000), unsettled(2000), { ...money, owed: cents(-10) }, [charge]).due, 0)
  })

  test('owes nothing of what a payment covered', () => {
    const covered = record(row('charge', 1000), 99)
    const money = { rows: [covered, charge], laterPayments: [], owed: cents(9000) }
    assert.equal(applyToStatement(cents(6000), unsettled(0), money, [covered, charge]).due, 5000)
  })

  test('that is settled owes nothing, whatever the balance is now', () => {
    const money = { rows: [charge], laterPayments: [], owed: cents(5000) }
    assert.equal(applyToStatement(cents(5000), { startingBalance: cents(0), settledAt }, money, [charge]).due, 0)
  })

  test('is paid by what older debts and the credit on the balance leave of a payment', () => {
    const payment = record(row('payment', 6000))
    const failed = record(row('payment', 5000, { success: false }))
    const money = { rows: [charge, failed, payment], laterPayments: [], owed: cents(1000) }
    const owing = applyToStatement(cents(5000), unsettled(2000), money, [charge])
    assert.deepEqual([parts(owing.payments), owing.due], [[4000], 1000])
    const credited = applyToStatement(cents(5000), { startingBalance: cents(-1500), settledAt }, money, [charge])
    assert.deepEqual([parts(credited.payments), credited.due], [[3500], 0])
  })

  test('a payment for a charge of its own act pays no older debt', () => {
    const own = record(row('payment', 5000, { kind: 'one_time' }))
    const money = { rows: [charge, own], laterPayments: [], owed: cents(2000) }
    const paid = applyToStatement(cents(5000), unsettled(2000), money, [record(charge.transaction, own.transaction.id)])
    assert.deepEqual([parts(paid.payments), paid.due], [[5000], 0])
  })

  test('later payments settle what its own rows left', () => {
    const later = record(row('payment', 9000))
    const money = { rows: [charge, record(row('credit', -500))], laterPayments: [later], owed: cents(0) }
    const paid = applyToStatement(cents(5000), { startingBalance: cents(0), settledAt }, money, [charge])
    assert.deepEqual([parts(paid.credits), parts(paid.payments)], [[500], [4500]])
  })

  test('a discount is no credit', () => {
    const coupon = record(row('adjustment', -500, { kind: 'coupon' }))
    const money = { rows: [charge, coupon], laterPayments: [record(row('payment', 4500))], owed: cents(0) }
    const paid = applyToStatement(cents(4500), { startingBalance: cents(0), settledAt }, money, [charge])
    assert.deepEqual([parts(paid.credits), parts(paid.payments)], [[], [4500]])
  })
})
