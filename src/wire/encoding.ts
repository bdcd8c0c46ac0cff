/** Turns the bytes of a document into text. JSON is UTF-8; XML may name its encoding, or show it by its first bytes. */

import { RequestFault } from './fault.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const littleEndian = new TextDecoder('utf-16le', { fatal: true })
const bigEndian = new TextDecoder('utf-16be', { fatal: true })

type Encoding = 'utf-8' | 'utf-16' | 'latin-1'

/** By the names that stand in declarations, in lower case. */
const encodings = new Map<string, Encoding>([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['utf-16', 'utf-16'],
  ['utf-16le', 'utf-16'],
  ['utf-16be', 'utf-16'],
  ['iso-8859-1', 'latin-1'],
])

/** Whether an XML declaration may name it. */
export const isKnownEncoding = (name: string): boolean => encodings.has(name.toLowerCase())

const notValid = (encoding: string): RequestFault => new RequestFault(400, `The body is not valid ${encoding}.`)

const decodeWith = (decoder: TextDecoder, bytes: Buffer, encoding: string): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    throw notValid(encoding)
  }
}

/** Without a byte order mark. Throws `RequestFault` 400. */
export const decodeUtf8 = (bytes: Buffer): string => decodeWith(utf8, bytes, 'UTF-8')

/** A mark or half of a `<` at the beginning says that characters are pairs of bytes, and which of the two comes first. */
const pairsOf = (bytes: Buffer): TextDecoder | undefined => {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return littleEndian
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return bigEndian
  return undefined
}

const declaration = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/
const declaredMax = 300

const declaredIn = (text: string): Encoding | undefined => {
  const name = declaration.exec(text.slice(0, declaredMax))?.[1]
  return name === undefined ? undefined : encodings.get(name.toLowerCase())
}

/** Without a byte order mark. Throws `RequestFault` 400 for bytes that are not what the declaration says. */
export const decodeXml = (bytes: Buffer): string => {
  const pairs = pairsOf(bytes)
  if (pairs !== undefined) {
    const text = decodeWith(pairs, bytes, 'UTF-16')
    if ((declaredIn(text) ?? 'utf-16') !== 'utf-16')
      throw new RequestFault(400, 'The body is in UTF-16 but declares another encoding.')
    return text
  }
  const declared = declaredIn(bytes.toString('latin1', 0, declaredMax))
  if (declared === 'utf-16') throw notValid('UTF-16')
  return declared === 'latin-1' ? bytes.toString('latin1') : decodeUtf8(bytes)
}
