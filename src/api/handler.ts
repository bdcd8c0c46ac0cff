/** What an endpoint is: a function of a request that is bound to its site. Reading ones show; writing ones act, then show. */
import { answerOnce, claimUniquenessToken } from '../actions/answer-once.ts'
import type { App } from '../actions/app.ts'
import { assert } from '../billing/assert.ts'
import { notFound } from '../billing/refusal.ts'
import type { Connection } from '../store/database.ts'
import type { SiteRow } from '../store/sites.ts'
import { findSubscription } from '../store/subscriptions.ts'
import type { Answer } from '../wire/answer.ts'
import { InputErrors, isTree } from '../wire/input.ts'
import type { Query, WireRequest } from '../wire/request.ts'
import { describeRequest } from './describe-request.ts'

/** What authentication found: whose request it is, and which key it came with. */
export type Context = { readonly app: App; readonly site: SiteRow; readonly keyId: number }
export type SiteRequest = WireRequest<Context>
export type Handler = (request: SiteRequest) => Promise<Answer>

/** Reads one thing and presents it; undefined when the site has no such thing. */
export type Show = (connection: Connection, site: SiteRow, id: number, app: App) => Promise<Answer | undefined>

/** Does what was asked and gives the id of what it made or changed. */
export type Act = (app: App, request: SiteRequest) => Promise<number>

/** An id from the path. What is no id names nothing that exists. */
export function idFrom(request: SiteRequest, name: string): number {
  const text = request.params[name] ?? ''
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (id === 0) throw notFound()
  return id
}

/** The subscription of the path. That there is none comes before what is wrong with the request about it. */
export async function subscriptionFrom(request: SiteRequest): Promise<number> {
  const { app, site } = request.context
  const id = idFrom(request, 'subscription_id')
  if (!(await findSubscription(app.db, site.id, id))) throw notFound()
  return id
}

/** A value from the query; of a name that was sent more than once the last one counts. */
export function textFrom(query: Query, name: string): string | undefined {
  const value = query[name]
  return typeof value === 'string' || value === undefined ? value : value.at(-1)
}

/** A reading endpoint: the thing whose id stands in the path. */
export const shows =
  (idName: string, show: Show): Handler =>
  async (request) => {
    const { app, site } = request.context
    const answer = await show(app.db, site, idFrom(request, idName), app)
    if (answer === undefined) throw notFound()
    return answer
  }

/** A reading endpoint for what each site has one of, such as settings. */
export const showsOwn =
  (show: Show): Handler =>
  async ({ context: { app, site } }) => {
    const answer = await show(app.db, site, site.id, app)
    assert(answer !== undefined, 'a site has settings of each kind')
    return answer
  }

/** A writing endpoint. A repeated request with the same Idempotency-Key is answered as the first time; an answer that `isSecret` is kept sealed. */
export const acts =
  (act: Act, show: Show, { isSecret = false } = {}): Handler =>
  async (request) => {
    const { app, site } = request.context
    const key = request.headers['idempotency-key']
    const reread = async (connection: Connection, id: number): Promise<Answer> => {
      const answer = await show(connection, site, id, app)
      assert(answer !== undefined, 'what an act has just written can be read')
      return answer
    }
    if (typeof key === 'string' && key !== '') {
      return answerOnce(app, {
        siteId: site.id,
        key,
        isSecret,
        request: describeRequest(request),
        act: (once) => act(once, request),
        show: reread,
      })
    }
    const token = uniquenessToken(request)
    if (token !== undefined) await claimUniquenessToken(app, site.id, token)
    return reread(app.db, await act(app, request))
  }

/** Whether the site has the thing that a request is about. */
export type Exists = (connection: Connection, site: SiteRow, id: number, app: App) => Promise<boolean>

/** A writing endpoint about one thing: that there is no such thing comes before what is wrong with the request about it. */
export const actsOn = (idName: string, exists: Exists, act: Act, show: Show): Handler => {
  const answer = acts(act, show)
  return async (request) => {
    const { app, site } = request.context
    const id = idFrom(request, idName)
    try {
      return await answer(request)
    } catch (error) {
      if (error instanceof InputErrors && !(await exists(app.db, site, id, app))) throw notFound()
      throw error
    }
  }
}

/** A writing endpoint that changes the thing whose id stands in the path, and shows it. */
export const changes = (idName: string, act: Act, show: Show): Handler =>
  actsOn(idName, async (...one) => (await show(...one)) !== undefined, act, show)

/** Stands beside the resource in a JSON body, inside the one root of an XML document, or in the query. */
function uniquenessToken({ body, query }: SiteRequest): string | undefined {
  const tree = isTree(body) ? body : {}
  const [only, ...others] = Object.values(tree)
  const inside = others.length === 0 && isTree(only) ? only.uniqueness_token : undefined
  const token = tree.uniqueness_token ?? inside ?? query.uniqueness_token
  return typeof token === 'string' || typeof token === 'number' ? String(token) : undefined
}
