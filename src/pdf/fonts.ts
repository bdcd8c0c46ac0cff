/** The fonts that the repository carries: under names of their own, so that no font of the machine can take their place. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Fonts = {
  readonly blobs: readonly Buffer[]
  /** The names under which a document asks for them, the first choice first. */
  readonly families: readonly string[]
  /** Whether one of them draws the character. */
  has(codePoint: number): boolean
}

const directory = join(import.meta.dirname, '../../assets/fonts')

/** First choice first. The Korean font is last: it claims Chinese characters that it draws as blanks. */
const order = [
  'NotoSans-',
  'NotoSansHebrew-',
  'NotoSansArabic-',
  'NotoSansThai-',
  'NotoSansDevanagari-',
  'DroidSansFallback',
  'NanumSquare',
]

export function readFonts(): Fonts {
  const rank = (name: string): number => order.findIndex((start) => name.startsWith(start))
  const names = readdirSync(directory).filter((name) => name.endsWith('.ttf'))
  const sorted = names.toSorted((a, b) => rank(a) - rank(b) || (a < b ? 1 : -1))
  const blobs = sorted.map((name) => readFileSync(join(directory, name)))
  const drawn = new Uint8Array(unicodeEnd)
  for (const [from, to] of blobs.flatMap(readCoverage)) drawn.fill(1, from, to + 1)
  return {
    blobs,
    families: [...new Set(blobs.map(rename))].filter((family) => !family.endsWith(' Bold')),
    has: (codePoint) => drawn[codePoint] === 1,
  }
}

const unicodeEnd = 0x110000

type Range = readonly [from: number, to: number]

/** Where a table of a font file begins. */
function tableOf(font: Buffer, tag: string): number {
  const count = font.readUInt16BE(4)
  for (let at = 12; at < 12 + 16 * count; at += 16) {
    if (font.toString('latin1', at, at + 4) === tag) return font.readUInt32BE(at + 8)
  }
  throw new Error(`a font has no table ${tag}`)
}

const windowsPlatform = 3
const familyNames = new Set([1, 16])

/** Writes `X-` over the first two letters of the family, in memory only; gives the new name. */
function rename(font: Buffer): string {
  const table = tableOf(font, 'name')
  const strings = table + font.readUInt16BE(table + 4)
  let family = ''
  for (let record = table + 6; record < table + 6 + 12 * font.readUInt16BE(table + 2); record += 12) {
    if (!familyNames.has(font.readUInt16BE(record + 6))) continue
    const isWide = font.readUInt16BE(record) === windowsPlatform
    const from = strings + font.readUInt16BE(record + 10)
    const mark = Buffer.from(isWide ? '\0X\0-' : 'X-', 'latin1')
    const isMarked = font.subarray(from, from + mark.length).equals(mark)
    if (!isMarked) mark.copy(font, from)
    if (isWide) family ||= utf16(font.subarray(from, from + font.readUInt16BE(record + 8)))
  }
  return family
}

const utf16 = (bytes: Buffer): string => new TextDecoder('utf-16be').decode(bytes)

/** The characters of the font's cmap, as ranges. */
function readCoverage(font: Buffer): Range[] {
  const table = tableOf(font, 'cmap')
  const found: Range[] = []
  for (let record = table + 4; record < table + 4 + 8 * font.readUInt16BE(table + 2); record += 8) {
    const subtable = table + font.readUInt32BE(record + 4)
    const format = font.readUInt16BE(subtable)
    if (format === 4) found.push(...segments(font, subtable))
    if (format === 12) found.push(...groups(font, subtable))
  }
  return found
}

function segments(font: Buffer, subtable: number): Range[] {
  const size = font.readUInt16BE(subtable + 6)
  const ends = subtable + 14
  const starts = ends + size + 2
  const found: Range[] = []
  for (let at = 0; at < size; at += 2) {
    const range: Range = [font.readUInt16BE(starts + at), font.readUInt16BE(ends + at)]
    if (range[0] <= range[1] && range[0] < 0xffff) found.push(range)
  }
  return found
}

const groups = (font: Buffer, subtable: number): Range[] =>
  Array.from({ length: font.readUInt32BE(subtable + 12) }, (_, index) => {
    const at = subtable + 16 + 12 * index
    return [font.readUInt32BE(at), font.readUInt32BE(at + 4)] as const
  })
