/** Every special-purpose range of the IANA registries is refused, from its first address to its last, and what lies beside them is not. */
import assert from 'node:assert/strict'
import { isIPv4, isIPv6 } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPublicAddress } from './addresses.ts'

/** The registries of special-purpose addresses, with multicast and what is no global unicast. */
const special = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private use'],
  ['100.64.0.0/10', 'shared by carriers'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private use'],
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'AMT'],
  ['192.88.99.0/24', '6to4 relays'],
  ['192.168.0.0/16', 'private use'],
  ['192.175.48.0/24', 'AS112'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['255.255.255.255/32', 'broadcast'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::/96', 'IPv4-compatible'],
  ['::ffff:0:0/96', 'IPv4-mapped'],
  ['::ffff:0:0:0/96', 'IPv4-translated'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'NAT64, local'],
  ['100::/64', 'discard'],
  ['100:0:0:1::/64', 'dummy'],
  ['2001::/23', 'protocol assignments'],
  ['2001::/32', 'Teredo'],
  ['2001:1::1/128', 'port control'],
  ['2001:1::2/128', 'TURN'],
  ['2001:1::3/128', 'service registration'],
  ['2001:2::/48', 'benchmarking'],
  ['2001:3::/32', 'AMT'],
  ['2001:4:112::/48', 'AS112'],
  ['2001:10::/28', 'ORCHID'],
  ['2001:20::/28', 'ORCHIDv2'],
  ['2001:30::/28', 'drones'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'AS112'],
  ['3fff::/20', 'documentation'],
  ['4000::/2', 'not assigned'],
  ['8000::/1', 'not assigned'],
  ['5f00::/16', 'segment routing'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
] as const

type Range = { readonly bits: number; readonly first: bigint; readonly last: bigint }

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'))

/** Addresses as numbers, apart from the code under test and its library. */
const numberOf = (address: string): bigint => {
  if (isIPv4(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  const [before = '', after = ''] = address.split('::')
  const [head, tail] = [groupsOf(before), groupsOf(after)]
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail].reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n)
}

const textOf = (value: bigint, bits: number): string => {
  const size = bits === 32 ? 8n : 16n
  const parts = Array.from(
    { length: bits / Number(size) },
    (_, at) => (value >> (BigInt(bits) - size * BigInt(at + 1))) & ((1n << size) - 1n),
  )
  return bits === 32 ? parts.join('.') : parts.map((part) => part.toString(16)).join(':')
}

const rangeOf = (cidr: string): Range => {
  const [net = '', length = ''] = cidr.split('/')
  const bits = isIPv4(net) ? 32 : 128
  const first = numberOf(net)
  return { bits, first, last: first + (1n << BigInt(bits - Number(length))) - 1n }
}

const ranges = special.map(([cidr]) => rangeOf(cidr))
const isSpecial = (value: bigint, bits: number): boolean =>
  ranges.some((range) => range.bits === bits && range.first <= value && value <= range.last)

for (const [cidr, purpose] of special) {
  test(`${cidr} is refused from end to end: ${purpose}`, () => {
    const { bits, first, last } = rangeOf(cidr)
    for (const end of [first, last]) assert.ok(!isPublicAddress(textOf(end, bits)), textOf(end, bits))
    fc.assert(fc.property(fc.bigInt({ min: first, max: last }), (value) => !isPublicAddress(textOf(value, bits))))
    for (const beside of [first - 1n, last + 1n]) {
      if (beside < 0n || beside >> BigInt(bits) !== 0n) continue
      const isBeyond = bits === 128 && beside >> 125n !== 1n
      const expected = !isSpecial(beside, bits) && !isBeyond
      assert.equal(isPublicAddress(textOf(beside, bits)), expected, textOf(beside, bits))
    }
  })
}

test('an address of IPv4 is public when no range holds it, and only then', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }), (value) => {
      assert.equal(isPublicAddress(textOf(value, 32)), !isSpecial(value, 32))
    }),
    { numRuns: 2000 },
  )
})

test('an address of IPv6 is public when it is global unicast and no range holds it', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n << 125n, max: (1n << 126n) - 1n }), (value) => {
      assert.equal(isPublicAddress(textOf(value, 128)), !isSpecial(value, 128))
    }),
    { numRuns: 2000 },
  )
})

test('an address of IPv4 in the clothes of IPv6 is never public, whatever it is', () => {
  const low = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n })
  const forms: ((value: bigint) => string)[] = [
    (value) => `::ffff:${textOf(value, 32)}`,
    (value) => `::${textOf(value, 32)}`,
    (value) => `64:ff9b::${textOf(value, 32)}`,
    (value) => textOf((0x2002n << 112n) | (value << 80n), 128),
    (value) => textOf((0x20010000n << 96n) | value, 128),
  ]
  fc.assert(
    fc.property(low, fc.constantFrom(...forms), (value, form) => {
      assert.ok(isIPv6(form(value)))
      assert.ok(!isPublicAddress(form(value)), form(value))
    }),
  )
})
