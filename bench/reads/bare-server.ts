/** The floor: Fastify with TLS, one route, the same select through the driver alone, and JSON of the same size. */
import fastify from 'fastify'
import pg from 'pg'
import type { Connection } from '../../src/store/database.ts'
import { type Prepared, prepare } from '../../src/store/sql.ts'
import { findSubscriptionRecord } from '../../src/store/subscription-records.ts'
import { announce } from './served.ts'

const { connection, tls, siteId, example } = JSON.parse(process.argv[2] ?? '')

/** The statement as the store sends it, learnt from a connection that runs nothing. */
async function learnStatement(): Promise<Prepared> {
  let learnt: Prepared | undefined
  const listening = {
    arrays: async (statement) => {
      learnt = prepare(statement)
      return []
    },
  } satisfies Pick<Connection, 'arrays'>
  await findSubscriptionRecord(listening as unknown as Connection, siteId, 0)
  return learnt!
}

const { name, text } = await learnStatement()
// Values stay as PostgreSQL writes them.
const types = { getTypeParser: () => String } as unknown as pg.CustomTypesConfig
const pool = new pg.Pool({ ...connection, max: 16, types })

const app = fastify({ https: tls })
app.get<{ Params: { id: string } }>('/subscriptions/:id', async (request, reply) => {
  const { rows } = await pool.query({ name, text, values: [siteId, request.params.id], rowMode: 'array' })
  const [, id] = rows[0] as unknown as string[]
  reply.header('content-type', 'application/json; charset=utf-8')
  return JSON.stringify({ subscription: { ...example.subscription, id: Number(id) } })
})
await app.listen({ host: '127.0.0.1', port: 0 })
announce((app.server.address() as { port: number }).port, async () => {
  await app.close()
  await pool.end()
})
