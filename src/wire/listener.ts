/** The one port: TLS 1.2 or better, HTTP/1.1 and HTTP/2 on it, and limits on how slow or how large a stranger may be. */

import { constants } from 'node:crypto'
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import type { Socket } from 'node:net'

export type TlsMaterial = { readonly cert: string | Buffer; readonly key: string | Buffer }

export type ConnectionLimits = {
  readonly header_bytes: number
  readonly handshake_in_ms: number
  readonly headers_in_ms: number
  readonly request_in_ms: number
  /** Longer than the minute for which load balancers keep a connection, so that they close it and not we. */
  readonly idle_in_ms: number
  /** Of a connection on which nothing moves while an answer is being made or taken, and of an idle one over HTTP/2. */
  readonly stalled_in_ms: number
  readonly streams_per_connection: number
  /** Streams that a client may cancel on one connection at once, and by the second after that; more end the connection. */
  readonly cancelled_at_once: number
  readonly cancelled_per_second: number
}

export const connectionLimits: ConnectionLimits = {
  header_bytes: 16_384,
  handshake_in_ms: 10_000,
  headers_in_ms: 10_000,
  request_in_ms: 30_000,
  idle_in_ms: 72_000,
  stalled_in_ms: 120_000,
  streams_per_connection: 100,
  cancelled_at_once: 200,
  cancelled_per_second: 20,
}

const sentences: { readonly [code: string]: readonly [status: string, sentence: string] } = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
}

const parserCode = /^(?:HPE_|ERR_HTTP_)/

/** What is not HTTP has no format either: it is told so in JSON, and the connection ends. What is not TLS is told nothing. */
export const refuseBrokenRequest = (error: Error & { code?: string }, socket: Socket): void => {
  const code = error.code ?? ''
  if (!socket.writable || !parserCode.test(code)) {
    socket.destroy()
    return
  }
  const [status, sentence] = sentences[code] ?? ['400 Bad Request', 'The request is not valid HTTP.']
  const body = JSON.stringify({ errors: [sentence] })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n` +
      `Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

const serverOptions = (tls: TlsMaterial, limits: ConnectionLimits) => ({
  cert: tls.cert,
  key: tls.key,
  minVersion: 'TLSv1.2' as const,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  handshakeTimeout: limits.handshake_in_ms,
  allowHTTP1: true,
  http1Options: {
    maxHeaderSize: limits.header_bytes,
    headersTimeout: limits.headers_in_ms,
    requestTimeout: limits.request_in_ms,
    keepAliveTimeout: limits.idle_in_ms,
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(limits.headers_in_ms / 2)),
  },
  streamResetBurst: limits.cancelled_at_once,
  streamResetRate: limits.cancelled_per_second,
  settings: { maxConcurrentStreams: limits.streams_per_connection, maxHeaderListSize: limits.header_bytes },
})

export type Listener = Http2SecureServer
export type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void

/** `sockets` is kept up to date with the open connections, so that a stop can end those that do not end by themselves. */
export const createListener = (
  tls: TlsMaterial,
  limits: ConnectionLimits,
  handler: Handler,
  sockets: Set<Socket>,
): Listener => {
  const server = createSecureServer(serverOptions(tls, limits), handler)
  server.setTimeout(limits.stalled_in_ms)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  return server
}
