/** The floor: Fastify with TLS that sends the statements learnt, in the same waves and transactions, and decides nothing. */
import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import pg from 'pg'
import { announce } from '../reads/served.ts'
import type { Learnt, Step } from './learn.ts'

type Told = Learnt & {
  connection: pg.PoolConfig
  tls: { cert: string; key: string }
  subscription: { id: number; pair: number }
}

const { connection, tls, steps, status, answer, subscription } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as Told

// Values stay as PostgreSQL writes them.
const types = { getTypeParser: () => String } as unknown as pg.CustomTypesConfig
// As the service opens its connections.
const options = '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan'
const pool = new pg.Pool({ ...connection, max: 16, types, options, pipeline: true } as pg.PoolConfig)

/** Ids that were learnt, and what stands for them now. */
type Ids = Map<string, string>

const drawnIds = new Set(steps.flatMap(({ drawn }) => drawn))
/** A subscription's customer and card have its id; its two statements come in pairs. */
const ownIds = (id: number): Ids => {
  const by = id - subscription.id
  const { pair } = subscription
  return new Map(
    [
      [subscription.id, id],
      [pair, pair + 2 * by],
      [pair - 1, pair - 1 + 2 * by],
    ].map(([was, is]) => [String(was), String(is)]),
  )
}
const known = new Set([...drawnIds, ...ownIds(subscription.id).keys()])

/** Cut where ids stand, so that putting others in is all that is left to do. */
const cut = (text: string): string[] | string => {
  const pieces = text.split(/(\d{6,})/)
  return pieces.some((piece) => known.has(piece)) ? pieces : text
}
const filled = (pieces: string[] | string | null, ids: Ids): string | null => {
  if (pieces === null || typeof pieces === 'string') return pieces
  let text = ''
  for (const piece of pieces) text += ids.get(piece) ?? piece
  return text
}

type Ready = Omit<Step, 'values'> & { cuts: (string[] | string | null)[] }
const ready: Ready[] = steps.map(({ values, ...step }) => ({
  ...step,
  cuts: values.map((value) => (value === null ? null : cut(value))),
}))
const answerCut = cut(answer)

/** Waves of one transaction, or outside of all. */
const blocks: { transaction: number | null; waves: Ready[][] }[] = []
for (const step of ready) {
  const block = blocks.at(-1)
  const lastWave = block?.waves.at(-1)
  if (block === undefined || block.transaction !== step.transaction)
    blocks.push({ transaction: step.transaction, waves: [[step]] })
  else if (lastWave?.[0]?.wave === step.wave) lastWave.push(step)
  else block.waves.push([step])
}

async function runWaves(queryable: pg.Pool | pg.PoolClient, waves: readonly Ready[][], ids: Ids): Promise<void> {
  for (const wave of waves) {
    await Promise.all(
      wave.map(async ({ name, text, cuts, drawn }) => {
        const values = cuts.map((pieces) => filled(pieces, ids))
        const { rows } = await queryable.query({ name, text, values, rowMode: 'array' })
        if (drawn.length === 0) return
        const now = JSON.stringify(rows).match(/\d{6,}/g) ?? []
        for (const [place, was] of drawn.entries()) ids.set(was, now[place]!)
      }),
    )
  }
}

async function run(ids: Ids): Promise<void> {
  for (const { transaction, waves } of blocks) {
    if (transaction === null) {
      await runWaves(pool, waves, ids)
      continue
    }
    const client = await pool.connect()
    try {
      await Promise.all([client.query('begin'), runWaves(client, waves, ids)])
      await client.query('commit')
    } finally {
      client.release()
    }
  }
}

const app = fastify({ https: tls })
app.post('/*', async (request, reply) => {
  const id = Number(/\/subscriptions\/(\d+)/.exec(request.url)?.[1] ?? subscription.id)
  const ids = ownIds(id)
  await run(ids)
  reply.code(status).header('content-type', 'application/json; charset=utf-8')
  return filled(answerCut, ids)
})
await app.listen({ host: '127.0.0.1', port: 0 })
announce((app.server.address() as { port: number }).port, async () => {
  await app.close()
  await pool.end()
})
