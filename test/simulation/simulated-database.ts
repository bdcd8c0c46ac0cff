/** One real PostgreSQL for a whole simulation: its clock and its list of the living are simulated, and one transaction runs at a time. */
import type { TestContext } from 'node:test'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { testDatabase } from '../support/database.ts'

/** What the database says of time and of the living is read from here, since this schema comes first in the search path. */
const simulatedSchema = `
  create schema sim;
  create table sim.clock (at timestamptz not null);
  insert into sim.clock values ('2026-01-01T00:00:00Z');
  create function sim.now() returns timestamptz language sql stable as 'select at from sim.clock';
  create table sim.living (asker bigint primary key);
  create view sim.pg_locks as
    select 'advisory'::text as locktype, x.class::oid as classid, l.asker::oid as objid, 2::int2 as objsubid, true as granted,
      (select d.oid from pg_database d where d.datname = current_database()) as database
    from sim.living l, (select 1801546853::bigint as class) x;
  do $$
  declare c record;
  begin
    for c in select table_schema, table_name, column_name, column_default from information_schema.columns
      where table_schema = 'public' and column_default like '%now()%' loop
      execute format('alter table %I.%I alter column %I set default %s', c.table_schema, c.table_name, c.column_name,
        replace(c.column_default, 'now()', 'sim.now()'));
    end loop;
  end $$;`

export type SimulatedDatabase = {
  db: Database
  /** Runs a statement past the service. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** Statements that PostgreSQL is working on. */
  readonly working: number
  /** Runs alone among all that use this; counts as work. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>
}

export async function openSimulatedDatabase(t: Pick<TestContext, 'after'>): Promise<SimulatedDatabase> {
  const { url, connection } = await testDatabase(t)
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  pool.on('error', () => {})
  await pool.query(simulatedSchema)
  const name = new URL(url).pathname.slice(1)
  await pool.query(`alter database ${name} set search_path = sim, public, pg_catalog`)
  const db = openDatabase(connection, { size: 4 })
  t.after(async () => {
    await db.close()
    await pool.end()
  })
  let working = 0
  let last: Promise<unknown> = Promise.resolve()
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    working += 1
    const mine = last.then(work).finally(() => {
      working -= 1
    })
    last = mine.catch(() => {})
    return mine
  }
  return {
    db,
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    get working() {
      return working
    },
    alone,
  }
}
