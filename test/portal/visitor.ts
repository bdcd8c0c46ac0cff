/** A browser that runs no page: it keeps its cookie, says where its forms come from, and follows nothing by itself. */
import assert from 'node:assert/strict'
import type { Reply, TestApp } from '../support/test-app.ts'

export type Visitor = {
  /** What the browser keeps; '' before it was let in. */
  cookie: string
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Reply>
}

export const cookieFrom = ({ headers }: Reply): string | undefined => {
  const [set] = [headers['set-cookie'] ?? []].flat()
  return set?.split(';', 1)[0]
}

export function visitorOf({ ask, port }: Pick<TestApp, 'ask' | 'port'>, cookie = ''): Visitor {
  const visitor: Visitor = {
    cookie,
    get: async (path, headers = {}) =>
      keep(await ask(`GET ${path}`, { key: null, headers: { ...kept(), ...headers } })),
    post: async (path, fields = {}, headers = {}) => {
      const body = new URLSearchParams(fields).toString()
      const own = { Origin: `https://localhost:${port}`, 'Sec-Fetch-Site': 'same-origin' }
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
      return keep(await ask(`POST ${path}`, { key: null, body, headers: { ...kept(), ...own, ...form, ...headers } }))
    },
  }
  const kept = (): Record<string, string> => (visitor.cookie === '' ? {} : { Cookie: visitor.cookie })
  const keep = (reply: Reply): Reply => {
    const set = cookieFrom(reply)
    if (set !== undefined) visitor.cookie = set.endsWith('=') ? '' : set
    return reply
  }
  return visitor
}

export const pathOf = (url: string): string => new URL(url).pathname

/** Follows the link, which must let in. */
export async function enter(app: Pick<TestApp, 'ask' | 'port'>, url: string): Promise<Visitor> {
  const visitor = visitorOf(app)
  const reply = await visitor.get(pathOf(url))
  assert.equal(reply.status, 303, reply.text)
  assert.equal(reply.headers.location, '/account')
  return visitor
}

/** What a page says, without its marks. */
export const wordsOf = ({ text }: Reply): string =>
  text
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
