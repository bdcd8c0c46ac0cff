/** Proves that amounts are exact: one rounding point, credits that mirror charges, shares that sum to the whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BrokenInvariant } from './assert.ts'
import {
  addCents,
  type Cents,
  cents,
  formatDollars,
  formatMoneySign,
  isDecimal,
  multiplyDecimal,
  negate,
  parseDecimalAmount,
  percentageOf,
  prorate,
  shareByLargestRemainder,
  sumCents,
  sumOfProducts,
  zeroCents,
} from './money.ts'

const amount = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }).map(cents)
const price = fc.integer({ min: 0, max: 1_000_000_000_000 }).map(cents)

test('only whole, safe numbers of cents exist, and never -0', () => {
  for (const wrong of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    assert.throws(() => cents(wrong), BrokenInvariant)
  assert.throws(() => addCents(cents(Number.MAX_SAFE_INTEGER), cents(1)), BrokenInvariant)
  assert.ok(Object.is(cents(-0), 0))
  assert.ok(Object.is(negate(zeroCents), 0))
  assert.ok(Object.is(prorate(cents(-1), { part: 0, whole: 3 }, 1), 0))
  assert.equal(sumCents([]), 0)
  assert.equal(addCents(cents(5), cents(-7), cents(1)), -1)
})

test('a proration is the published one: 2165369 of 2678400 seconds', () => {
  const share = { part: 2_165_369, whole: 2_678_400 }
  assert.equal(prorate(cents(11_000), share, 1), 8893)
  assert.equal(prorate(cents(2025), share, 1), 1637)
  assert.equal(prorate(cents(25_000), { part: 1, whole: 2 }, 1), 12_500)
})

test('the half of a cent is rounded away from zero, so that a credit mirrors its charge', () => {
  assert.equal(prorate(cents(1), { part: 1, whole: 2 }, 1), 1)
  assert.equal(prorate(cents(-1), { part: 1, whole: 2 }, 1), -1)
  assert.equal(prorate(cents(3), { part: 1, whole: 2 }, 1), 2)
  assert.equal(prorate(cents(1), { part: 49, whole: 100 }, 1), 0)
  fc.assert(
    fc.property(price, fc.nat(3_000_000), fc.integer({ min: 3_000_000, max: 40_000_000 }), (charge, part, whole) => {
      assert.equal(prorate(negate(charge), { part, whole }, 1), negate(prorate(charge, { part, whole }, 1)))
    }),
  )
})

test('the two halves of a split period differ from the whole price by one cent at most, and either is within it', () => {
  const whole = 2_678_400
  fc.assert(
    fc.property(price, fc.nat(whole), (charge, part) => {
      const used = prorate(charge, { part, whole }, 1)
      const left = prorate(charge, { part: whole - part, whole }, 1)
      assert.ok(used >= 0 && used <= charge)
      const excess = used + left - charge
      assert.ok(excess === 0 || excess === 1, `${used} + ${left} of ${charge}`)
    }),
  )
})

test('a proration outside of its period is a bug', () => {
  for (const share of [
    { part: -1, whole: 10 },
    { part: 11, whole: 10 },
    { part: 0, whole: 0 },
    { part: 0.5, whole: 1 },
  ])
    assert.throws(() => prorate(cents(100), share, 1), BrokenInvariant)
})

test('a percentage is exact and rounded once', () => {
  assert.equal(percentageOf(cents(2000), '8.845', 1), 177)
  assert.equal(percentageOf(cents(4000), '6.25', 1), 250)
  assert.equal(percentageOf(cents(1500), '25.0', 1), 375)
  assert.equal(percentageOf(cents(3000), '50', 1), 1500)
  assert.equal(percentageOf(cents(100), '0.5', 1), 1)
  assert.equal(percentageOf(cents(-100), '0.5', 1), -1)
  assert.equal(percentageOf(cents(100), '0.49999999', 1), 0)
  // In floats 1.005 * 100 is 100.49999999999999.
  assert.equal(percentageOf(cents(10_000), '1.005', 1), 101)
  assert.equal(percentageOf(cents(9_000_000_000_000_001), '100', 1), 9_000_000_000_000_001)
  for (const wrong of ['', '1e2', '-1', '1.123456789', 'NaN', ' 1', '1,5'])
    assert.throws(() => percentageOf(cents(100), wrong, 1), BrokenInvariant)
})

test('a quantity times a unit price is exact to the eighth decimal of both', () => {
  assert.equal(multiplyDecimal('10', '1.00', 1), 1000)
  assert.equal(multiplyDecimal('3', '0.0055', 1), 2)
  assert.equal(multiplyDecimal('1', '0.005', 1), 1)
  assert.equal(multiplyDecimal('1', '0.00499999', 1), 0)
  assert.equal(multiplyDecimal('-1', '0.005', 1), -1)
  assert.equal(multiplyDecimal('20.5', '1.5', 1), 3075)
  assert.equal(multiplyDecimal('0.00000001', '50000000', 1), 50)
  assert.equal(multiplyDecimal('1.00000001', '0.00500001', 1), 1)
  assert.equal(multiplyDecimal('0', '12.34', 1), 0)
})

test('a sum of products is rounded once, at its end', () => {
  const third = { quantity: '1', unitPrice: '0.004' }
  assert.equal(sumOfProducts([third, third, third], 1), 1)
  assert.equal(sumOfProducts([third], 1), 0)
  assert.equal(sumOfProducts([], 1), 0)
  // 0.004999995 + 0.0000000025 + 0.0000000025 is the half of a cent: no decimal may be lost on the way.
  const tiny = { quantity: '0.00005', unitPrice: '0.00005' }
  assert.equal(sumOfProducts([{ quantity: '0.5', unitPrice: '0.00999999' }, tiny, tiny], 1), 1)
  assert.equal(sumOfProducts([{ quantity: '0.5', unitPrice: '0.00999999' }, tiny], 1), 0)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(100_000), fc.nat(10_000)), { maxLength: 6 }), (pairs) => {
      const products = pairs.map(([quantity, tenThousandths]) => ({
        quantity: String(quantity),
        unitPrice: (tenThousandths / 10_000).toFixed(4),
      }))
      const tenThousandths = pairs.reduce((sum, [quantity, unit]) => sum + quantity * unit, 0)
      assert.equal(sumOfProducts(products, 1), Math.round(tenThousandths / 100))
    }),
  )
})

test('shares sum to the total exactly, stay within a cent of the exact part, and a weight of 0 gets 0', () => {
  const weights = fc.array(fc.oneof(fc.constant(0), fc.nat(1_000_000_000)).map(cents), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(amount, weights, (total, list) => {
      const parts = shareByLargestRemainder(total, list, 1)
      const weightSum = sumCents(list)
      assert.equal(sumCents(parts), total)
      assert.equal(parts.length, list.length)
      if (weightSum === 0) return
      for (const [index, part] of parts.entries()) {
        const weight = list[index]!
        if (weight === 0) assert.equal(part, 0)
        const distance = BigInt(part) * BigInt(weightSum) - BigInt(total) * BigInt(weight)
        assert.ok(distance < BigInt(weightSum) && -distance < BigInt(weightSum))
      }
    }),
  )
})

test('a share never exceeds its weight when the total does not exceed their sum', () => {
  const lines = fc.array(fc.nat(20).map(cents), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(lines, fc.nat(160), (weights, wish) => {
      const total = cents(Math.min(wish, sumCents(weights)))
      for (const [index, part] of shareByLargestRemainder(total, weights, 1).entries())
        assert.ok(part <= weights[index]!)
    }),
  )
})

test('the cents left over go to the largest remainders, to the earlier of equal ones', () => {
  const share = (total: number, ...weights: number[]): Cents[] =>
    shareByLargestRemainder(cents(total), weights.map(cents), 1)
  assert.deepEqual(share(100, 1, 1, 1), [34, 33, 33])
  assert.deepEqual(share(-100, 1, 1, 1), [-34, -33, -33])
  assert.deepEqual(share(2, 1, 1, 1), [1, 1, 0])
  assert.deepEqual(share(10, 1, 2, 0, 4), [1, 3, 0, 6])
  assert.deepEqual(share(0, 5, 5), [0, 0])
  assert.deepEqual(share(7, 0, 0), [7, 0])
  assert.deepEqual(share(0), [])
  assert.throws(() => share(1), BrokenInvariant)
  assert.throws(() => share(1, 2, -1), BrokenInvariant)
})

test('the discount and the tax of a recorded receipt come out line by line', () => {
  const lines = [2900, 1000, 500, 1000, 500, 100, 100, 1100].map(cents)
  const taxable = [true, true, false, true, false, true, false, true]
  const discount = percentageOf(sumCents(lines), '10', 1)
  const discounts = shareByLargestRemainder(discount, lines, 1)
  assert.deepEqual(discounts, [290, 100, 50, 100, 50, 10, 10, 110])
  const bases = lines.map((line, index) => (taxable[index] ? addCents(line, negate(discounts[index]!)) : zeroCents))
  const tax = percentageOf(sumCents(bases), '10.0', 1)
  assert.deepEqual(shareByLargestRemainder(tax, bases, 1), [261, 90, 0, 90, 0, 9, 0, 99])
  assert.equal(addCents(sumCents(lines), negate(discount), tax), 7029)
})

test('amounts are written with two decimals, and what is written reads back as the same amount', () => {
  assert.equal(formatDollars(cents(5000)), '50.00')
  assert.equal(formatDollars(cents(-5)), '-0.05')
  assert.equal(formatDollars(zeroCents), '0.00')
  assert.equal(formatDollars(cents(123_456_789)), '1234567.89')
  fc.assert(fc.property(amount, (value) => assert.equal(parseDecimalAmount(formatDollars(value)), value)))
})

test('messages carry the sign of the currency', () => {
  assert.equal(formatMoneySign(cents(9900), 'USD'), '$99.00')
  assert.equal(formatMoneySign(cents(-5), 'USD'), '-$0.05')
  assert.equal(formatMoneySign(cents(1200), 'EUR'), '€12.00')
  assert.equal(formatMoneySign(cents(1200), 'GBP'), '£12.00')
  assert.equal(formatMoneySign(cents(1200), 'CHF'), 'CHF 12.00')
  assert.equal(formatMoneySign(cents(-1200), 'CHF'), 'CHF -12.00')
  assert.equal(formatMoneySign(cents(-120_000), 'JPY'), 'JPY -1200')
  assert.equal(formatMoneySign(cents(120_050), 'JPY'), 'JPY 1200.50')
})

test('an amount in dollars is read exactly or not at all', () => {
  const read: [string, number][] = [
    ['10', 1000],
    ['10.5', 1050],
    ['10.00', 1000],
    ['0.07', 7],
    ['-10.00', -1000],
    ['-0.00', 0],
    ['007', 700],
    ['1234567890123.45', 123_456_789_012_345],
  ]
  for (const [text, expected] of read) assert.ok(Object.is(parseDecimalAmount(text), expected), text)
  for (const text of [
    '',
    ' ',
    '10.',
    '.5',
    '10.005',
    '1e3',
    '+1',
    '$10',
    '1,000',
    '0x10',
    '١',
    '10 ',
    '10\n',
    '12345678901234',
    'NaN',
  ])
    assert.equal(parseDecimalAmount(text), undefined, text)
})

test('a decimal is taken by the arithmetic exactly when isDecimal says so', () => {
  for (const text of ['0', '-1', '1.5', '0.12345678', '00012.50']) {
    assert.ok(isDecimal(text), text)
    multiplyDecimal(text, text, 1)
  }
  for (const text of ['', '1.', '.1', '1e1', '0.123456789', '1 ', '1\n', 'x', '1'.repeat(21)]) {
    assert.ok(!isDecimal(text), text)
    assert.throws(() => multiplyDecimal(text, '1', 1), BrokenInvariant)
  }
})
