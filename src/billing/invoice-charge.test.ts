/** A charge that is added to an invoice: with its tax on that invoice, and on no new one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tax } from '../../test/support/component-facts.ts'
import { at, having, signedUp } from '../../test/support/story-facts.ts'
import { formatInvoiceNumber } from './invoice.ts'
import { decideInvoiceCharge } from './invoice-charge.ts'
import { cents } from './money.ts'
import { Refusal } from './refusal.ts'
import type { SubscriptionState } from './subscription.ts'

const now = at('2026-02-10T00:00:00Z')

function charged(taxable: boolean, state: SubscriptionState = 'active') {
  const { facts, ids } = having(signedUp(), { paymentCollectionMethod: 'invoice', balance: cents(5000), state })
  const due = [{ id: 4, state: 'unpaid' as const, total: cents(5000), due: cents(5000) }]
  const all = { ...facts, pricing: { ...facts.pricing, taxes: [tax] }, invoicing: { due, waiting: [] } }
  return decideInvoiceCharge(all, 4, { amount: cents(1000), memo: 'Setup', taxable }, now, ids)
}

test('it raises what is due on that invoice by itself and its tax, and makes no new one', () => {
  const { newInvoice, invoices, subscription, transactions } = charged(true)
  assert.equal(newInvoice, undefined)
  assert.deepEqual(
    invoices!.map(({ id, total, due, state, chargeIds }) => [id, total, due, state, chargeIds.length]),
    [[4, 6063, 6063, 'unpaid', 2]],
  )
  assert.deepEqual([subscription!.balance, subscription!.openStatementTotal], [6063, 1063])
  assert.deepEqual(transactions!.map(({ kind, amount, memo }) => [kind, amount, memo]).slice(0, 1), [
    ['one_time', 1000, 'Setup'],
  ])
  assert.deepEqual(
    charged(false).invoices!.map(({ due }) => due),
    [6000],
  )
})

test('what is never billed again takes no charge', () => {
  for (const state of ['canceled', 'expired', 'on_hold'] as const) assert.throws(() => charged(false, state), Refusal)
})

test('the number of an invoice is written with six digits, more when it needs them', () => {
  assert.deepEqual([16, 999_999, 1_000_000].map(formatInvoiceNumber), ['000016', '999999', '1000000'])
})
