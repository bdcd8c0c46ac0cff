/** The database server is killed without warning under a service at work, and sometimes the service with it; nothing is lost, and the work goes on. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createLog } from '../../src/host/log.ts'
import { startPostgres } from '../../src/host/postgres/postgres.ts'
import { migrateAt } from '../../src/store/migrate.ts'
import { patienceMs, until } from '../support/patience.ts'
import { chanceFrom } from './chance.ts'
import { rescue, untilQuiet } from './rescue.ts'
import { type Service, startService } from './service.ts'
import { behave, type Cleaner, enterWorld, fillDatabase, jumpTo, type Seed } from './world.ts'

export type DatabaseKills = {
  subscriptions: number
  /** The database dies this often, every third time together with the service. */
  kills: number
  seed: number
  lifeMsMax: number
  say: (line: string) => void
}

const firstDay = Temporal.Instant.from('2026-01-10T12:00:00Z')
const daysPerLife = 2

export async function runDatabaseKills(t: Cleaner, run: DatabaseKills): Promise<void> {
  const chance = chanceFrom(run.seed)
  run.say(`seed ${run.seed}: ${run.subscriptions} subscriptions, the database killed ${run.kills} times`)
  const dataDir = mkdtempSync(join(tmpdir(), 'kalends-database-kills-'))
  const world = enterWorld(t, await fillEmbedded(dataDir, run.subscriptions))
  let service = await startService({ dataDir })
  t.after(async () => {
    await service.kill()
    if (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) killDatabase(dataDir)
  })
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  await service.port
  await behave(world, { loseAnswerRate: 0.3 })
  for (let kill = 1; kill <= run.kills; kill++) {
    const day = firstDay.add({ hours: kill * daysPerLife * 24 + 1 }).toString()
    const byClock = kill % 2 === 0
    if (byClock) void service.ask('PUT /test_clock.json', { test_clock: { now: day } }).catch(() => {})
    else await jumpTo(world, day)
    await pause(chance.next() * run.lifeMsMax)
    const dead = killDatabase(dataDir)
    if (kill % 3 === 0) service = await replace(service, dataDir)
    await untilReplaced(dataDir, dead)
    await untilQuiet(world, { waitMs: patienceMs + run.subscriptions * 20 })
    assert.doesNotMatch(service.said(), /nobody waited for what failed/)
    if (kill % 10 === 0) run.say(`${kill} kills`)
  }
  await rescue(world)
  await world.pool.end()
  assert.equal(await service.stop(), '0', service.said())
}

/** A data directory with the embedded database and a site in it, which nobody uses. */
async function fillEmbedded(dataDir: string, subscriptions: number): Promise<Seed> {
  const server = await startPostgres({ dataDir, log: createLog('silent') })
  const { host, user, database } = server.connection
  const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
  try {
    await migrateAt({ connectionString: url })
    const siteId = await fillDatabase(url, {
      now: firstDay.toString(),
      products: [{ handle: 'daily', interval: { count: 1, unit: 'day' } }],
      subscribers: [{ product: 'daily', count: subscriptions }],
    })
    return { url, siteId }
  } finally {
    await server.stop()
  }
}

/** Gives the process id of the server that was. */
function killDatabase(dataDir: string): number {
  const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  process.kill(pid, 'SIGKILL')
  return pid
}

async function replace(service: Service, dataDir: string): Promise<Service> {
  await service.kill()
  const next = await startService({ dataDir })
  await next.port
  return next
}

/** The dead server's last children may still answer for a moment; a new server has a new number. */
async function untilReplaced(dataDir: string, dead: number): Promise<void> {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  const isReplaced = () => {
    // The file goes and comes while one server takes the place of the other.
    const [pid, , , , , , , state] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    return Number(pid) !== dead && state?.trim() === 'ready'
  }
  await until('another database server', isReplaced, { everyMs: 20 }).catch((error: Error) => {
    throw new Error(`${error.message}\n${readFileSync(join(dataDir, 'postgres.log'), 'utf8')}`)
  })
}
