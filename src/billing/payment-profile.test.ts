/** Card numbers by their ranges and checksum, what is left of them, and until when a card is good. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { at } from '../../test/support/story-facts.ts'
import {
  type CardType,
  cardTypeOf,
  formatExpiration,
  isCardNumber,
  isExpired,
  lastFourOf,
  maskCardNumber,
  passesLuhn,
} from './payment-profile.ts'

describe('the brand of a card', () => {
  /** Numbers that the brands and gateways publish for tests. */
  const published: [digits: string, brand: CardType | null][] = [
    ['1', 'bogus'],
    ['2', 'bogus'],
    ['3', 'bogus'],
    ['4', null],
    ['4111111111111111', 'visa'],
    ['4242424242424242', 'visa'],
    ['4000000000000002', 'visa'],
    ['4222222222222', 'visa'],
    ['5424000000000015', 'master'],
    ['5555555555554444', 'master'],
    ['2223003122003222', 'master'],
    ['2720990000000007', 'master'],
    ['2721000000000004', null],
    ['378282246310005', 'american_express'],
    ['371449635398431', 'american_express'],
    ['6011111111111117', 'discover'],
    ['6500000000000002', 'discover'],
    ['30569309025904', 'diners_club'],
    ['38520000023237', 'diners_club'],
    ['3530111333300000', 'jcb'],
    ['5019717010103742', 'dankort'],
    ['6007220000000004', 'forbrugsforeningen'],
    ['6759649826438453', 'switch'],
    ['6334580500000000', 'solo'],
    ['6304985028090561', 'laser'],
    ['5018000000000009', 'maestro'],
    ['9999999999999995', null],
  ]
  for (const [digits, brand] of published) {
    test(`${digits} is ${brand ?? 'of no known brand'}`, () => assert.equal(cardTypeOf(digits), brand))
  }
})

describe('a card number', () => {
  const digits = fc.stringMatching(/^[1-9]\d{11,18}$/)
  const withCheckDigit = (number: string): string =>
    [...'0123456789'].map((digit) => number + digit).find((candidate) => passesLuhn(candidate)) ?? ''

  test('has one right check digit, and no wrong digit or swap of unlike neighbours passes', () => {
    fc.assert(
      fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (number, somewhere, by) => {
        const right = withCheckDigit(number)
        const place = somewhere % right.length
        const other = (Number(right[place]) + by) % 10
        assert.ok(!passesLuhn(right.slice(0, place) + other + right.slice(place + 1)), 'a wrong digit passes')
        const [left = '', next = ''] = right.slice(place, place + 2)
        const swapped = right.slice(0, place) + next + left + right.slice(place + 2)
        // The one blindness of this checksum.
        const blind = left === next || ['09', '90'].includes(left + next) || next === ''
        assert.equal(passesLuhn(swapped), blind, 'a swap')
      }),
    )
  })

  const plausible: [digits: string, is: boolean][] = [
    ['1', true],
    ['3', true],
    ['4', false],
    ['', false],
    ['4111111111111111', true],
    ['4111111111111112', false],
    ['4111 1111 1111 1111', false],
    ['41111111111', false],
    ['00000000000', false],
    ['12345678901234567897', false],
    ['４１１１１１１１１１１１１１１１', false],
  ]
  for (const [text, is] of plausible) {
    test(`'${text}' is ${is ? '' : 'not '}plausible`, () => assert.equal(isCardNumber(text), is))
  }

  test('leaves its last four digits behind, the test numbers their one', () => {
    assert.equal(maskCardNumber('1111'), 'XXXX-XXXX-XXXX-1111')
    assert.equal(maskCardNumber('1'), 'XXXX-XXXX-XXXX-1')
    for (const digits of ['1111', '0005', '1']) assert.equal(lastFourOf(maskCardNumber(digits)), digits)
  })
})

describe('a card', () => {
  test('is good through the last moment of its month, by the calendar of the site', () => {
    const isGone = (moment: string, zone: string): boolean => isExpired(6, 2026, at(moment), zone)
    assert.equal(isGone('2026-06-30T23:59:59Z', 'UTC'), false)
    assert.equal(isGone('2026-07-01T00:00:00Z', 'UTC'), true)
    assert.equal(isGone('2026-07-01T03:59:59Z', 'America/New_York'), false)
    assert.equal(isGone('2026-07-01T04:00:00Z', 'America/New_York'), true)
    assert.equal(isGone('2026-06-30T15:00:00Z', 'Asia/Tokyo'), true)
    assert.equal(isGone('2027-01-01T00:00:00Z', 'UTC'), true)
    assert.equal(isGone('2025-12-31T00:00:00Z', 'UTC'), false)
  })

  test('shows its expiration as MM/YYYY, or nothing when it is not known', () => {
    assert.equal(formatExpiration({ expirationMonth: 1, expirationYear: 2026 }), '01/2026')
    assert.equal(formatExpiration({ expirationMonth: 12, expirationYear: 2030 }), '12/2030')
    assert.equal(formatExpiration({ expirationMonth: null, expirationYear: 2030 }), null)
    assert.equal(formatExpiration({ expirationMonth: 1, expirationYear: null }), null)
  })
})
