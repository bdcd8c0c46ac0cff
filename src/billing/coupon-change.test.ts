/** Coupons on a subscription: put on with a count of 0, in place of others or beside them, and taken off only when they are meant. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { coupon, percentOff, several } from '../../test/support/coupons-and-taxes.ts'
import { at, having, signedUp } from '../../test/support/story-facts.ts'
import type { Changes } from './changes.ts'
import { type AppliedCoupon, couponsMax } from './coupon.ts'
import { decideAddCoupon, decideCoupons, decideRemoveCoupon, withAdded, withExactly } from './coupon-change.ts'
import { Refusal } from './refusal.ts'
import type { Subscription, SubscriptionFacts } from './subscription.ts'

const later = at('2026-02-10T00:00:00Z')

/** `SAVE1` and `SAVE2`, which were used, and `SAVE3`, which is on no subscription. */
const [first, second, third] = several(
  { ...percentOff('10'), useCount: 3, usesAllowed: 4 },
  { ...percentOff('20'), useCount: 2 },
  percentOff('30'),
) as [AppliedCoupon, AppliedCoupon, AppliedCoupon]

function withCoupons(coupons: readonly AppliedCoupon[], change: Partial<Subscription> = {}): SubscriptionFacts {
  const { facts } = having(signedUp(), change)
  return { ...facts, pricing: { ...facts.pricing, coupons } }
}

const rowsOf = ({ subscriptionCoupons = [], removedCoupons = [], redemptions = [] }: Changes) => ({
  on: subscriptionCoupons.map(({ code, place, useCount, usesAllowed }) => [code, place, useCount, usesAllowed]),
  off: removedCoupons.map(({ couponId }) => couponId),
  redeemed: redemptions.map(({ code }) => code),
})

const nothing = { on: [], off: [], redeemed: [] }

test('a coupon that is put on by itself takes the place of all others, counts from 0, and is on record as redeemed', () => {
  const facts = withCoupons([first, second])
  const changes = decideAddCoupon(facts, third, later)
  assert.deepEqual(rowsOf(changes), { on: [['SAVE3', 1, 0, null]], off: [70, 71], redeemed: ['SAVE3'] })
  assert.deepEqual(changes.subscription, { ...facts.subscription, updatedAt: later })
  assert.deepEqual(changes.redemptions, [
    { siteId: 1, couponId: 72, code: 'SAVE3', subscriptionId: 9, createdAt: later },
  ])
})

test('what has ended takes no coupon, and loses those that it has', () => {
  for (const state of ['canceled', 'expired', 'trial_ended'] as const) {
    assert.throws(() => decideAddCoupon(withCoupons([], { state }), third, later), Refusal, state)
    assert.deepEqual(rowsOf(decideRemoveCoupon(withCoupons([first], { state }), null, later)!).off, [70])
  }
  assert.ok(decideAddCoupon(withCoupons([], { state: 'on_hold' }), third, later).subscription)
})

describe('several', () => {
  test('come after those that are on, and one that is on already begins anew in its place', () => {
    const changes = decideCoupons(withCoupons([first, second]), withAdded([first, second], [third, first]), later)
    assert.deepEqual(rowsOf(changes), {
      on: [
        ['SAVE1', 1, 0, null],
        ['SAVE3', 3, 0, null],
      ],
      off: [],
      redeemed: ['SAVE1', 'SAVE3'],
    })
  })

  test('as a whole list take the places of the list, and keep the counts of those that were on', () => {
    const next = withExactly([first, second], [third], ['SAVE3', 'SAVE2'])
    assert.deepEqual(rowsOf(decideCoupons(withCoupons([first, second]), next, later)), {
      on: [['SAVE3', 1, 0, null]],
      off: [70],
      redeemed: ['SAVE3'],
    })
    const same = withExactly([first, second], [], ['SAVE1', 'SAVE2'])
    assert.deepEqual(decideCoupons(withCoupons([first, second]), same, later), {})
    const turned = withExactly([first, second], [], ['SAVE2', 'SAVE1'])
    assert.deepEqual(rowsOf(decideCoupons(withCoupons([first, second]), turned, later)), {
      ...nothing,
      on: [
        ['SAVE2', 1, 2, null],
        ['SAVE1', 2, 3, 4],
      ],
    })
  })

  test('are refused by their codes where one stands alone, is given twice, or where they are too many', () => {
    const refusal = (coupons: readonly AppliedCoupon[]): readonly string[] => {
      try {
        decideCoupons(withCoupons([]), withAdded([], coupons), later)
        return []
      } catch (error) {
        return (error as Refusal).messages
      }
    }
    const alone = { ...second, coupon: { ...second.coupon, stackable: false } }
    assert.deepEqual(refusal([first, alone]), ["Coupon Code: 'SAVE2' - Coupon cannot be combined with others."])
    assert.deepEqual(refusal([alone]), [])
    const finished = { ...alone, useCount: 1, usesAllowed: 1 }
    assert.ok(decideCoupons(withCoupons([finished]), withAdded([finished], [first]), later).subscription)
    assert.throws(() => decideCoupons(withCoupons([alone]), withAdded([alone], [first]), later), Refusal)
    assert.deepEqual(refusal([first, { ...first, code: 'SUB' }]), ["Coupon Code: 'SUB' - Coupon is given twice."])
    const many = several(...Array.from({ length: couponsMax + 1 }, () => percentOff('1')))
    assert.deepEqual(refusal(many), [`Coupon Codes: a subscription has ${couponsMax} coupons at most.`])
    assert.deepEqual(refusal(many.slice(1)), [])
  })
})

test('the coupon that is meant is taken off, and no other, and the places behind it close up', () => {
  const on = withCoupons([first, second])
  for (const code of ['SAVE1', ' save1']) {
    assert.deepEqual(rowsOf(decideRemoveCoupon(on, code, later)!), {
      ...nothing,
      on: [['SAVE2', 1, 2, null]],
      off: [70],
    })
  }
  assert.deepEqual(rowsOf(decideRemoveCoupon(on, null, later)!), { ...nothing, off: [70, 71] })
  assert.equal(decideRemoveCoupon(on, 'OTHER', later), undefined)
  assert.equal(decideRemoveCoupon(withCoupons([]), 'SAVE1', later), undefined)
  assert.equal(decideRemoveCoupon(withCoupons([]), null, later), undefined)
})

test('one that is put on in place of itself is written as new', () => {
  const changes = decideAddCoupon(withCoupons([first]), { coupon: coupon(first.coupon), code: 'SAVE1' }, later)
  assert.deepEqual(rowsOf(changes), { on: [['SAVE1', 1, 0, null]], off: [], redeemed: ['SAVE1'] })
})
