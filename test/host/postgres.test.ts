/** The embedded database survives whatever happens to its processes, and runs wherever the service was installed. */

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { createLog } from '../../src/host/log.ts'
import { installedPackage } from '../../src/host/postgres/binaries.ts'
import { isRunning } from '../../src/host/postgres/cluster.ts'
import { type SocketConnection, startPostgres } from '../../src/host/postgres/postgres.ts'
import { liveServer } from '../../src/host/postgres/server.ts'
import { SetupProblem } from '../../src/host/setup-problem.ts'

const log = createLog('fatal')
const asRoot = process.getuid?.() === 0

describe('one data directory through a hard life', { concurrency: false }, () => {
  const parent = mkdtempSync(join(tmpdir(), 'kalends-postgres-'))
  const dataDir = join(parent, 'data')
  const serverPid = () => liveServer({ directory: join(dataDir, 'postgres') })
  before(() => process.once('exit', () => rmSync(parent, { recursive: true, force: true })))

  test('a new database is made, stopped, and found again with its rows', async (t) => {
    const first = await start(t, dataDir)
    await ask(first.connection, 'create table kept (id integer)')
    await ask(first.connection, 'insert into kept values (1)')
    await first.stop()
    assert.equal(serverPid(), undefined)
    const second = await start(t, dataDir)
    assert.equal(await countKept(second.connection), 1)
    await second.stop()
  })

  test('the text of the database sorts and compares the same on every machine', async (t) => {
    const { connection, stop } = await start(t, dataDir)
    const { rows } = await ask(
      connection,
      `select datlocprovider::text, datlocale, pg_encoding_to_char(encoding) as encoding, current_setting('data_checksums') as sums
       from pg_database where datname = current_database()`,
    )
    await stop()
    assert.deepEqual(rows, [{ datlocprovider: 'b', datlocale: 'C.UTF-8', encoding: 'UTF8', sums: 'on' }])
  })

  test('the server has no network port, and only its owner can enter the directory of its socket', async (t) => {
    const { connection, stop } = await start(t, dataDir)
    const { rows } = await ask(connection, 'show listen_addresses')
    const { uid, mode } = statSync(connection.host)
    await stop()
    assert.deepEqual(rows, [{ listen_addresses: '' }])
    assert.deepEqual([uid, mode & 0o777], [asRoot ? 65534 : process.getuid?.(), 0o700])
  })

  test('the server never runs as root', async (t) => {
    const { stop } = await start(t, dataDir)
    const owner = statSync(`/proc/${serverPid()}`).uid
    await stop()
    assert.equal(owner, asRoot ? 65534 : process.getuid?.())
  })

  test('after kill -9 of the service the server lives on, is taken over, and is stopped with its new service', async (t) => {
    const service = await startUser(dataDir)
    const pid = serverPid()
    await killed(service)
    assert.equal(serverPid(), pid)
    const { connection, stop } = await start(t, dataDir)
    assert.equal(serverPid(), pid)
    assert.equal(await countKept(connection), 1)
    await stop()
    assert.equal(serverPid(), undefined)
  })

  test('after kill -9 of the service and of the server every committed row is there', async (t) => {
    const service = await startUser(dataDir)
    await ask({ ...socketOf(dataDir) }, 'insert into kept values (2)')
    process.kill(serverPid() ?? 0, 'SIGKILL')
    await killed(service)
    const { connection, stop } = await start(t, dataDir)
    assert.equal(await countKept(connection), 2)
    await stop()
  })

  test('a server that dies under a running service is started again', async (t) => {
    const { connection, stop } = await start(t, dataDir)
    const pid = serverPid() ?? 0
    process.kill(pid, 'SIGKILL')
    await until(async () => !isRunning(pid) && (await countKept(connection)) === 2)
    await stop()
    assert.equal(serverPid(), undefined)
  })

  test('lock files whose number now belongs to another process do not keep the server down', async (t) => {
    const { connection, stop } = await start(t, dataDir)
    const lockFiles = ['postmaster.pid', '.s.PGSQL.5432.lock'].map((name) => join(connection.host, name))
    const texts = lockFiles.map((file) => readFileSync(file, 'utf8'))
    await stop()
    const { uid, gid } = statSync(connection.host)
    const stranger = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' })
    t.after(() => stranger.kill())
    for (const [index, file] of lockFiles.entries()) {
      writeFileSync(file, (texts[index] ?? '').replace(/^\d+/, String(stranger.pid)))
    }
    const again = await start(t, dataDir)
    assert.equal(await countKept(again.connection), 2)
    await again.stop()
    assert.equal(stranger.exitCode, null)
  })

  test('the server is stopped by the last of the services that use it', async (t) => {
    const [first, second] = await Promise.all([startUser(dataDir), start(t, dataDir)])
    const pid = serverPid()
    first.kill('SIGTERM')
    assert.deepEqual(await once(first, 'exit'), [0, null])
    assert.equal(serverPid(), pid)
    assert.equal(await countKept(second.connection), 2)
    await second.stop()
    assert.equal(serverPid(), undefined)
  })

  test('a server that cannot start says why', async () => {
    const settings = { shared_buffers: 'much' }
    await assert.rejects(startPostgres({ dataDir, log, settings }), (error: Error) => {
      assert.ok(error instanceof SetupProblem)
      assert.match(error.message, /invalid value for parameter "shared_buffers": "much"/)
      return true
    })
  })

  test('a database of another version of PostgreSQL is refused', async () => {
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    await assert.rejects(startPostgres({ dataDir, log }), /was made by PostgreSQL 17, and this is PostgreSQL 18/)
  })
})

test('two services that start at once on a new directory share one server', async (t) => {
  const dataDir = join(directory(t), 'data')
  const services = await Promise.all([startUser(dataDir), startUser(dataDir), startUser(dataDir)])
  assert.ok(liveServer({ directory: join(dataDir, 'postgres') }))
  for (const service of services) service.kill('SIGTERM')
  for (const service of services) if (service.exitCode === null) await once(service, 'exit')
  assert.deepEqual(
    services.map(({ exitCode }) => exitCode),
    [0, 0, 0],
  )
  assert.equal(liveServer({ directory: join(dataDir, 'postgres') }), undefined)
  assert.deepEqual(readdirSync(dataDir).sort(), ['postgres', 'postgres.log'])
})

test('a path too long for a socket, and a draft that a crash left, do no harm', async (t) => {
  const dataDir = join(directory(t), 'd'.repeat(90), 'e'.repeat(60))
  mkdirSync(join(dataDir, 'postgres.new-999999999'), { recursive: true })
  const { connection, stop } = await start(t, dataDir)
  assert.deepEqual((await ask(connection, 'select 1 as one')).rows, [{ one: 1 }])
  await stop()
  assert.equal(existsSync(connection.host), false)
  assert.equal(existsSync(join(dataDir, 'postgres.new-999999999')), false)
})

test("packages installed without scripts, where the server's account cannot reach or change them", async (t) => {
  const closed = directory(t)
  const packageDirectory = join(installWithoutScripts(closed, t), 'native')
  // Root's server cannot enter; an ordinary user's service cannot write.
  chmodSync(asRoot ? closed : join(packageDirectory, 'lib'), asRoot ? 0o700 : 0o500)
  const { connection, stop } = await start(t, join(closed, 'data'), packageDirectory)
  assert.deepEqual((await ask(connection, 'select 1 as one')).rows, [{ one: 1 }])
  await stop()
  chmodSync(asRoot ? closed : join(packageDirectory, 'lib'), 0o700)
})

/** A package of a version of its own, so that no copy of it exists yet, without the links that its script would make. */
function installWithoutScripts(place: string, t: TestContext): string {
  const installed = join(installedPackage(), '..')
  const placed = join(place, 'package')
  cpSync(installed, placed, { recursive: true, verbatimSymlinks: true })
  const links: { target: string }[] = JSON.parse(readFileSync(join(placed, 'native', 'pg-symlinks.json'), 'utf8'))
  for (const { target } of links) if (existsSync(join(placed, target))) unlinkSync(join(placed, target))
  const described = JSON.parse(readFileSync(join(placed, 'package.json'), 'utf8'))
  const version = `0.0.0-test.${process.pid}`
  writeFileSync(join(placed, 'package.json'), JSON.stringify({ ...described, version }))
  t.after(() => {
    const copies = '/var/lib/kalends'
    if (!asRoot || !existsSync(copies)) return
    for (const name of readdirSync(copies)) if (name.endsWith(version)) rmSync(join(copies, name), { recursive: true })
  })
  return placed
}

/** Stopped with the test, whatever becomes of it; stopping twice does no harm. */
async function start(t: TestContext, dataDir: string, packageDirectory = installedPackage()) {
  const server = await startPostgres({ dataDir, log, packageDirectory })
  t.after(() => server.stop())
  return server
}

async function startUser(dataDir: string): Promise<ChildProcess> {
  const service = spawn(process.execPath, [join(import.meta.dirname, 'database-user.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([once(service.stdout, 'data'), once(service, 'exit').then(() => assert.fail('it did not start'))])
  return service
}

async function killed(service: ChildProcess): Promise<void> {
  service.kill('SIGKILL')
  await once(service, 'exit')
}

const socketOf = (dataDir: string): SocketConnection => ({
  host: join(dataDir, 'postgres'),
  port: 5432,
  user: 'kalends',
  database: 'postgres',
})

async function ask(connection: SocketConnection, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}

const countKept = async (connection: SocketConnection): Promise<number> =>
  (await ask(connection, 'select count(*)::integer as count from kept')).rows[0].count

/** A server that is not there yet, or replays its log, turns callers away. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await condition().catch(() => false)) return
    await pause(10)
  }
  assert.fail('it did not come true')
}

function directory(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'kalends-postgres-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}
