/** What each row of a decision does to invoices: which charges a new one lists, what lowers it, and what is paid on older ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, signedUp } from '../../test/support/story-facts.ts'
import type { DueInvoice } from './invoice.ts'
import { type InvoiceWish, invoice, isInvoiced, usualWish } from './invoicing.ts'
import { type Entry, Ledger, type Transaction } from './ledger.ts'
import { cents } from './money.ts'
import type { Subscription } from './subscription.ts'

const now = at('2026-03-01T00:00:00Z')

const { subscription: paid } = signedUp().facts
const subscription: Subscription = { ...paid, paymentCollectionMethod: 'invoice', invoicedThroughId: 50 }
const byCard: Subscription = { ...subscription, paymentCollectionMethod: 'automatic' }

type Said = Omit<Partial<Entry>, 'amount'> & { type: Entry['type']; amount: number }

/** Rows 101, 102, and so on, of somebody who owed `balance` before. */
function rowsOf(balance: number, ...entries: Said[]): Transaction[] {
  let id = 101
  const origin = { siteId: 1, subscriptionId: 9, customerId: 3, productId: 7, statementId: 201, periodNumber: 2 }
  const ledger = new Ledger({ balance: cents(balance), coveredThroughId: 0 }, { ...origin, createdAt: now }, () => id++)
  for (const entry of entries) ledger.write({ memo: '', ...entry, amount: cents(entry.amount) })
  return ledger.rows
}

const baseline: Said = { type: 'charge', kind: 'baseline', amount: 5000 }
const pays = (amount: number): Said => ({ type: 'payment', amount })
const takesOff = (amount: number, kind: Said['kind'] = 'coupon'): Said => ({ type: 'credit', kind, amount: -amount })
const corrects = (amount: number): Said => ({ type: 'adjustment', amount })
const owed = (id: number, due: number, state: DueInvoice['state'] = 'unpaid'): DueInvoice => ({
  ...{ id, state, total: cents(due), due: cents(due) },
})

type Case = { wish?: Partial<InvoiceWish>; due?: DueInvoice[]; waiting?: { id: number; amount: number }[] }

const made = (rows: readonly Transaction[], { wish, due = [], waiting = [] }: Case = {}, who = subscription) =>
  invoice(
    who,
    rows,
    { ...usualWish, ...wish },
    { due, waiting: waiting.map(({ id, amount }) => ({ id, amount: cents(amount) })) },
    now,
  )

/** Of each older invoice that changes: its id, what is due then, its state, and each entry. */
const changedOf = (...given: Parameters<typeof made>) =>
  made(...given).changed.map(({ id, due, state, entries }) => [
    ...[id, due, state],
    entries.map(({ transactionId, amount }) => [transactionId, amount]),
  ])

/** Of the new invoice: what it comes to, and each entry. */
const newOf = (...given: Parameters<typeof made>) => {
  const { newInvoice } = made(...given)
  if (newInvoice === null) return null
  const { total, credit, due, state, paidAt, entries } = newInvoice
  assert.equal(paidAt !== null, due === 0)
  return [total, credit, due, state, entries.map(({ transactionId, amount }) => [transactionId, amount])]
}

test('rows concern invoices of who pays by invoice, or once did, or when the act says so', () => {
  const never = { ...byCard, invoicedThroughId: null }
  assert.equal(isInvoiced(never), false)
  assert.equal(isInvoiced({ ...never, paymentCollectionMethod: 'invoice' }), true)
  assert.equal(isInvoiced({ ...never, invoicedThroughId: 0 }), true)
  assert.equal(isInvoiced(never, { method: 'invoice' }), true)
  assert.equal(isInvoiced(never, { method: 'automatic' }), false)
})

test('the invoice of a period lists what waited and what is charged, and takes up the rows after it next time', () => {
  const rows = rowsOf(700, baseline, { type: 'charge', kind: 'tax', amount: 312 }, { type: 'info', amount: 0 })
  const { newInvoice, changed, invoicedThroughId } = made(rows, { waiting: [{ id: 60, amount: 700 }] })
  assert.deepEqual(newInvoice, {
    ...{ siteId: 1, subscriptionId: 9, customerId: 3, statementId: 201, state: 'unpaid' },
    ...{ total: 6012, credit: 0, due: 6012, paidAt: null, createdAt: now },
    ...{ chargeIds: [60, 101, 102], entries: [] },
  })
  assert.deepEqual(changed, [])
  assert.equal(invoicedThroughId, 103)
})

test('the invoice of an event is for itself: nothing that waited, no credit, and the next period begins where it did', () => {
  const rows = rowsOf(-2000, { type: 'charge', kind: 'one_time', amount: 500 })
  const given: Case = { wish: { bills: 'event' }, waiting: [{ id: 60, amount: 700 }] }
  assert.deepEqual(newOf(rows, given), [500, 0, 500, 'unpaid', []])
  assert.deepEqual(made(rows, given).newInvoice!.chargeIds, [101])
  assert.equal(made(rows, given).invoicedThroughId, 50)
  assert.equal(made(rows, given, { ...subscription, invoicedThroughId: null }).invoicedThroughId, 0)
})

test('nobody is invoiced without a charge, by card, or for what is paid at once', () => {
  assert.equal(newOf(rowsOf(0, takesOff(100))), null)
  assert.equal(newOf(rowsOf(0, baseline), {}, byCard), null)
  assert.equal(newOf(rowsOf(0, baseline), { wish: { bills: 'never' } }), null)
  assert.equal(newOf(rowsOf(0, baseline), { wish: { method: 'automatic' } }), null)
  assert.deepEqual(newOf(rowsOf(0, baseline), { wish: { method: 'invoice' } }, byCard), [5000, 0, 5000, 'unpaid', []])
  assert.equal(made(rowsOf(0, baseline), {}, byCard).invoicedThroughId, 50)
})

test('what is paid at once pays no older invoice', () => {
  const rows = rowsOf(300, baseline, pays(5000))
  assert.deepEqual(changedOf(rows, { wish: { bills: 'never' }, due: [owed(1, 300)] }), [])
})

test('a discount lowers its invoice and leaves it unpaid; the rest of an old product makes it partial', () => {
  assert.deepEqual(newOf(rowsOf(0, baseline, takesOff(1000))), [5000, 0, 4000, 'unpaid', [[102, 1000]]])
  assert.deepEqual(newOf(rowsOf(0, baseline, takesOff(1000, 'prorated'))), [5000, 0, 4000, 'partial', [[102, 1000]]])
  const returned: Said = { type: 'adjustment', kind: 'component_proration', amount: -1000 }
  assert.deepEqual(newOf(rowsOf(0, baseline, returned)), [5000, 0, 4000, 'partial', [[102, 1000]]])
  assert.deepEqual(newOf(rowsOf(0, baseline, corrects(100))), [5000, 0, 5000, 'unpaid', []])
})

test('a discount that is taken back counts against the others', () => {
  const rows = rowsOf(0, baseline, takesOff(150), takesOff(-100), takesOff(150))
  assert.deepEqual(newOf(rows), [
    5000,
    0,
    4800,
    'unpaid',
    [
      [102, 150],
      [104, 50],
    ],
  ])
  assert.deepEqual(newOf(rowsOf(0, baseline, takesOff(-100))), [5000, 0, 5000, 'unpaid', []])
})

test('more taken off than charged leaves nothing due, and paid', () => {
  assert.deepEqual(newOf(rowsOf(0, { ...baseline, amount: 100 }, takesOff(300))), [100, 0, 0, 'paid', [[102, 300]]])
})

test('credit pays for the invoice of a period as far as it goes, to the cent', () => {
  assert.deepEqual(newOf(rowsOf(-500, baseline)), [5000, 500, 4500, 'partial', []])
  assert.deepEqual(newOf(rowsOf(-1, baseline)), [5000, 1, 4999, 'partial', []])
  assert.deepEqual(newOf(rowsOf(0, baseline)), [5000, 0, 5000, 'unpaid', []])
  assert.deepEqual(newOf(rowsOf(-5000, baseline)), [5000, 5000, 0, 'paid', []])
  assert.deepEqual(newOf(rowsOf(-6000, baseline)), [5000, 5000, 0, 'paid', []])
  assert.deepEqual(newOf(rowsOf(700, baseline)), [5000, 0, 5000, 'unpaid', []])
})

test('what is due on older invoices or waits is no debt of the new one', () => {
  const due = [owed(1, 600), owed(2, 400)]
  assert.deepEqual(newOf(rowsOf(700, baseline), { due }), [5000, 300, 4700, 'partial', []])
  const waits: Said = { type: 'charge', kind: 'delay_capture', amount: 200 }
  const wish = { waitingIds: new Set([102]) }
  assert.deepEqual(newOf(rowsOf(-50, baseline, waits), { wish }), [5000, 50, 4950, 'partial', []])
  assert.deepEqual(newOf(rowsOf(1000, baseline, pays(400)), { due }), [5000, 0, 5000, 'unpaid', []])
})

test('a charge that waits is on no invoice yet, nor is what is taken off it', () => {
  const rows = rowsOf(0, { type: 'charge', kind: 'delay_capture', amount: 500 }, takesOff(100))
  const wish = { waitingIds: new Set([101, 102]) }
  assert.equal(newOf(rows, { wish }), null)
  assert.deepEqual(changedOf(rows, { wish, due: [owed(1, 300)] }), [])
  const both = rowsOf(0, baseline, { type: 'charge', kind: 'delay_capture', amount: 500 }, takesOff(100))
  const later = { wish: { waitingIds: new Set([102, 103]) } }
  assert.deepEqual(newOf(both, later), [5000, 0, 5000, 'unpaid', []])
  assert.deepEqual(made(both, later).newInvoice!.chargeIds, [101])
})

test('a payment pays the oldest invoice first, never an archived one, and what is too much stays credit', () => {
  const due = [owed(1, 300), owed(2, 100, 'archived'), owed(3, 500)]
  assert.deepEqual(changedOf(rowsOf(900, pays(400)), { due }), [
    [1, 0, 'paid', [[101, 300]]],
    [3, 400, 'partial', [[101, 100]]],
  ])
  assert.deepEqual(changedOf(rowsOf(900, pays(300)), { due }), [[1, 0, 'paid', [[101, 300]]]])
  assert.deepEqual(changedOf(rowsOf(900, pays(200), pays(300)), { due }), [
    [
      1,
      0,
      'paid',
      [
        [101, 200],
        [102, 100],
      ],
    ],
    [3, 300, 'partial', [[102, 200]]],
  ])
  assert.deepEqual(changedOf(rowsOf(900, pays(1)), { due }), [[1, 299, 'partial', [[101, 1]]]])
  assert.deepEqual(changedOf(rowsOf(900, pays(900)), { due: [owed(1, 300)] }), [[1, 0, 'paid', [[101, 300]]]])
  assert.deepEqual(changedOf(rowsOf(900, { ...pays(400), success: false }), { due }), [])
  const [change] = made(rowsOf(900, pays(300)), { due }).changed
  assert.deepEqual(change, {
    ...{ siteId: 1, id: 1, total: 300, due: 0, state: 'paid', paidAt: now, updatedAt: now },
    ...{ chargeIds: [], entries: [{ transactionId: 101, amount: 300 }] },
  })
  assert.equal(made(rowsOf(900, pays(1)), { due }).changed[0]!.paidAt, null)
})

test('the facts keep what was due: a decision changes nothing that it was given', () => {
  const due = [owed(1, 300)]
  made(rowsOf(300, pays(300)), { due })
  assert.deepEqual(due, [owed(1, 300)])
})

test('a correction downwards and a return without a charge lower older invoices; upwards or beside a charge they do not', () => {
  const due = [owed(1, 300)]
  assert.deepEqual(changedOf(rowsOf(300, corrects(-1)), { due }), [[1, 299, 'partial', [[101, 1]]]])
  assert.deepEqual(changedOf(rowsOf(300, corrects(100)), { due }), [])
  assert.deepEqual(changedOf(rowsOf(300, takesOff(100, 'component_proration')), { due }), [
    [1, 200, 'partial', [[101, 100]]],
  ])
  assert.deepEqual(changedOf(rowsOf(300, baseline, takesOff(100)), { due }, byCard), [])
  assert.deepEqual(changedOf(rowsOf(300, baseline, takesOff(100)), { due }), [])
  const returned: Said = { type: 'adjustment', kind: 'component_proration', amount: -100 }
  assert.deepEqual(changedOf(rowsOf(300, baseline, returned), { due }, byCard), [])
  assert.deepEqual(changedOf(rowsOf(300, { type: 'refund', amount: 100 }, { type: 'info', amount: 0 }), { due }), [])
})

test('credits lower older invoices together by what they come to together', () => {
  const due = [owed(1, 150), owed(2, 500)]
  assert.deepEqual(changedOf(rowsOf(650, takesOff(300), takesOff(-100)), { due }), [
    [1, 0, 'paid', [[101, 150]]],
    [2, 450, 'partial', [[101, 50]]],
  ])
  assert.deepEqual(changedOf(rowsOf(650, takesOff(100), corrects(-100), pays(50)), { due }), [
    [
      1,
      0,
      'paid',
      [
        [101, 100],
        [102, 50],
      ],
    ],
    [
      2,
      400,
      'partial',
      [
        [102, 50],
        [103, 50],
      ],
    ],
  ])
})

test('a discount that is taken back pays nothing, wherever it stands; two that come to nothing lower nothing', () => {
  const due = [owed(1, 150), owed(2, 500)]
  assert.deepEqual(changedOf(rowsOf(650, takesOff(-100), takesOff(300)), { due }), [
    [1, 0, 'paid', [[102, 150]]],
    [2, 450, 'partial', [[102, 50]]],
  ])
  assert.deepEqual(changedOf(rowsOf(650, takesOff(100), takesOff(-100)), { due }), [])
  assert.deepEqual(changedOf(rowsOf(650, takesOff(150), takesOff(-100), takesOff(150)), { due }), [
    [1, 0, 'paid', [[101, 150]]],
    [2, 450, 'partial', [[103, 50]]],
  ])
})

test('what names an invoice goes to that one alone: charges raise it, payments and credits lower it', () => {
  const due = [owed(1, 300), { ...owed(2, 1000), total: cents(1500) }]
  const rows = rowsOf(
    1300,
    { type: 'charge', kind: 'one_time', amount: 300 },
    pays(200),
    { ...pays(50), success: false },
    corrects(-40),
    takesOff(10),
    corrects(30),
  )
  const { newInvoice, changed, invoicedThroughId } = made(rows, { due, wish: { invoiceId: 2 } })
  assert.deepEqual([newInvoice, invoicedThroughId], [null, 50])
  assert.deepEqual(changed, [
    {
      ...{ siteId: 1, id: 2, total: 1800, due: 1050, state: 'partial', paidAt: null, updatedAt: now, chargeIds: [101] },
      entries: [
        { transactionId: 102, amount: 200 },
        { transactionId: 104, amount: 40 },
        { transactionId: 105, amount: 10 },
      ],
    },
  ])
  assert.deepEqual(made(rows, { due, wish: { invoiceId: 3 } }).changed, [])
})

test('what pays one invoice is listed whole, also what was too much; a charge alone leaves its state', () => {
  const due = [owed(1, 300)]
  assert.deepEqual(changedOf(rowsOf(300, pays(400)), { due, wish: { invoiceId: 1 } }), [[1, 0, 'paid', [[101, 400]]]])
  assert.ok(made(rowsOf(300, pays(300)), { due, wish: { invoiceId: 1 } }).changed[0]!.paidAt?.equals(now))
  const charge: Said = { type: 'charge', kind: 'one_time', amount: 100 }
  const partial = [{ ...owed(1, 300), state: 'partial' as const }]
  assert.deepEqual(changedOf(rowsOf(300, charge), { due, wish: { invoiceId: 1 } }), [[1, 400, 'unpaid', []]])
  assert.deepEqual(changedOf(rowsOf(300, charge), { due: partial, wish: { invoiceId: 1 } }), [[1, 400, 'partial', []]])
})
