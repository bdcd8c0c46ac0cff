/** Which addresses webhooks may go to: those of the public internet, looked at where a URL is saved and again at every connection. */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

type Address = { address: string; family: number }
/** Every address of a name; rejects when it has none. */
export type Resolve = (hostname: string) => Promise<Address[]>

export const resolveName: Resolve = (hostname) => lookup(hostname, { all: true })

export class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS'
}

/** Everything that is not for the public: this host, private and shared networks, link-local, multicast, documentation, reserved. */
const refusedV4 = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  refusedV4.addSubnet(net, bits, 'ipv4')
}

/** Global unicast is all there is; loopback, mapped, NAT64, unique local and link-local addresses lie outside. */
const globalV6 = new BlockList()
globalV6.addSubnet('2000::', 3, 'ipv6')

/** What lies inside and yet leads elsewhere: Teredo and 6to4 carry another address, the others are reserved. */
const refusedV6 = new BlockList()
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  refusedV6.addSubnet(net, bits, 'ipv6')
}

/** False for what is no address, too. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '')
  switch (isIP(bare)) {
    case 4:
      return !refusedV4.check(bare, 'ipv4')
    case 6:
      return !bare.includes('%') && globalV6.check(bare, 'ipv6') && !refusedV6.check(bare, 'ipv6')
    default:
      return false
  }
}

/** The host of a URL: an address as it stands, or a name of this machine, is judged without asking anybody. */
export function isForbiddenHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(bare) !== 0) return !isPublicAddress(bare)
  return /(^|\.)localhost$/i.test(bare)
}

/** For `net.connect`: gives the addresses of a name only when all of them are allowed, so that the one that is used was looked at. */
export const guardedLookup =
  (resolve: Resolve, allowPrivate: boolean): LookupFunction =>
  (hostname, options, answered) => {
    resolve(hostname).then(
      (found) => {
        const wanted = options.family === 4 || options.family === 6 ? options.family : undefined
        const usable = wanted === undefined ? found : found.filter(({ family }) => family === wanted)
        const [first] = usable
        if (first === undefined) return answered(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '')
        if (!allowPrivate && found.some(({ address }) => !isPublicAddress(address))) {
          return answered(new ForbiddenAddress('the name leads to an address that is not public'), '')
        }
        if (options.all) answered(null, usable)
        else answered(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => answered(error, ''),
    )
  }
