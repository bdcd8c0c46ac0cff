/** What a coupon takes off changes of quantities, and off what they give back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { coupon, holding, pricedWith, quantityComponent, wanting } from '../../test/support/component-facts.ts'
import { at, signedUp } from '../../test/support/story-facts.ts'
import { decideAllocation } from './allocation.ts'
import type { WantedAllocation } from './allocation-steps.ts'
import type { AppliedCoupon } from './coupon.ts'
import { discountsOf } from './discount.ts'
import { cents } from './money.ts'
import { type ChargedInPeriod, type CouponInLedger, type PeriodCoupon, tookPart } from './period-coupon.ts'

const users = quantityComponent()
const want = (change: Partial<WantedAllocation> = {}): WantedAllocation => wanting(users, change)

type CouponThere = AppliedCoupon | null
const listOf = (there: CouponThere): AppliedCoupon[] => (there === null ? [] : [there])

/** The rows of changes to one user a quarter of a period before its end. */
function allocate(there: CouponThere, periodCoupon: CouponThere, ...wanted: WantedAllocation[]) {
  const { facts, ids: drawn } = signedUp({ pricing: { ...pricedWith(holding(users, '1')), coupons: listOf(there) } })
  const ids = wanted.map((_, place) => 901 + place)
  const request = { wanted, ids, periodCoupons: listOf(periodCoupon).map((one) => ({ ...one, inPeriod: null })) }
  const changes = decideAllocation(facts, request, at('2026-02-21T12:00:00Z'), drawn)
  const rows = (changes.transactions ?? []).map(({ memo, amount }) => [memo, Number(amount)] as const)
  return { rows, changes }
}

const half = coupon({})
const upgrade = ['Users: 1 to 2 Users', 375] as const

describe('a coupon', () => {
  test('takes its part of a change without being used', () => {
    const { rows, changes } = allocate(half, half, want())
    assert.deepEqual(rows, [upgrade, ['Coupon: HALF - Half off', -188]])
    assert.equal(changes.subscriptionCoupons, undefined)
  })

  test('whose last use was the current period takes part in its changes, and in no later ones', () => {
    const once = { ...half, useCount: 1, usesAllowed: 1 }
    assert.deepEqual(allocate(once, once, want()).rows, [upgrade, ['Coupon: HALF - Half off', -188]])
    assert.deepEqual(allocate(once, null, want()).rows, [upgrade])
  })

  test('that leaves changes of quantities out takes nothing off what they charge, and gives nothing back of that', () => {
    const quantity = fc.integer({ min: 0, max: 9 })
    const first = fc.integer({ min: 1, max: 9 })
    const kinds = fc.constantFrom({ percentage: '50' }, { percentage: null, amount: cents(500) })
    fc.assert(
      fc.property(first, fc.array(quantity, { maxLength: 6 }), kinds, (held, path, kind) => {
        const { coupon: terms, ...on } = coupon({ ...kind, excludeMidPeriodAllocations: true })
        const period = new PeriodOf([{ ...on, coupon: terms }], held, terms.amount ?? 375 * held * 0.5)
        const base = period.charged
        let least = base
        for (const next of path) {
          period.allocate(next)
          least = Math.min(least, period.charged)
          const taken = period.taken.get(terms.id) ?? 0
          if (terms.amount !== null) assert.equal(taken, Math.min(terms.amount, base, least))
          // Every change is rounded.
          else assert.ok(Math.abs(taken - least / 2) <= path.length, `${taken} of ${least}, from ${held} to ${next}`)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('that may leave a credit leaves none with a change', () => {
    const gift = coupon({ percentage: null, amount: cents(10_000), allowNegativeBalance: true })
    assert.deepEqual(
      allocate(gift, gift, want()).rows.map(([, amount]) => amount),
      [375, -375],
    )
  })

  test('is taken off what is given back when it took part in the period, whichever is there now', () => {
    const tenth = coupon({ id: half.coupon.id + 1, description: 'A tenth off', percentage: '10' })
    const none = want({ quantity: '0' })
    const credit = ['Users: 1 to 0 Users', -375] as const
    const halved = [credit, ['Coupon: HALF - Half off', 188]]
    assert.deepEqual(allocate(half, half, none).rows, halved)
    assert.deepEqual(allocate(null, half, none).rows, halved, 'it was taken off since')
    assert.deepEqual(allocate(tenth, half, none).rows, halved, 'another took its place')
    assert.deepEqual(allocate(half, null, none).rows, [credit], 'it came after the period was paid in full')
  })

  test('is taken off what one request charges and gives back', () => {
    const { rows } = allocate(half, null, want({ quantity: '2' }), want({ quantity: '1' }))
    assert.equal(
      rows.reduce((sum, [, amount]) => sum + amount, 0),
      0,
    )
  })

  test('of a fixed amount is taken off a period once, whatever way its quantities came to be, also beside others', () => {
    const quantity = fc.integer({ min: 0, max: 9 })
    const amounts = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(quantity, { minLength: 1, maxLength: 8 }), amounts, (path, off) => {
        const fixed = off.map((amount, place) => coupon({ id: 41 + place, percentage: null, amount: cents(amount) }))
        const period = new PeriodOf(fixed)
        for (const next of path) {
          period.allocate(next)
          assert.equal(period.charged, next * 375)
          const whole = discountsOf(fixed, chargedFor(period.charged), 1)
          for (const one of fixed) {
            const expected = whole.find((discount) => discount.coupon === one)?.written ?? 0
            assert.equal(period.taken.get(one.coupon.id) ?? 0, expected)
          }
        }
      }),
      { numRuns: 200 },
    )
  })

  test('of a fixed amount never takes off more than its amount beside percentages, and all goes back with the last charge', () => {
    const quantity = fc.integer({ min: 0, max: 9 })
    const restrictions = fc.constantFrom([], [{ id: 1, itemType: 'Component' as const, itemId: users.id }])
    const kinds = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 99 }), fc.boolean(), restrictions), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.array(quantity, { maxLength: 6 }), kinds, (path, of) => {
        const on = of.map(([isFixed, figure, isFullPrice, restricted], place) =>
          coupon({
            id: 41 + place,
            ...(isFixed ? { percentage: null, amount: cents(20 * figure) } : { percentage: String(figure) }),
            compoundingStrategy: isFullPrice ? 'full-price' : 'compound',
            restrictions: restricted,
          }),
        )
        const period = new PeriodOf(on)
        for (const next of [...path, 0]) {
          period.allocate(next)
          for (const { coupon: one } of on) {
            const taken = period.taken.get(one.id) ?? 0
            if (one.amount !== null) assert.ok(taken >= 0 && taken <= one.amount, `${taken} of ${one.amount}`)
          }
        }
        assert.equal(period.charged, 0)
      }),
      { numRuns: 200 },
    )
  })
})

const changedAt = at('2026-02-21T12:00:00Z')

const chargedFor = (before: number, ...since: number[]): ChargedInPeriod[] =>
  [before, ...since].map((amount, place) => ({
    amount: cents(amount),
    isTaxable: false,
    componentId: users.id,
    productId: 1,
    allocatedAt: place > 0 ? changedAt : null,
  }))

/** A period in which quantities are changed one after the other, with what it charged and what each coupon took off. */
class PeriodOf {
  charged = 0
  readonly taken = new Map<number, number>()
  readonly #base: number
  readonly #changes: number[] = []
  #held = 0
  readonly #on: readonly AppliedCoupon[]

  /** Of a quantity that was there at its start, all of the coupons together took off so much. */
  constructor(on: readonly AppliedCoupon[], held = 0, taken = 0) {
    this.#on = on
    this.#held = held
    this.#base = held * 375
    this.charged = this.#base
    const [first] = on
    if (first !== undefined && taken > 0) this.taken.set(first.coupon.id, Math.min(Math.round(taken), this.#base))
  }

  allocate(quantity: number): void {
    const pricing = { ...pricedWith(holding(users, String(this.#held))), coupons: this.#on }
    const { facts, ids } = signedUp({ pricing })
    const request = {
      wanted: [want({ quantity: String(quantity) })],
      ids: [901],
      periodCoupons: this.#on.map((one) => ({
        ...one,
        inPeriod: {
          taken: cents(this.taken.get(one.coupon.id) ?? 0),
          charged: chargedFor(this.#base, ...this.#changes),
        },
      })),
    }
    for (const row of decideAllocation(facts, request, changedAt, ids).transactions ?? []) {
      if (row.couponId === null) {
        this.charged += row.amount
        this.#changes.push(row.amount)
      }
      if (row.couponId !== null) this.taken.set(row.couponId, (this.taken.get(row.couponId) ?? 0) - row.amount)
    }
    this.#held = quantity
  }
}

describe('of the coupons with rows in a period', () => {
  const inLedger = (id: number, lastRowId: number, minute: number): CouponInLedger => ({
    ...coupon({ id }),
    inPeriod: { taken: cents(1), charged: [] },
    lastRowId,
    lastRowAt: at('2026-02-01T00:00:00Z').add({ minutes: minute }),
  })
  const idsOf = (coupons: readonly PeriodCoupon[]) => coupons.map((one) => one.coupon.id)

  test('those that are on the subscription count, in their order; where none is, those that took off together last', () => {
    const rows = [inLedger(1, 10, 0), inLedger(3, 12, 5), inLedger(2, 11, 5)]
    assert.deepEqual(idsOf(tookPart(rows, [coupon({ id: 3 }), coupon({ id: 9 }), coupon({ id: 1 })])), [3, 1])
    assert.deepEqual(idsOf(tookPart(rows, [coupon({ id: 9 })])), [2, 3])
    assert.deepEqual(idsOf(tookPart([], [coupon({ id: 9 })])), [])
  })
})
