/** What a coupon takes off changes of quantities, and off what they give back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { coupon, holding, pricedWith, quantityComponent, wanting } from '../../test/support/component-facts.ts'
import { at, signedUp } from '../../test/support/story-facts.ts'
import { decideAllocation } from './allocation.ts'
import type { WantedAllocation } from './allocation-steps.ts'
import { cents } from './money.ts'
import type { PricingFacts } from './subscription.ts'

const users = quantityComponent()
const want = (change: Partial<WantedAllocation> = {}): WantedAllocation => wanting(users, change)

type CouponThere = PricingFacts['coupon']

/** The rows of changes to one user a quarter of a period before its end. */
function allocate(there: CouponThere, periodCoupon: CouponThere, ...wanted: WantedAllocation[]) {
  const { facts, ids: drawn } = signedUp({ pricing: { ...pricedWith(holding(users, '1')), coupon: there } })
  const ids = wanted.map((_, place) => 901 + place)
  const request = { wanted, ids, periodCoupon: periodCoupon && { ...periodCoupon, inPeriod: null } }
  const changes = decideAllocation(facts, request, at('2026-02-21T12:00:00Z'), drawn)
  const rows = (changes.transactions ?? []).map(({ memo, amount }) => [memo, Number(amount)] as const)
  return { rows, changes, before: facts.subscription }
}

const half = coupon({})
const upgrade = ['Users: 1 to 2 Users', 375] as const

describe('a coupon', () => {
  test('takes its part of a change without being used', () => {
    const { rows, changes, before } = allocate(half, half, want())
    assert.deepEqual(rows, [upgrade, ['Coupon: HALF - Half off', -188]])
    assert.equal(changes.subscription?.couponUseCount, before.couponUseCount)
  })

  test('whose last use was the current period takes part in its changes, and in no later ones', () => {
    const once = { ...half, useCount: 1, usesAllowed: 1 }
    assert.deepEqual(allocate(once, once, want()).rows, [upgrade, ['Coupon: HALF - Half off', -188]])
    assert.deepEqual(allocate(once, null, want()).rows, [upgrade])
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

  test('of a fixed amount is taken off a period once, whatever way its quantities came to be', () => {
    const quantity = fc.integer({ min: 0, max: 9 })
    fc.assert(
      fc.property(
        fc.array(quantity, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 5000 }),
        (path, off) => {
          const fixed = coupon({ percentage: null, amount: cents(off) })
          let [held, taken, charged] = [0, 0, 0]
          for (const next of path) {
            const { facts, ids } = signedUp({ pricing: { ...pricedWith(holding(users, String(held))), coupon: fixed } })
            const periodCoupon = { ...fixed, inPeriod: { taken: cents(taken), charged: cents(charged) } }
            const request = { wanted: [want({ quantity: String(next) })], ids: [901], periodCoupon }
            for (const row of decideAllocation(facts, request, at('2026-02-21T12:00:00Z'), ids).transactions ?? []) {
              if (row.kind === 'coupon') taken -= row.amount
              else charged += row.amount
            }
            held = next
            assert.equal(charged, held * 375)
            assert.equal(taken, Math.min(off, charged))
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
