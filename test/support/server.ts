/** The PostgreSQL of a test run: one server in memory for all test files, or the one that KALENDS_TEST_DATABASE_URL names. */

import { createHash } from 'node:crypto'
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createLog } from '../../src/host/log.ts'
import { isRunning } from '../../src/host/postgres/cluster.ts'
import { startPostgres } from '../../src/host/postgres/postgres.ts'
import { liveServer } from '../../src/host/postgres/server.ts'
import { migrate, migrationsDirectory, readMigrations } from '../../src/store/migrate.ts'

/** Where test databases are made, and the name of the migrated one that they are copied from. */
export type TestServer = { url: string; template: string }

/** Ends with this process. Fails when there is no PostgreSQL: a test that needs one must never pass by not running. */
export async function startTestServer(): Promise<TestServer> {
  const url = process.env.KALENDS_TEST_DATABASE_URL || (await startInMemory())
  return { url, template: await makeTemplate(url) }
}

/** The same server, another database. */
export const urlOf = (serverUrl: string, database: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Runs one statement on the server's own database. */
export const administer = (serverUrl: string, statement: string): Promise<void> =>
  withClient(serverUrl, async (client) => void (await client.query(statement)))

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** Nothing that plain tests write must outlive the machine. */
const forgetful = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_connections: '300',
}

const directoryPrefix = 'kalends-test-'

async function startInMemory(): Promise<string> {
  removeAbandoned()
  const dataDir = mkdtempSync(join(memory(), `${directoryPrefix}${process.pid}-`))
  process.once('exit', () => removeServer(dataDir))
  const { connection } = await startPostgres({ dataDir, log: createLog('warn'), settings: forgetful, background: true })
  return `postgres://${connection.user}@localhost/${connection.database}?host=${encodeURIComponent(connection.host)}`
}

/** There is nothing in it to save, so it is not stopped with care. */
function removeServer(dataDir: string): void {
  const server = liveServer({ directory: join(dataDir, 'postgres') })
  if (server !== undefined) process.kill(server, 'SIGQUIT')
  rmSync(dataDir, { recursive: true, force: true })
}

/** Named after the migrations in it, so that on a server that stays it is made once. */
async function makeTemplate(serverUrl: string): Promise<string> {
  const checksums = readMigrations(migrationsDirectory).map(({ checksum }) => checksum)
  const template = `kalends_template_${createHash('sha256').update(checksums.join()).digest('hex').slice(0, 16)}`
  const draft = `${template}_${process.pid}`
  await withClient(serverUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount !== 0) return
    await client.query(`create database ${draft}`)
    await withClient(urlOf(serverUrl, draft), async (inside) => void (await migrate(inside)))
    // Another run may have been quicker.
    await client
      .query(`alter database ${draft} rename to ${template}`)
      .catch(() => client.query(`drop database ${draft} with (force)`))
  })
  return template
}

const memoryBytesMin = 1024 ** 3

/** Memory where the machine offers enough of it as a directory, else the disk. */
function memory(): string {
  try {
    accessSync('/dev/shm', constants.R_OK | constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= memoryBytesMin ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** What test runs that were killed left behind: their servers, and their memory. */
function removeAbandoned(): void {
  const parent = memory()
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(directoryPrefix) || isRunning(Number.parseInt(name.slice(directoryPrefix.length), 10)))
      continue
    try {
      removeServer(join(parent, name))
    } catch {
      // It is somebody else's.
    }
  }
}
