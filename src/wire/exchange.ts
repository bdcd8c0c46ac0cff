/** One request from its first line to its answer: who asks, then what is asked, then what is said. */

import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import { traceOf } from '../host/error-trace.ts'
import { type Admission, TooManyRequests } from './admission.ts'
import { isUnknownMethod, methodsOf } from './allowed.ts'
import { type Answer, errors } from './answer.ts'
import { readBytes, readDocument } from './body.ts'
import { RequestFault } from './fault.ts'
import { bodyFormat } from './negotiation.ts'
import { areHeadersTooLarge, type Opening, openRequest, readHost } from './opening.ts'
import { render } from './render.ts'
import type { Format, Route } from './request.ts'
import type { ServerLimits, ServerOptions } from './server-options.ts'
import { readTarget } from './target.ts'

declare module 'fastify' {
  interface FastifyRequest {
    opening: Opening | null
    caller: unknown
    /** Tells that the work of the request is over; null before it has begun. */
    leave: (() => void) | null
  }
  interface FastifyContextConfig {
    /** The formats that a route can answer in. */
    offered?: readonly Format[]
    /** Served to anybody, as it stands. */
    isPlain?: boolean
    /** A page for a browser, which has credentials of its own. */
    isPage?: boolean
  }
}

export type Incoming = FastifyRequest<RouteGenericInterface, Http2SecureServer, Http2ServerRequest>
export type Outgoing = FastifyReply<RouteGenericInterface, Http2SecureServer, Http2ServerRequest, Http2ServerResponse>

/** What one server knows of itself while it runs. */
export type Running<Context> = {
  readonly options: ServerOptions<Context>
  readonly limits: ServerLimits
  readonly sockets: Set<Socket>
  readonly admission: Admission
  isClosing: boolean
}

const treeFormats: readonly Format[] = ['json', 'xml']
const treeAndPdf: readonly Format[] = ['json', 'xml', 'pdf']
export const offeredBy = (route: Pick<Route, 'pdf'>): readonly Format[] => (route.pdf ? treeAndPdf : treeFormats)

type Raw = Http2ServerRequest

const connectionOf = ({ httpVersionMajor, socket, stream }: Raw): object =>
  httpVersionMajor === 1 ? socket : (stream.session ?? stream)

/** Nobody is there any more to be answered. */
const isGone = ({ httpVersionMajor, socket, stream }: Raw): boolean =>
  httpVersionMajor === 1 ? socket.destroyed : stream.destroyed || stream.aborted

/** Runs before everything else: waits for the request's turn. Nothing is done for a client that has gone meanwhile. */
export const admit = async <Context>(
  { admission }: Running<Context>,
  request: Incoming,
  reply: Outgoing,
): Promise<void> => {
  const { raw, routeOptions } = request
  if (routeOptions.config.isPlain) return
  const admitted = await admission.enter(connectionOf(raw), () => isGone(raw))
  if (admitted === undefined) reply.hijack()
  else request.leave = admitted.leave
}

/** The work of a request that was admitted, to its end, however that comes. */
export const working = async (request: Incoming, work: () => Promise<Outgoing>): Promise<Outgoing> => {
  try {
    return await work()
  } finally {
    request.leave?.()
  }
}

/** Credentials come first, for paths that do not exist as well; only the host is looked at before, since a site is found by it. */
export const openExchange = async <Context>(running: Running<Context>, request: Incoming): Promise<void> => {
  try {
    await open(running, request)
  } catch (error) {
    request.leave?.()
    throw error
  }
}

const open = async <Context>(running: Running<Context>, request: Incoming): Promise<void> => {
  const { raw, routeOptions, originalUrl } = request
  const { limits, options } = running
  const host = readHost(raw)
  if (!routeOptions.config.isPlain && !routeOptions.config.isPage) {
    const methods = request.is404 ? methodsOf(options.routes, readTarget(originalUrl).path) : []
    const offered = routeOptions.config.offered ?? treeFormats
    request.opening = openRequest(request, host ?? '', { offered, methods })
  }
  if (host === undefined) throw new RequestFault(400, 'The request must name one valid host.')
  if (areHeadersTooLarge(raw, limits.header_bytes)) throw new RequestFault(431, 'The request headers are too large.')
  if (originalUrl.length > limits.url_characters) throw new RequestFault(414, 'The address is too long.')
  if (isUnknownMethod(raw)) throw new RequestFault(400, 'There is no such method in HTTP.')
  const { opening } = request
  if (opening === null) return
  request.caller = await options.authenticate(opening.head)
  if (opening.fault !== undefined) throw opening.fault
}

/** A GET is never asked for its body. */
const takeBody = async (request: Incoming, opening: Opening, limits: ServerLimits): Promise<unknown> => {
  const { headers, method } = request
  if (method === 'GET' || method === 'HEAD') return undefined
  const bytes = await readBytes(request.raw, headers['content-length'], limits)
  const format = () => bodyFormat(headers['content-type'], opening.suffix, opening.head.format)
  return readDocument(bytes, headers['content-encoding'], format, limits)
}

export const send = <Context>(running: Running<Context>, reply: Outgoing, answer: Answer, format: Format): Outgoing => {
  reply.code(answer.status)
  reply.header('x-request-id', reply.request.id)
  reply.header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  if (answer.headers !== undefined) reply.headers(answer.headers)
  // A connection that was busy when the stop began would otherwise stay open for its next request.
  if (running.isClosing && reply.request.raw.httpVersionMajor === 1) reply.header('connection', 'close')
  const rendered = render(answer, format)
  if (rendered === undefined) return reply.send()
  return reply.header('content-type', rendered.type).send(rendered.text)
}

export const serveRoute = async <Context>(
  running: Running<Context>,
  route: Route<Context>,
  request: Incoming,
  reply: Outgoing,
): Promise<Outgoing> => {
  if (isGone(request.raw)) return reply.hijack()
  const opening = request.opening as Opening
  const body = await takeBody(request, opening, running.limits)
  const context = request.caller as Context
  const answer = await route.handler({ ...opening.head, context, body })
  return send(running, reply, answer, opening.head.format)
}

const busy = (): Answer =>
  errors(503, ['The service has too much to do just now. Please try again in a moment.'], { 'Retry-After': '5' })

/** What is left of the request is not read: the connection ends once the client has had its answer. */
export const endAfterAnswer = (reply: Outgoing): void => {
  const { raw } = reply.request
  if (raw.httpVersionMajor === 1) {
    reply.header('connection', 'close')
    return
  }
  const { stream } = raw
  stream.once('finish', () => {
    stream.session?.close()
    stream.close()
  })
}

const ours = (): Answer => errors(500, ['Something went wrong on our side.'])

/** A bug in `mapError` must not show more than any other bug. */
export const answerError = <Context>({ options }: Running<Context>, error: unknown, request: Incoming): Answer => {
  if (error instanceof RequestFault) return errors(error.status, error.messages, error.headers)
  if (error instanceof TooManyRequests) return busy()
  const head = request.opening?.head
  let cause = error
  try {
    if (head !== undefined) return options.mapError(error, head)
  } catch (second) {
    cause = second
  }
  options.log.error({ request: request.id, error: traceOf(cause) }, 'a request failed')
  return ours()
}
