/** Invoices over random histories: totals, amounts due, and nothing that is owed or paid gets lost between them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { having, type Lived, product, risingIds, signedUp, written } from '../../test/support/story-facts.ts'
import { decideAdjustment } from './adjustment.ts'
import type { Changes, Ids } from './changes.ts'
import { decideCharge } from './charge.ts'
import type { Invoice } from './invoice.ts'
import { decideInvoiceCharge } from './invoice-charge.ts'
import type { AppliedEntry, NewInvoice } from './invoicing.ts'
import type { Transaction } from './ledger.ts'
import { type Cents, cents, negate } from './money.ts'
import { decideExternalPayment } from './payment.ts'
import { decideAssessment } from './renewal.ts'
import type { SubscriptionFacts } from './subscription.ts'

type Kept = Pick<Invoice, 'id' | 'state' | 'total' | 'due' | 'paidAt'> & {
  credit: Cents
  chargeIds: number[]
  entries: AppliedEntry[]
}

/** What the database would hold: the ledger and the invoices of one subscription. */
class Books {
  readonly rows: Transaction[] = []
  readonly invoices: Kept[] = []
  newest: NewInvoice | undefined

  write(changes: Changes): void {
    this.rows.push(...(changes.transactions ?? []))
    for (const { id, chargeIds, entries, ...change } of changes.invoices ?? []) {
      const kept = this.invoices.find((one) => one.id === id)!
      Object.assign(kept, change)
      kept.chargeIds.push(...chargeIds)
      kept.entries.push(...entries)
    }
    this.newest = changes.newInvoice
    if (this.newest === undefined) return
    const { chargeIds, entries, ...invoice } = this.newest
    this.invoices.push({
      ...invoice,
      id: this.invoices.length + 1,
      chargeIds: [...chargeIds],
      entries: [...entries],
    })
  }

  /** As the store loads it. */
  invoicing({ subscription }: SubscriptionFacts): NonNullable<SubscriptionFacts['invoicing']> {
    const { invoicedThroughId, coveredThroughId, openStatementId } = subscription
    const listed = new Set(this.invoices.flatMap(({ chargeIds }) => chargeIds))
    const isPaid = (charge: Transaction): boolean =>
      this.rows.some(({ id, coversAfterId }) => coversAfterId !== null && id > charge.id && coversAfterId < charge.id)
    const waits = (row: Transaction): boolean =>
      row.type === 'charge' &&
      row.id > (invoicedThroughId ?? coveredThroughId) &&
      (row.id > coveredThroughId || (row.kind === 'delay_capture' && row.statementId === openStatementId)) &&
      !listed.has(row.id) &&
      !isPaid(row)
    return {
      due: this.invoices.filter(({ due }) => due > 0).map(({ id, state, total, due }) => ({ id, state, total, due })),
      waiting: this.rows.filter(waits).map(({ id, amount }) => ({ id, amount })),
    }
  }
}

type Deed = {
  what: 'renew' | 'charge' | 'accrue' | 'pay' | 'credit' | 'pay one' | 'credit one' | 'charge one' | 'archive'
  amount: number
  place: number
}

const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.record({
    what: fc.constantFrom(
      'renew',
      'renew',
      'charge',
      'accrue',
      'pay',
      'credit',
      'pay one',
      'credit one',
      'charge one',
      'archive',
    ),
    amount: fc.oneof(fc.integer({ min: 0, max: 12_000 }), fc.constantFrom(0, 5000, 10_000)),
    place: fc.nat(9),
  }),
  { maxLength: 25 },
)

const plain = { useNegativeBalance: false, accrueOnFailure: false, taxable: false, collectionMethod: null }

function decide(
  facts: SubscriptionFacts,
  { what, amount: number, place }: Deed,
  ids: Ids,
  books: Books,
): Changes | undefined {
  const now = facts.subscription.updatedAt
  const amount = cents(number)
  const open = books.invoices.filter(({ due, state }) => due > 0 && state !== 'archived')
  const target = open[place % Math.max(1, open.length)]
  switch (what) {
    case 'renew':
      return decideAssessment(facts, facts.subscription.nextAssessmentAt, ids)
    case 'charge':
      return decideCharge(facts, { ...plain, amount, memo: 'Now', delayCapture: false }, now, ids)
    case 'accrue':
      return decideCharge(facts, { ...plain, amount, memo: 'Later', delayCapture: true }, now, ids)
    case 'pay':
      return decideExternalPayment(facts, { amount, memo: '' }, now, ids)
    case 'credit':
      return decideAdjustment(facts, { amount: cents(-number), memo: '', isTarget: false }, now, ids)
    default:
      return target && decideOn(target, what, facts, amount, ids)
  }
}

type DeedOnInvoice = 'pay one' | 'credit one' | 'charge one' | 'archive'

function decideOn(
  target: Kept,
  what: DeedOnInvoice,
  facts: SubscriptionFacts,
  amount: Cents,
  ids: Ids,
): Changes | undefined {
  const now = facts.subscription.updatedAt
  const invoiceId = target.id
  switch (what) {
    case 'pay one':
      return decideExternalPayment(facts, { amount, memo: '', invoiceId }, now, ids)
    case 'credit one':
      return decideAdjustment(facts, { amount: negate(amount), memo: '', isTarget: false, invoiceId }, now, ids)
    case 'charge one':
      return decideInvoiceCharge(facts, invoiceId, { amount, memo: 'Added', taxable: false }, now, ids)
    case 'archive':
      target.state = 'archived'
      return undefined
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

function assertIdentities(books: Books, { subscription, ...facts }: SubscriptionFacts): void {
  const amountOf = new Map(books.rows.map((row) => [row.id, row.amount]))
  for (const { total, credit, due, state, paidAt, chargeIds, entries } of books.invoices) {
    assert.equal(total, sum(chargeIds.map((id) => amountOf.get(id)!)), 'a total is the sum of its charges')
    assert.equal(due, Math.max(0, total - credit - sum(entries.map(({ amount }) => amount))), 'what is due follows')
    assert.equal(paidAt !== null, due === 0, 'paid exactly when nothing is due')
    if (state !== 'archived') {
      const expected = due === 0 ? 'paid' : credit > 0 || entries.length > 0 ? 'partial' : 'unpaid'
      assert.equal(state, expected)
    }
  }
  const charges = books.invoices.flatMap(({ chargeIds }) => chargeIds)
  assert.equal(new Set(charges).size, charges.length, 'a charge is on one invoice')
  const entries = Map.groupBy(
    books.invoices.flatMap((one) => one.entries),
    ({ transactionId }) => transactionId,
  )
  for (const [id, parts] of entries) {
    const applied = sum(parts.map(({ amount }) => amount))
    assert.ok(applied <= Math.abs(amountOf.get(id)!), 'no more is applied than there is')
  }
  const waiting = sum(books.invoicing({ subscription, ...facts }).waiting.map(({ amount }) => amount))
  const due = sum(books.invoices.map((one) => one.due))
  assert.ok(due + waiting >= subscription.balance, 'all that is owed is due on an invoice or waits for one')
  const isOfPeriod = books.newest !== undefined && books.rows.at(-1)?.kind === 'baseline'
  if (isOfPeriod && books.newest!.due > 0) {
    assert.equal(due, subscription.balance, 'an invoice of a period that is not paid by credit leaves no credit')
  }
}

test('whatever is charged, paid and credited, invoices add up and nothing is lost', () => {
  fc.assert(
    fc.property(deeds, (history) => {
      const books = new Books()
      const { changes, ...first } = signedUp({ product: product(), collectionMethod: 'invoice', card: null })
      books.write(changes)
      let lived: Lived = first
      for (const deed of history) {
        lived = { ...lived, facts: { ...lived.facts, invoicing: books.invoicing(lived.facts) } }
        const decided = decide(lived.facts, deed, lived.ids, books)
        books.newest = undefined
        if (decided !== undefined) {
          lived = written(lived, decided)
          books.write(decided)
        }
        assertIdentities(books, lived.facts)
      }
    }),
    { numRuns: 200 },
  )
})

/** One decision of each kind, on a subscription that owes nothing. */
const calm = (): Lived => {
  const { changes: _, ...lived } = signedUp({
    collectionMethod: 'invoice',
    card: null,
    nextBillingAt: Temporal.Instant.from('2026-03-01T00:00:00Z'),
  })
  return lived
}

test('a charge that card or credit pays, or that waits, makes no invoice', () => {
  const waits = decideCharge(
    calm().facts,
    { ...plain, amount: cents(500), memo: 'Later', delayCapture: true },
    calm().facts.subscription.updatedAt,
    risingIds(),
  )
  assert.equal(waits.newInvoice, undefined)
  const { changes } = signedUp()
  assert.deepEqual([changes.newInvoice, changes.newSubscription?.invoicedThroughId], [undefined, null])
})

test('a charge by hand of who pays by card has an invoice when it says so', () => {
  const { facts } = having(signedUp(), {})
  const charge = {
    ...plain,
    amount: cents(500),
    memo: 'Training',
    delayCapture: false,
    collectionMethod: 'invoice',
  } as const
  const { newInvoice, subscription } = decideCharge(facts, charge, facts.subscription.updatedAt, risingIds())
  assert.deepEqual([newInvoice?.total, newInvoice?.due, newInvoice?.state], [500, 500, 'unpaid'])
  assert.equal(subscription?.invoicedThroughId, 0)
})

test('a renewal after 5.00 too much: 42.50 less 5.00 is partial, as the recorded invoice 000016', () => {
  const lived = having(calm(), { balance: cents(-500) })
  const { newInvoice } = decideAssessment(lived.facts, lived.facts.subscription.nextAssessmentAt, lived.ids)
  assert.deepEqual(
    [newInvoice?.total, newInvoice?.credit, newInvoice?.due, newInvoice?.state],
    [5000, 500, 4500, 'partial'],
  )
  assert.deepEqual([newInvoice?.entries, newInvoice?.paidAt], [[], null])
})
