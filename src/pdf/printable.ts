/** Makes any text safe to set: without control characters, within the fonts, breakable, and with its direction. */

import type { Fonts } from './fonts.ts'

export type Text = { readonly text: string; readonly isRightToLeft: boolean }

/** An empty square stands for a character that no font of ours draws. */
const unknownCharacter = '□'

/** Longest run of letters without a place to break; a narrow column holds this many. */
const unbrokenMax = 24
const zeroWidthSpace = '\u200b'

export function printable(text: string, fonts: Pick<Fonts, 'has'>): Text {
  const clean = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\s+/gu, (space) => (space.includes('\n') ? ' ' : space[0]!))
    // Directions that somebody writes into a name must not turn the figures beside it; joiners shape words and stay.
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\p{Variation_Selector}]/gu, '')
  const drawn = Array.from(clean, (character) => draw(character, fonts)).join('')
  return { text: breakable(drawn), isRightToLeft: isRightToLeft(drawn) }
}

function draw(character: string, fonts: Pick<Fonts, 'has'>): string {
  if (fonts.has(character.codePointAt(0)!)) return character
  return /\p{Default_Ignorable_Code_Point}|\p{M}/u.test(character) ? '' : unknownCharacter
}

const breakable = (text: string): string =>
  text.replace(
    /[^\s\u200b\p{Script=Han}\p{Script=Hangul}\p{Script=Thai}\p{Script=Hiragana}\p{Script=Katakana}]{25,}/gu,
    (run) => chunks([...run]).join(zeroWidthSpace),
  )

/** Combining marks stay with their letter. */
function chunks(characters: readonly string[]): string[] {
  const pieces: string[] = []
  let piece = ''
  let length = 0
  for (const character of characters) {
    if (length >= unbrokenMax / 2 && !/[\p{M}\u200c\u200d]/u.test(character)) {
      pieces.push(piece)
      piece = ''
      length = 0
    }
    piece += character
    length += 1
  }
  return [...pieces, piece]
}

/** By the first letter that has a direction, as browsers do it with `dir="auto"`. */
function isRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0]
  return first !== undefined && /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u.test(first)
}
