/** While two processes bill and merchants act on both, whoever polls by `since_id` is shown each row once, in the order of the ids. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilQuiet } from './rescue.ts'
import { type Service, startService } from './service.ts'
import { behave, copyWorld, jumpTo, makeSeed, query, type World } from './world.ts'

const firstDay = Temporal.Instant.from('2026-01-10T12:00:00Z')
const days = 2
/** More than one process takes at a time, so that there is something left for the second one. */
const subscriptions = 1040

/** What can be polled: where it is asked for, and the ids that it has in the end. */
const lists = [
  { path: '/transactions.json', wrapper: 'transaction', order: '&direction=asc', table: 'transactions' },
  { path: '/events.json', wrapper: 'event', order: '&direction=asc', table: 'events' },
  { path: '/bogus_gateway/calls.json', wrapper: 'call', order: '', table: 'bogus_gateway.calls' },
] as const

type Polled = (typeof lists)[number]

/** Goes on after the last id that it was shown, until nothing is left once all is over. */
async function poll(service: Service, list: Polled, isOver: () => boolean): Promise<number[]> {
  const seen: number[] = []
  for (;;) {
    const wasOver = isOver()
    const since = (seen.at(-1) ?? 0) + 1
    const { status, text } = await service.ask(`GET ${list.path}?since_id=${since}&per_page=200${list.order}`)
    assert.equal(status, 200, text)
    const ids = (JSON.parse(text) as Record<string, { id: number }>[]).map((item) => item[list.wrapper]!.id)
    if (ids.length === 0 && wasOver) return seen
    seen.push(...ids)
  }
}

const idsOf = async (world: World, { table }: Polled): Promise<number[]> =>
  (
    await query<{ id: number }>(world, `select id::float8 as id from ${table} where site_id = $1 order by id`, [
      world.siteId,
    ])
  ).map(({ id }) => id)

/** Short acts beside long ones: what overtakes. */
async function payUntil(service: Service, ids: readonly number[], isOver: () => boolean): Promise<void> {
  for (let place = 0; !isOver(); place++) {
    const id = ids[place % ids.length]
    const { status, text } = await service.ask(`POST /subscriptions/${id}/payments.json`, {
      payment: { amount: '0.01', memo: 'A cheque' },
    })
    assert.equal(status, 201, text)
  }
}

test('two processes write, and pollers miss nothing', async (t) => {
  const seed = await makeSeed(t, {
    now: firstDay.toString(),
    products: [{ handle: 'daily', interval: { count: 1, unit: 'day' } }],
    subscribers: [{ product: 'daily', count: subscriptions }],
  })
  const world = await copyWorld(t, seed)
  await behave(world, { latencyInMs: 20 })
  const services = await Promise.all([0, 1].map(() => startService({ databaseUrl: world.url })))
  await Promise.all(services.map(({ port }) => port))
  const [one, other] = services as [Service, Service]
  const payers = await query<{ id: number }>(world, 'select id::float8 as id from subscriptions order by id limit 8')
  const ids = payers.map(({ id }) => id)

  let isOver = false
  const polls = lists.map((list, place) => poll(place === 1 ? other : one, list, () => isOver))
  let isBilled = false
  const payments = [one, other].map((service, place) => payUntil(service, ids.slice(4 * place), () => isBilled))
  await jumpTo(world, firstDay.add({ hours: days * 24 + 1 }).toString())
  await untilQuiet(world)
  isBilled = true
  await Promise.all(payments)
  await untilQuiet(world)
  isOver = true
  const everySeen = await Promise.all(polls)

  for (const [place, list] of lists.entries()) {
    const seen = everySeen[place]!
    const all = await idsOf(world, list)
    const shown = new Set(seen)
    t.diagnostic(`${list.table}: ${all.length} rows`)
    assert.deepEqual({ missed: all.filter((id) => !shown.has(id)) }, { missed: [] }, list.table)
    assert.deepEqual(seen, all, list.table)
    assert.ok(all.length > 2 * subscriptions, `${all.length} ${list.table}`)
  }
  await Promise.all(services.map((service) => service.stop()))
})
