/** Lists of statements, of a site or of one subscription, in the order of any of their moments; and how many there are. */
import type { StatementSort } from '../billing/statement.ts'
import type { Connection } from './database.ts'
import { allOf, fragment, type Sql, sql } from './sql.ts'
import { listStatementDetails, type StatementDetails } from './statement-details.ts'

export type StatementPart = { sort: StatementSort; direction: 'asc' | 'desc'; perPage: number; offset: number }

type Scope = { subscriptionId: number | null }

const within = (siteId: number, { subscriptionId }: Scope): Sql[] => [
  sql`u.site_id = ${siteId}`,
  ...(subscriptionId === null ? [] : [sql`u.subscription_id = ${subscriptionId}`]),
]

/** A statement is created when it is opened. */
const columnOf = (sort: StatementSort): 'created_at' | 'closed_at' | 'settled_at' =>
  sort === 'opened_at' ? 'created_at' : sort

/** The statements of one page, by moment and then by id. Those that have no such moment yet come last, whatever the direction. */
async function listPage(
  connection: Connection,
  siteId: number,
  scope: Scope,
  { sort, direction, perPage, offset }: StatementPart,
): Promise<number[]> {
  const column = columnOf(sort)
  const at = fragment(`u.${column}`)
  const way = fragment(direction)
  const ids = async (condition: Sql, order: Sql, limit: number, skipped: number): Promise<number[]> =>
    (
      await connection.arrays(sql`
        select u.id from statements u where ${allOf([...within(siteId, scope), condition])}
        order by ${order} limit ${limit} offset ${skipped}`)
    ).map((row) => row[0] as number)
  const dated = await ids(sql`${at} is not null`, sql`${at} ${way}, u.id ${way}`, perPage, offset)
  if (column === 'created_at' || dated.length === perPage) return dated
  const before = dated.length > 0 ? offset + dated.length : await countWith(connection, siteId, scope, at)
  const undated = await ids(
    sql`${at} is null`,
    sql`u.created_at ${way}, u.id ${way}`,
    perPage - dated.length,
    Math.max(offset - before, 0),
  )
  return [...dated, ...undated]
}

const countWith = async (connection: Connection, siteId: number, scope: Scope, at: Sql): Promise<number> =>
  (
    await connection.arrays(sql`
      select count(*) from statements u where ${allOf([...within(siteId, scope), sql`${at} is not null`])}`)
  )[0]![0] as number

export const listStatementIds = listPage

export async function listStatements(
  connection: Connection,
  siteId: number,
  scope: Scope,
  part: StatementPart,
): Promise<StatementDetails[]> {
  return listStatementDetails(connection, siteId, await listPage(connection, siteId, scope, part))
}

export const findStatementCount = async (connection: Connection, siteId: number): Promise<number> =>
  (await connection.arrays(sql`select count(*) from statements u where u.site_id = ${siteId}`))[0]![0] as number
