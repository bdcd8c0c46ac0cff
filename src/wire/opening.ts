/** Reads everything of a request but its body: method, path, format, query, host, and what is wrong with them. */

import type { Http2ServerRequest } from 'node:http2'
import type { Incoming } from './exchange.ts'
import { RequestFault } from './fault.ts'
import { answerFormat } from './negotiation.ts'
import type { Format, Query, RequestHead } from './request.ts'
import { isRoutable, readBlankNames, readQuery, readTarget } from './target.ts'

/** `fault` waits until the caller is known: who may not ask is not told what is wrong with the question. */
export type Opening = {
  readonly head: RequestHead
  readonly suffix: Format | undefined
  readonly fault: RequestFault | undefined
}

export type RawRequest = {
  method: string
  readonly url: string
  readonly headers: Http2ServerRequest['headers']
  readonly rawHeaders: readonly string[]
  readonly httpVersionMajor: number
  readonly httpVersionMinor: number
}

const one = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' || header === undefined ? header : header.join(', ')

const overridden: { readonly [method: string]: string } = { PUT: 'PUT', PATCH: 'PUT', DELETE: 'DELETE' }

/** A PATCH is a PUT here: both change the fields that are sent. X-Http-Method-Override counts on POST only. */
export const routedMethod = (method: string, override: string | string[] | undefined): string => {
  if (method === 'PATCH') return 'PUT'
  return method === 'POST' && override !== undefined
    ? (overridden[one(override)?.toUpperCase() ?? ''] ?? method)
    : method
}

/** To carry out a POST when something else was meant would be worse than to refuse it. */
const isUnknownOverride = (method: string, override: string | undefined): boolean =>
  method === 'POST' && override !== undefined && override.toUpperCase() !== 'POST'

/** Over HTTP/1.1 Node's parser has already counted them; over HTTP/2 it lets four times as much pass. */
export const areHeadersTooLarge = (raw: RawRequest, bytesMax: number): boolean => {
  if (raw.httpVersionMajor === 1) return false
  let bytes = 0
  for (const part of raw.rawHeaders) bytes += part.length
  return bytes > bytesMax
}

const hostForm = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/

const countHosts = (rawHeaders: readonly string[]): number => {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** Exactly one on HTTP/1.1; Node's own check does not run on a port that speaks HTTP/2 as well. Undefined is a 400. */
export const readHost = (raw: RawRequest): string | undefined => {
  const isOne = raw.httpVersionMajor === 1
  const host = (isOne ? raw.headers.host : (raw.headers[':authority'] ?? raw.headers.host))?.toLowerCase()
  if (host === undefined) return isOne && raw.httpVersionMinor === 0 ? '' : undefined
  if (isOne && countHosts(raw.rawHeaders) > 1) return undefined
  return hostForm.test(host) ? host : undefined
}

const faultOf = (
  request: Incoming,
  path: string,
  query: Query | undefined,
  format: Format | undefined,
  methods: readonly string[],
): RequestFault | undefined => {
  if (request.is404 && methods.length > 0 && isRoutable(path)) return notAllowed(methods)
  if (request.is404 || !isRoutable(path)) return new RequestFault(404, 'Not found.')
  if (isUnknownOverride(request.method, one(request.headers['x-http-method-override']))) {
    return new RequestFault(400, 'X-Http-Method-Override must be PUT, PATCH or DELETE.')
  }
  if (query === undefined) return new RequestFault(400, 'The query string is not well encoded.')
  if (format === undefined)
    return new RequestFault(406, 'There is no such format here; ask for application/json or application/xml.')
  return undefined
}

const noQuery: Query = Object.create(null)

const notAllowed = (methods: readonly string[]): RequestFault => {
  const allow = methods.join(', ')
  const fault = new RequestFault(405, `This path is not served with that method, but with ${allow}.`)
  return Object.assign(fault, { headers: { allow } })
}

/** `offered` are the formats that the route can answer in; `methods`, where there is no route, are those that the path is served with. */
export const openRequest = (
  request: Incoming,
  host: string,
  { offered, methods }: { readonly offered: readonly Format[]; readonly methods: readonly string[] },
): Opening => {
  const { path, suffix, query: queryText } = readTarget(request.originalUrl)
  const { headers } = request
  const query = readQuery(queryText)
  const format = answerFormat(suffix, headers.accept, headers['content-type'], offered)
  const head: RequestHead = {
    method: request.method,
    path,
    params: request.params as RequestHead['params'],
    query: query ?? noQuery,
    blankNames: queryText === '' ? [] : readBlankNames(queryText),
    format: format ?? (suffix === 'xml' ? 'xml' : 'json'),
    headers,
    host,
    remoteAddress: request.ip,
    id: request.id,
  }
  return { head, suffix, fault: faultOf(request, path, query, format, methods) }
}
