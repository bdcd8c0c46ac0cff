/** What a subscription leaves behind, as it is read: transactions with the payments that covered them, statements, events. */
import type { SiteEvent } from '../billing/event.ts'
import type { Transaction } from '../billing/ledger.ts'
import type { Cents } from '../billing/money.ts'
import type { Statement } from '../billing/statement.ts'
import type { Connection } from './database.ts'
import { fragment, sql } from './sql.ts'
import { events, statements, transactions } from './tables.ts'

export type Window = { perPage: number; offset: number; direction: 'asc' | 'desc' }

/** `paymentId` is the payment that covered a charge; the refunded amount of a payment is 0 until there are refunds. */
export type TransactionRecord = { transaction: Transaction; paymentId: number | null }

const coveredBy = sql`(
  select p.id from transactions p
  where p.site_id = t.site_id and p.subscription_id = t.subscription_id and p.covers_after_id is not null
    and p.id > t.id and p.covers_after_id < t.id
  order by p.id limit 1)`

export const listTransactionRecords = async (
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  { perPage, offset, direction }: Window,
): Promise<TransactionRecord[]> =>
  (
    await connection.arrays(sql`
      select ${transactions.list('t')}, case when t.type = 'charge' then ${coveredBy} end from transactions t
      where t.site_id = ${siteId} and t.subscription_id = ${subscriptionId}
      order by t.id ${fragment(direction)} limit ${perPage} offset ${offset}`)
  ).map((row) => ({ transaction: transactions.read(row), paymentId: row[transactions.width] as number | null }))

export type EventRecord = SiteEvent & { id: number }

export const listEventRecords = async (
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  { perPage, offset, direction }: Window,
): Promise<EventRecord[]> =>
  (
    await connection.arrays(sql`
      select ${events.list('e')}, e.id from events e
      where e.site_id = ${siteId} and e.subscription_id = ${subscriptionId}
      order by e.id ${fragment(direction)} limit ${perPage} offset ${offset}`)
  ).map((row) => ({ ...events.read(row), id: row[events.width] as number }))

export type StatementRecord = Statement & {
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
  transactions: readonly TransactionRecord[]
}

/** The open statement shows what it amounts to so far. Each lists its own rows. */
export async function listStatementRecords(
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  { perPage, offset, direction }: Window,
): Promise<StatementRecord[]> {
  const rows = await connection.arrays(sql`
    select ${statements.list('t')}, s.open_statement_total_in_cents from statements t
    join subscriptions s on s.site_id = t.site_id and s.id = t.subscription_id
    where t.site_id = ${siteId} and t.subscription_id = ${subscriptionId}
    order by t.id ${fragment(direction)} limit ${perPage} offset ${offset}`)
  const found = rows.map((row) => {
    const statement = statements.read(row)
    return { ...statement, total: statement.closedAt === null ? (row[statements.width] as Cents) : statement.total }
  })
  const listed = await listRowsOfStatements(
    connection,
    siteId,
    subscriptionId,
    found.map(({ id }) => id),
  )
  return found.map((statement) => ({ ...statement, transactions: listed.get(statement.id) ?? [] }))
}

async function listRowsOfStatements(
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  ids: readonly number[],
): Promise<Map<number, TransactionRecord[]>> {
  const rows = await connection.arrays(sql`
    select ${transactions.list('t')}, case when t.type = 'charge' then ${coveredBy} end from transactions t
    where t.site_id = ${siteId} and t.subscription_id = ${subscriptionId}
      and t.statement_id = any(${{ literal: `{${ids.join(',')}}` }}::bigint[])
    order by t.id`)
  return Map.groupBy(
    rows.map((row) => ({ transaction: transactions.read(row), paymentId: row[transactions.width] as number | null })),
    ({ transaction }) => transaction.statementId ?? 0,
  )
}
