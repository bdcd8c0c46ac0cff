/** The preview of an allocation is the allocation, read ahead: whatever the schemes, the discount, the taxes and the moment. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  coupon,
  holding,
  meteredComponent,
  onOffComponent,
  pricedWith,
  quantityComponent,
  tax,
  wanting,
} from '../../test/support/component-facts.ts'
import { at, product, signedUp } from '../../test/support/story-facts.ts'
import { decideAllocation } from './allocation.ts'
import { type PreviewLine, previewAllocation } from './allocation-preview.ts'
import type { WantedAllocation } from './allocation-steps.ts'
import { cents } from './money.ts'
import { Refusal } from './refusal.ts'
import { downgradeSchemes, upgradeSchemes } from './site.ts'

const start = '2026-01-31T12:00:00Z'
const lastWeek = at('2026-02-21T12:00:00Z')

const users = quantityComponent({ taxable: true })
const boxes = quantityComponent({
  id: 24,
  name: 'Boxes',
  pricingScheme: 'volume',
  unitPrice: null,
  prices: [
    { startingQuantity: 1, endingQuantity: 10, unitPrice: '20' },
    { startingQuantity: 11, endingQuantity: null, unitPrice: '9.9' },
  ],
})
const support = onOffComponent()

const amount = fc.integer({ min: 0, max: 40 }).map(String)
const schemes = {
  upgradeScheme: fc.constantFrom(...upgradeSchemes),
  downgradeScheme: fc.constantFrom(...downgradeSchemes),
}
const step = fc.oneof(
  fc.record({ component: fc.constantFrom(users, boxes), quantity: amount, memo: fc.constant(null), ...schemes }),
  fc.record({
    component: fc.constant(support),
    quantity: fc.constantFrom('0', '1'),
    memo: fc.constant('x'),
    ...schemes,
  }),
)

const told = ({ type, kind, memo, amount, discountAmount, taxableAmount, componentId }: PreviewLine) => [
  type,
  kind,
  memo,
  amount,
  discountAmount,
  taxableAmount,
  componentId,
]

test('every row that an allocation writes stands in its preview, in its order, and the totals are their sums', () => {
  const terms = fc.record({
    wanted: fc.array(step, { minLength: 1, maxLength: 4 }),
    held: fc.record({ users: amount, boxes: amount, support: fc.constantFrom('0', '1') }),
    seconds: fc.integer({ min: 0, max: 28 * 86_400 }),
    isDiscounted: fc.boolean(),
    isTaxed: fc.boolean(),
    isPeriodDiscounted: fc.boolean(),
    isTrial: fc.boolean(),
  })
  fc.assert(
    fc.property(terms, ({ wanted, held, seconds, isDiscounted, isTaxed, isPeriodDiscounted, isTrial }) => {
      const trial = {
        price: cents(100),
        interval: { count: 1, unit: 'month' },
        type: 'payment_expected',
      } as const
      const lived = signedUp({
        ...(isTrial && { product: product({ trial }) }),
        pricing: {
          ...pricedWith(holding(users, held.users), holding(support, held.support), holding(boxes, held.boxes)),
          coupons: isDiscounted ? [coupon({ percentage: '33' })] : [],
          taxes: isTaxed ? [tax, { ...tax, id: 32, rate: '8.845' }] : [],
        },
      })
      const now = at(start).add({ seconds })
      const before = lived.facts.subscription.balance
      const periodCoupons = isPeriodDiscounted ? [{ ...coupon({ percentage: '33' }), inPeriod: null }] : []
      const preview = previewAllocation(lived.facts, { wanted, periodCoupons }, now)
      const ids = wanted.map((_, place) => 901 + place)
      const changes = decideAllocation(lived.facts, { wanted, ids, periodCoupons }, now, lived.ids)
      assert.deepEqual(preview.lines.map(told), (changes.transactions ?? []).map(told))
      const { subtotal, discount, tax: taxed, total } = preview.totals
      assert.equal(total, Number(changes.subscription?.balance) - before)
      assert.equal(subtotal - discount + taxed, total)
      assert.equal(preview.existingBalance, before)
      assert.deepEqual(
        preview.steps.map((one) => [one.quantity, one.previousQuantity]),
        (changes.newAllocations ?? []).map((one) => [one.quantity, one.previousQuantity]),
      )
    }),
    { numRuns: 200 },
  )
})

describe('a preview tells', () => {
  const preview = (...wanted: WantedAllocation[]) =>
    previewAllocation(
      signedUp({ pricing: pricedWith(holding(users, '1'), holding(support, '1')) }).facts,
      { wanted, periodCoupons: [] },
      lastWeek,
    )

  test('an upgrade, with the time that is charged for and the scheme', () => {
    const { direction, prorationScheme, about, periodType, totals } = preview(wanting(users))
    const { period } = about
    assert.deepEqual([direction, prorationScheme, periodType], ['upgrade', 'prorate-delay-capture', 'recurring'])
    assert.deepEqual([period.startsAt, String(period.endsAt)], [lastWeek, '2026-02-28T12:00:00Z'])
    assert.equal(totals.total, 375)
  })

  test('a downgrade as less than nothing', () => {
    const { direction, prorationScheme, totals } = preview(wanting(support, { quantity: '0' }))
    assert.deepEqual([direction, prorationScheme, totals.total], ['downgrade', 'prorate', -1125])
  })

  test('of several changes the way of all of them together', () => {
    const both = preview(
      wanting(users, { quantity: '2', upgradeScheme: 'no-prorate' }),
      wanting(support, { quantity: '0' }),
    )
    assert.deepEqual([both.direction, both.prorationScheme, both.totals.total], ['downgrade', 'prorate', -1125])
    assert.deepEqual(preview(wanting(users, { quantity: '1' })).direction, null)
  })

  test('the same refusals', () => {
    assert.throws(() => preview(wanting(meteredComponent())), Refusal)
    assert.throws(() => preview(wanting(support, { quantity: '2' })), Refusal)
  })
})
