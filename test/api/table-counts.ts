/** How many rows each table has: what a request that is refused must leave as it was. */
import { sql } from '../../src/store/sql.ts'
import type { TestApp } from '../support/test-app.ts'

/** Requests leave their own traces there, whatever becomes of them. */
const ownTraces = ['uniqueness_tokens', 'idempotency_keys', 'asker_numbers', 'schema_migrations']

/** Of all tables of the database, by name; of those that have any. */
export async function countRows({ app }: Pick<TestApp, 'app'>): Promise<Record<string, number>> {
  const tables = await app.db.arrays(sql`
    select table_name::text /* whatever the site_id */ from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`)
  const counted = await app.db.arrays(sql`
    select n.name /* whatever the site_id */, (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', n.name), false, true, '')))[1]::text::int
    from unnest(${{ literal: `{${tables.map(([name]) => String(name)).join(',')}}` }}::text[]) as n (name)`)
  return Object.fromEntries(
    counted
      .map(([name, count]) => [String(name), Number(count)] as const)
      .filter(([name, count]) => count > 0 && !ownTraces.includes(name)),
  )
}
