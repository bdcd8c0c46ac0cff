/** What restricted coupons take off, alone and beside others: only of the product and the components that they name. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { amountOff, percentOff, several } from '../../test/support/coupons-and-taxes.ts'
import { assess } from './assessment.ts'
import type { AppliedCoupon, CouponRestriction } from './coupon.ts'
import { covers, type Discountable, discountCharges } from './discount.ts'
import { chargeLine } from './line-item.ts'
import { cents, sumCents } from './money.ts'

const product = 7
const [users, support] = [41, 42]

const productRestriction: CouponRestriction = { id: 1, itemType: 'Product', itemId: product }
const ofComponent = (itemId: number): CouponRestriction => ({ id: itemId, itemType: 'Component', itemId })

const goodFor = (applied: AppliedCoupon, ...restrictions: CouponRestriction[]): AppliedCoupon => ({
  ...applied,
  coupon: { ...applied.coupon, restrictions },
})
const fullPrice = (applied: AppliedCoupon): AppliedCoupon => ({
  ...applied,
  coupon: { ...applied.coupon, compoundingStrategy: 'full-price' },
})

/** 50.00 for the product, 10.00 for users, 40.00 for support. */
const lines = [
  chargeLine('baseline', cents(5000), 'Pro', true),
  chargeLine('quantity_based_component', cents(1000), 'Users', true, users),
  chargeLine('on_off_component', cents(4000), 'Support', false, support),
]

const assessed = (...coupons: AppliedCoupon[]) => {
  const found = assess(lines, { coupons: several(...coupons), taxes: [], minorUnit: 1 }, product)
  return {
    discounts: found.lines.filter(({ type }) => type === 'charge').map(({ discountAmount }) => +discountAmount),
    rows: found.lines.filter(({ kind }) => kind === 'coupon').map(({ couponId, amount }) => [couponId, +amount]),
    used: found.usedCouponIds,
    total: +found.total,
  }
}

describe('a restricted coupon', () => {
  test('takes its percentage of what it names, and its row is what falls on these lines', () => {
    const half = percentOff('50')
    assert.deepEqual(assessed(goodFor(half, productRestriction)), {
      discounts: [2500, 0, 0],
      rows: [[70, -2500]],
      used: [70],
      total: 7500,
    })
    assert.deepEqual(assessed(goodFor(half, ofComponent(users))).discounts, [0, 500, 0])
    assert.deepEqual(assessed(goodFor(half, productRestriction, ofComponent(support))).discounts, [2500, 0, 2000])
  })

  test('of a fixed amount takes off no more than what it names costs', () => {
    assert.deepEqual(assessed(goodFor(amountOff(3000), ofComponent(users))).rows, [[70, -1000]])
    assert.deepEqual(
      assessed(goodFor(amountOff(3000), ofComponent(users), ofComponent(support))).discounts,
      [0, 600, 2400],
    )
  })

  test('for which nothing is there waits, and counts no use', () => {
    for (const restriction of [ofComponent(99), { ...productRestriction, itemId: 8 }]) {
      const { rows, used, total } = assessed(goodFor(percentOff('50'), restriction))
      assert.deepEqual([rows, used, total], [[], [], 10_000])
    }
  })

  test('takes off what those before it have left of what it names, in the order in which they are on', () => {
    const tenth = percentOff('10')
    const half = goodFor(percentOff('50'), ofComponent(users))
    assert.deepEqual(assessed(tenth, half).rows, [
      [70, -1000],
      [71, -450],
    ])
    assert.deepEqual(assessed(half, tenth).rows, [
      [70, -500],
      [71, -950],
    ])
    assert.deepEqual(assessed(tenth, fullPrice(half)).rows, [
      [70, -1000],
      [71, -500],
    ])
    const all = goodFor(percentOff('100'), ofComponent(users))
    assert.deepEqual(assessed(all, half).used, [70], 'nothing is left for the second')
  })
})

const charges = fc.array(
  fc.record({
    amount: fc.integer({ min: 0, max: 9999 }).map(cents),
    isTaxable: fc.boolean(),
    componentId: fc.constantFrom(null, users, support),
    productId: fc.constant(product),
  }),
  { maxLength: 6 },
)
const restrictions = fc.subarray([productRestriction, ofComponent(users), ofComponent(support)])
const coupons = fc
  .array(
    fc.tuple(
      fc.boolean(),
      fc.integer({ min: 1, max: 10_000 }),
      fc.constantFrom('compound' as const, 'full-price' as const),
      restrictions,
    ),
    { maxLength: 4 },
  )
  .map((all) =>
    several(
      ...all.map(([isFixed, figure, compoundingStrategy, restricted]) => {
        const applied = isFixed ? amountOff(figure) : percentOff(String(figure / 100))
        return { ...applied, coupon: { ...applied.coupon, compoundingStrategy, restrictions: restricted } }
      }),
    ),
  )

describe('coupons of every kind', () => {
  test('never take more off a charge than it is, nothing off what they do not name, and their rows sum to the lines', () => {
    fc.assert(
      fc.property(charges, coupons, (lines, on) => {
        const { discounts, shares } = discountCharges(on, lines, 1)
        assert.equal(sumCents(shares), sumCents(discounts.map(({ shared }) => shared)))
        for (const [place, share] of shares.entries()) {
          const line = lines[place]!
          assert.ok(share >= 0 && share <= line.amount)
          if (on.every(({ coupon }) => !covers(coupon, line))) assert.equal(share, 0)
        }
        for (const { coupon, shared } of discounts) {
          const named = lines.filter((line) => covers(coupon.coupon, line))
          assert.ok(shared >= 0 && shared <= sumCents(named.map(({ amount }) => amount)))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('take off the same whatever the order of the charges and however one is cut', () => {
    const half = ({ amount }: Discountable) => cents(Math.floor(amount / 2))
    fc.assert(
      fc.property(charges, coupons, (lines, on) => {
        const taken = (charged: readonly Discountable[]) =>
          discountCharges(on, charged, 1).discounts.map(({ coupon, shared }) => [coupon.coupon.id, +shared])
        assert.deepEqual(taken(lines.toReversed()), taken(lines))
        const cut = lines.flatMap((line) => [
          { ...line, amount: half(line) },
          { ...line, amount: cents(line.amount - half(line)) },
        ])
        assert.deepEqual(taken(cut), taken(lines))
      }),
      { numRuns: 300 },
    )
  })

  test('that name everything take off what unrestricted ones do, on the same lines', () => {
    const everything = [productRestriction, ofComponent(users), ofComponent(support)]
    fc.assert(
      fc.property(charges, coupons, (lines, on) => {
        const having = (restricted: CouponRestriction[]) => {
          const all = on.map((one) => goodFor(one, ...restricted))
          const { discounts, shares } = discountCharges(all, lines, 1)
          return [discounts.map(({ shared }) => +shared), shares]
        }
        assert.deepEqual(having(everything), having([]))
      }),
      { numRuns: 300 },
    )
  })
})
