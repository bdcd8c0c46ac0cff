/** A payment from elsewhere: on the ledger, in the revenue, on the invoice that it names, and what it revives. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, having, keysOf, signedUp } from '../../test/support/story-facts.ts'
import type { InvoicingFacts } from './invoice.ts'
import { cents } from './money.ts'
import { decideExternalPayment } from './payment.ts'
import { type Subscription, subscriptionStates } from './subscription.ts'

const now = at('2026-02-10T00:00:00Z')

function paid(amount: number, change: Partial<Subscription>, invoicing?: InvoicingFacts, invoiceId?: number) {
  const { facts, ids } = having(signedUp(), { totalRevenue: cents(100), ...change })
  const all = { ...facts, unsettledStatements: [{ id: 11, owed: cents(1_000_000) }], ...(invoicing && { invoicing }) }
  const payment = { amount: cents(amount), memo: 'Check 7', ...(invoiceId !== undefined && { invoiceId }) }
  const changes = decideExternalPayment(all, payment, now, ids)
  const { state, balance, totalRevenue } = changes.subscription!
  return { changes, told: [state, balance, totalRevenue, changes.statements!.length] }
}

test('it is on the ledger by hand, under its memo, and its event names it', () => {
  const { changes } = paid(4000, { balance: cents(5000) })
  const [row] = changes.transactions!
  assert.deepEqual(
    [row?.type, row?.kind, row?.amount, row?.memo, row?.endingBalance, row?.createdAt],
    ['payment', 'manual', 4000, 'Check 7', 1000, now],
  )
  assert.deepEqual(keysOf(changes), ['payment_success'])
  assert.equal(changes.events![0]!.eventSpecificData?.account_transaction_id, row?.id)
})

test('older statements are settled once nothing is owed, to the cent; what is too much stays as credit', () => {
  const owing = { balance: cents(5000) }
  assert.deepEqual(paid(4999, owing).told, ['active', 1, 5099, 0])
  assert.deepEqual(paid(5000, owing).told, ['active', 0, 5100, 1])
  assert.deepEqual(paid(5001, owing).told, ['active', -1, 5101, 1])
})

test('it is taken in every state, and paid in full it revives those whose payment failed', () => {
  const after = (amount: number) =>
    subscriptionStates.map((state) => paid(amount, { state, balance: cents(5000) }).told[0])
  assert.deepEqual(after(4999), subscriptionStates)
  const revived = ['past_due', 'soft_failure', 'unpaid']
  assert.deepEqual(
    after(5000),
    subscriptionStates.map((state) => (revived.includes(state) ? 'active' : state)),
  )
})

test('one that names an invoice pays that one, another the oldest first', () => {
  const owed = (id: number, due: number) => ({ id, state: 'unpaid' as const, total: cents(due), due: cents(due) })
  const invoicing = { due: [owed(1, 300), owed(2, 500)], waiting: [] }
  const byInvoice = { paymentCollectionMethod: 'invoice', balance: cents(800) } as const
  const paidOn = (invoiceId?: number) =>
    paid(400, byInvoice, invoicing, invoiceId).changes.invoices!.map(({ id, due }) => [id, due])
  assert.deepEqual(paidOn(2), [[2, 100]])
  assert.deepEqual(paidOn(), [
    [1, 0],
    [2, 400],
  ])
})
