/** What webhooks tell about: the rows around a set of events, as they stand in the transaction of the act. */
import type { Customer } from '../billing/customer.ts'
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { Statement } from '../billing/statement.ts'
import { type ProductInFamily, productJoins, productList, readProduct } from './catalog.ts'
import type { Connection } from './database.ts'
import type { EventRecord } from './events.ts'
import { bigints, sql } from './sql.ts'
import { listEventsOfStatements } from './statement-events.ts'
import { listToldSubscriptions, type SubscriptionRecord } from './subscription-records.ts'
import { customers, paymentProfiles, type StatementRow, statements } from './tables.ts'
import { listTransactionRecordsById, type TransactionRecord } from './transaction-records.ts'

/** Ids of what is wanted; nothing is asked for where there are none. */
export type ToldIds = {
  subscriptions: readonly number[]
  customers: readonly number[]
  /** Of a refund, the payment that it gives back comes along. */
  transactions: readonly number[]
  statements: readonly number[]
  products: readonly number[]
  profiles: readonly number[]
}

type ToldStatement = Statement & {
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
  transactions: readonly TransactionRecord[]
  /** What happened while it was open; the telling of its closing is not among it. */
  events: readonly EventRecord[]
}

export type ToldRecords = {
  subscriptions: ReadonlyMap<number, SubscriptionRecord>
  customers: ReadonlyMap<number, Customer>
  transactions: ReadonlyMap<number, TransactionRecord>
  statements: ReadonlyMap<number, ToldStatement>
  products: ReadonlyMap<number, ProductInFamily>
  profiles: ReadonlyMap<number, PaymentProfile>
}

/** All in one burst, one statement for each kind that is wanted. Rows that are marked as deleted are found too. */
export async function listToldRecords(connection: Connection, siteId: number, ids: ToldIds): Promise<ToldRecords> {
  const [found, people, rows, closed, sold, cards] = await Promise.all([
    ids.subscriptions.length === 0 ? [] : listToldSubscriptions(connection, siteId, ids.subscriptions),
    ids.customers.length === 0 ? [] : listCustomersById(connection, siteId, ids.customers),
    ids.transactions.length === 0 ? [] : listTransactionRecordsById(connection, siteId, ids.transactions),
    ids.statements.length === 0 ? [] : listToldStatements(connection, siteId, ids.statements),
    ids.products.length === 0 ? [] : listProductsById(connection, siteId, ids.products),
    ids.profiles.length === 0 ? [] : listProfilesById(connection, siteId, ids.profiles),
  ])
  return {
    subscriptions: new Map(found.map((record) => [record.subscription.id, record])),
    customers: byId(people),
    transactions: new Map(rows.map((record) => [record.transaction.id, record])),
    statements: byId(closed),
    products: new Map(sold.map((one) => [one.product.id, one])),
    profiles: byId(cards),
  }
}

const byId = <Row extends { id: number }>(rows: readonly Row[]): Map<number, Row> =>
  new Map(rows.map((row) => [row.id, row]))

const listCustomersById = async (connection: Connection, siteId: number, ids: readonly number[]): Promise<Customer[]> =>
  (
    await connection.arrays(sql`
      select ${customers.list('c')} from customers c where c.site_id = ${siteId} and c.id = any(${bigints(ids)}::bigint[])`)
  ).map((row) => customers.read(row))

const listProductsById = async (
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<ProductInFamily[]> =>
  (
    await connection.arrays(sql`
      select ${productList} from products p ${productJoins}
      where p.site_id = ${siteId} and p.id = any(${bigints(ids)}::bigint[])`)
  ).map((row) => readProduct(row))

const listProfilesById = async (
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<PaymentProfile[]> =>
  (
    await connection.arrays(sql`
      select ${paymentProfiles.list('f')} from payment_profiles f
      where f.site_id = ${siteId} and f.id = any(${bigints(ids)}::bigint[])`)
  ).map((row) => paymentProfiles.read(row))

/** Each with the rows and the events that it lists. */
async function listToldStatements(
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<ToldStatement[]> {
  const wanted = bigints(ids)
  const [rows, listed, told] = await Promise.all([
    connection.arrays(sql`
      select ${statements.list('t')} from statements t
      where t.site_id = ${siteId} and t.id = any(${wanted}::bigint[])`),
    connection.arrays(sql`
      select t.statement_id, array_agg(t.id order by t.id) from statements o
      join transactions t on t.site_id = o.site_id and t.subscription_id = o.subscription_id and t.statement_id = o.id
      where o.site_id = ${siteId} and o.id = any(${wanted}::bigint[])
      group by t.statement_id`),
    listEventsOfStatements(connection, siteId, ids),
  ])
  const rowIds = new Map(listed.map(([statementId, members]) => [statementId as number, members as number[]]))
  const members = await listTransactionRecordsById(connection, siteId, [...rowIds.values()].flat())
  const membersById = new Map(members.map((record) => [record.transaction.id, record]))
  return rows.map((row) => {
    const statement: StatementRow = statements.read(row)
    return {
      ...statement,
      transactions: (rowIds.get(statement.id) ?? []).map((id) => membersById.get(id)!),
      events: told.get(statement.id) ?? [],
    }
  })
}
