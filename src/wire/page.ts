/** What the handler of a page is given and gives back: forms and cookies instead of documents, HTML instead of trees. */
import { parseCookie } from 'cookie'
import type { Headers } from './answer.ts'
import { type BodyLimits, readBytes } from './body.ts'
import type { Incoming } from './exchange.ts'
import { RequestFault } from './fault.ts'
import { readHost } from './opening.ts'
import type { Query } from './request.ts'
import { readQuery } from './target.ts'

export type PageHead = {
  readonly method: string
  readonly path: string
  readonly params: { readonly [name: string]: string }
  readonly query: Query
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly cookies: { readonly [name: string]: string | undefined }
  readonly host: string
  readonly remoteAddress: string
  readonly id: string
}

/** The fields of a form; the last of several with one name. They may hold a card number, so they are never logged or kept. */
export type Form = ReadonlyMap<string, string>

export type PageRequest = PageHead & { readonly form: Form }

type PageContent =
  | { readonly kind: 'html'; readonly text: string }
  | { readonly kind: 'file'; readonly type: string; readonly bytes: Uint8Array | string }
  | { readonly kind: 'empty' }

export type Page = {
  readonly status: number
  readonly headers?: Headers
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[]
  readonly content: PageContent
}

export type PageRoute = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly handler: (request: PageRequest) => Promise<Page>
}

/** Pages live under paths of their own, where no API key is asked for and no suffix is stripped. */
export type Pages = {
  /** Each is the first segment of the paths, with its slash: `/account`. */
  readonly prefixes: readonly string[]
  readonly routes: readonly PageRoute[]
  /** Everything that goes wrong, as a page; `error` is undefined where there is none of that address. */
  readonly failed: (error: unknown, head: PageHead) => Promise<Page>
}

/** The path, where it is one of a page. */
export const pagePath = (pages: Pages | undefined, url: string): string | undefined => {
  const path = url.split('?', 1)[0] ?? ''
  return pages?.prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)) ? path : undefined
}

export const readPageHead = (request: Incoming): PageHead => {
  const { headers, raw } = request
  const [path = '', query = ''] = request.originalUrl.split(/\?(.*)/s, 2)
  return {
    method: request.method,
    path,
    params: request.params as PageHead['params'],
    query: readQuery(query) ?? {},
    headers,
    cookies: parseCookie(headers.cookie ?? ''),
    host: readHost(raw) ?? '',
    remoteAddress: request.ip,
    id: request.id,
  }
}

const formBytesMax = 65_536
const fieldsMax = 100

/** Empty unless a form was posted. Throws `RequestFault` 408, 413 or 415. */
export const readForm = async (request: Incoming, limits: BodyLimits): Promise<Form> => {
  if (request.method !== 'POST') return new Map()
  const { headers } = request
  const bytes = await readBytes(request.raw, headers['content-length'], { ...limits, bytes: formBytesMax })
  if (bytes.length === 0) return new Map()
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded' || headers['content-encoding'] !== undefined) {
    throw new RequestFault(415, 'Only forms are read here.')
  }
  const fields = [...new URLSearchParams(bytes.toString('utf8'))].slice(0, fieldsMax)
  return new Map(fields.map(([name, value]) => [name, value.replaceAll('\0', '').toWellFormed()]))
}

/**
 * Whether a form was sent by a page of ours. Browsers tell where a request comes from in headers that no page can set; a request that
 * tells nothing is not from a browser that we can trust. Behind a proxy that asks in another name, `publicOrigin` is the one that
 * browsers know.
 */
export const isFromOwnPage = (
  { headers, host }: Pick<PageHead, 'headers' | 'host'>,
  publicOrigin: string | null = null,
): boolean => {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return false
  if (origin === undefined) return site === 'same-origin'
  return origin === `https://${host}` || origin === publicOrigin
}
