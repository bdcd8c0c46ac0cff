/** Changes of quantities add up: wherever in a period they fall, in whatever steps, undone or not, discounted and taxed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  coupon,
  holding,
  pricedWith,
  quantityComponent,
  stocked,
  tax,
  wanting,
} from '../../test/support/component-facts.ts'
import { at, type Lived, signedUp } from '../../test/support/story-facts.ts'
import { decideAllocation } from './allocation.ts'
import type { WantedAllocation } from './allocation-steps.ts'
import type { Changes } from './changes.ts'
import { priceOf } from './pricing.ts'
import { nextPeriod } from './renewal.ts'

const start = '2026-01-31T12:00:00Z'

const want = (quantity: string): WantedAllocation => wanting(spread, { quantity })

const allocate = (lived: Lived, now: string, quantity: string): Changes =>
  decideAllocation(
    lived.facts,
    {
      wanted: [want(quantity)],
      ids: [901],
      periodCoupons: lived.facts.pricing.coupons.map((one) => ({ ...one, inPeriod: null })),
    },
    at(now),
    lived.ids,
  )

const amounts = (changes: Changes): number[] => (changes.transactions ?? []).map(({ amount }) => amount)

const moment = fc.integer({ min: 0, max: 28 * 86_400 }).map((seconds) => String(at(start).add({ seconds })))
const amount = fc.integer({ min: 0, max: 40 }).map(String)
const spread = quantityComponent({
  pricingScheme: 'tiered',
  unitPrice: null,
  prices: [
    { startingQuantity: 1, endingQuantity: 10, unitPrice: '19.99' },
    { startingQuantity: 11, endingQuantity: null, unitPrice: '0.3333' },
  ],
  taxable: true,
})

test('an upgrade undone at once nets zero, discount and taxes included', () => {
  fc.assert(
    fc.property(moment, amount, amount, fc.boolean(), (now, from, to, discounted) => {
      const pricing = {
        ...pricedWith(holding(spread, from)),
        taxes: [tax, { ...tax, id: 32, rate: '8.845' }],
        coupons: discounted ? [coupon({ percentage: '33' }), coupon({ id: 42, percentage: '10' })] : [],
      }
      const lived = signedUp({ pricing })
      const there = allocate(lived, now, to)
      const after = stocked(lived, there, [spread])
      const back = allocate(after, now, from)
      assert.equal(back.subscription?.balance, lived.facts.subscription.balance)
      const all = [there, back].flatMap(({ transactions = [] }) => transactions)
      for (const field of ['discountAmount', 'taxableAmount'] as const) {
        assert.equal(
          all.reduce((sum, row) => sum + row[field], 0),
          0,
          field,
        )
      }
    }),
    { numRuns: 100 },
  )
})

test('wherever changes fall in a period, what was paid is the sum of what each quantity was worth while it lasted', () => {
  const step = fc.record({ now: moment, quantity: amount })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), amount, (steps, first) => {
      let lived: Lived = signedUp({ pricing: pricedWith(holding(spread, first)) })
      const before = lived.facts.subscription.balance
      const worth = (quantity: string, now: string) =>
        amounts(allocate(withStock(lived, '0'), now, quantity)).reduce((sum, due) => sum + due, 0)
      const sorted = steps.toSorted((left, right) => (left.now < right.now ? -1 : 1))
      let expected = 0
      let quantity = first
      for (const { now, quantity: next } of sorted) {
        expected += worth(next, now) - worth(quantity, now)
        lived = stocked(lived, allocate(lived, now, next), [spread])
        quantity = next
      }
      assert.equal(lived.facts.subscription.balance - before, expected)
      const [, line] = nextPeriod(lived.facts).assessment.lines
      assert.equal(line?.amount ?? 0, priceOf(spread, quantity, 1))
    }),
    { numRuns: 100 },
  )
})

test('in a first period up to the snap day, a change at its start makes it cost what a sign-up with that quantity costs', () => {
  const snapDay = fc.constantFrom('1', '15', '28', 'end')
  const charged = (quantity: string, snap: string, firstCharge: 'prorated' | 'delayed') =>
    signedUp({ pricing: pricedWith(holding(spread, quantity)), calendar: { snapDay: snap, firstCharge }, now: start })
  fc.assert(
    fc.property(snapDay, amount, amount, (snap, from, to) => {
      const lived = charged(from, snap, 'prorated')
      const after = amounts(allocate(lived, start, to)).reduce((sum, due) => sum + due, 0)
      const { signupRevenue } = lived.facts.subscription
      assert.equal(signupRevenue + after, charged(to, snap, 'prorated').facts.subscription.signupRevenue)
    }),
    { numRuns: 100 },
  )
  assert.deepEqual(amounts(allocate(charged('3', '15', 'delayed'), start, '0')), [], 'nothing was charged for it')
  assert.deepEqual(amounts(allocate(charged('3', '15', 'delayed'), start, '9')), [], 'nothing is charged for it')
})

const withStock = (lived: Lived, quantity: string): Lived => ({
  ...lived,
  facts: { ...lived.facts, pricing: pricedWith(holding(spread, quantity)) },
})
