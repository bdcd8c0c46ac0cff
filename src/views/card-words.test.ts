/** A card is called by its brand, and a card of no known brand is a card. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardName, kindLabel, kindName } from './card-words.ts'

test('a card is told by its brand and the end of its number', () => {
  assert.equal(cardName({ cardType: 'visa', lastFour: '1111' }), 'Visa ending in 1111')
  assert.equal(cardName({ cardType: 'american_express', lastFour: '0005' }), 'American Express ending in 0005')
})

test('a bank account is told as one, by the end of its number', () => {
  assert.equal(cardName({ cardType: 'bank_account', lastFour: '3344' }), 'Bank account ending in 3344')
  assert.equal(cardName({ cardType: 'bank_account', lastFour: '' }), 'Bank account ending in ????')
  assert.deepEqual([kindName('bank_account'), kindName('visa'), kindName(null)], ['bank account', 'card', 'card'])
  assert.deepEqual([kindLabel('bank_account'), kindLabel('bogus')], ['Bank account', 'Card'])
})

test('test cards, cards of no known brand and numbers that are not known are told as far as they are', () => {
  assert.equal(cardName({ cardType: 'bogus', lastFour: '1' }), 'Card ending in 1')
  assert.equal(cardName({ cardType: null, lastFour: '1111' }), 'Card ending in 1111')
  assert.equal(cardName({ cardType: 'sou', lastFour: null }), 'Card ending in ????')
})
