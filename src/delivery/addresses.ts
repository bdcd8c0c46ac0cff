/** Which addresses webhooks may go to: those of the public internet, looked at where a URL is saved and again at every connection. */
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = { address: string; family: number }
/** Every address of a name; rejects when it has none. */
export type Resolve = (hostname: string) => Promise<Address[]>

export const resolveName: Resolve = (hostname) => lookup(hostname, { all: true })

export class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS'
}

/** Global unicast is all there is of IPv6: mapped, compatible, NAT64, unique local and link-local addresses lie outside, known or not. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether the address is in no special-purpose range of the IANA registries: this host, private and shared networks, link-local, multicast,
 * documentation, what carries another address (Teredo, 6to4), reserved. False for what is no address, too.
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '')
  switch (isIP(bare)) {
    case 4:
      return ipaddr.IPv4.parse(bare).range() === 'unicast'
    case 6: {
      const parsed = ipaddr.IPv6.parse(bare)
      return parsed.zoneId === undefined && parsed.match(globalUnicast) && parsed.range() === 'unicast'
    }
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
