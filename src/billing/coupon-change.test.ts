/** A coupon on a subscription: one at a time, put on with a count of 0, and taken off only when it is the one that is meant. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coupon } from '../../test/support/component-facts.ts'
import { at, having, signedUp } from '../../test/support/story-facts.ts'
import { decideAddCoupon, decideRemoveCoupon } from './coupon-change.ts'
import { Refusal } from './refusal.ts'
import type { Subscription } from './subscription.ts'

const later = at('2026-02-10T00:00:00Z')
const half = { coupon: coupon({}).coupon, code: 'HALF' }

const facts = (change: Partial<Subscription> = {}) => having(signedUp(), change).facts

test('a coupon that is put on takes the place of the other, counts from 0, and is on record as redeemed', () => {
  const before = facts({ couponId: 40, couponCode: 'OLD', couponUseCount: 3, couponUsesAllowed: 4 })
  const { subscription, redemption } = decideAddCoupon(before, half, later)
  assert.deepEqual(subscription, {
    ...before.subscription,
    couponId: 41,
    couponCode: 'HALF',
    couponUseCount: 0,
    couponUsesAllowed: null,
    updatedAt: later,
  })
  assert.deepEqual(redemption, { siteId: 1, couponId: 41, code: 'HALF', subscriptionId: 9, createdAt: later })
})

test('what has ended takes no coupon', () => {
  for (const state of ['canceled', 'expired', 'trial_ended'] as const) {
    assert.throws(() => decideAddCoupon(facts({ state }), half, later), Refusal, state)
  }
  assert.ok(decideAddCoupon(facts({ state: 'on_hold' }), half, later).subscription)
})

test('the coupon that is meant is taken off, and no other', () => {
  const on = facts({ couponId: 41, couponCode: 'HALF', couponUseCount: 2, couponUsesAllowed: 3 })
  for (const code of ['HALF', ' half', null]) {
    const { subscription } = decideRemoveCoupon(on, code, later)!
    assert.deepEqual(subscription, {
      ...on.subscription,
      couponId: null,
      couponCode: null,
      couponUseCount: 0,
      couponUsesAllowed: null,
      updatedAt: later,
    })
  }
  assert.equal(decideRemoveCoupon(on, 'OTHER', later), undefined)
  assert.equal(decideRemoveCoupon(facts(), 'HALF', later), undefined)
  assert.equal(decideRemoveCoupon(facts(), null, later), undefined)
})
