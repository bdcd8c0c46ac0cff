/** Who looks at a page: the session that the browser's cookie names, with the customer, the site and how it is to be shown. */
import { stringifySetCookie } from 'cookie'
import { type App, nowOf } from '../actions/app.ts'
import { sessionHours } from '../actions/open-portal-session.ts'
import type { Customer } from '../billing/customer.ts'
import type { PortalSettings } from '../billing/portal-settings.ts'
import { Refusal } from '../billing/refusal.ts'
import { hashSessionToken } from '../host/secrets.ts'
import { findCustomer } from '../store/customers.ts'
import { findPortalSession } from '../store/portal-sessions.ts'
import { findPortalSettings } from '../store/portal-settings.ts'
import { findSite, type SiteRow } from '../store/sites.ts'
import { isFromOwnPage, type Page, type PageHead, type PageRequest } from '../wire/page.ts'
import { type Frame, page, type Shown } from './layout.ts'
import { localeFrom, type Words, wordsFor } from './words.ts'

/** Browsers take a cookie of this prefix over HTTPS only, for this host only, and for every path. */
const cookieName = '__Host-portal'

export type SessionCookie = { siteId: number; token: string }

export type Visitor = {
  app: App
  site: SiteRow
  settings: PortalSettings
  customer: Customer
  session: SessionCookie
  words: Words
  /** By the site's clock. */
  now: Temporal.Instant
}

export type Visit = Visitor & { request: PageRequest }

const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const

export const cookieOf = ({ siteId, token }: SessionCookie): string =>
  stringifySetCookie({ name: cookieName, value: `${siteId}.${token}`, maxAge: sessionHours * 3600, ...attributes })

export const clearedCookie: string = stringifySetCookie({ name: cookieName, value: '', maxAge: 0, ...attributes })

export function sessionFrom({ cookies }: PageHead): SessionCookie | undefined {
  const [, siteId, token] = /^(\d{1,15})\.([\w-]{43})$/.exec(cookies[cookieName] ?? '') ?? []
  return token === undefined ? undefined : { siteId: Number(siteId), token }
}

/** Undefined without a session that lasts, and once the customer is gone. */
export async function findVisitor(app: App, head: PageHead): Promise<Visitor | undefined> {
  const session = sessionFrom(head)
  if (session === undefined) return undefined
  const { siteId, token } = session
  const found = await findPortalSession(app.db, siteId, hashSessionToken(token), app.clock.now())
  if (found === undefined) return undefined
  const [site, settings, customer] = await Promise.all([
    findSite(app.db, siteId),
    findPortalSettings(app.db, siteId),
    findCustomer(app.db, siteId, found.customerId),
  ])
  if (site === undefined || customer === undefined) return undefined
  const wanted = customer.locale?.replaceAll('_', '-') ?? head.headers['accept-language']
  const words = wordsFor(site, localeFrom(wanted))
  return { app, site, settings, customer, session, words, now: nowOf(app, site) }
}

export const frameOf = ({ site, settings }: Visitor): Frame => ({ siteName: site.name, settings, isInside: true })

/** A 422 where there are problems to tell. */
export const show = (visit: Visitor, shown: Shown): Promise<Page> =>
  page(frameOf(visit), shown, shown.problems?.length ? 422 : 200)

export const redirect = (location: string, cookies: readonly string[] = []): Page => ({
  status: 303,
  headers: { location },
  cookies,
  content: { kind: 'empty' },
})

/** A page for who is logged in. Refuses everybody else, and forms that another site's page has sent. */
export const visited =
  (app: App, handler: (visit: Visit) => Promise<Page>) =>
  async (request: PageRequest): Promise<Page> => {
    const visitor = await findVisitor(app, request)
    if (visitor === undefined) throw new Refusal('unauthorized')
    const isOurs = request.method !== 'POST' || isFromOwnPage(request, visitor.settings.baseUrl)
    if (!isOurs) throw new Refusal('forbidden')
    return handler({ ...visitor, request })
  }
