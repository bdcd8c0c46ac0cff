/** The plans of the statements that a list runs: as the service has them, without looking at the values. */
import type { Connection } from '../../src/store/database.ts'
import { prepare, type Sql } from '../../src/store/sql.ts'
import type { Place } from '../place.ts'

/** Notes the text of every statement that runs through it. */
export function noting(connection: Connection): { connection: Connection; texts: Set<string> } {
  const texts = new Set<string>()
  const note = (statement: Sql): Sql => {
    texts.add(prepare(statement).text)
    return statement
  }
  return {
    texts,
    connection: {
      rows: (statement) => connection.rows(note(statement)),
      arrays: (statement) => connection.arrays(note(statement)),
      run: (statement) => connection.run(note(statement)),
    },
  }
}

type Node = { 'Node Type': string; 'Relation Name'?: string; Plans?: Node[] }

/** A table of so few rows is read whole by right. */
const smallRowsMax = 1000

/** The tables that a statement would read from end to end. */
export async function findScans({ pool }: Place, text: string): Promise<string[]> {
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (generic_plan, format json) ${text}`)
  const names = scannedIn(rows[0]!['QUERY PLAN'][0].Plan)
  const large = await pool.query<{ name: string }>(
    'select relname as name from pg_class where relname = any($1) and reltuples > $2',
    [names, smallRowsMax],
  )
  return large.rows.map(({ name }) => name)
}

const scannedIn = (node: Node): string[] => [
  ...(node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? 'something'] : []),
  ...(node.Plans ?? []).flatMap(scannedIn),
]
