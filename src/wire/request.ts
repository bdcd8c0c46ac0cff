/** What a handler is given: the request as a tree and a few words about it, whichever format and protocol it came in. */

import type { Answer } from './answer.ts'

export type Format = 'json' | 'xml' | 'pdf'

/** A key that was sent more than once, or as `name[]`, is a list; pairs without a name or without a value are left out. */
export type Query = { readonly [name: string]: string | readonly string[] }

/** Everything that is known before the body is read. */
export type RequestHead = {
  readonly method: string
  /** Without suffix and query, as it was sent (not decoded). */
  readonly path: string
  readonly params: { readonly [name: string]: string }
  readonly query: Query
  /** The names in the query that came without a value. */
  readonly blankNames: readonly string[]
  /** What the answer will be written in. */
  readonly format: Format
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** Host header in lower case, with the port if there was one. */
  readonly host: string
  readonly remoteAddress: string
  /** Also sent back as X-Request-Id. */
  readonly id: string
}

export type WireRequest<Context = unknown> = RequestHead & {
  /** What `authenticate` returned. */
  readonly context: Context
  /** The document as a tree, undefined when there was none. */
  readonly body: unknown
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** `path` in Fastify's notation without suffix, for example `/subscriptions/:subscription_id`. A GET route also answers HEAD. */
export type Route<Context = unknown> = {
  readonly method: Method
  readonly path: string
  readonly handler: (request: WireRequest<Context>) => Promise<Answer>
  /** The route has a PDF as well; without this, a request for a PDF is a 406. */
  readonly pdf?: boolean
}
