/** Migrations: applied once, in order, by one process at a time; a database that does not fit the code is refused. */

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { migrate, migrationsDirectory } from '../../src/store/migrate.ts'
import { testDatabase } from '../support/database.ts'

test('a database that has had every migration is left alone', async (t) => {
  const { pool } = await open(t)
  assert.deepEqual(await migrate(pool), [])
})

test('new files are applied in order, by one of several processes that start at once', async (t) => {
  const { pool, connection } = await open(t)
  const directory = withFiles(t, { a: 'create table first (id integer)', b: 'alter table first add column note text' })
  const second = new pg.Client(connection)
  await second.connect()
  t.after(() => second.end())
  const applied = await Promise.all([migrate(pool, directory), migrate(second, directory)])
  assert.deepEqual(applied.map((names) => names.length).sort(), [0, 2])
  await pool.query('select id, note from first')
})

test('a migration that fails is undone whole and named', async (t) => {
  const { pool } = await open(t)
  const directory = withFiles(t, { a: 'create table half (id integer); select 1 / 0' })
  await assert.rejects(migrate(pool, directory), /Migration \d{4}-a\.sql failed and was undone: division by zero\./)
  const { rows } = await pool.query(`select to_regclass('half') as half`)
  assert.equal(rows[0].half, null)
})

test('a database that is newer than the code is refused', async (t) => {
  const { pool } = await open(t)
  await migrate(pool, withFiles(t, { a: 'select 1' }))
  await assert.rejects(migrate(pool), /newer than this version of Kalends/)
})

test('a file that was changed after it was applied is refused', async (t) => {
  const { pool } = await open(t)
  await migrate(pool, withFiles(t, { a: 'select 1' }))
  await assert.rejects(migrate(pool, withFiles(t, { a: 'select 2' })), /was changed after this database had it/)
})

test('a gap in the numbers is refused', async (t) => {
  const { pool } = await open(t)
  const directory = withFiles(t, {})
  writeFileSync(join(directory, '9000-late.sql'), 'select 1')
  await assert.rejects(migrate(pool, directory), /9000-late\.sql stands where number \d{4} is expected/)
})

async function open(t: TestContext) {
  const { connection } = await testDatabase(t)
  const pool = new pg.Pool(connection)
  t.after(() => pool.end())
  return { pool, connection }
}

/** The real migrations and, after them, files of the given names. */
function withFiles(t: TestContext, files: Record<string, string>): string {
  const directory = mkdtempSync(join(tmpdir(), 'kalends-migrations-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  cpSync(migrationsDirectory, directory, { recursive: true })
  const last = readdirSync(directory).length
  for (const [index, [name, statements]] of Object.entries(files).entries()) {
    writeFileSync(join(directory, `${String(last + index + 1).padStart(4, '0')}-${name}.sql`), statements)
  }
  return directory
}
