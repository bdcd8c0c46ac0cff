/** A server with a few routes, and clients that speak to it as strangers do: tree in, status and bytes out. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2'
import { request as requestHttps } from 'node:https'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { selfSignedPair } from '../../src/host/certificate.ts'
import { type Answer, bare, empty, errors, list, plain, resource } from '../../src/wire/answer.ts'
import { InputErrors, object, readInput, text, wrapped } from '../../src/wire/input.ts'
import type { Route } from '../../src/wire/request.ts'
import { createServer, type Observation, type ServerLimits } from '../../src/wire/server.ts'
import { within } from '../support/patience.ts'

const now = Temporal.Instant.from('2026-11-20T12:00:00Z')
const tls = selfSignedPair([{ dns: 'localhost' }, { ip: '127.0.0.1' }], now, 24 * 365 * 100)

class Unauthorized extends Error {}

type Caller = { readonly key: string }
const echoed = { fields: { id: 'integer', note: 'string' } } as const
const thing = object({ name: text('Name', { required: true }), note: text('Note') })

/** What lets the requests for `/held` go that are at work. */
export const held: (() => void)[] = []

const routes: Route<Caller>[] = [
  {
    method: 'GET',
    path: '/things/:id',
    handler: async ({ params, query, host, path, context }) =>
      resource(
        200,
        'thing',
        { id: Number(params.id), raw_id: params.id, query, host, path, key: context.key, note: null },
        echoed,
      ),
  },
  { method: 'GET', path: '/things', handler: async () => list('things', 'thing', [{ id: 1, note: null }], echoed) },
  {
    method: 'POST',
    path: '/things',
    handler: async ({ body }) => {
      const { name } = readInput(thing, wrapped(body, 'thing'))
      return resource(201, 'thing', { name }, { fields: {} }, { location: '/things/1' })
    },
  },
  {
    method: 'POST',
    path: '/echo',
    handler: async ({ body, method }) => bare(200, 'echo', { method, body: body ?? null }),
  },
  {
    method: 'PUT',
    path: '/echo',
    handler: async ({ body, method }) => bare(200, 'echo', { method, body: body ?? null }),
  },
  {
    method: 'DELETE',
    path: '/echo',
    handler: async ({ body, method }) => bare(200, 'echo', { method, body: body ?? null }),
  },
  { method: 'PUT', path: '/nothing', handler: async () => empty(204) },
  { method: 'GET', path: '/invoices/:id', pdf: true, handler: async ({ format }) => plain(200, `as ${format}`) },
  { method: 'GET', path: '/fault', handler: async () => Promise.reject(new Error('a secret detail')) },
  { method: 'GET', path: '/fault/unmapped', handler: async () => Promise.reject(new RangeError('a secret detail')) },
  {
    method: 'GET',
    path: '/held',
    handler: async () => {
      await new Promise<void>((release) => held.push(release))
      return plain(200, 'held')
    },
  },
  {
    method: 'GET',
    path: '/slow',
    handler: async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return plain(200, 'slow')
    },
  },
]

const mapError = (error: unknown): Answer => {
  if (error instanceof Unauthorized)
    return plain(401, 'HTTP Basic: Access denied.\n', { 'www-authenticate': 'Basic realm="x"' })
  if (error instanceof InputErrors) return errors(422, error.messages)
  if (error instanceof RangeError) throw error
  return errors(500, ['Ours.'])
}

export type WireServer = {
  readonly port: number
  readonly logged: object[]
  readonly observed: Observation[]
  readonly close: (grace_in_ms?: number) => Promise<void>
}

/** Answers everybody whose Authorization header is not empty. */
export const startServer = async (limits: Partial<ServerLimits> = {}): Promise<WireServer> => {
  const logged: object[] = []
  const observed: Observation[] = []
  const server = createServer<Caller>({
    tls,
    routes,
    limits,
    mapError,
    log: { error: (fields) => logged.push(fields) },
    observe: (seen) => observed.push(seen),
    plain: { '/healthz': async () => plain(200, 'ok\n') },
    authenticate: async ({ headers }) => {
      if (!headers.authorization) throw new Unauthorized()
      return { key: headers.authorization as string }
    },
  })
  const { port } = await server.listen('127.0.0.1', 0)
  return { port, logged, observed, close: server.close }
}

export type Got = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }
export type Sent = {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
  readonly anonymous?: boolean
}

const collect = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** One request over HTTP/1.1, with credentials unless anonymous. */
export const ask = async (
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, anonymous = false }: Sent = {},
): Promise<Got> => {
  const auth = anonymous ? {} : { authorization: 'Basic azp4' }
  const { promise, resolve, reject } = Promise.withResolvers<Got>()
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const request = requestHttps(
    {
      port,
      path,
      method,
      headers: { ...auth, ...length, ...headers },
      host: '127.0.0.1',
      rejectUnauthorized: false,
      agent: false,
    },
    (response) => {
      collect(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        reject,
      )
    },
  )
  request.on('error', reject)
  request.end(body)
  return promise
}

/** The same over HTTP/2. */
export const askHttp2 = async (
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, anonymous = false }: Sent = {},
): Promise<Got> => {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  try {
    const auth = anonymous ? {} : { authorization: 'Basic azp4' }
    const stream = session.request(
      { ':path': path, ':method': method, ...auth, ...headers },
      { endStream: body === undefined },
    )
    stream.on('error', () => {})
    session.on('error', () => {})
    const answered = once(stream, 'response') as Promise<[IncomingHttpHeaders & { ':status'?: number }]>
    if (body !== undefined) stream.end(body)
    const [got] = await answered
    return { status: Number(got[':status']), headers: got, text: await collect(stream) }
  } finally {
    session.destroy()
  }
}

export const openTls = async (port: number, options: ConnectionOptions = {}): Promise<TLSSocket> => {
  const socket = connect({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    ...options,
  })
  await once(socket, 'secureConnect')
  return socket
}

/** Sends bytes as they are and gives back everything that comes until the server ends the connection. */
export const say = async (port: number, bytes: string): Promise<string> => {
  const socket = await openTls(port)
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(bytes)
  await within(closed, `the end of the connection after ${heard}`)
  return heard
}

export const statusOf = (heard: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1])

export const json = (got: Got): unknown => {
  assert.equal(got.headers['content-type'], 'application/json; charset=utf-8')
  return JSON.parse(got.text)
}
