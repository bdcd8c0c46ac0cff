/** What migrations come to: the published examples, and that the preview is the migration. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { holding, meteredComponent, quantityComponent } from '../../test/support/component-facts.ts'
import { amountOff, percentOff, several, taxOf } from '../../test/support/coupons-and-taxes.ts'
import {
  figures,
  gold,
  half,
  halfUsed,
  migrated,
  paidFor,
  start,
  to,
  trial,
} from '../../test/support/migration-facts.ts'
import { at, having, product, signedUp } from '../../test/support/story-facts.ts'
import type { Changes } from './changes.ts'
import type { Transaction } from './ledger.ts'
import type { MigrationFigures } from './migration-plan.ts'
import { addCents, cents, sumCents } from './money.ts'
import { plainPricing } from './subscription.ts'

describe('the published examples of a migration', () => {
  test('half a period of 250.00 used, on to 900.00: 125.00 back and 775.00 due', () => {
    assert.deepEqual(figures(halfUsed(), to(), paidFor(25_000), half), {
      prorated: -12_500,
      charge: 90_000,
      paymentDue: 77_500,
      creditApplied: 0,
    })
  })

  test('a second migration seconds after the first keeps one cent: 98.99 back of 99.00, and 74.99 stay as credit', () => {
    const bronze = to(product({ productId: 8, name: 'Bronze', price: cents(2400) }))
    const now = '2026-06-01T00:00:05Z'
    const lived = halfUsed(9900)
    assert.deepEqual(figures(lived, bronze, paidFor(9900), now), {
      prorated: -9899,
      charge: 2400,
      paymentDue: 0,
      creditApplied: -7499,
    })
    const { facts, decided } = migrated(lived, bronze, paidFor(9900), now)
    assert.equal(decided.attempt, undefined, 'nothing is asked for')
    assert.equal(facts.subscription.balance, -7499)
    assert.equal(String(facts.subscription.currentPeriodStartedAt), now)
    assert.equal(String(facts.subscription.currentPeriodEndsAt), '2026-07-01T00:00:05Z')
  })

  test('in the very second in which the period began one cent still counts as used, and that period is left empty', () => {
    const lived = halfUsed(9900)
    const bronze = to(product({ productId: 8, name: 'Bronze', price: cents(2400) }))
    const { facts, changes } = migrated(lived, bronze, paidFor(9900), start)
    assert.equal(figures(lived, bronze, paidFor(9900), start).prorated, -9899)
    assert.deepEqual(
      changes.movedPeriods?.map(({ endsAt }) => String(endsAt)),
      [start],
    )
    assert.deepEqual(
      changes.periods?.map(({ startedAt, begunBy }) => [String(startedAt), begunBy]),
      [[start, 'migration']],
    )
    assert.equal(String(facts.subscription.currentPeriodEndsAt), '2026-07-01T00:00:00Z')
  })

  test('out of a free trial with credit: nothing to prorate, 50.00 charged, nothing due', () => {
    const lived = having(signedUp({ now: start, product: product({ trial }) }), { balance: cents(-13_989) })
    const target = to(product({ productId: 8, price: cents(5000), trial }))
    assert.deepEqual(figures(lived, target, paidFor(0), '2026-06-03T00:00:00Z'), {
      prorated: 0,
      charge: 5000,
      paymentDue: 0,
      creditApplied: 0,
    })
  })
})

test('charges of different times are credited each for the time that it was for', () => {
  const advance = [...paidFor(3000), ...paidFor(1000, '2026-06-11T00:00:00Z'), ...paidFor(-500, '2026-06-21T00:00:00Z')]
  const { prorated } = figures(halfUsed(), to(), advance, '2026-06-26T00:00:00Z')
  assert.equal(prorated, -(500 + 250 - 250))
})

const cases = fc.record({
  oldPrice: fc.integer({ min: 0, max: 100_000 }),
  newPrice: fc.integer({ min: 0, max: 100_000 }),
  fee: fc.integer({ min: 0, max: 5000 }),
  balance: fc.integer({ min: -50_000, max: 50_000 }),
  seconds: fc.integer({ min: 0, max: 30 * 86_400 - 1 }),
  users: fc.integer({ min: 0, max: 5 }),
  calls: fc.integer({ min: -5, max: 5000 }),
  coupons: fc.subarray([percentOff('33'), percentOff('100'), amountOff(1234)]),
  rate: fc.constantFrom(null, '6.25', '19'),
  options: fc.record({
    includeTrial: fc.boolean(),
    includeInitialCharge: fc.boolean(),
    includeCoupons: fc.boolean(),
    preservePeriod: fc.boolean(),
  }),
  fromTrial: fc.boolean(),
  snapDay: fc.constantFrom(null, '15', 'end'),
})

/** The same figures, read from the rows. */
function writtenBy({ transactions: rows = [] }: Changes): MigrationFigures {
  const sumOf = (kept: (row: Transaction) => boolean) => sumCents(rows.filter(kept).map(({ amount }) => amount))
  const isCredit = ({ type, kind }: Transaction) => type === 'adjustment' && kind === 'prorated'
  const prorated = sumOf(isCredit)
  const charge = sumOf((row) => row.type !== 'payment' && !isCredit(row))
  const paymentDue = sumOf(({ type }) => type === 'payment')
  return { prorated, charge, paymentDue, creditApplied: cents(Math.min(0, prorated + charge)) }
}

test('the preview is the migration: its figures are what the ledger says afterwards', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const { options, coupons, rate } = given
      if (options.includeTrial && options.preservePeriod) return
      const taxes = rate === null ? [] : [taxOf(rate)]
      const pricing = { ...plainPricing, coupons: several(...coupons), taxes }
      const components = [
        holding(quantityComponent({ taxable: true }), String(given.users)),
        holding(meteredComponent(), '0', String(given.calls)),
      ]
      const old = product({ price: cents(given.oldPrice), taxable: true, ...(given.fromTrial && { trial }) })
      const first = signedUp({ now: start, product: old, pricing: { ...pricing, components: [components[0]!] } })
      const at15 = at(start).add({ seconds: given.seconds % (given.fromTrial ? 14 * 86_400 : 30 * 86_400) })
      const snapDay = given.fromTrial ? null : given.snapDay
      const lived = having(first, { balance: cents(given.balance), snapDay })
      const facts = { ...lived.facts, pricing: { ...lived.facts.pricing, components } }
      const target = { ...gold, price: cents(given.newPrice), initialCharge: cents(given.fee), trial, taxable: true }
      const wish = to(target, options)
      const advance = paidFor(first.changes.transactions!.find(({ type }) => type === 'payment')?.amount ?? 0)
      const shown = figures({ facts, ids: lived.ids }, wish, advance, String(at15))
      const { changes, facts: after } = migrated({ facts, ids: lived.ids }, wish, advance, String(at15))
      assert.deepEqual(writtenBy(changes), shown)
      const { balance } = after.subscription
      assert.equal(balance, addCents(cents(given.balance), shown.prorated, shown.charge, cents(-shown.paymentDue)))
      assert.ok(-shown.prorated <= Math.max(0, sumCents(advance.map(({ amount }) => amount)) - 1), 'a cent is used')
      assert.ok(Temporal.Instant.compare(after.subscription.currentPeriodEndsAt, at15) > 0)
    }),
    { numRuns: 150 },
  )
})

test('the setup fee of the new product is charged when the migration asks for it, and only then', () => {
  const dear = { ...gold, initialCharge: cents(2000) }
  const chargeOf = (includeInitialCharge: boolean, preservePeriod: boolean) =>
    figures(halfUsed(), to(dear, { includeInitialCharge, preservePeriod }), paidFor(25_000), half).charge
  assert.deepEqual([chargeOf(true, false), chargeOf(false, false)], [92_000, 90_000])
  assert.equal(chargeOf(true, true) - chargeOf(false, true), 2000)
})
