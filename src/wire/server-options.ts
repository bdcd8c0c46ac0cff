/** What a server is told when it is made, and its limits. */

import type { AddressInfo } from 'node:net'
import { type AdmissionLimits, admissionLimits } from './admission.ts'
import type { Answer } from './answer.ts'
import type { BodyLimits } from './body.ts'
import { type DocumentLimits, documentLimits } from './fault.ts'
import { type ConnectionLimits, connectionLimits, type TlsMaterial } from './listener.ts'
import type { Pages } from './page.ts'
import type { RequestHead, Route } from './request.ts'

export type ServerLimits = ConnectionLimits &
  AdmissionLimits &
  BodyLimits &
  DocumentLimits & { readonly url_characters: number }

export const serverLimits: ServerLimits = {
  ...connectionLimits,
  ...admissionLimits,
  ...documentLimits,
  bytes: 1_048_576,
  body_in_ms: 30_000,
  discarded_bytes: 16_777_216,
  discarded_in_ms: 2_000,
  url_characters: 8_192,
}

type WireLog = { readonly error: (fields: object, sentence: string) => void }

export type Observation = {
  readonly id: string
  readonly method: string
  /** The route's pattern and not the path, which may hold what does not belong in a log; '' when there is no such route. */
  readonly route: string
  readonly status: number
  readonly duration_in_ms: number
}

export type ServerOptions<Context> = {
  readonly tls: TlsMaterial
  readonly routes: readonly Route<Context>[]
  /** Throws when the caller is nobody; what it returns is the request's `context`. Runs before the body is read and before a path is known to exist. */
  readonly authenticate: (request: RequestHead) => Promise<Context>
  /** Everything that a handler or `authenticate` throws, but for `RequestFault`, which is answered here. It keeps its own record; should it throw, the answer is a 500. */
  readonly mapError: (error: unknown, request: RequestHead) => Answer
  readonly log: WireLog
  /** Paths that are served without credentials, exactly as written here, suffix included; their trees are written as JSON. */
  readonly plain?: { readonly [path: string]: (headers: RequestHead['headers']) => Promise<Answer> }
  /** What browsers are served, beside the API. */
  readonly pages?: Pages
  readonly limits?: Partial<ServerLimits>
  /** Called once for each answer, for logs and metrics. */
  readonly observe?: (seen: Observation) => void
}

export type WireServer = {
  /** Port 0 takes a free one. */
  readonly listen: (host: string, port: number) => Promise<AddressInfo>
  /** Takes no more connections and lets requests finish; what is still open after `grace_in_ms` (30 s) is cut. */
  readonly close: (grace_in_ms?: number) => Promise<void>
}
