/** Everything that a statement shows, as one plain object: its rows, later payments, events, whose it is and what it is for. */

import type { Customer } from '../billing/customer.ts'
import type { Cents } from '../billing/money.ts'
import type { BillingAddress } from '../billing/payment-profile.ts'
import type { Connection } from './database.ts'
import type { EventRecord } from './events.ts'
import { paysEarlierSql } from './paid-since.ts'
import { bigints, type Sql, sql } from './sql.ts'
import { listEventsOfStatements } from './statement-events.ts'
import { customers, paymentProfiles, type StatementRow, statements } from './tables.ts'
import {
  readTransactionRecords,
  type TransactionRecord,
  transactionRecordList,
  transactionRecordWidth,
} from './transaction-records.ts'

/** The open statement has the total that it amounts to so far. */
export type StatementDetails = {
  statement: StatementRow
  /** Of the statement's end; of the open one, as it stands. */
  balance: Cents
  /** When the statement was closed or, of the open one, when its subscription is billed next. */
  billedAt: Temporal.Instant
  productName: string
  familyName: string
  customer: Customer
  /** Of the card on file; null where there is none. */
  billingAddress: BillingAddress | null
  /** Its rows, in the order in which they were written. */
  transactions: readonly TransactionRecord[]
  /** Payments that came when it was closed and unpaid, up to the one that paid it. They are rows of later statements. */
  futurePayments: readonly TransactionRecord[]
  /** What happened while it was open, in order; its own closing is not among it. */
  events: readonly EventRecord[]
}

const customerAt = statements.width
const cardAt = customerAt + customers.width
const restAt = cardAt + paymentProfiles.width

/** Of the product that its newest row was written for; of one without rows, the subscription's. */
const productJoins = sql`
  left join lateral (
    select x.product_id from transactions x
    where x.site_id = t.site_id and x.subscription_id = t.subscription_id and x.statement_id = t.id
    order by x.id desc limit 1) sold on true
  join products p on p.site_id = t.site_id and p.id = coalesce(sold.product_id, s.product_id)
  join product_families f on f.site_id = p.site_id and f.id = p.product_family_id`

export async function findStatementDetails(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<StatementDetails | undefined> {
  return (await listStatementDetails(connection, siteId, [id]))[0]
}

/** In the order of the ids; rows, payments and events are read for all of them at once. What is no statement of the site is left out. */
export async function listStatementDetails(
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<StatementDetails[]> {
  if (ids.length === 0) return []
  const rows = await connection.arrays(sql`
    select ${statements.list('t')}, ${customers.list('c')}, ${paymentProfiles.list('i')},
      s.open_statement_total_in_cents, s.balance_in_cents, s.current_period_ends_at, p.name, f.name
    from unnest(${bigints(ids)}::bigint[]) with ordinality as k (id, place)
    join statements t on t.site_id = ${siteId} and t.id = k.id
    join subscriptions s on s.site_id = t.site_id and s.id = t.subscription_id
    join customers c on c.site_id = s.site_id and c.id = s.customer_id
    left join payment_profiles i
      on i.site_id = s.site_id and i.customer_id = s.customer_id and i.id = s.payment_profile_id and i.deleted_at is null
    ${productJoins}
    order by k.place`)
  const found = rows.map(readStatement)
  if (found.length === 0) return []
  const [listed, payments, told] = await Promise.all([
    listRows(connection, siteId, found),
    listFuturePayments(connection, siteId, found),
    listEventsOfStatements(
      connection,
      siteId,
      found.map(({ statement }) => statement.id),
    ),
  ])
  return found.map((one) => ({
    ...one,
    transactions: listed.get(one.statement.id) ?? [],
    futurePayments: payments.get(one.statement.id) ?? [],
    events: told.get(one.statement.id) ?? [],
  }))
}

type Found = Omit<StatementDetails, 'transactions' | 'futurePayments' | 'events'>

function readStatement(row: readonly unknown[]): Found {
  const [openTotal, balance, periodEndsAt, productName, familyName] = row.slice(restAt)
  const statement = statements.read(row)
  return {
    statement: statement.closedAt === null ? { ...statement, total: openTotal as Cents } : statement,
    balance: statement.endingBalance ?? (balance as Cents),
    billedAt: statement.closedAt ?? (periodEndsAt as Temporal.Instant),
    productName: productName as string,
    familyName: familyName as string,
    customer: customers.read(row, customerAt),
    billingAddress: row[cardAt] === null ? null : paymentProfiles.read(row, cardAt),
  }
}

/** `u`: the statements' ids, their subscriptions', and with what balance they ended. */
const unnested = (found: readonly Found[]): Sql => sql`unnest(
  ${bigints(found.map(({ statement }) => statement.id))}::bigint[],
  ${bigints(found.map(({ statement }) => statement.subscriptionId))}::bigint[],
  ${bigints(found.map(({ statement }) => statement.endingBalance ?? 0))}::bigint[]) as u (id, subscription_id, ended)`

async function listRows(
  connection: Connection,
  siteId: number,
  found: readonly Found[],
): Promise<Map<number, TransactionRecord[]>> {
  const rows = await connection.arrays(sql`
    select ${transactionRecordList} from ${unnested(found)}
    join transactions t on t.site_id = ${siteId} and t.subscription_id = u.subscription_id and t.statement_id = u.id
    order by t.id`)
  const records = await readTransactionRecords(connection, siteId, rows)
  return Map.groupBy(records, ({ transaction }) => transaction.statementId ?? 0)
}

/** The balance of a subscription at the end of a statement is that after the last row of it or of those before it. */
async function listFuturePayments(
  connection: Connection,
  siteId: number,
  found: readonly Found[],
): Promise<Map<number, TransactionRecord[]>> {
  const unpaid = found.filter(({ statement }) => statement.endingBalance !== null && statement.endingBalance > 0)
  if (unpaid.length === 0) return new Map()
  const rows = await connection.arrays(sql`
    select ${transactionRecordList}, u.id from ${unnested(unpaid)}
    join lateral (
      select max(l.id) as id from transactions l
      where l.site_id = ${siteId} and l.subscription_id = u.subscription_id and l.statement_id <= u.id) last on true
    join lateral (
      select min(z.id) as id from transactions z
      where z.site_id = ${siteId} and z.subscription_id = u.subscription_id and z.id > last.id
        and z.ending_balance_in_cents <= 0) paid_up on true
    join lateral (
      select x.*, ${paysEarlierSql} as pays, coalesce(sum(${paysEarlierSql}) over (
        order by x.id rows between unbounded preceding and 1 preceding), 0) as paid_before
      from transactions x
      where x.site_id = ${siteId} and x.subscription_id = u.subscription_id and x.id > last.id
        and (paid_up.id is null or x.id <= paid_up.id)) t on t.type = 'payment' and t.pays > 0 and t.paid_before < u.ended
    order by u.id, t.id`)
  const records = await readTransactionRecords(connection, siteId, rows)
  const grouped = Map.groupBy(records.entries(), ([place]) => rows[place]![transactionRecordWidth] as number)
  return new Map([...grouped].map(([id, entries]) => [id, entries.map(([, record]) => record)]))
}
