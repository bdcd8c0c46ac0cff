/** How secrets are made and compared: keys are kept as hashes and looked up by hash, so a stolen database opens no site. */

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// Keys carry 192 bits of randomness, so one round of SHA-256 is enough; a slow hash protects only what a person chose.
const keyBytes = 24

/** Hex SHA-256 of the key; the prefix keeps this hash from being mistaken for one made for another purpose. */
export const hashKey = (apiKey: string): string =>
  createHash('sha256').update(`kalends/api-key/1\n${apiKey}`).digest('hex')

/** Printable ASCII without blanks and colons: a colon would end the user name of HTTP Basic authentication. */
export const isApiKey = (text: string): boolean => /^[!-9;-~]{1,255}$/.test(text)

/** What a key is told by where it may not be shown: up to six characters, and never more than a quarter of it. */
export const prefixOfKey = (apiKey: string): string => apiKey.slice(0, Math.min(6, Math.floor(apiKey.length / 4)))

/** Compares two hex digests in constant time; digests of different length are unequal. */
export const equalHashes = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8')]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** A new API key: 32 characters of A-Z, a-z, 0-9, - and _. */
export const randomKey = (): string => randomToken(keyBytes)

/** `bytes` random bytes in the alphabet of URLs, four characters for every three bytes. */
export const randomToken = (bytes = 16): string => randomBytes(bytes).toString('base64url')

/** Hex HMAC-SHA-256: who does not know the secret cannot make it. */
export const signText = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex')

/** Hex SHA-256 of what lets a browser in, so that a stolen database lets nobody in. */
export const hashSessionToken = (token: string): string =>
  createHash('sha256').update(`kalends/session/1\n${token}`).digest('hex')
