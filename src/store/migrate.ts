/** Brings a database to the shape this version needs: numbered SQL files, applied in order, once each, one process at a time. */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { reasonOf, SetupProblem } from '../host/setup-problem.ts'

export const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url))

type Migration = { number: number; name: string; statements: string; checksum: string }

const connectMsMax = 20_000
/** A migration may take hours; the other end is asked now and then whether it is still there. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5000 }
const oldestVersion = 150_000
const migrationsLock = '7236832013'
const fileName = /^(\d{4})-[a-z0-9-]+\.sql$/

/**
 * Gives the names of the files that it applied. Each is applied in a transaction of its own.
 * Throws a SetupProblem when the database is newer than this code, when an applied file was changed, or when one fails.
 */
export async function migrate(database: pg.Pool | pg.Client, directory = migrationsDirectory): Promise<string[]> {
  const migrations = readMigrations(directory)
  if (!(database instanceof pg.Pool)) return applyUnderLock(database, migrations)
  const client = await database.connect()
  try {
    return await applyUnderLock(client, migrations)
  } finally {
    client.release()
  }
}

/** In order. Numbers must count up from 1 without a gap, so that two branches cannot both bring a file with the same number. */
export function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name, index) => {
    const number = Number(fileName.exec(name)?.[1])
    if (number !== index + 1) {
      throw new SetupProblem(`Migration ${name} stands where number ${String(index + 1).padStart(4, '0')} is expected.`)
    }
    const statements = readFileSync(`${directory}/${name}`, 'utf8').replaceAll('\r\n', '\n')
    return { number, name, statements, checksum: createHash('sha256').update(statements).digest('hex') }
  })
}

type Session = Pick<pg.ClientBase, 'query'>

async function applyUnderLock(session: Session, migrations: readonly Migration[]): Promise<string[]> {
  await session.query(`select pg_advisory_lock(${migrationsLock})`)
  try {
    const applied = await readApplied(session)
    refuseDifferences(applied, migrations)
    const waiting = migrations.slice(applied.length)
    for (const migration of waiting) await apply(session, migration)
    return waiting.map(({ name }) => name)
  } finally {
    await session.query(`select pg_advisory_unlock(${migrationsLock})`)
  }
}

async function readApplied(session: Session): Promise<{ name: string; checksum: string }[]> {
  const known = await session.query(`select to_regclass('schema_migrations') is not null as exists`)
  if (!known.rows[0].exists) {
    await session.query(`create table schema_migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
  }
  const { rows } = await session.query('select name, checksum from schema_migrations order by number')
  return rows
}

function refuseDifferences(applied: { name: string; checksum: string }[], migrations: readonly Migration[]): void {
  for (const [index, { name, checksum }] of applied.entries()) {
    const migration = migrations[index]
    if (migration === undefined) {
      throw new SetupProblem(
        `The database is newer than this version of Kalends: it has had migration ${name} already.`,
      )
    }
    if (migration.checksum !== checksum) {
      throw new SetupProblem(
        `Migration ${migration.name} was changed after this database had it (as ${name}): changes belong in a new file.`,
      )
    }
  }
}

async function apply(session: Session, { number, name, statements, checksum }: Migration): Promise<void> {
  await session.query('begin')
  try {
    await session.query(statements)
    await session.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
      number,
      name,
      checksum,
    ])
    await session.query('commit')
  } catch (error) {
    await session.query('rollback')
    throw new SetupProblem(`Migration ${name} failed and was undone: ${(error as Error).message}.`, { cause: error })
  }
}

/** Migrates the database at an address, over a connection of its own. Throws a SetupProblem that calls it by `name` when it cannot be opened. */
export async function migrateAt(connection: pg.ClientConfig, name = 'The database'): Promise<string[]> {
  const client = await connectTo(connection).catch((error: unknown) => {
    throw new SetupProblem(`${name} cannot be opened: ${reasonOf(error)}.`)
  })
  try {
    await refuseUnfit(client, name)
    return await migrate(client)
  } finally {
    await client.end()
  }
}

async function connectTo(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ connectionTimeoutMillis: connectMsMax, ...keepAlive, ...connection })
  // A lost connection fails the statement that waits for it; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** What would show itself later and by halves: an old server, an encoding that not every name can be written in, no right to make tables. */
async function refuseUnfit(session: Session, name: string): Promise<void> {
  const { rows } = await session.query(`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding, current_user as role, current_schema() as schema,
      to_regclass('schema_migrations') is not null or has_schema_privilege(current_schema(), 'CREATE') as may_create`)
  const { number, version, encoding, role, schema, may_create } = rows[0]
  if (number < oldestVersion) throw new SetupProblem(`${name} is PostgreSQL ${version}; 15 or newer is needed.`)
  if (encoding !== 'UTF8') throw new SetupProblem(`${name} is encoded as ${encoding}; UTF8 is needed.`)
  if (may_create !== true) {
    throw new SetupProblem(`${name} does not let ${role} make tables in the schema ${schema ?? 'of its search_path'}.`)
  }
}
