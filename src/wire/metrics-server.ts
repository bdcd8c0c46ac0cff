/** A port of its own for what operators watch: plain HTTP, one path, and nothing that a customer or a merchant may see by accident. */
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { listenOn } from './listen.ts'

export type MetricsServer = { listen(host: string, port: number): Promise<AddressInfo>; close(): Promise<void> }

/** How long an answer is given again: however often somebody asks, the database is asked this often at most. */
const keepMs = 1000

export function createMetricsServer(write: () => Promise<{ type: string; text: string }>): MetricsServer {
  const server = fastify({ forceCloseConnections: true })
  let kept: { answer: ReturnType<typeof write>; at: number } | undefined
  server.get('/metrics', async (_request, reply) => {
    if (kept === undefined || performance.now() - kept.at >= keepMs) kept = { answer: write(), at: performance.now() }
    const { type, text } = await kept.answer
    return reply.header('content-type', type).header('cache-control', 'no-store').send(text)
  })
  return {
    listen: (host, port) => listenOn(server, host, port, 'METRICS_HOST, METRICS_PORT'),
    close: () => server.close(),
  }
}
