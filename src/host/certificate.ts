/** Makes the self-signed certificate that is served until the operator brings one. */

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { bits, boolean, integer, octets, oid, replacedTag, sequence, set, tagged, time, utf8 } from './der.ts'

/** Names as they stand in a certificate: `{ dns: 'localhost' }` or `{ ip: '127.0.0.1' }`. */
export type SubjectName = { dns: string } | { ip: string }

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))
const commonName = (text: string) => sequence(set(sequence(oid('2.5.4.3'), utf8(text))))

/** ECDSA P-256, good for servers only, valid from a day before `now` so that a client's slow clock accepts it. */
export const selfSignedPair = (names: readonly SubjectName[], now: Temporal.Instant, validForHours: number) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = commonName('Kalends, self-signed')
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' })
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    ecdsaWithSha256,
    subject,
    sequence(time(now.subtract({ hours: 24 })), time(now.add({ hours: validForHours }))),
    subject,
    keyInfo,
    tagged(3, extensions(names, keyInfo)),
  )
  const certificate = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)))
  return { cert: pem('CERTIFICATE', certificate), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

const extensions = (names: readonly SubjectName[], keyInfo: Uint8Array): Buffer => {
  const critical = boolean(true)
  const keyId = octets(createHash('sha1').update(keyInfo).digest())
  return sequence(
    // Not an authority: strict clients refuse to be served by one.
    sequence(oid('2.5.29.19'), critical, octets(sequence())),
    // digitalSignature, the first bit.
    sequence(oid('2.5.29.15'), critical, octets(bits(Buffer.from([0x80]), 7))),
    // serverAuth
    sequence(oid('2.5.29.37'), octets(sequence(oid('1.3.6.1.5.5.7.3.1')))),
    sequence(oid('2.5.29.14'), octets(keyId)),
    sequence(oid('2.5.29.17'), octets(sequence(...names.map(alternativeName)))),
  )
}

const alternativeName = (name: SubjectName): Buffer =>
  'dns' in name ? replacedTag(2, Buffer.from(name.dns, 'ascii')) : replacedTag(7, addressBytes(name.ip))

/** Network order; of IPv6 the groups on both sides of `::`, with zeros between. */
export const addressBytes = (ip: string): Buffer => {
  if (!isIPv6(ip)) return Buffer.from(ip.split('.').map(Number))
  const [head = [], tail = []] = ip.split('::').map((side) => side.split(':').filter(Boolean))
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

const pem = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`
