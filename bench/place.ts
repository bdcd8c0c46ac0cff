/** Where a bench runs: the service's own embedded PostgreSQL with its own settings, on disk, thrown away afterwards. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createLog } from '../src/host/log.ts'
import { type SocketConnection, startPostgres } from '../src/host/postgres/postgres.ts'
import { migrateAt } from '../src/store/migrate.ts'

export type Place = {
  connection: SocketConnection
  /** A directory of the bench's own, removed with everything else. */
  directory: string
  /** Connections without the service's settings, for what stands beside it. */
  pool: pg.Pool
  /** Runs statements one after the other, each in a transaction of its own. */
  run(...statements: string[]): Promise<void>
}

/** Gives `work` a migrated database and takes everything away again, whatever happens. */
export async function withPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kalends-bench-'))
  const postgres = await startPostgres({ dataDir: join(directory, 'data'), log: createLog('warn') })
  const { connection } = postgres
  const pool = new pg.Pool({ ...connection, max: 40 })
  // The server ends idle connections when it stops.
  pool.on('error', () => {})
  const run = async (...statements: string[]): Promise<void> => {
    for (const statement of statements) await pool.query(statement)
  }
  try {
    await migrateAt(connection)
    await work({ connection, directory, pool, run })
  } finally {
    await pool.end()
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
