/** Several coupons on the same charges: what each of them takes off, in which order, and which of them are used. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { amountOff, percentOff, several, taxOf } from '../../test/support/coupons-and-taxes.ts'
import { assess } from './assessment.ts'
import type { AppliedCoupon } from './coupon.ts'
import { chargeLine } from './line-item.ts'
import { cents } from './money.ts'
import type { Tax } from './tax.ts'

const charge = (amount: number) => chargeLine('baseline', cents(amount), 'Pro', true)

const assessed = (amount: number, coupons: readonly AppliedCoupon[], taxes: readonly Tax[] = []) =>
  assess([charge(amount)], { coupons, taxes, minorUnit: 1 }, 1)

describe('several coupons', () => {
  const [tenth, fixed] = several(percentOff('10'), amountOff(500)) as [AppliedCoupon, AppliedCoupon]
  const ofFullPrice = (applied: AppliedCoupon): AppliedCoupon => ({
    ...applied,
    coupon: { ...applied.coupon, compoundingStrategy: 'full-price' },
  })
  const rowsOf = (charged: number, ...coupons: AppliedCoupon[]) =>
    assessed(charged, coupons)
      .lines.slice(1)
      .map(({ couponId, amount }) => [couponId, +amount])

  test('take off in their order, each of what those before it left, and write a row each', () => {
    assert.deepEqual(rowsOf(5000, tenth, fixed), [
      [70, -500],
      [71, -500],
    ])
    assert.deepEqual(rowsOf(5000, fixed, tenth), [
      [71, -500],
      [70, -450],
    ])
    const { discount, total, lines } = assessed(5000, [fixed, tenth], [taxOf('10')])
    assert.deepEqual([+discount, +lines[0]!.discountAmount, +lines[0]!.taxableAmount, +total], [950, 950, 4050, 4455])
  })

  test('of the full price take off the same wherever they stand, and never more than is left', () => {
    const second = ofFullPrice(several(percentOff('1'), percentOff('60'))[1]!)
    assert.deepEqual(rowsOf(5000, fixed, ofFullPrice(tenth)), [
      [71, -500],
      [70, -500],
    ])
    const most = { ...percentOff('50'), code: 'MOST' }
    assert.deepEqual(rowsOf(5000, most, second), [
      [70, -2500],
      [71, -2500],
    ])
  })

  test('wait where nothing is left for them, without being used; one that is used up is passed over', () => {
    const [all, more] = several(percentOff('100'), amountOff(500)) as [AppliedCoupon, AppliedCoupon]
    const leaving = { ...more, coupon: { ...more.coupon, allowNegativeBalance: true } }
    for (const waiting of [more, leaving]) {
      const { total, usedCouponIds } = assessed(300, [all, waiting])
      assert.deepEqual([+total, usedCouponIds], [0, [70]])
    }
    assert.deepEqual(assessed(300, [leaving, all]).usedCouponIds, [71])
    assert.equal(+assessed(300, [leaving, all]).total, -200)
    const finished = { ...all, useCount: 1, usesAllowed: 1 }
    assert.deepEqual(assessed(300, [finished, more]).usedCouponIds, [71])
  })
})
