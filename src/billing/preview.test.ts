/** The preview is the next renewal: the same lines, totals and balance, for anything that can be sold to anybody. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  coupon,
  holding,
  meteredComponent,
  onOffComponent,
  quantityComponent,
} from '../../test/support/component-facts.ts'
import { several, taxOf } from '../../test/support/coupons-and-taxes.ts'
import { approved, assessed, card, declined, having, product, signedUp } from '../../test/support/story-facts.ts'
import type { LineItem } from './line-item.ts'
import { cents } from './money.ts'
import { previewRenewal } from './preview.ts'

const price = fc.integer({ min: 0, max: 20_000 }).map(cents)
const unitPrice = fc.integer({ min: 0, max: 2_000_000 }).map((units) => `${units / 10_000}`)
const quantity = fc.integer({ min: 0, max: 40 }).map(String)
const interval = fc.record({
  count: fc.integer({ min: 1, max: 40 }),
  unit: fc.constantFrom<'day' | 'month'>('day', 'month'),
})
const trial = fc.record({
  price,
  interval,
  type: fc.constantFrom<'no_obligation' | 'payment_expected'>('no_obligation', 'payment_expected'),
})

const products = fc
  .record({
    price,
    interval,
    initialCharge: price,
    initialChargeAfterTrial: fc.boolean(),
    trial: fc.option(trial, { nil: null }),
    taxable: fc.boolean(),
  })
  .map(product)

const brackets = fc.tuple(fc.integer({ min: 1, max: 20 }), unitPrice, unitPrice).map(([end, low, high]) => [
  { startingQuantity: 1, endingQuantity: end, unitPrice: low },
  { startingQuantity: end + 1, endingQuantity: null, unitPrice: high },
])
const scheme = fc.constantFrom<'tiered' | 'volume' | 'stairstep'>('tiered', 'volume', 'stairstep')

const components = fc
  .record({
    brackets,
    scheme,
    unitPrice,
    quantity,
    usage: quantity,
    on: fc.constantFrom('0', '1'),
    taxable: fc.boolean(),
  })
  .map(({ brackets: prices, scheme: pricingScheme, unitPrice: each, quantity: users, usage, on, taxable }) => [
    holding(quantityComponent({ pricingScheme, unitPrice: null, prices, taxable }), users),
    holding(onOffComponent({ unitPrice: each }), on),
    holding(meteredComponent({ unitPrice: each, taxable: !taxable }), '0', usage),
  ])

const coupons = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 100 }).map((percent) => coupon({ percentage: String(percent) })),
    fc
      .tuple(price, fc.boolean())
      .map(([amount, allowNegativeBalance]) => coupon({ percentage: null, amount, allowNegativeBalance })),
  ),
  { maxLength: 3 },
)
const taxes = fc
  .array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 3 })
  .map((rates) => rates.map((rate, place) => taxOf(String(rate / 1000), { id: place + 1 })))

const instant = fc
  .integer({ min: 1_577_836_800, max: 2_208_988_800 })
  .map((seconds) => String(Temporal.Instant.fromEpochMilliseconds(seconds * 1000)))

const shown = ({ kind, amount, memo, discountAmount, taxableAmount }: LineItem) => ({
  kind,
  amount,
  memo,
  discountAmount,
  taxableAmount,
})

test('the preview equals the next renewal in every line, total and date, whatever is sold, discounted, taxed and owed', () => {
  fc.assert(
    fc.property(
      fc.record({
        product: products,
        next: fc.option(products, { nil: null }),
        components,
        coupons: coupons.map((list) => several(...list)),
        taxes,
        now: instant,
      }),
      fc.integer({ min: -30_000, max: 30_000 }),
      fc.constantFrom(card, null),
      fc.array(fc.constantFrom(approved, declined), { maxLength: 2 }),
      (sold, owed, paying, before) => {
        const { product: terms, next, now, ...priced } = sold
        const pricing = { ...priced, nextProduct: null, minorUnit: 1 as const }
        let lived: ReturnType<typeof having> = signedUp({ product: terms, pricing, now, card: paying })
        for (const outcome of before) {
          if (lived.facts.subscription.state === 'active') lived = assessed(lived, outcome)
        }
        lived = having(lived, { balance: cents(owed), ...(next && { nextProductId: 8 }) })
        if (next)
          lived = {
            ...lived,
            facts: { ...lived.facts, pricing: { ...lived.facts.pricing, nextProduct: { ...next, productId: 8 } } },
          }
        const { assessment, ...promised } = previewRenewal(lived.facts)
        const due = having(lived, { nextAssessmentAt: lived.facts.subscription.currentPeriodEndsAt, retryAt: null })
        const { changes } = assessed(due)
        const written = (changes.transactions ?? []).filter(({ type }) => type === 'charge' || type === 'adjustment')
        assert.deepEqual(
          written.map(({ kind, amount, memo, discountAmount, taxableAmount }) => ({
            kind,
            amount,
            memo,
            discountAmount,
            taxableAmount,
          })),
          assessment.lines.map(shown),
        )
        const charged = written.reduce((sum, { amount }) => sum + amount, 0)
        assert.equal(charged, assessment.total)
        assert.equal(assessment.subtotal - assessment.discount + assessment.tax, assessment.total)
        const sumOf = (kind: string) => written.reduce((sum, row) => sum + (row.kind === kind ? row.amount : 0), 0)
        assert.equal(sumOf('tax'), assessment.tax)
        assert.equal(sumOf('coupon'), 0 - assessment.discount)
        const [period] = changes.periods ?? []
        if (period !== undefined)
          assert.ok(period.startedAt.equals(promised.nextAssessmentAt), 'begins when it was promised')
        assert.equal(promised.existingBalance, owed)
        assert.equal(promised.totalAmountDue, owed + charged)
        if (changes.attempt !== undefined)
          assert.equal(changes.attempt.amount, promised.totalAmountDue, 'what is collected')
        assert.deepEqual(previewRenewal(lived.facts), { assessment, ...promised }, 'and asking again gives the same')
      },
    ),
    { numRuns: 300 },
  )
})
