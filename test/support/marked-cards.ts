/** Numbers of cards and accounts that nobody could meet by chance, and the search for them in files, output and answers. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { passesLuhn } from '../../src/billing/payment-profile.ts'

/** The two groups in the middle of every marked number; masks and last digits that may be shown stop short of them. */
const groups = ['9185', '7264'] as const
const middle = groups.join('')

const bins = ['4929', '5424', '6011', '3566'] as const

/** 16 digits with a right checksum, each number another one. */
export function markedNumber(place: number): string {
  const start = bins[place % bins.length]! + middle + String(100 + place)
  const digits = Array.from({ length: 10 }, (_, last) => `${start}${last}`)
  return digits.find(passesLuhn)!
}

/** A German one with a right checksum, whose account within the country is such a number. */
export function markedIban(place: number): string {
  const account = `10${markedNumber(place)}`
  const check = 98 - Number(BigInt(`${account}131400`) % 97n)
  return `DE${String(check).padStart(2, '0')}${account}`
}

/** `4929 9185 7264 1008`, as people type it. */
export const grouped = (number: string, separator: string): string => number.match(/\d{4}/g)!.join(separator)

/** Good security codes, which are too short to be unlikely, and a bad one, which must not be repeated. */
export const markedCodes = ['9185', '726'] as const
export const markedBadCode = '97185726'

/** A word that is meant to be found, as a proof that the search finds things. */
export const planted = 'Zanzibar-Plantation'

/** Three characters become four in base64, so the middle of a text looks one of three ways. */
const base64Forms = [0, 1, 2].map((before) => {
  const encoded = Buffer.from('x'.repeat(before) + middle).toString('base64')
  return encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + middle.length) * 4) / 3))
})

const utf16 = Buffer.from(middle, 'utf16le').toString('latin1')

/** Every way in which a number may have been written down. */
const numberForms = [
  middle,
  groups.join(' '),
  groups.join('-'),
  groups.join('+'),
  groups.join('%20'),
  utf16,
  ...base64Forms,
]

/** As a text column of PostgreSQL holds a short value: its length, then its characters. */
const storedForm = (value: string): string => String.fromCharCode(((value.length + 1) << 1) | 1) + value

const anywhere = [...numberForms, markedBadCode]
const inFiles = [...anywhere, ...markedCodes.map(storedForm)]

const contains = (text: Buffer, forms: readonly string[]): string[] =>
  forms.filter((form) => text.includes(form, 0, 'latin1'))

/** A code as a value of its own, not as digits of an id or a time, nor as a count in a sentence. */
const asValues = (text: string): string[] =>
  markedCodes.filter((code) => new RegExp(`(?<=["'>=(,])${code}(?=["'<,)&])`).test(text))

/** What is found in something that people read. */
export const findInText = (text: string): string[] => [...contains(Buffer.from(text), anywhere), ...asValues(text)]

export type Found = { hits: string[]; bytes: number; planted: number }

/** What is found in the files of a directory, read as they lie on the disk. */
export function findInFiles(directory: string): Found {
  const found: Found = { hits: [], bytes: 0, planted: 0 }
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = readFileSync(file)
    found.bytes += bytes.length
    found.hits.push(...contains(bytes, inFiles).map((form) => `${file}: ${JSON.stringify(form)}`))
    if (bytes.includes(planted)) found.planted += 1
  }
  return found
}
