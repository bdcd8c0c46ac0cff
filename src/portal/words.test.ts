/** The language that numbers and dates follow is one that the browser wishes and we can write. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardWords, everyInterval, localeFrom } from './words.ts'

test('the most wished language that can be written wins', () => {
  const wishes: [string | undefined, string][] = [
    [undefined, 'en-US'],
    ['', 'en-US'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de-AT'],
    ['en;q=0.5, fr;q=0.9', 'fr'],
    ['tlh, nl;q=0.4', 'nl'],
    ['*', 'en-US'],
    ['de;q=0', 'en-US'],
    ['x-private, de-', 'en-US'],
    [`${'zz,'.repeat(40)}de`, 'en-US'],
  ]
  for (const [header, locale] of wishes) assert.equal(localeFrom(header), locale, String(header))
})

test('cards and intervals are told in words', () => {
  const never = { expirationMonth: null, expirationYear: null }
  const dated = { lastFour: '1111', expirationMonth: 1, expirationYear: 2031 }
  const visa = { paymentType: 'credit_card', cardType: 'visa', ...dated } as const
  assert.equal(cardWords(visa), 'Visa ending in 1111, expires 01/2031')
  assert.equal(cardWords({ ...visa, cardType: 'bogus', lastFour: '1' }), 'Test card ending in 1, expires 01/2031')
  assert.equal(cardWords({ ...visa, cardType: null, lastFour: null, ...never }), 'Card')
  const account = { paymentType: 'bank_account', cardType: null, lastFour: '3344', ...never } as const
  assert.equal(cardWords(account), 'Bank account ending in 3344')
  assert.equal(everyInterval({ count: 1, unit: 'month' }), 'every month')
  assert.equal(everyInterval({ count: 12, unit: 'month' }), 'every year')
  assert.equal(everyInterval({ count: 30, unit: 'day' }), 'every 30 days')
})
