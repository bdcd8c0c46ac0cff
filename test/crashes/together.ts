/** Several services on one database at once: what is due is done by one of them, and comes out as if there were only one. */
import assert from 'node:assert/strict'
import { assertSameStory } from './oracle.ts'
import { type Ask, rescue, untilQuiet } from './rescue.ts'
import { type Service, startService } from './service.ts'
import { behave, type Cleaner, copyWorld, jumpTo, makeSeed, query, type Seed, type World } from './world.ts'

export type Together = { processes: number; subscriptions: number; days: number; say: (line: string) => void }

const firstDay = Temporal.Instant.from('2026-01-10T12:00:00Z')

const seedOf = (t: Cleaner, subscriptions: number): Promise<Seed> =>
  makeSeed(t, {
    now: firstDay.toString(),
    products: [{ handle: 'daily', interval: { count: 1, unit: 'day' } }],
    subscribers: [
      { product: 'daily', count: subscriptions },
      { product: 'daily', count: Math.ceil(subscriptions / 10), declined: true },
    ],
    dunningAttempts: 3,
  })

const after = (days: number): string => firstDay.add({ hours: days * 24 + 1 }).toString()
const patienceMs = (run: Together): number => 30_000 + run.subscriptions * run.days * 10

/** The workers of all processes meet the same due set. */
export async function runWorkersTogether(t: Cleaner, run: Together): Promise<void> {
  const seed = await seedOf(t, run.subscriptions)
  const waitMs = patienceMs(run)
  const alone = await copyWorld(t, seed)
  await jumpTo(alone, after(run.days))
  await rescue(alone, { waitMs })
  const world = await copyWorld(t, seed)
  await behave(world, { loseAnswerRate: 0.3 })
  await jumpTo(world, after(run.days))
  const services = await startMany(world, run.processes)
  await untilQuiet(world, { waitMs })
  await stopMany(services)
  run.say(`${run.processes} processes took part: ${await shares(world)}`)
  await rescue(world, { waitMs })
  await assertSameStory(world, alone, { dates: false })
}

/** All are told to move one clock at the same time; the one that is first dies on the way, and the others finish its move. */
export async function runMoversTogether(t: Cleaner, run: Together): Promise<void> {
  const seed = await seedOf(t, run.subscriptions)
  const waitMs = patienceMs(run)
  const move = (ask: Ask) => ask('PUT /test_clock.json', { test_clock: { now: after(run.days) } })
  const alone = await copyWorld(t, seed)
  await rescue(alone, { waitMs, more: async (ask) => assert.equal((await move(ask)).status, 200) })
  const world = await copyWorld(t, seed)
  const services = await startMany(world, run.processes)
  const statuses = await Promise.all(services.map(async ({ ask }) => (await move(ask)).status))
  await untilQuiet(world, { waitMs })
  assert.equal(statuses.filter((status) => status < 300).length, 1, `one of them moves it: ${statuses.join(', ')}`)
  assert.equal(statuses.filter((status) => status === 409).length, run.processes - 1)
  await stopMany(services)
  await rescue(world, { waitMs })
  await assertSameStory(world, alone)
}

/** A mover dies in the middle of a set, with the others looking on; they finish what it began, once. */
export async function runSurvivors(t: Cleaner, run: Together): Promise<void> {
  const seed = await seedOf(t, run.subscriptions)
  const waitMs = patienceMs(run)
  const move = (ask: Ask) => ask('PUT /test_clock.json', { test_clock: { now: after(run.days) } })
  const alone = await copyWorld(t, seed)
  await rescue(alone, { waitMs, more: async (ask) => assert.equal((await move(ask)).status, 200) })
  const world = await copyWorld(t, seed)
  const survivors = await startMany(world, run.processes)
  const dying = await startService({ databaseUrl: world.url, failPoint: 'renewal: gateway asked #7' })
  await move(dying.ask).catch(() => {})
  assert.equal(await dying.ended, 'SIGKILL', dying.said())
  await untilQuiet(world, { waitMs })
  await stopMany(survivors)
  await rescue(world, { waitMs })
  await assertSameStory(world, alone)
}

async function startMany(world: World, processes: number): Promise<Service[]> {
  const services = await Promise.all(Array.from({ length: processes }, () => startService({ databaseUrl: world.url })))
  await Promise.all(services.map(({ port }) => port))
  return services
}

async function stopMany(services: readonly Service[]): Promise<void> {
  const ends = await Promise.all(services.map((service) => service.stop()))
  assert.deepEqual(
    ends,
    services.map(() => '0'),
    services.map((service) => service.said()).join('\n'),
  )
}

/** How many payments each process asked for. */
async function shares(world: World): Promise<string> {
  const rows = await query<{ count: string }>(
    world,
    `select count(*) from payment_attempts where reason <> 'signup' group by asked_by order by 1`,
  )
  return rows.map(({ count }) => count).join(' + ')
}
