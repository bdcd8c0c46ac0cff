/** The migrated database against what the code declares, and against the rules that let one schema be distributed by site. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { Table } from '../../src/store/table.ts'
import { testDatabase } from '../support/database.ts'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** Tables that belong to no site, or find one: copied whole to every node of a distributed database. */
const referenceTables = new Set(['sites', 'api_keys', 'link_keys', 'site_hosts', 'schema_migrations'])

const modules = await Promise.all(
  readdirSync(join(source, 'store'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => import(join(source, 'store', file))),
)
const declared = [...new Set(modules.flatMap((module: object) => Object.values(module)))].filter(
  (one) => one instanceof Table,
)

const sqlTypes: Record<string, string> = {
  bigint: 'bigint',
  integer: 'integer',
  cents: 'bigint',
  text: 'text',
  boolean: 'boolean',
  instant: 'timestamp with time zone',
  json: 'jsonb',
  number: 'double precision',
  decimal: 'numeric',
}

describe('the schema', () => {
  const migrated = async (t: TestContext): Promise<Database> => {
    const { connection } = await testDatabase(t)
    const db = openDatabase(connection, { size: 1 })
    t.after(() => db.close())
    return db
  }

  test('has every column that the code declares, with its type', async (t) => {
    const db = await migrated(t)
    const columns = await db.rows<{ table_name: string; column_name: string; data_type: string }>(sql`
      select table_name, column_name, data_type from information_schema.columns where table_schema = 'public'`)
    const types = new Map(columns.map((column) => [`${column.table_name}.${column.column_name}`, column.data_type]))
    assert.ok(declared.length >= 20, 'the declarations were found')
    for (const table of declared) {
      for (const column of table.columns) {
        assert.equal(types.get(`${table.name}.${column.name}`), sqlTypes[column.kind], `${table.name}.${column.name}`)
      }
    }
  })

  test('puts the site into every primary key, unique index and foreign key', async (t) => {
    const db = await migrated(t)
    const keys = await db.rows<{ name: string; table: string; columns: string[] }>(sql`
      select i.relname as name, c.relname as "table", array(
        select a.attname::text from unnest(x.indkey) k join pg_attribute a on a.attrelid = c.oid and a.attnum = k) as columns
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
      join pg_namespace n on n.oid = c.relnamespace
      where x.indisunique and n.nspname in ('public', 'bogus_gateway')`)
    for (const key of keys.filter(({ table }) => !referenceTables.has(table))) {
      assert.ok(key.columns.includes('site_id'), `${key.name} of ${key.table} leaves the site out`)
    }
    const foreign = await db.rows<{ name: string; columns: string[]; target: string }>(sql`
      select o.conname as name, f.relname as target, array(
        select a.attname::text from unnest(o.conkey) k join pg_attribute a on a.attrelid = o.conrelid and a.attnum = k) as columns
      from pg_constraint o join pg_class f on f.oid = o.confrelid where o.contype = 'f'`)
    for (const key of foreign) assert.ok(key.columns.includes('site_id'), `${key.name} leaves the site out`)
  })

  test('has no triggers, and a foreign key never rewrites rows', async (t) => {
    const db = await migrated(t)
    const triggers = await db.rows(sql`select tgname from pg_trigger where not tgisinternal`)
    assert.deepEqual(triggers, [])
    const rewriting = await db.rows(
      sql`select conname from pg_constraint where contype = 'f' and (confdeltype <> 'a' or confupdtype <> 'a')`,
    )
    assert.deepEqual(rewriting, [])
  })

  test('starts every sequence of ids on the wire at 500001', async (t) => {
    const db = await migrated(t)
    const sequences = await db.rows<{ name: string; start: string }>(sql`
      select sequencename as name, start_value::text as start from pg_sequences
      where schemaname = 'public' and sequencename like '%\\_id\\_seq'`)
    assert.ok(sequences.length >= 9)
    for (const { name, start } of sequences) assert.equal(start, '500001', name)
  })
})

const sources = (room: string): { file: string; text: string }[] =>
  readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file: `${room}/${file}`, text: readFileSync(join(source, room, file), 'utf8') }))

describe('the ledger only grows', () => {
  const appendOnly = ['transactions', 'events', 'periods', 'allocations', 'usages']
  /** The one act that empties a test site. */
  const emptier = 'store/clear-site.ts'
  /** A billing date that moves takes the end of its period with it, and who imports may correct the beginning; nothing else ever changes. */
  const mover = 'store/periods.ts'

  test('of a period only its two ends may move', () => {
    const updates = sources('store').flatMap(({ text }) => [
      ...text.matchAll(/update periods\b[^`]*?set ([^`]*?)\s+from/g),
    ])
    assert.deepEqual(
      updates.map(([, set]) => set),
      ['ends_at = to_timestamp(u.ends), started_at = coalesce(to_timestamp(u.started), p.started_at)'],
    )
  })

  test('no statement updates or deletes its rows', () => {
    for (const { file, text } of [...sources('store'), ...sources('actions')]) {
      if (file === emptier) continue
      for (const table of appendOnly) {
        if (file === mover && table === 'periods') continue
        assert.doesNotMatch(
          text,
          new RegExp(`\\b(update|delete from|truncate)\\s+${table}\\b`, 'i'),
          `${file} changes ${table}`,
        )
        assert.doesNotMatch(text, new RegExp(`\\b${table}\\.update\\(`), `${file} changes ${table}`)
      }
    }
  })
})
