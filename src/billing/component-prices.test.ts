/** Price brackets leave no gap, do not overlap, and only the last one is open. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  priceProblems,
  quantityMax,
  type SentPrices,
  unitPriceMax,
  unitPriceMin,
  unitPricePlaces,
} from './component-prices.ts'

const bracket = (startingQuantity: number, endingQuantity: number | null) => ({
  startingQuantity,
  endingQuantity,
  unitPrice: '1',
})
const problems = (change: Partial<SentPrices>): string[] =>
  priceProblems({ scheme: 'tiered', unitPrice: null, prices: [], ...change }).map((words) => words.slice(0, 24))

test('brackets that follow each other are fine, in whatever order they come', () => {
  assert.deepEqual(problems({ prices: [bracket(11, null), bracket(1, 10)] }), [])
  assert.deepEqual(problems({ prices: [bracket(5, 5), bracket(6, 6), bracket(7, null)] }), [])
})

test('what is wrong with brackets is said once each', () => {
  assert.deepEqual(problems({}), ['At least 1 price bracket'])
  assert.deepEqual(problems({ prices: [bracket(1, 10), bracket(10, null)] }), ['Brackets may not overlap'])
  assert.deepEqual(problems({ prices: [bracket(1, 10), bracket(12, null)] }), ['Successive brackets may '])
  assert.deepEqual(problems({ prices: [bracket(1, null), bracket(12, null)] }), ['Ending quantity: may be '])
  assert.deepEqual(problems({ prices: [bracket(5, 4)] }), ['Ending quantity: must be'])
  assert.deepEqual(problems({ unitPrice: '1', prices: [bracket(1, null)] }), ['Unit price: does not go '])
})

test('a price for each unit is one price: by itself, or as one bracket that is a bracket', () => {
  const perUnit = (unitPrice: string | null, ...prices: ReturnType<typeof bracket>[]) =>
    problems({ scheme: 'per_unit', unitPrice, prices })
  assert.deepEqual(perUnit('1'), [])
  assert.deepEqual(perUnit(null, bracket(1, null)), [])
  assert.deepEqual(perUnit(null), ['Unit price: cannot be bl'])
  assert.deepEqual(perUnit('1', bracket(1, null)), ['Unit price: give either '])
  assert.deepEqual(perUnit(null, bracket(1, 5), bracket(6, null)), ['Exactly 1 price bracket '])
  assert.deepEqual(perUnit(null, bracket(5, 4)), ['Ending quantity: must be'])
})

test('prices and quantities have limits: a hundredth of a cent, a million dollars, a million millions of units', () => {
  assert.deepEqual([unitPriceMin, unitPriceMax, unitPricePlaces, quantityMax], [1e-8, 1e6, 8, 1e12])
})
