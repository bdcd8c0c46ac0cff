/** Whatever stands in a name can be printed. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readFonts } from './fonts.ts'
import { printable } from './printable.ts'

const fonts = readFonts()
const say = (text: string): string => printable(text, fonts).text

describe('a text', () => {
  test('keeps the letters of every script that we have fonts for', () => {
    for (const text of [
      'Łódź',
      'Ωμέγα',
      'Привет',
      'שלום',
      'مرحبا',
      'ไทย',
      'हिन्दी',
      '漢字かな',
      '한국어',
      '€ ₹ −5 – …',
    ]) {
      assert.equal(say(text), text)
    }
  })

  test('shows a square for a letter that no font draws, and loses what cannot be seen', () => {
    assert.equal(say('a😀b'), 'a□b')
    assert.equal(say('a\u0007\u202eb\ufe0f'), 'ab')
    assert.equal(say('\ud800'), '\ufffd')
  })

  test('can be broken within a long word, and not between a letter and its mark', () => {
    const parts = say('e\u0323\u0301'.repeat(40)).split('\u200b')
    assert.ok(parts.length > 1)
    for (const part of parts) assert.doesNotMatch(part, /^\p{M}/u)
    assert.equal(
      say('short words stay as they are, however many there are of them'.repeat(3)).includes('\u200b'),
      false,
    )
  })

  test('runs from right to left when its first letter does', () => {
    assert.ok(printable('12 שלום abc', fonts).isRightToLeft)
    assert.ok(!printable('abc שלום', fonts).isRightToLeft)
    assert.ok(!printable('123', fonts).isRightToLeft)
  })

  test('never holds a character that cannot be drawn', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        for (const character of say(text)) assert.ok(fonts.has(character.codePointAt(0)!), JSON.stringify(text))
      }),
      { numRuns: 100 },
    )
  })
})
