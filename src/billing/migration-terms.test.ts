/** What a migration makes of coupon, trial, setup fee, dates and calendar billing, and how the books tell it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { holding, meteredComponent, pricedWith, quantityComponent } from '../../test/support/component-facts.ts'
import { percentOff } from '../../test/support/coupons-and-taxes.ts'
import { half, halfUsed, migrated, paidFor, rows, start, to, trial } from '../../test/support/migration-facts.ts'
import { at, having, keysOf, type Lived, product, signedUp } from '../../test/support/story-facts.ts'
import type { Migration } from './migration.ts'
import { planMigration } from './migration-plan.ts'
import { cents } from './money.ts'
import { nextPeriod } from './renewal.ts'
import { plainPricing } from './subscription.ts'

describe('a migration leaves in order', () => {
  const monthly = product({ productId: 8, price: cents(3000) })
  const after = (lived: Lived, wish: Migration, now = half) => migrated(lived, wish, [], now).facts.subscription
  const usesAfter = (lived: Lived, wish: Migration) =>
    migrated(lived, wish, [], half).facts.pricing.coupons[0]?.useCount

  test('the coupon: applied and counted unless it is left out, and kept either way', () => {
    const lived = signedUp({ now: start, pricing: { ...plainPricing, coupons: [percentOff('50')] } })
    const counted = lived.facts.pricing.coupons[0]!.useCount
    assert.deepEqual(rows(migrated(lived, to(monthly), [], half).changes).slice(0, 2), [
      ['charge', 'baseline', 3000],
      ['adjustment', 'coupon', -1500],
    ])
    assert.equal(usesAfter(lived, to(monthly)), counted + 1)
    const without = migrated(lived, to(monthly, { includeCoupons: false }), [], half)
    assert.equal(without.decided.attempt?.amount, 3000)
    const [left] = without.facts.pricing.coupons
    assert.deepEqual([left?.code, left?.useCount], ['SAVE', counted])
    assert.equal(usesAfter(lived, to(monthly, { preservePeriod: true })), counted + 1)
  })

  test('a trial: components wait for its end, usage does not', () => {
    const pricing = pricedWith(holding(quantityComponent(), '2'), holding(meteredComponent(), '0', '200'))
    const wish = to({ ...monthly, trial }, { includeTrial: true })
    const { period } = planMigration(signedUp({ now: start, pricing }).facts, wish, [], at(half))
    assert.deepEqual(
      period.lines.map(({ kind, amount }) => [kind, amount]),
      [
        ['trial', 0],
        ['metered_component', 100],
      ],
    )
  })

  test('a setup fee: it waits for the end of the trial where the product says so and it is asked for', () => {
    const fee = { initialCharge: cents(700), trial }
    const waits = (includeInitialCharge: boolean, initialChargeAfterTrial: boolean) =>
      after(
        halfUsed(),
        to({ ...monthly, ...fee, initialChargeAfterTrial }, { includeTrial: true, includeInitialCharge }),
      ).initialChargeDue
    assert.deepEqual([waits(true, true), waits(true, false), waits(false, true)], [true, false, false])
    const trying = signedUp({ now: start, product: product({ ...fee, initialChargeAfterTrial: true }) })
    const kept = (includeInitialCharge: boolean) =>
      after(trying, to({ ...monthly, ...fee }, { preservePeriod: true, includeInitialCharge }), '2026-06-02T00:00:00Z')
    assert.equal(kept(false).initialChargeDue, true)
    assert.equal(kept(true).initialChargeDue, false, 'it was charged already')
  })

  test('the dates: those of a trial that is over, and a cancellation at the end of the period', () => {
    const ended = at('2026-05-20T00:00:00Z')
    const lived = having(halfUsed(), { trialEndedAt: ended, cancelAtEndOfPeriod: true, delayedCancelAt: at(half) })
    const subscription = after(lived, to(monthly))
    assert.equal(String(subscription.trialEndedAt), String(ended))
    assert.equal(String(subscription.delayedCancelAt), String(subscription.currentPeriodEndsAt))
    assert.equal(
      after(having(lived, { cancelAtEndOfPeriod: false, delayedCancelAt: null }), to(monthly)).delayedCancelAt,
      null,
    )
  })

  test('calendar billing: a monthly product goes on with it, usage in full; a longer one and a trial end it', () => {
    const pricing = pricedWith(holding(quantityComponent(), '2'), holding(meteredComponent(), '0', '200'))
    const calendar = { snapDay: 'end', firstCharge: 'prorated' } as const
    const lived = signedUp({ now: '2026-05-31T12:00:00Z', pricing, calendar })
    const now = '2026-06-15T12:00:00Z'
    const plan = planMigration(lived.facts, to(monthly), [], at(now))
    assert.deepEqual(
      plan.period.lines.map(({ kind, amount }) => [kind, amount]),
      [
        ['baseline', 1500],
        ['quantity_based_component', 1500],
        ['metered_component', 100],
      ],
    )
    const kept = migrated(lived, to(monthly), [], now).facts
    assert.equal(kept.subscription.snapDay, 'end')
    assert.equal(String(kept.subscription.currentPeriodEndsAt), '2026-06-30T12:00:00Z')
    assert.equal(String(nextPeriod(kept).period.endsAt), '2026-07-31T12:00:00Z')
    const yearly = after(lived, to(product({ productId: 8, interval: { count: 12, unit: 'month' } })), now)
    assert.deepEqual([yearly.snapDay, String(yearly.currentPeriodEndsAt)], [null, '2027-06-15T12:00:00Z'])
    const tried = after(lived, to({ ...monthly, trial }, { includeTrial: true }), now)
    assert.deepEqual([tried.snapDay, String(tried.currentPeriodEndsAt)], [null, '2026-06-29T12:00:00Z'])
  })

  test('the books: the credit is of the old product and period, and statements that waited are settled', () => {
    const owing = having(halfUsed(), { balance: cents(5000) })
    const lived = { ...owing, facts: { ...owing.facts, unsettledStatements: [{ id: 77, owed: cents(1_000_000) }] } }
    const { changes } = migrated(lived, to(), paidFor(25_000), half)
    const credit = changes.transactions?.[0]
    assert.deepEqual([credit?.productId, credit?.periodNumber], [7, 1])
    assert.deepEqual(
      changes.transactions?.slice(1).map((row) => [row.productId, row.periodNumber]),
      [
        [8, 2],
        [8, 2],
      ],
    )
    assert.equal(changes.transactions?.at(-1)?.amount, 82_500)
    assert.equal(keysOf(changes).filter((key) => key === 'statement_settled').length, 2)
  })

  test('what is paid by invoice: nobody is asked', () => {
    const { decided, facts } = migrated(signedUp({ now: start, collectionMethod: 'invoice' }), to(), [], half)
    assert.equal(decided.attempt, undefined)
    assert.equal(facts.subscription.balance, 95_000)
  })
})
