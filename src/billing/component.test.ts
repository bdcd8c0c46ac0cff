/** How quantities of components are written, for readers and in data. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quantityComponent } from '../../test/support/component-facts.ts'
import { formatNumber, formatQuantity, pluralOf, shownNumber } from './component.ts'

const whole = quantityComponent({ unitName: 'user' })
const fractional = quantityComponent({ unitName: 'user', allowFractionalQuantities: true })

test('a quantity stands before its unit, in the plural unless there is exactly one', () => {
  assert.deepEqual(
    ['0', '1', '2', '18'].map((quantity) => formatQuantity(whole, quantity)),
    ['0 users', '1 user', '2 users', '18 users'],
  )
  assert.deepEqual(
    ['1', '1.0', '1.00', '1.5', '20'].map((quantity) => formatQuantity(fractional, quantity)),
    ['1.0 user', '1.0 user', '1.00 user', '1.5 users', '20.0 users'],
  )
})

test('units take the plural of the language', () => {
  assert.deepEqual(
    ['box', 'bus', 'waltz', 'switch', 'dish', 'city', 'day', 'API key', 'seat'].map((unit) => pluralOf(unit, '2')),
    ['boxes', 'buses', 'waltzes', 'switches', 'dishes', 'cities', 'days', 'API keys', 'seats'],
  )
  assert.deepEqual(
    ['status', 'class', 'gas', 'Bus', 'lens', 'Company', 'Stück', 'b'].map((unit) => pluralOf(unit, '2')),
    ['statuses', 'classes', 'gases', 'Buses', 'lenses', 'Companies', 'Stücks', 'bs'],
  )
  assert.deepEqual(
    ['1', '01', '1.0', '11', '0.1', '10'].map((quantity) => pluralOf('city', quantity)),
    ['city', 'city', 'city', 'cities', 'cities', 'cities'],
  )
})

test('a unit whose name is a plural already keeps it', () => {
  for (const unit of [
    'events',
    'API calls',
    'boxes',
    'Companies',
    'minutes',
    'tokens',
    'series',
    'SKUs',
    'APIs',
    'SMS',
    'GBs',
  ]) {
    assert.equal(pluralOf(unit, '2'), unit)
  }
})

test('an abbreviation keeps its letters, and a sign takes no ending', () => {
  assert.deepEqual(
    ['GB', 'kWh', 'API', 'VAX', 'x', 'GB hour', '%', 'm²', 'users (active)', ''].map((unit) => pluralOf(unit, '2')),
    ['GBs', 'kWhs', 'APIs', 'VAXes', 'xes', 'GB hours', '%', 'm²', 'users (active)', ''],
  )
})

test('only components that know fractions show one, and data loses no digit of it', () => {
  assert.deepEqual(
    [formatNumber(whole, '3'), formatNumber(fractional, '3'), formatNumber(fractional, '3.25')],
    ['3', '3.0', '3.25'],
  )
  assert.deepEqual([shownNumber('3', whole), shownNumber('3', fractional)], [3, '3.0'])
})
