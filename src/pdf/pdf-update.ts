/** Changes a finished PDF by adding to its end: new versions of some objects, and a table that says where they are. */

import { assert } from '../billing/assert.ts'

/** An object of the file with the text between `obj` and `endobj`, byte for byte in latin1. */
export type PdfObject = { readonly number: number; readonly body: string }

/** The file as text of which every character is a byte. */
export const textOf = (pdf: Uint8Array): string =>
  Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length).toString('latin1')

/** Objects with new numbers follow the highest of the file; an old number replaces its object. */
export function updatePdf(pdf: Uint8Array, changed: readonly PdfObject[]): Buffer {
  const text = textOf(pdf)
  const end = /trailer\s*<<([\s\S]*)>>\s*startxref\s+(\d+)\s+%%EOF\s*$/.exec(text.slice(-2000))
  assert(end !== null, 'the compiler ends its files with one plain table of objects')
  const [, trailer = '', previous = ''] = end
  const sorted = changed.toSorted((a, b) => a.number - b.number)
  let added = '\n'
  const entries = sorted.map(({ number, body }) => {
    const offset = text.length + added.length
    added += `${number} 0 obj\n${body}\nendobj\n`
    return `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = text.length + added.length
  const size = Math.max(sizeOf(trailer), ...sorted.map(({ number }) => number + 1))
  const rest = trailer.replace(/\/Size \d+/, `/Size ${size}`).trim()
  added += `xref\n${entries.join('')}trailer\n<<\n  ${rest}\n  /Prev ${previous}\n>>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.concat([pdf, Buffer.from(added, 'latin1')])
}

export const sizeOf = (trailer: string): number => Number(/\/Size (\d+)/.exec(trailer)?.[1])
