/** A merchant's server as webhooks meet it: it keeps what it was sent and answers as it is told, badly too. */
import { once } from 'node:events'
import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

/** Answers one request, whose body has been read. */
export type Reaction = (response: http.ServerResponse, received: Received, socket: Socket) => void

export const answer =
  (status: number, headers: http.OutgoingHttpHeaders = {}): Reaction =>
  (response) =>
    response.writeHead(status, headers).end()

export type Receiver = {
  url: string
  port: number
  received: Received[]
  /** What it does from now on. */
  react(reaction: Reaction): void
  /** Resolves when so many requests have come in. */
  got(count: number): Promise<void>
}

export async function startReceiver(
  t: Pick<TestContext, 'after'>,
  reaction: Reaction = answer(200),
  tls?: { key: string; cert: string },
): Promise<Receiver> {
  let current = reaction
  const received: Received[] = []
  let arrived = (): void => {}
  const listener: http.RequestListener = (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body }
      received.push(one)
      arrived()
      current(response, one, request.socket)
    })
    request.on('error', () => {})
    response.on('error', () => {})
  }
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    port,
    received,
    react: (next) => {
      current = next
    },
    got: async (count) => {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      }
    },
  }
}
