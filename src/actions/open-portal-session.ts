/** Lets a browser into the portal that comes with a signed link. */
import {
  isAdmitted,
  type LinkPurpose,
  linkEndsAt,
  linkSignature,
  readLinkPath,
  type SignedLink,
  signedText,
} from '../billing/management-link.ts'
import { notFound, Refusal } from '../billing/refusal.ts'
import { AttemptCounts, networkOf } from '../host/attempt-counts.ts'
import { equalHashes, hashSessionToken, randomToken, signText } from '../host/secrets.ts'
import { lockCustomer, updateCustomerRow } from '../store/customers.ts'
import type { Transaction } from '../store/database.ts'
import { findLinkKey } from '../store/management-links.ts'
import {
  deletePortalSession,
  findRevocation,
  insertPortalSession,
  type PortalSession,
} from '../store/portal-sessions.ts'
import { type App, siteAndNow } from './app.ts'
import { limitRate, type Rate, tooOften } from './limit-rate.ts'

/** Of links that nobody has signed, from one address; behind a proxy that is everybody's, so a true link opens all the same. */
const badLinks: Rate = { kind: 'bad link', most: 20, minutes: 10 }
/** Of sessions of one customer. */
const openings: Rate = { kind: 'portal session', most: 60, minutes: 60 }

export const sessionHours = 8
const tokenBytes = 32

/** What a browser keeps, in clear for the last time. */
export type OpenedSession = PortalSession & { token: string }

/**
 * A session of its own for every opening; the one that the browser had before ends. Refuses links that are none (not found), links
 * that are over or whose customer is gone (gone), and further ones that are none from where too many came.
 */
export async function openPortalSession(
  app: App,
  { purpose, path, remoteAddress }: { purpose: LinkPurpose; path: string; remoteAddress: string },
  before: { siteId: number; token: string } | undefined,
): Promise<OpenedSession> {
  const { siteId, link } = await readTrueLink(app, purpose, path, remoteAddress)
  await limitRate(app, siteId, openings, String(link.customerId))
  const token = randomToken(tokenBytes)
  const from = app.clock.now()
  await app.db.transaction(async (tx) => {
    await admit(app, tx, siteId, link)
    const session = { siteId, customerId: link.customerId }
    await insertPortalSession(tx, session, hashSessionToken(token), { from, until: from.add({ hours: sessionHours }) })
  })
  if (before !== undefined) await closePortalSession(app, before)
  return { siteId, customerId: link.customerId, token }
}

/** Links with a key that does not exist are no site's: they are counted in the memory of this process. */
const forged = new WeakMap<App['db'], AttemptCounts>()

function refuseForged({ db, clock }: App, remoteAddress: string): void {
  const counts = forged.get(db) ?? new AttemptCounts({ most: badLinks.most, stretchMs: badLinks.minutes * 60_000 })
  forged.set(db, counts)
  if (counts.add(networkOf(remoteAddress), clock.now().epochMilliseconds) > badLinks.most) throw tooOften(badLinks)
}

/** The link's key tells the site; the signature is compared in constant time. */
async function readTrueLink(
  app: App,
  purpose: LinkPurpose,
  path: string,
  remoteAddress: string,
): Promise<{ siteId: number; link: SignedLink }> {
  const read = readLinkPath(purpose, path)
  if (read === undefined) throw notFound()
  const key = await findLinkKey(app.db, read.link.keyId)
  if (key === undefined) {
    refuseForged(app, remoteAddress)
    throw notFound()
  }
  const expected = linkSignature(signText(app.seals.open(key.sealedKey), signedText(read.link)))
  if (equalHashes(expected, read.signature)) return { siteId: key.siteId, link: read.link }
  await limitRate(app, key.siteId, badLinks, remoteAddress)
  throw notFound()
}

/** Refuses what is over. Whoever follows the link of an invitation has accepted it, and the address it was sent to is theirs. */
async function admit(app: App, tx: Transaction, siteId: number, link: SignedLink): Promise<void> {
  const [{ now }, customer, wasRevoked] = await Promise.all([
    siteAndNow(app, tx, siteId),
    lockCustomer(tx, siteId, link.customerId),
    findRevocation(tx, siteId, link.customerId),
  ])
  if (customer === undefined || Temporal.Instant.compare(now, linkEndsAt(link)) >= 0) throw new Refusal('gone')
  if (!isAdmitted(link, { enabledAt: customer.portalCustomerCreatedAt, wasRevoked })) throw new Refusal('gone')
  if (link.purpose !== 'invitation' || customer.portalInviteLastAcceptedAt !== null) return
  if (customer.portalInviteLastSentAt === null) throw new Refusal('gone')
  await updateCustomerRow(tx, siteId, {
    ...customer,
    verified: true,
    portalInviteLastAcceptedAt: now,
    updatedAt: now,
  })
}

export const closePortalSession = async (
  app: App,
  { siteId, token }: { siteId: number; token: string },
): Promise<void> => {
  await deletePortalSession(app.db, siteId, hashSessionToken(token))
}
