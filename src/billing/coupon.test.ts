/** What coupons take off, when, and how often. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { amountOff, coupon, percentOff, taxOf } from '../../test/support/coupons-and-taxes.ts'
import { assessed, at, having, type Lived, product, signedUp, written } from '../../test/support/story-facts.ts'
import {
  asCouponCode,
  type Coupon,
  couponMemo,
  isCouponCode,
  newlyApplied,
  usesAllowedBy,
  whyNotNow,
} from './coupon.ts'
import { decideAddCoupon, decideRemoveCoupon } from './coupon-change.ts'
import { discountsOf } from './discount.ts'
import { cents } from './money.ts'
import { Refusal } from './refusal.ts'
import { type PricingFacts, plainPricing, subscriptionStates } from './subscription.ts'

describe('a code', () => {
  test('is made of capital letters, digits and six signs, whatever case it is asked in', () => {
    for (const code of ['A', 'SAVE10', '20%OFF', 'A@B+C-D_E.F', 'X'.repeat(255)]) assert.ok(isCouponCode(code), code)
    for (const code of ['', 'a', 'SAVE 10', 'SÄVE', 'A/B', 'A&B', 'X'.repeat(256)]) assert.ok(!isCouponCode(code), code)
    assert.equal(asCouponCode(' save10 '), 'SAVE10')
  })
})

test('a percentage with decimals is exact, and rounded once, half up', () => {
  const off = (percentage: string, charges: number) =>
    discountsOf([percentOff(percentage)], [chargeOf(charges)], 1).map(({ written }) => +written)
  assert.deepEqual(off('15.2', 4999), [760])
  assert.deepEqual(off('0.5', 5000), [25])
  assert.deepEqual(off('0.5', 100), [1])
  assert.deepEqual(off('0.5', 99), [0])
  assert.deepEqual(off('33.33333333', 1_000_000_000), [333_333_333])
})

const chargeOf = (amount: number) => ({ amount: cents(amount), isTaxable: true, componentId: null, productId: 1 })

test('lasts one assessment, a number of them, or for good', () => {
  assert.equal(usesAllowedBy(coupon({ recurring: false, durationPeriodCount: 3 })), 1)
  assert.equal(usesAllowedBy(coupon({ recurring: true, durationPeriodCount: 3 })), 3)
  assert.equal(usesAllowedBy(coupon({ recurring: true })), null)
})

test('is on offer from its start to the last second of its end', () => {
  const now = at('2026-06-15T12:00:00Z')
  const second = { seconds: 1 }
  assert.equal(whyNotNow(coupon(), now), null)
  assert.equal(whyNotNow(coupon({ startDate: now, endDate: now }), now), null)
  assert.equal(whyNotNow(coupon({ startDate: now.add(second) }), now), 'not_started')
  assert.equal(whyNotNow(coupon({ endDate: now.subtract(second) }), now), 'expired')
  assert.equal(whyNotNow(coupon({ archivedAt: now, endDate: now.subtract(second) }), now), 'archived')
})

test('an amount off never exceeds the charges on the lines, and its row does only where a credit may remain', () => {
  const off = { percentage: null, amount: cents(10000) }
  const discountOf = (change: Partial<Coupon>, charges: number) =>
    discountsOf([newlyApplied({ coupon: coupon(change), code: 'SAVE' })], [chargeOf(charges)], 1).map(
      ({ written, shared }) => [+written, +shared],
    )
  assert.deepEqual(discountOf(off, 3000), [[3000, 3000]])
  assert.deepEqual(discountOf({ ...off, allowNegativeBalance: true }, 3000), [[10000, 3000]])
  assert.deepEqual(discountOf({ allowNegativeBalance: true }, 3001), [[1501, 1501]])
})

test('its memo says the code that was used, and what the coupon is', () => {
  assert.equal(couponMemo({ ...percentOff('50'), code: 'SUB1' }), 'Coupon: SUB1 - Half as dear')
  assert.equal(couponMemo(newlyApplied({ coupon: coupon({ description: '' }), code: 'SAVE' })), 'Coupon: SAVE')
})

const withPricing = (change: Partial<PricingFacts>): { pricing: PricingFacts } => ({
  pricing: { ...plainPricing, ...change },
})

/** The first coupon of a subscription: its code, its uses, and how many it may have. */
const standing = ({ facts }: Lived) => {
  const [on] = facts.pricing.coupons
  return [on?.code, on?.useCount, on?.usesAllowed]
}

const amountsOf = (changes: { transactions?: readonly { kind: string | null; amount: number }[] }) =>
  (changes.transactions ?? []).map(({ kind, amount }) => [kind, +amount])

describe('on a subscription', () => {
  test('two periods are two assessments, the sign-up among them, and then it stays without effect', () => {
    const twice = newlyApplied({ coupon: coupon({ durationPeriodCount: 2 }), code: 'SAVE' })
    const first = signedUp({
      product: product({ taxable: true }),
      ...withPricing({ coupons: [twice], taxes: [taxOf('6')] }),
    })
    assert.deepEqual(amountsOf(first.changes), [
      ['baseline', 5000],
      ['coupon', -2500],
      ['tax', 150],
      [null, 2650],
    ])
    const second = assessed(first)
    assert.deepEqual(standing(second), ['SAVE', 2, 2])
    assert.deepEqual(amountsOf(second.changes).slice(1), [
      ['coupon', -2500],
      ['tax', 150],
    ])
    const third = assessed(second)
    assert.deepEqual(amountsOf(third.changes), [
      ['baseline', 5000],
      ['tax', 300],
    ])
    assert.deepEqual(standing(third), ['SAVE', 2, 2])
  })

  test('it waits through a free trial, and counts a paid one', () => {
    const once = newlyApplied({ coupon: coupon({ recurring: false }), code: 'SAVE' })
    const trial = (price: number) => ({
      price: cents(price),
      interval: { count: 7, unit: 'day' as const },
      type: 'payment_expected' as const,
    })
    const free = signedUp({ product: product({ trial: trial(0) }), ...withPricing({ coupons: [once] }) })
    assert.deepEqual(amountsOf(free.changes), [['trial', 0]])
    assert.deepEqual(standing(free), ['SAVE', 0, 1])
    assert.deepEqual(amountsOf(assessed(free).changes)[1], ['coupon', -2500])
    const paid = signedUp({ product: product({ trial: trial(100) }), ...withPricing({ coupons: [once] }) })
    assert.deepEqual(amountsOf(paid.changes).slice(0, 2), [
      ['trial', 100],
      ['coupon', -50],
    ])
    assert.deepEqual(amountsOf(assessed(paid).changes), [['baseline', 5000]])
  })

  test('an amount off that may leave a credit pays for what comes next', () => {
    const { coupon: terms } = amountOff(12000)
    const gift = newlyApplied({ coupon: { ...terms, recurring: false, allowNegativeBalance: true }, code: 'GIFT' })
    const first = signedUp(withPricing({ coupons: [gift] }))
    assert.equal(first.facts.subscription.balance, -7000)
    assert.equal(first.changes.attempt, undefined)
    const second = assessed(first)
    assert.equal(second.facts.subscription.balance, -2000)
    const third = assessed(second)
    assert.deepEqual(amountsOf(third.settled), [[null, 3000]])
    assert.equal(third.facts.subscription.balance, 0)
  })

  test('what falls of a tax on each charge is written with the row of the tax', () => {
    const { changes } = signedUp({
      product: product({ taxable: true, initialCharge: cents(1000) }),
      ...withPricing({ taxes: [taxOf('6.25')] }),
    })
    const [baseline, initial, tax] = changes.transactions!
    assert.deepEqual(
      changes.taxations?.map(({ chargeId, taxChargeId, amount }) => [chargeId, taxChargeId, +amount]),
      [
        [baseline!.id, tax!.id, 313],
        [initial!.id, tax!.id, 62],
      ],
    )
    assert.equal(signedUp().changes.taxations, undefined)
  })
})

describe('put on and taken off', () => {
  const now = at('2026-02-10T00:00:00Z')

  test('it starts at 0, also when it was on before', () => {
    const once = newlyApplied({ coupon: coupon({ recurring: false }), code: 'SAVE' })
    const lived = signedUp(withPricing({ coupons: [once] }))
    assert.deepEqual(standing(lived), ['SAVE', 1, 1])
    const changes = decideAddCoupon(lived.facts, once, now)
    assert.deepEqual(changes.subscription?.updatedAt, now)
    assert.deepEqual(changes.redemptions, [
      { siteId: 1, couponId: 70, code: 'SAVE', subscriptionId: 9, createdAt: now },
    ])
    const after = written(lived, changes)
    assert.deepEqual(standing(after), ['SAVE', 0, 1])
    assert.deepEqual(amountsOf(assessed(after).changes)[1], ['coupon', -2500])
  })

  test('it is refused once nothing will be billed', () => {
    const lived = signedUp()
    const refused = subscriptionStates.filter((state) => {
      try {
        decideAddCoupon(having(lived, { state }).facts, { coupon: coupon(), code: 'SAVE' }, now)
        return false
      } catch (error) {
        return error instanceof Refusal
      }
    })
    assert.deepEqual(refused, ['canceled', 'expired', 'trial_ended'])
  })

  test('it is taken off by its code in any case, or by none, and not by another', () => {
    const lived = signedUp(withPricing({ coupons: [percentOff('50')] }))
    assert.equal(decideRemoveCoupon(lived.facts, 'OTHER', now), undefined)
    assert.equal(decideRemoveCoupon(signedUp().facts, null, now), undefined)
    for (const code of ['save', null]) {
      const changes = decideRemoveCoupon(lived.facts, code, now)!
      assert.deepEqual(changes.removedCoupons, [{ subscriptionId: 9, couponId: 70 }])
      assert.deepEqual(written(lived, changes).facts.pricing.coupons, [])
    }
  })
})
