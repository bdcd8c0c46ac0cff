/** Gives out the signed link that opens the portal for a customer, and counts how often. */
import {
  fetchAgain,
  keySignsUntil,
  linkPath,
  type ManagementLink,
  type SignedLink,
  signedText,
} from '../billing/management-link.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import { randomToken, signText } from '../host/secrets.ts'
import { lockCustomer } from '../store/customers.ts'
import type { Connection, Transaction } from '../store/database.ts'
import {
  findLinkKey,
  findManagementLink,
  findNewestLinkKey,
  insertLinkKey,
  type LinkKey,
  saveManagementLink,
} from '../store/management-links.ts'
import { findPortalSettings } from '../store/portal-settings.ts'
import { lockSite } from '../store/sites.ts'
import { type App, siteAndNow } from './app.ts'
import { portalNotEnabled } from './invite-to-portal.ts'

const keyBytes = 32

/**
 * The same link until there is a new one, counted once more. `address` is where the service was asked, for sites that have set none.
 * Refuses a customer to whom the portal is closed, and the sixteenth fetch of one link.
 */
export const fetchManagementLink = (
  app: App,
  siteId: number,
  customerId: number,
  address: string,
): Promise<{ link: ManagementLink; url: string }> =>
  app.db.transaction(async (tx) => {
    const { now, again } = await findAgain(app, tx, siteId, customerId)
    const link = again ?? (await newLink(app, tx, { siteId, customerId, address, now }))
    await saveManagementLink(tx, link)
    const { keyId, createdAt: at } = link
    return { link, url: await urlOf(app, tx, link.baseUrl, { purpose: 'management', keyId, customerId, at }) }
  })

/** Refuses what a fetch would refuse now, and counts none. */
export const checkManagementLink = (app: App, siteId: number, customerId: number): Promise<void> =>
  app.db.transaction(async (tx) => void (await findAgain(app, tx, siteId, customerId)))

/** The link as it is fetched once more; undefined where there is to be a new one. */
async function findAgain(app: App, tx: Transaction, siteId: number, customerId: number) {
  const [{ now }, customer] = await Promise.all([siteAndNow(app, tx, siteId), lockCustomer(tx, siteId, customerId)])
  if (customer === undefined) throw notFound()
  if (customer.portalCustomerCreatedAt === null) throw invalid(portalNotEnabled)
  return { now, again: fetchAgain(await findManagementLink(tx, siteId, customerId), now) }
}

async function newLink(
  app: App,
  tx: Transaction,
  { siteId, customerId, address, now }: { siteId: number; customerId: number; address: string; now: Temporal.Instant },
): Promise<ManagementLink> {
  const [key, { baseUrl }] = await Promise.all([signingKey(app, tx, siteId, now), findPortalSettings(tx, siteId)])
  return { siteId, customerId, keyId: key.id, baseUrl: baseUrl ?? address, fetchCount: 1, createdAt: now }
}

const signsStill = (key: LinkKey | undefined, now: Temporal.Instant): key is LinkKey =>
  key !== undefined && Temporal.Instant.compare(now, keySignsUntil(key.createdAt)) < 0

/** The newest key, or a new one when that has signed for long enough. The site is locked for it, so that there is one alone. */
async function signingKey(app: App, tx: Transaction, siteId: number, now: Temporal.Instant): Promise<LinkKey> {
  const newest = await findNewestLinkKey(tx, siteId)
  if (signsStill(newest, now)) return newest
  await lockSite(tx, siteId)
  const made = await findNewestLinkKey(tx, siteId)
  return signsStill(made, now) ? made : insertLinkKey(tx, siteId, app.seals.seal(randomToken(keyBytes)), now)
}

const paths = { management: '/manage', invitation: '/manage/invitation', letter: '/manage/letter' }

async function urlOf(app: App, connection: Connection, baseUrl: string, link: SignedLink): Promise<string> {
  const key = await findLinkKey(connection, link.keyId)
  if (key === undefined) throw notFound()
  return `${baseUrl}${paths[link.purpose]}/${linkPath(link, signText(app.seals.open(key.sealedKey), signedText(link)))}`
}

/** The link in a letter that was written at that moment. `address` is where the service is reached, for sites that have set none. */
export async function letterUrl(
  app: App,
  tx: Transaction,
  siteId: number,
  { purpose, customerId, at, address }: Omit<SignedLink, 'keyId'> & { address: string },
): Promise<string> {
  const [key, { baseUrl }] = await Promise.all([signingKey(app, tx, siteId, at), findPortalSettings(tx, siteId)])
  return urlOf(app, tx, baseUrl ?? address, { purpose, keyId: key.id, customerId, at })
}
