/** Several services on one database at once: what is due is done by one of them, and comes out as if there were only one. */
import assert from 'node:assert/strict'
import { patienceMs } from '../support/patience.ts'
import { assertSameStory } from './oracle.ts'
import { type Ask, rescue, untilQuiet } from './rescue.ts'
import { type Service, startService } from './service.ts'
import { behave, type Cleaner, copyWorld, jumpTo, makeSeed, query, type Seed, type World } from './world.ts'

export type Together = {
  processes: number
  subscriptions: number
  days: number
  /** The share of payments whose answer is lost, each of which somebody has to ask about. */
  lost: number
  say: (line: string) => void
}

const firstDay = Temporal.Instant.from('2026-01-10T12:00:00Z')

/** What several processes meet, and what one alone made of it. */
type Ground = { seed: Seed; target: string; alone: World; waitMs: number }

async function prepareGround(t: Cleaner, { subscriptions, days }: Together, by: 'workers' | 'clock'): Promise<Ground> {
  const seed = await makeSeed(t, {
    now: firstDay.toString(),
    products: [{ handle: 'daily', interval: { count: 1, unit: 'day' } }],
    subscribers: [
      { product: 'daily', count: subscriptions },
      { product: 'daily', count: Math.ceil(subscriptions / 20), declined: true },
    ],
    dunningAttempts: 3,
  })
  const target = firstDay.add({ hours: days * 24 + 1 }).toString()
  const waitMs = patienceMs + subscriptions * days * 10
  const alone = await copyWorld(t, seed)
  if (by === 'workers') await jumpTo(alone, target)
  const move = async (ask: Ask) => assert.ok((await moveTo(ask, target)).status < 300)
  await rescue(alone, { waitMs, ...(by === 'clock' && { more: move }) })
  return { seed, target, alone, waitMs }
}

const moveTo = (ask: Ask, now: string) => ask('PUT /test_clock.json', { test_clock: { now } })

/** The workers of all processes meet the same due set. */
export async function runWorkersTogether(t: Cleaner, run: Together): Promise<void> {
  const { seed, target, alone, waitMs } = await prepareGround(t, run, 'workers')
  const world = await copyWorld(t, seed)
  // A slow gateway keeps the first process busy with its set until the others have looked for what is left.
  await behave(world, { loseAnswerRate: run.lost, latencyInMs: 700 })
  const services = await startMany(world, run.processes)
  await jumpTo(world, target)
  await untilQuiet(world, { waitMs })
  await stopMany(services)
  const shares = await sharesOf(world)
  run.say(`${run.processes} processes, payments asked for by each: ${shares.join(' + ')}`)
  assert.ok(shares.length > 1, 'more than one process took part')
  await rescue(world, { waitMs })
  await assertSameStory(world, alone, { dates: false })
}

/**
 * All are told to move one clock at the same time: one does, and the others say that it is on its way. Then a mover dies in the
 * middle of a set, with the others looking on; they finish what it began, once.
 */
export async function runMoversTogether(t: Cleaner, run: Together): Promise<void> {
  const ground = await prepareGround(t, run, 'clock')
  await moveTogether(t, run, ground)
  await outliveMover(t, run, ground)
}

async function moveTogether(t: Cleaner, run: Together, { seed, target, alone, waitMs }: Ground): Promise<void> {
  const world = await copyWorld(t, seed)
  const services = await startMany(world, run.processes)
  const statuses = await Promise.all(services.map(async ({ ask }) => (await moveTo(ask, target)).status))
  await untilQuiet(world, { waitMs })
  await stopMany(services)
  assert.equal(statuses.filter((status) => status < 300).length, 1, `one of them moves it: ${statuses.join(', ')}`)
  assert.equal(statuses.filter((status) => status === 409).length, run.processes - 1)
  await rescue(world, { waitMs })
  await assertSameStory(world, alone)
}

async function outliveMover(t: Cleaner, run: Together, { seed, target, alone, waitMs }: Ground): Promise<void> {
  const world = await copyWorld(t, seed)
  const survivors = await startMany(world, run.processes)
  const dying = await startService({ databaseUrl: world.url, failPoint: 'renewal: gateway asked #7' })
  await moveTo(dying.ask, target).catch(() => {})
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
async function sharesOf(world: World): Promise<number[]> {
  const rows = await query<{ count: number }>(
    world,
    `select count(*)::int from payment_attempts where reason <> 'signup' group by asked_by order by 1`,
  )
  return rows.map(({ count }) => count)
}
