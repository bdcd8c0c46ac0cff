/** Reads a finished PDF of the compiler and changes it by adding to its end: new versions of objects, and a table that says where they are. */

import { assert } from '../billing/assert.ts'

/** An object with the text between `obj` and `endobj`, each character a byte. */
export type PdfObject = { readonly number: number; readonly body: string }

export class PdfFile {
  readonly bytes: Uint8Array
  readonly text: string
  readonly trailer: string
  readonly #table: number

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    const end = /trailer\s*<<([\s\S]*)>>\s*startxref\s+(\d+)\s+%%EOF\s*$/.exec(this.text.slice(-2000))
    assert(end !== null, 'the compiler ends its files with one plain table of objects')
    this.trailer = end[1] ?? ''
    this.#table = Number(end[2])
  }

  /** The first number that no object has. */
  get size(): number {
    return Number(/\/Size (\d+)/.exec(this.trailer)?.[1])
  }

  /** The dictionary of an object, and where a stream of its begins. */
  read(number: number): { dictionary: string; streamAt: number } {
    const entries = this.text.indexOf('\n', this.text.indexOf('\n', this.#table) + 1) + 1
    const from = Number(this.text.slice(entries + 20 * number, entries + 20 * number + 10))
    const start = this.text.indexOf('\n', from) + 1
    assert(this.text.startsWith(`${number} 0 obj`, from), 'the table says where each object is')
    const end = this.text.indexOf('\nendobj', start)
    const stream = this.text.indexOf('\nstream\n', start)
    if (stream < 0 || stream > end) return { dictionary: this.text.slice(start, end), streamAt: -1 }
    return { dictionary: this.text.slice(start, stream), streamAt: stream + 8 }
  }

  stream(number: number): Uint8Array {
    const { dictionary, streamAt } = this.read(number)
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1])
    return this.bytes.subarray(streamAt, streamAt + length)
  }

  /** New numbers begin at `size`; an old number replaces its object. */
  update(changed: readonly PdfObject[]): Buffer {
    const sorted = changed.toSorted((a, b) => a.number - b.number)
    let added = '\n'
    const entries = sorted.map(({ number, body }) => {
      const offset = this.text.length + added.length
      added += `${number} 0 obj\n${body}\nendobj\n`
      return `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`
    })
    const table = this.text.length + added.length
    const size = Math.max(this.size, ...sorted.map(({ number }) => number + 1))
    const rest = this.trailer.replace(/\/Size \d+/, `/Size ${size}`).trim()
    added += `xref\n${entries.join('')}trailer\n<<\n  ${rest}\n  /Prev ${this.#table}\n>>\nstartxref\n${table}\n%%EOF\n`
    return Buffer.concat([this.bytes, Buffer.from(added, 'latin1')])
  }
}

/** The number that `/Name 5 0 R` refers to. */
export const referenceTo = (dictionary: string, name: string): number => {
  const found = new RegExp(`/${name} (\\d+) 0 R`).exec(dictionary)
  assert(found !== null, `the compiler writes /${name}`)
  return Number(found[1])
}
