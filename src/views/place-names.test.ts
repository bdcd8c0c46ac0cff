/** Codes of addresses have names for people, or none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryName, stateName } from './place-names.ts'

test('a country has the name that its code stands for, and what is no code has none', () => {
  assert.deepEqual(['US', 'de', 'CI', ' ca '].map(countryName), ['United States', 'Germany', 'Côte d’Ivoire', 'Canada'])
  assert.deepEqual(['XX', 'Germany', '', null, '1!'].map(countryName), [null, null, null, null, null])
})

test('states of the United States and Canada have names, others none', () => {
  assert.equal(stateName('US', 'MA'), 'Massachusetts')
  assert.equal(stateName('ca', 'qc'), 'Quebec')
  assert.deepEqual(
    [stateName('DE', 'BY'), stateName('US', 'QC'), stateName(null, 'MA'), stateName('US', null)],
    [null, null, null, null],
  )
  assert.equal(stateName('US', 'constructor'), null)
  assert.equal(stateName('constructor', 'MA'), null)
})
