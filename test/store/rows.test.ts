/** Rows come back as they are, however often a statement was asked before on the same connection, and whatever went wrong between. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openDatabase } from '../../src/store/database.ts'
import { bigints, sql } from '../../src/store/sql.ts'
import { Table } from '../../src/store/table.ts'
import { testDatabase } from '../support/database.ts'

async function oneConnection(t: TestContext) {
  const { connection } = await testDatabase(t)
  const db = openDatabase(connection, { size: 1 })
  t.after(() => db.close())
  return db
}

const noon = Temporal.Instant.from('2026-11-20T12:00:00Z')

test('a statement that is asked again reads every type as it did the first time', async (t) => {
  const db = await oneConnection(t)
  const ask = (id: number) =>
    db.arrays(sql`select ${id}::bigint, ${noon}::timestamptz, 'a "b" \\ c'::text, true, null::integer, ${'1.50'}::numeric,
      array[${id}::bigint, 2]`)
  const expected = (id: number) => [[id, noon, 'a "b" \\ c', true, null, '1.50', [id, 2]]]
  for (const id of [1, 2, 3]) assert.deepEqual(await ask(id), expected(id))
})

test('statements that are asked in one burst each get their own rows, none and many among them', async (t) => {
  const db = await oneConnection(t)
  const list = (count: number) => sql`select n, n::text from generate_series(1, ${count}::int) as n`
  const expected = (count: number) => Array.from({ length: count }, (_, n) => [n + 1, String(n + 1)])
  for (let round = 0; round < 3; round++) {
    const got = await db.transaction((tx) =>
      Promise.all([
        tx.arrays(list(3)),
        tx.arrays(sql`select ${noon}::timestamptz`),
        tx.arrays(list(0)),
        tx.arrays(list(700)),
      ]),
    )
    assert.deepEqual(got, [expected(3), [[noon]], [], expected(700)])
  }
})

test('a statement that failed can be asked again, and the one after it is answered', async (t) => {
  const db = await oneConnection(t)
  const divide = (by: number) => db.arrays(sql`select 10 / ${by}::int`)
  assert.deepEqual(await divide(5), [[2]])
  await assert.rejects(
    divide(0),
    (error: Error) => /division by zero/.test(error.message) && /rows\.test/.test(error.stack ?? ''),
  )
  assert.deepEqual(await divide(2), [[5]])
  await assert.rejects(db.arrays(sql`select ${2 ** 53}::numeric::bigint`), /beyond the integers/)
  await assert.rejects(db.arrays(sql`select from no_such_table`), /no_such_table/)
  await assert.rejects(db.arrays(sql`select from no_such_table`), /no_such_table/)
  assert.deepEqual(await divide(1), [[10]])
})

type Thing = {
  siteId: number
  id: number
  name: string | null
  at: Temporal.Instant | null
  data: object | null
  isOn: boolean
}

test('a set keeps every character, null and instant on its way into a table and out again', async (t) => {
  const db = await oneConnection(t)
  const things = new Table<Thing>('things', {
    id: 'bigint',
    name: 'text',
    at: 'instant',
    data: 'json',
    isOn: 'boolean',
  })
  await db.run(
    sql`create table things (site_id bigint, id bigint, name text, at timestamptz, data jsonb, is_on boolean)`,
  )
  const names = [
    '',
    'null',
    'NULL',
    '"',
    '\\',
    '\\"',
    'a,b',
    '{}',
    '{"a":1}',
    ' edge ',
    'line\nbreak',
    '\ttab\r',
    '\u0001',
    '\u2028',
    'é漢😀',
    null,
  ]
  const rows = names.map((name, place) => ({
    siteId: 1,
    id: place,
    name,
    at: place % 3 === 0 ? null : noon.add({ seconds: place % 2 }),
    data: place % 4 === 0 ? null : { text: name, list: [place, '\\n', '"'] },
    isOn: place % 2 === 0,
  }))
  await things.insert(db, 1, rows)
  const read = await db.arrays(
    sql`select ${things.list('t')} from things t where t.id = any(${bigints(rows.map(({ id }) => id))}::bigint[]) order by t.id`,
  )
  assert.deepEqual(
    read.map((row) => things.read(row)),
    rows,
  )
})
