/** What is shown when a page cannot be: a friendly word and the right status, and nothing about whatever else exists. */
import { html } from 'hono/html'
import type { App } from '../../actions/app.ts'
import { Refusal, type RefusalKind } from '../../billing/refusal.ts'
import { databaseTroubleOf } from '../../host/database-trouble.ts'
import { traceOf } from '../../host/error-trace.ts'
import { RequestFault } from '../../wire/fault.ts'
import type { Page, PageHead } from '../../wire/page.ts'
import { page, strangersFrame } from '../layout.ts'
import { clearedCookie, findVisitor, frameOf } from '../visit.ts'

type Told = { status: number; title: string; words: string }

const notFound: Told = {
  status: 404,
  title: 'Page not found',
  words: 'There is nothing at this address. If you followed a link, please check that it was copied whole.',
}
const ours: Told = {
  status: 500,
  title: 'Something went wrong',
  words: 'This is our fault, and it is on record. Please try again in a moment.',
}

const away: Told = {
  status: 503,
  title: 'One moment, please',
  words: 'This cannot be done just now. Please try again in a moment.',
}

const refused: Partial<Record<RefusalKind, Told>> = {
  unauthorized: {
    status: 403,
    title: 'Please open your link again',
    words: 'You are not logged in, or your session has ended. Please use the link that you were given.',
  },
  forbidden: {
    status: 403,
    title: 'That did not come from here',
    words: 'The form was sent from another place, so nothing was done. Please go back to your account and try again.',
  },
  conflict: {
    status: 409,
    title: 'This cannot be done now',
    words: 'It may have been done already, or it is not possible at the moment. Please look at your subscription.',
  },
  gone: {
    status: 410,
    title: 'This link is no longer valid',
    words: 'It was good for a limited time. Please ask for a new one.',
  },
  unavailable: away,
  too_many_requests: {
    status: 429,
    title: 'Too many attempts',
    words: 'For your protection this was stopped for a while. Please try again later.',
  },
}

function told(error: unknown): Told {
  if (error === undefined) return notFound
  if (error instanceof RequestFault) {
    return { status: error.status, title: 'That could not be read', words: error.messages.join(' ') }
  }
  if (databaseTroubleOf(error) !== undefined) return away
  if (!(error instanceof Refusal)) return ours
  return error.kind === 'not_found' ? notFound : (refused[error.kind] ?? { ...ours, status: 422 })
}

/** Who is logged in sees it in the site's frame; everybody else in one that tells nothing. */
export const failed =
  (app: App) =>
  async (error: unknown, head: PageHead): Promise<Page> => {
    const { status, title, words } = told(error)
    if (status >= 500) app.log.error({ request: head.id, method: head.method, error: traceOf(error) }, 'a page failed')
    const visitor = status >= 500 ? undefined : await findVisitor(app, head)
    const content = html`<div class="panel"><h1>${title}</h1>
      <p>${words}</p>
      ${visitor === undefined ? '' : html`<p class="actions"><a class="button" href="/account">Your subscriptions</a></p>`}
      <p class="hint">${status === 500 ? `Reference ${head.id}` : ''}</p></div>`
    const shown = await page(visitor === undefined ? strangersFrame : frameOf(visitor), { title, content }, status)
    const isStale = visitor === undefined && error instanceof Refusal && error.kind === 'unauthorized'
    return {
      ...shown,
      ...(status === 429 && { headers: { 'retry-after': '600' } }),
      ...(isStale && { cookies: [clearedCookie] }),
    }
  }
