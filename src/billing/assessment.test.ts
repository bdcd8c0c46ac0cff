/** What one billing event comes to: the reference's worked examples, and that lines always sum to their totals. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { percentOff, several, taxOf } from '../../test/support/coupons-and-taxes.ts'
import { type Assessment, assess as assessIn } from './assessment.ts'
import type { AppliedCoupon } from './coupon.ts'
import type { TransactionKind } from './ledger.ts'
import { chargeLine, type LineItem } from './line-item.ts'
import { cents, type MinorUnit, prorate, sumCents } from './money.ts'
import type { Tax } from './tax.ts'

const charge = (amount: number, { taxable = true, kind = 'baseline' as TransactionKind } = {}): LineItem =>
  chargeLine(kind, cents(amount), kind, taxable)

/** In a currency that has cents, unless said otherwise. */
const assess = (
  charges: readonly LineItem[],
  priced: { coupons: readonly AppliedCoupon[]; taxes: readonly Tax[] },
  minorUnit: MinorUnit = 1,
): Assessment => assessIn(charges, { ...priced, minorUnit }, 1)

const none = { coupons: [], taxes: [] }

const totals = ({ subtotal, discount, tax, total }: Assessment): number[] => [subtotal, discount, tax, total]

const told = (lines: readonly LineItem[]) => lines.map(({ type, kind, amount, memo }) => [type, kind, +amount, memo])

describe('the worked examples', () => {
  test('sales receipt: 10 % coupon and 10.0 % CA tax, line by line', () => {
    const items: [TransactionKind, number, boolean][] = [
      ['baseline', 2900, true],
      ['quantity_based_component', 1000, true],
      ['quantity_based_component', 500, false],
      ['metered_component', 1000, true],
      ['metered_component', 500, false],
      ['on_off_component', 100, true],
      ['on_off_component', 100, false],
      ['initial', 1100, true],
    ]
    const charges = items.map(([kind, amount, taxable]) => charge(amount, { kind, taxable }))
    const assessed = assess(charges, { coupons: [percentOff('10')], taxes: [taxOf('10.0', { name: 'CA Tax', id: 4 })] })
    assert.deepEqual(totals(assessed), [7200, 720, 549, 7029])
    assert.deepEqual(
      assessed.lines
        .slice(0, 8)
        .map((line) => [
          +line.amount,
          +line.discountAmount,
          sumCents((line.taxShares ?? []).map((share) => share.amount)) + 0,
        ]),
      [
        [2900, 290, 261],
        [1000, 100, 90],
        [500, 50, 0],
        [1000, 100, 90],
        [500, 50, 0],
        [100, 10, 9],
        [100, 10, 0],
        [1100, 110, 99],
      ],
    )
    assert.deepEqual(told(assessed.lines.slice(8)), [
      ['adjustment', 'coupon', -720, 'Coupon: SAVE - Half as dear'],
      ['charge', 'tax', 549, 'CA Tax (10.0%)'],
    ])
    assert.deepEqual(assessed.lines.map(({ couponId, taxId }) => [couponId, taxId]).slice(7), [
      [undefined, null],
      [70, null],
      [undefined, 4],
    ])
  })

  test('coupon and tax: 3000 with a 50 % coupon and 25 % tax', () => {
    const assessed = assess([charge(3000)], { coupons: [percentOff('50')], taxes: [taxOf('25')] })
    assert.deepEqual(totals(assessed), [3000, 1500, 375, 1875])
    assert.deepEqual([+assessed.lines[0]!.discountAmount, +assessed.lines[0]!.taxableAmount], [1500, 1500])
    assert.deepEqual(assessed.usedCouponIds, [70])
  })

  test('the same, coupon finished', () => {
    const finished = { ...percentOff('50'), useCount: 1, usesAllowed: 1 }
    const assessed = assess([charge(3000)], { coupons: [finished], taxes: [taxOf('25')] })
    assert.deepEqual(totals(assessed), [3000, 0, 750, 3750])
    assert.deepEqual(assessed.usedCouponIds, [])
  })

  test('invoice tax: 6.25 % of 4000 is 250', () => {
    const { lines, ...assessed } = assess([charge(4000)], { coupons: [], taxes: [taxOf('6.25', { name: 'MA Tax' })] })
    assert.deepEqual([+assessed.tax, +assessed.total], [250, 4250])
    assert.deepEqual(told(lines.slice(1)), [['charge', 'tax', 250, 'MA Tax (6.25%)']])
  })

  test('taxed product: 8.845 % of 2000 is 177', () => {
    const { lines, total } = assess([charge(2000)], { coupons: [], taxes: [taxOf('8.845', { name: 'CO Tax' })] })
    assert.equal(total, 2177)
    assert.equal(lines[1]!.memo, 'CO Tax (8.845%)')
  })

  test('coupon limit: 100.00 off 30.00 leaves nothing to pay, or a credit of 70.00 where that is allowed', () => {
    const off = (allowNegativeBalance: boolean): AppliedCoupon => {
      const { coupon, ...applied } = percentOff('1')
      return { ...applied, coupon: { ...coupon, percentage: null, amount: cents(10000), allowNegativeBalance } }
    }
    assert.deepEqual(totals(assess([charge(3000)], { coupons: [off(false)], taxes: [] })), [3000, 3000, 0, 0])
    const leaving = assess([charge(3000)], { coupons: [off(true)], taxes: [taxOf('25')] })
    assert.deepEqual(totals(leaving), [3000, 10000, 0, -7000])
    assert.deepEqual(
      leaving.lines.map(({ amount, discountAmount }) => [+amount, +discountAmount]),
      [
        [3000, 3000],
        [-10000, 0],
      ],
    )
  })

  test('renewal preview: 3999 and 4500 without coupon and tax', () => {
    assert.deepEqual(
      totals(assess([charge(3999), charge(4500, { kind: 'on_off_component' })], none)),
      [8499, 0, 0, 8499],
    )
  })
})

describe('a coupon', () => {
  test('waits while there is nothing to charge', () => {
    const assessed = assess([charge(0, { kind: 'trial' })], { coupons: [percentOff('50')], taxes: [taxOf('25')] })
    assert.deepEqual(assessed.usedCouponIds, [])
    assert.deepEqual(told(assessed.lines), [['charge', 'trial', 0, 'trial']])
    assert.deepEqual(assess([], { coupons: [percentOff('50')], taxes: [] }).usedCouponIds, [])
  })

  test('that takes off less than half a cent is used and writes no row', () => {
    const assessed = assess([charge(49)], { coupons: [percentOff('1')], taxes: [] })
    assert.deepEqual(assessed.usedCouponIds, [70])
    assert.equal(assessed.lines.length, 1)
  })
})

test('two taxes are two rows, and each is shared over the taxable charges', () => {
  const taxes = [taxOf('5', { id: 1, name: 'GST' }), taxOf('9.975', { id: 2, name: 'QST' })]
  const charges = [charge(1000), charge(333, { taxable: false }), charge(1)]
  const { lines } = assess(charges, { coupons: [], taxes })
  assert.deepEqual(told(lines.slice(3)), [
    ['charge', 'tax', 50, 'GST (5.0%)'],
    ['charge', 'tax', 100, 'QST (9.975%)'],
  ])
  assert.deepEqual(
    lines.slice(0, 3).map((line) => line.taxShares?.map(({ tax, amount }) => [tax.id, +amount])),
    [
      [
        [1, 50],
        [2, 100],
      ],
      undefined,
      undefined,
    ],
  )
})

const amounts = fc.integer({ min: 0, max: 1_000_000 })
const chargesOf = fc.array(
  fc.record({ amount: amounts, taxable: fc.boolean() }).map(({ amount, taxable }) => charge(amount, { taxable })),
  { maxLength: 8 },
)
const coupons: fc.Arbitrary<AppliedCoupon[]> = fc
  .array(
    fc.record({
      percentage: fc.option(fc.integer({ min: 1, max: 100 })),
      amount: amounts,
      allowNegativeBalance: fc.boolean(),
      isFullPrice: fc.boolean(),
      usesAllowed: fc.option(fc.integer({ min: 1, max: 3 })),
      useCount: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 4 },
  )
  .map((terms) =>
    several(
      ...terms.map(({ percentage, amount, allowNegativeBalance, isFullPrice, ...uses }) => ({
        ...percentOff('1'),
        ...uses,
        coupon: {
          ...percentOff('1').coupon,
          percentage: percentage === null ? null : String(percentage),
          amount: percentage === null ? cents(amount) : null,
          allowNegativeBalance,
          compoundingStrategy: isFullPrice ? ('full-price' as const) : ('compound' as const),
        },
      })),
    ),
  )
const taxesOf: fc.Arbitrary<Tax[]> = fc
  .array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 3 })
  .map((rates) => rates.map((rate, id) => taxOf(String(rate / 1000), { id: id + 1 })))

test('lines always sum to the totals, discounts to the coupons, and shares of a tax to its row', () => {
  fc.assert(
    fc.property(chargesOf, coupons, taxesOf, (charges, on, taxes) => {
      const assessed = assess(charges, { coupons: on, taxes })
      const { lines, subtotal, discount, tax, total } = assessed
      const own = lines.slice(0, charges.length)
      assert.equal(total, subtotal - discount + tax)
      assert.equal(sumCents(lines.map((line) => line.amount)), total)
      assert.equal(sumCents(own.map((line) => line.amount)), subtotal)
      const discounted = sumCents(own.map((line) => line.discountAmount))
      assert.equal(discounted, Math.min(discount, subtotal))
      if (!on.some(({ coupon }) => coupon.allowNegativeBalance)) assert.equal(discounted, discount)
      for (const line of own) {
        assert.ok(line.discountAmount >= 0 && line.discountAmount <= line.amount)
        assert.equal(line.taxableAmount, line.isTaxable ? line.amount - line.discountAmount : 0)
        if (!line.isTaxable) assert.equal(line.taxShares, undefined)
      }
      const taxRows = lines.filter(({ kind }) => kind === 'tax')
      assert.equal(sumCents(taxRows.map((line) => line.amount)), tax)
      for (const row of taxRows) {
        const shares = own.flatMap(({ taxShares = [] }) => taxShares.filter((share) => share.tax.id === row.taxId))
        assert.equal(sumCents(shares.map(({ amount }) => amount)), row.amount)
      }
    }),
  )
})

test('without cents, all of it is whole: a hundred times what a hundredth of the charges comes to with cents', () => {
  const hundredfold = (amount: number) => cents(amount * 100)
  fc.assert(
    fc.property(chargesOf, coupons, taxesOf, (charges, on, taxes) => {
      const dear = charges.map((line) => ({
        ...line,
        amount: hundredfold(line.amount),
        taxableAmount: hundredfold(line.taxableAmount),
      }))
      const dearCoupons = on.map(({ coupon, ...rest }) => ({
        ...rest,
        coupon: { ...coupon, amount: coupon.amount && hundredfold(coupon.amount) },
      }))
      const small = assess(charges, { coupons: on, taxes })
      const great = assess(dear, { coupons: dearCoupons, taxes }, 100)
      assert.deepEqual(totals(great), totals(small).map(hundredfold))
      const amountsOf = ({ lines }: Assessment) =>
        lines.map(({ amount, discountAmount, taxableAmount, taxShares = [] }) => [
          amount,
          discountAmount,
          taxableAmount,
          ...taxShares.map((share) => share.amount),
        ])
      assert.deepEqual(
        amountsOf(great),
        amountsOf(small).map((row) => row.map(hundredfold)),
      )
    }),
  )
})

test('order of charges and taxes, and in how many parts a period is prorated, never changes a total', () => {
  const cut = fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 4 })
  fc.assert(
    fc.property(chargesOf, coupons, taxesOf, cut, (charges, on, taxes, cuts) => {
      const whole = totals(assess(charges, { coupons: on, taxes }))
      assert.deepEqual(totals(assess(charges.toReversed(), { coupons: on, taxes: taxes.toReversed() })), whole)
      const split = charges.flatMap((line) => partsOf(line, cuts))
      assert.deepEqual(totals(assess(split, { coupons: on, taxes })).toString(), whole.toString())
    }),
  )
})

/** The same charge in parts that sum to it, as a period that is cut into prorated pieces. */
function partsOf(line: LineItem, cuts: readonly number[]): LineItem[] {
  const ends = [...cuts.toSorted((a, b) => a - b), 1000]
  let before = 0
  return ends.map((end) => {
    const upTo = prorate(line.amount, { part: end, whole: 1000 }, 1)
    const part = cents(upTo - before)
    before = upTo
    return { ...line, amount: part }
  })
}
