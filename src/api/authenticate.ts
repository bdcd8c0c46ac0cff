/** Whose request it is: HTTP Basic with an API key as the user name; a Host that names a site must be the key's own. */
import type { App } from '../actions/app.ts'
import { noteKeyUse } from '../actions/note-key-use.ts'
import { Refusal } from '../billing/refusal.ts'
import { equalHashes, hashKey } from '../host/secrets.ts'
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
 * Throws `Refusal('unauthorized')` for anything but a key that belongs to the site that the Host names, if it names one, and
 * `TooManyWrongKeys` for a wrong one from where too many came.
 */
export function authenticator(app: App): Authenticator {
  const remembered = new Map<string, Remembered>()
  const wrongKeys = new WrongKeys(app)
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
    if (known === undefined || !hostBelongs(request.host, known.site)) throw new Refusal('unauthorized')
    return { app, site: known.site, keyId: known.keyId }
  }
  return Object.assign(authenticate, { forget: () => remembered.clear() })
}

function keyFrom(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined
  const encoded = /^basic +([A-Za-z0-9+/_=-]{1,2048})$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const [user = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)
  return user === '' || user.length > keyLengthMax ? undefined : user
}

/** `acme.localhost` and `acme.example.com` name the site acme; a bare host, an address or `www` names none. */
function hostBelongs(host: string, site: SiteRow): boolean {
  const name = host.replace(/:\d+$/, '')
  if (/^[\d.]+$/.test(name) || name.startsWith('[')) return true
  const labels = name.split('.')
  const [first] = labels
  const namesSite = labels.length >= 3 || (labels.length === 2 && labels[1] === 'localhost')
  return !namesSite || first === 'www' || first === site.subdomain
}
