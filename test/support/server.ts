/** The PostgreSQL of a test run: one server in memory for all test files, or the one that KALENDS_TEST_DATABASE_URL names. */

import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createLog } from '../../src/host/log.ts'
import { isRunning } from '../../src/host/postgres/cluster.ts'
import { startPostgres } from '../../src/host/postgres/postgres.ts'
import { liveServer } from '../../src/host/postgres/server.ts'
import { migrate } from '../../src/store/migrate.ts'

/** Where test databases are made, and the name of the migrated one that they are copied from. */
export type TestServer = { url: string; template: string }

/** Fails when there is no PostgreSQL: a test that needs one must never pass by not running. */
export async function startTestServer(): Promise<TestServer & { stop(): Promise<void> }> {
  const given = process.env.KALENDS_TEST_DATABASE_URL
  if (given) {
    const template = await makeTemplate(given)
    return { url: given, template, stop: () => administer(given, `drop database if exists ${template}`) }
  }
  removeAbandoned()
  const dataDir = mkdtempSync(join(memory(), `${directoryPrefix}${process.pid}-`))
  const server = await startPostgres({ dataDir, log: createLog('warn'), settings: forgetful })
  const { host, user, database } = server.connection
  const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
  return {
    url,
    template: await makeTemplate(url),
    stop: async () => {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The same server, another database. */
export const urlOf = (serverUrl: string, database: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Runs one statement on the server's own database. */
export async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
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

async function makeTemplate(serverUrl: string): Promise<string> {
  const template = `kalends_template_${process.pid}`
  await administer(serverUrl, `drop database if exists ${template}`)
  await administer(serverUrl, `create database ${template}`)
  const client = new pg.Client({ connectionString: urlOf(serverUrl, template) })
  await client.connect()
  try {
    await migrate(client)
  } finally {
    await client.end()
  }
  return template
}

const directoryPrefix = 'kalends-test-'
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
      const server = liveServer({ directory: join(parent, name, 'postgres') })
      if (server !== undefined) process.kill(server, 'SIGKILL')
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // It is somebody else's.
    }
  }
}
