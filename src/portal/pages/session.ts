/** Coming in by a link, and going out again. */
import { html } from 'hono/html'
import type { App } from '../../actions/app.ts'
import { closePortalSession, openPortalSession } from '../../actions/open-portal-session.ts'
import type { LinkPurpose } from '../../billing/management-link.ts'
import type { Page, PageRequest } from '../../wire/page.ts'
import { page } from '../layout.ts'
import { clearedCookie, cookieOf, frameOf, redirect, sessionFrom, type Visit } from '../visit.ts'

/** The browser goes on to an address without the link, which so stays out of its history, its referrers and its bookmarks. */
export const openBy =
  (app: App, purpose: LinkPurpose) =>
  async (request: PageRequest): Promise<Page> => {
    // Programs that only look at a link let nobody in.
    if (request.method === 'HEAD') return redirect('/account')
    const { customer_id, time, signature } = request.params
    const link = { purpose, path: `${customer_id}/${time}/${signature}`, remoteAddress: request.remoteAddress }
    const session = await openPortalSession(app, link, sessionFrom(request))
    return redirect('/account', [cookieOf(session)])
  }

export async function logOut(visit: Visit): Promise<Page> {
  await closePortalSession(visit.app, visit.session)
  const content = html`<div class="panel"><h1>You are logged out</h1>
      <p>To come back, please use your link again.</p></div>`
  const shown = await page({ ...frameOf(visit), isInside: false }, { title: 'Logged out', content })
  return { ...shown, cookies: [clearedCookie] }
}
