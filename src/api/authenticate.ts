/** Whose request it is: HTTP Basic with an API key as the user name; a Host must not name another site than the key's. */
import type { App } from '../actions/app.ts'
import { noteKeyUse } from '../actions/note-key-use.ts'
import { Refusal } from '../billing/refusal.ts'
import { equalHashes, hashKey } from '../host/secrets.ts'
import { findSiteIdByHost } from '../store/site-hosts.ts'
import { findSiteByKeyHash, type SiteRow } from '../store/sites.ts'
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
  const namedSites = new NamedSites(app)
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
    if (known === undefined || (await namedSites.isOtherNamed(request.host, known.site)))
      throw new Refusal('unauthorized')
    return { app, site: known.site, keyId: known.keyId }
  }
  const forget = (): void => {
    remembered.clear()
    namedSites.forget()
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

/** Which sites hosts name, remembered as keys are: hosts of a company's own come with every request. */
class NamedSites {
  private readonly remembered = new Map<string, { siteId: number | undefined; until: number }>()
  private readonly app: App

  constructor(app: App) {
    this.app = app
  }

  /** A site's own subdomain always names it, whoever else has taken the host. */
  async isOtherNamed(hostAndPort: string, site: SiteRow): Promise<boolean> {
    const host = hostAndPort.replace(/:\d+$/, '')
    const subdomain = subdomainOf(host)
    if (subdomain === site.subdomain) return false
    const named = await this.siteNamed(host, subdomain)
    return named !== undefined && named !== site.id
  }

  forget(): void {
    this.remembered.clear()
  }

  private async siteNamed(host: string, subdomain: string | undefined): Promise<number | undefined> {
    const askedAt = performance.now()
    const known = this.remembered.get(host)
    if (known !== undefined && known.until > askedAt) return known.siteId
    const siteId = await findSiteIdByHost(this.app.db, host, subdomain)
    if (this.remembered.size >= rememberedMax) this.remembered.clear()
    this.remembered.set(host, { siteId, until: askedAt + memoryMs })
    return siteId
  }
}

/** `acme.localhost` and `acme.example.com` may name the site acme; a bare host, an address or `www` names none. */
function subdomainOf(name: string): string | undefined {
  if (/^[\d.]+$/.test(name) || name.startsWith('[')) return undefined
  const labels = name.split('.')
  const [first] = labels
  const mayNameSite = labels.length >= 3 || (labels.length === 2 && labels[1] === 'localhost')
  return mayNameSite && first !== 'www' ? first : undefined
}
