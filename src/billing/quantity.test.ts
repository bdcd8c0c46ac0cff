/** Quantities as they are sent, cut and added: no digit is lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addQuantities, canonicalDecimal, isWholeQuantity } from './quantity.ts'

test('a quantity is written in one way', () => {
  const cases = [
    ['5', '5'],
    ['+05.50', '5.5'],
    ['.5', '0.5'],
    ['7.', '7'],
    ['-0', '0'],
    ['-1.10', '-1.1'],
    ['0.00000001', '0.00000001'],
    ['999999999999.99999999', '999999999999.99999999'],
  ] as const
  for (const [sent, kept] of cases) assert.equal(canonicalDecimal(sent), kept)
  for (const wrong of ['', '.', '1e5', '1.123456789', 'one']) assert.throws(() => canonicalDecimal(wrong), wrong)
})

test('whole is what has nothing but zeros behind the point', () => {
  assert.deepEqual(['2.9', '-2.9', '0.99', '3', '-3.00'].map(isWholeQuantity), [false, false, false, true, true])
})

test('sums are exact: tenths that no float can add', () => {
  assert.equal(addQuantities('0.1', '0.2'), '0.3')
  assert.equal(addQuantities('999999999999', '0.00000001'), '999999999999.00000001')
  const units = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
  const written = (value: bigint): string => {
    const digits = String(value < 0n ? -value : value).padStart(9, '0')
    return `${value < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`
  }
  fc.assert(
    fc.property(units, units, (left, right) => {
      assert.equal(addQuantities(written(left), written(right)), canonicalDecimal(written(left + right)))
    }),
  )
})
