/** A process that serves reads: our API, or a bare server that runs the same select and does nothing else. */
import Fastify from 'fastify'
import pg from 'pg'
import type { App } from '../../src/actions/app.ts'
import { createApiServer } from '../../src/api/server.ts'
import { wallClock } from '../../src/host/clock.ts'
import { createLog } from '../../src/host/log.ts'
import { openDatabase } from '../../src/store/database.ts'
import { preparedTexts } from '../../src/store/sql.ts'
import { findSubscriptionRecord } from '../../src/store/subscription-records.ts'

type Told = {
  way: 'ours' | 'bare'
  connection: pg.PoolConfig
  tls: { cert: string; key: string }
  siteId: number
  subscriptionId: number
}

const told = JSON.parse(process.argv[2] ?? '') as Told
const poolSize = 16

process.send?.(told.way === 'ours' ? await serveOurs(told) : await serveBare(told))

async function serveOurs({ connection, tls }: Told): Promise<number> {
  const app: App = {
    db: openDatabase(connection, { size: poolSize }),
    gateways: new Map(),
    clock: wallClock,
    log: createLog('warn'),
    asker: 0,
    reach: () => {},
  }
  return (await createApiServer(app, tls).listen('127.0.0.1', 0)).port
}

/** The statement is the one that our API runs, taken from it; the row goes out as it comes in. */
async function serveBare({ connection, tls, siteId, subscriptionId }: Told): Promise<number> {
  const db = openDatabase(connection, { size: 1 })
  const before = new Set(preparedTexts())
  await findSubscriptionRecord(db, siteId, subscriptionId)
  const text = preparedTexts().find((known) => !before.has(known))!
  await db.close()
  const pool = new pg.Pool({ ...connection, max: poolSize, pipeline: true } as pg.PoolConfig)
  const bare = Fastify({ https: tls })
  bare.get('/subscriptions/:id', async (request, reply) => {
    const { id } = request.params as { id: string }
    const { rows } = await pool.query({ name: 'read', text, values: [siteId, Number.parseInt(id, 10)] })
    return reply.type('application/json').send(JSON.stringify({ subscription: rows[0] }))
  })
  await bare.listen({ host: '127.0.0.1', port: 0 })
  return (bare.server.address() as { port: number }).port
}
