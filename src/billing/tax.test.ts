/** Who is taxed, by what, and how rates are written. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { taxOf } from '../../test/support/coupons-and-taxes.ts'
import { cents } from './money.ts'
import { formatRate, fractionOf, isVatNumber, type TaxedCustomer, taxesFor, taxMemo, taxOn } from './tax.ts'

const taxes = [
  taxOf('7', { id: 3, country: 'US', state: 'NJ' }),
  taxOf('6', { id: 2 }),
  taxOf('1', { id: 1, country: 'US', state: null }),
  taxOf('19', { id: 4, country: 'DE', state: null }),
  taxOf('8', { id: 5, country: 'CH', state: null }),
]
const customer = (
  country: string | null,
  state: string | null,
  change: Partial<TaxedCustomer> = {},
): TaxedCustomer => ({
  address: { country, state },
  billing: null,
  taxExempt: false,
  vatNumber: null,
  ...change,
})
const idsFor = (who: TaxedCustomer, merchantCountry: string | null = null): number[] =>
  taxesFor(taxes, who, merchantCountry).map(({ id }) => id)

describe('an address', () => {
  test('has the taxes of its country and of its state, in the order of their ids', () => {
    assert.deepEqual(idsFor(customer('US', 'PA')), [1, 2])
    assert.deepEqual(idsFor(customer(' us ', ' pa')), [1, 2])
    assert.deepEqual(idsFor(customer('US', null)), [1])
    assert.deepEqual(idsFor(customer('DE', 'BY')), [4])
    assert.deepEqual(idsFor(customer('FR', null)), [])
    for (const nowhere of [null, '', '  ']) assert.deepEqual(idsFor(customer(nowhere, 'PA')), [])
  })

  test('is where the card’s bills go, else the customer’s own, and never a bit of both', () => {
    const billedIn = (country: string | null, state: string | null = null) => ({ billing: { country, state } })
    assert.deepEqual(idsFor(customer('US', 'PA', billedIn('DE', 'BY'))), [4])
    assert.deepEqual(idsFor(customer(null, null, billedIn('US', 'NJ'))), [1, 3])
    assert.deepEqual(idsFor(customer('US', 'PA', billedIn('US'))), [1])
    assert.deepEqual(idsFor(customer('US', 'PA', billedIn('FR'))), [])
    for (const country of [null, '', ' '])
      assert.deepEqual(idsFor(customer('US', 'PA', billedIn(country, 'NJ'))), [1, 2])
  })
})

test('an exempt customer pays no tax', () => {
  assert.deepEqual(idsFor(customer('US', 'PA', { taxExempt: true })), [])
})

describe('a VAT number', () => {
  const german = (vatNumber: string | null) => customer('DE', null, { vatNumber })

  test('opts out of the tax of a member country, but not of the merchant’s own', () => {
    assert.deepEqual(idsFor(german('DE123456789')), [])
    assert.deepEqual(idsFor(german('DE123456789'), 'FR'), [])
    assert.deepEqual(idsFor(german('DE123456789'), 'DE'), [4])
  })

  test('is judged by where the card’s bills go, like the tax itself', () => {
    const vatNumber = 'DE123456789'
    const billing = { country: 'DE', state: null }
    assert.deepEqual(idsFor(customer('US', 'PA', { vatNumber, billing }), 'US'), [])
    assert.deepEqual(idsFor(customer('FR', null, { vatNumber, billing }), 'DE'), [4])
    assert.deepEqual(idsFor(customer('DE', null, { vatNumber, billing: { country: 'US', state: 'PA' } })), [1, 2])
    assert.deepEqual(idsFor(customer('DE', null, { vatNumber, billing: { country: 'CH', state: null } }), 'DE'), [5])
    assert.deepEqual(idsFor(customer('DE', null, { vatNumber, billing: { country: ' ', state: null } }), 'DE'), [4])
  })

  test('does nothing outside the European Union', () => {
    assert.deepEqual(idsFor(customer('US', 'PA', { vatNumber: 'DE123456789' })), [1, 2])
    assert.deepEqual(idsFor(customer('CH', null, { vatNumber: 'DE123456789' })), [5])
  })

  test('that cannot be one does nothing', () => {
    for (const vatNumber of [null, '', ' ', 'none', 'DE', 'US123456789', '1234567']) {
      assert.deepEqual(idsFor(german(vatNumber)), [4], String(vatNumber))
    }
  })

  test('begins with the letters of a member country, or with a digit', () => {
    for (const good of [
      'DE 123.456.789',
      'ATU12345678',
      'el123456789',
      'FRXX123456789',
      'NL123456789B01',
      'IE1234567WA',
      '123456789',
    ])
      assert.ok(isVatNumber(good), good)
    for (const bad of ['GR', 'XX123456789', 'DEABCDEFGH', 'DE1234567890123', 'DE12/34'])
      assert.ok(!isVatNumber(bad), bad)
  })
})

test('a rate is shown with one decimal at least, and as a fraction of one', () => {
  const shown = ['6', '6.0', '6.25', '25.00', '8.845', '0', '100', '0.5'].map((rate) => [
    rate,
    formatRate(rate),
    fractionOf(rate),
  ])
  assert.deepEqual(shown, [
    ['6', '6.0', '0.06'],
    ['6.0', '6.0', '0.06'],
    ['6.25', '6.25', '0.0625'],
    ['25.00', '25.0', '0.25'],
    ['8.845', '8.845', '0.08845'],
    ['0', '0.0', '0.0'],
    ['100', '100.0', '1.0'],
    ['0.5', '0.5', '0.005'],
  ])
  assert.equal(taxMemo(taxOf('25', { name: 'SE Tax' })), 'SE Tax (25.0%)')
})

test('a tax is rounded to the nearest cent', () => {
  assert.equal(taxOn(taxOf('6.25'), cents(4000), 1), 250)
  assert.equal(taxOn(taxOf('8.845'), cents(2000), 1), 177)
  assert.equal(taxOn(taxOf('10'), cents(4), 1), 0)
  assert.equal(taxOn(taxOf('10'), cents(5), 1), 1)
})
