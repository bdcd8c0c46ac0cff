/** How the audit asks: one pass over a kind of rows answers several checks, and the first rows that fail one are named in words. */
import type { Connection, Database, Transaction } from '../database.ts'
import { Sql, sql } from '../sql.ts'

type Check = {
  /** What must be true of every row. */
  sentence: string
  /** The rows that it is about; all rows of the pass when absent. */
  about?: Sql
  /** True of every such row; anything else, null included, is a difference. */
  holds: Sql
  /** A row for which it does not hold, in words. */
  words: Sql
}

/** Conditions and words are about one row `r`. */
export type Pass = { rows: (siteId: number) => Sql; checks: readonly Check[] }

export type Finding = { sentence: string; checked: number; differences: number; examples: readonly string[] }

const examplesMax = 5

/** All statements of `work` see the site at one moment, whatever the service writes meanwhile, and may take their time. */
export const inSnapshot = <Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  db.transaction(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`)
    await tx.run(sql`set local statement_timeout = 0`)
    return work(tx)
  })

/** Reads the rows once, and once more for the examples of each check that failed. */
export async function listFindings(connection: Connection, siteId: number, pass: Pass): Promise<Finding[]> {
  const { checks } = pass
  const rows = pass.rows(siteId)
  const counts = listed(checks.map(({ about, holds }) => sql`${countOf(about)}, ${countOf(about, failing(holds))}`))
  const [row = []] = await connection.arrays(sql`select ${counts} from (${rows}) r`)
  const findings: Finding[] = []
  for (const [place, check] of checks.entries()) {
    const checked = row[2 * place] as number
    const differences = row[2 * place + 1] as number
    const examples = differences === 0 ? [] : await listExamples(connection, rows, check)
    findings.push({ sentence: check.sentence, checked, differences, examples })
  }
  return findings
}

const listExamples = async (connection: Connection, rows: Sql, { about, holds, words }: Check): Promise<string[]> =>
  (
    await connection.arrays(sql`
      select ${words} as words from (${rows}) r where ${about ?? sql`true`} and ${failing(holds)}
      order by words limit ${examplesMax}`)
  ).map(([text]) => (text as string | null) ?? 'a row that cannot be put in words')

const failing = (holds: Sql): Sql => sql`(${holds}) is not true`

const countOf = (...conditions: (Sql | undefined)[]): Sql =>
  sql`count(*) filter (where ${new Sql(
    ['', ...conditions.slice(1).map(() => ' and '), ''],
    conditions.map((condition) => condition ?? sql`true`),
  )})`

const listed = (parts: readonly Sql[]): Sql => new Sql(['', ...parts.slice(1).map(() => ', '), ''], parts)
