/** Whose request it is: HTTP Basic with an API key as the user name; a Host must not name another site than the key's. */
import type { App } from '../actions/app.ts'
import { noteKeyUse } from '../actions/note-key-use.ts'
import { Refusal } from '../billing/refusal.ts'
import { equalHashes, hashKey } from '../host/secrets.ts'
import { findSiteByKeyHash, findSiteBySubdomain, type SiteRow } from '../store/sites.ts'
import type { RequestHead } from '../wire/request.ts'
import type { Context } from './handler.ts'
import { WrongKeys } from './wrong-keys.ts'

/** A site found by its key is remembered this long: what an operator changes takes effect within it, and so is a key revoked. Acts read the site anew. */
const memoryMs = 1000
const rememberedMax = 10_000

const keyLengthMax = 512

type Known = { site: SiteRow; keyId: number }
type Remembered = Known & { keyHash: string; until: number }

export type Authenticator = ((request: RequestHead) => Promise<Context>) & {
  /** Drops what is remembered, so that a change made by this process shows at once. */
  forget(): void
}

/**
 * Throws `Refusal('unauthorized')` for anything but a key, and for one of another site than the Host names, if it names one; and
 * `TooManyWrongKeys` for a wrong one from where too many came.
 */
export function authenticator(app: App): Authenticator {
  const remembered = new Map<string, Remembered>()
  const wrongKeys = new WrongKeys(app)
  const otherSites = new OtherSites(app)
  const find = async (key: string, remoteAddress: string): Promise<Known | undefined> => {
    const keyHash = hashKey(key)
    const askedAt = performance.now()
    const known = remembered.get(keyHash)
    if (known !== undefined && known.until > askedAt && equalHashes(known.keyHash, keyHash)) return known
    await wrongKeys.refuse(remoteAddress, key, keyHash)
    const found = await findSiteByKeyHash(app.db, keyHash)
    if (found === undefined) {
      wrongKeys.count(remoteAddress, key)
      return undefined
    }
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(keyHash, { keyHash, ...found, until: askedAt + memoryMs })
    await noteKeyUse(app, found.site.id, found)
    return found
  }
  const authenticate = async (request: RequestHead): Promise<Context> => {
    const key = keyFrom(request.headers.authorization)
    const known = key === undefined ? undefined : await find(key, request.remoteAddress)
    if (known === undefined || (await otherSites.isNamedBy(request.host, known.site))) throw new Refusal('unauthorized')
    return { app, site: known.site, keyId: known.keyId }
  }
  const forget = (): void => {
    remembered.clear()
    otherSites.forget()
  }
  return Object.assign(authenticate, { forget })
}

function keyFrom(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined
  const encoded = /^basic +([A-Za-z0-9+/_=-]{1,2048})$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const [user = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)
  return user === '' || user.length > keyLengthMax ? undefined : user
}

/** Which subdomains are those of sites, remembered as keys are: hosts of a company's own come with every request. */
class OtherSites {
  private readonly remembered = new Map<string, { isSite: boolean; until: number }>()
  private readonly app: App

  constructor(app: App) {
    this.app = app
  }

  async isNamedBy(host: string, site: SiteRow): Promise<boolean> {
    const subdomain = subdomainOf(host)
    return subdomain !== undefined && subdomain !== site.subdomain && (await this.isSite(subdomain))
  }

  forget(): void {
    this.remembered.clear()
  }

  private async isSite(subdomain: string): Promise<boolean> {
    const askedAt = performance.now()
    const known = this.remembered.get(subdomain)
    if (known !== undefined && known.until > askedAt) return known.isSite
    const isSite = (await findSiteBySubdomain(this.app.db, subdomain)) !== undefined
    if (this.remembered.size >= rememberedMax) this.remembered.clear()
    this.remembered.set(subdomain, { isSite, until: askedAt + memoryMs })
    return isSite
  }
}

/** `acme.localhost` and `acme.example.com` may name the site acme; a bare host, an address or `www` names none. */
function subdomainOf(host: string): string | undefined {
  const name = host.replace(/:\d+$/, '')
  if (/^[\d.]+$/.test(name) || name.startsWith('[')) return undefined
  const labels = name.split('.')
  const [first] = labels
  const mayNameSite = labels.length >= 3 || (labels.length === 2 && labels[1] === 'localhost')
  return mayNameSite && first !== 'www' ? first : undefined
}
