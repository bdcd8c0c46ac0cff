/** Writes ASN.1 in its distinguished encoding (DER): just what a certificate needs, and no reader. */

const encode = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), length(content.length), content])
}

/** Below 128 one byte; above, the count of the bytes that hold it and then those. */
function length(bytes: number): Buffer {
  if (bytes < 128) return Buffer.from([bytes])
  const digits = minimal(bytes)
  return Buffer.concat([Buffer.from([0x80 | digits.length]), digits])
}

const minimal = (value: number): Buffer => {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

export const sequence = (...items: Uint8Array[]): Buffer => encode(0x30, ...items)
export const set = (...items: Uint8Array[]): Buffer => encode(0x31, ...items)
export const octets = (content: Uint8Array): Buffer => encode(0x04, content)
export const utf8 = (text: string): Buffer => encode(0x0c, Buffer.from(text, 'utf8'))
export const boolean = (value: boolean): Buffer => encode(0x01, Buffer.from([value ? 0xff : 0]))

/** A positive integer: a leading 1 bit would mean a negative one, so it is pushed down by a zero byte. */
export const integer = (bytes: Uint8Array): Buffer =>
  encode(0x02, ...((bytes[0] ?? 0) & 0x80 ? [Buffer.from([0])] : []), bytes)

/** A string of bits; `unusedBits` of the last byte do not count. */
export const bits = (content: Uint8Array, unusedBits = 0): Buffer => encode(0x03, Buffer.from([unusedBits]), content)

/** An object identifier such as `2.5.29.17`. */
export const oid = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return encode(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** Seven bits a byte, most significant first, with the high bit on all bytes but the last. */
function base128(value: number): number[] {
  const low = value & 0x7f
  const bytes = [low]
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift(0x80 | (left & 0x7f))
  return bytes
}

/** Certificates write years to 2049 with two digits (UTCTime) and later ones with four (GeneralizedTime). */
export const time = (instant: Temporal.Instant): Buffer => {
  const digits = `${instant.toString({ smallestUnit: 'second' }).replaceAll(/\D/g, '')}Z`
  return digits < '2050' ? encode(0x17, Buffer.from(digits.slice(2))) : encode(0x18, Buffer.from(digits))
}

/** `[n]` around whole encodings. */
export const tagged = (n: number, ...items: Uint8Array[]): Buffer => encode(0xa0 | n, ...items)

/** `[n]` in place of the type's own tag, around bare content. */
export const replacedTag = (n: number, content: Uint8Array): Buffer => encode(0x80 | n, content)
