/** Stored cards, found within their site; deleted ones do not exist. */
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { Connection, Transaction } from './database.ts'
import { allOf, type Sql, sql } from './sql.ts'
import { paymentProfiles } from './tables.ts'

const findOne = async (connection: Connection, siteId: number, condition: Sql): Promise<PaymentProfile | undefined> => {
  const [row] = await connection.arrays(sql`
    select ${paymentProfiles.list('f')} from payment_profiles f
    where f.site_id = ${siteId} and f.deleted_at is null and ${condition}`)
  return row && paymentProfiles.read(row)
}

export const findPaymentProfile = (connection: Connection, siteId: number, id: number) =>
  findOne(connection, siteId, sql`f.id = ${id}`)

/** Locks the row for a change, until the transaction ends. */
export const lockPaymentProfile = (tx: Transaction, siteId: number, id: number) =>
  findOne(tx, siteId, sql`f.id = ${id} for update`)

/** Oldest first; of one customer or of the whole site. */
export const listPaymentProfiles = async (
  connection: Connection,
  siteId: number,
  { perPage, offset, customerId }: { perPage: number; offset: number; customerId: number | null },
): Promise<PaymentProfile[]> =>
  (
    await connection.arrays(sql`
      select ${paymentProfiles.list('f')} from payment_profiles f
      where ${allOf([
        sql`f.site_id = ${siteId} and f.deleted_at is null`,
        ...(customerId === null ? [] : [sql`f.customer_id = ${customerId}`]),
      ])}
      order by f.id limit ${perPage} offset ${offset}`)
  ).map((row) => paymentProfiles.read(row))

export const updatePaymentProfileRow = (tx: Transaction, profile: PaymentProfile): Promise<void> =>
  paymentProfiles.update(tx, profile.siteId, changing, [profile])

const changing = paymentProfiles.columns
  .map((column) => column.field as keyof PaymentProfile)
  .filter((field) => field !== 'createdAt' && field !== 'customerId')

/** The card is no longer found; rows that it paid keep its mask. */
export const markPaymentProfileDeleted = (tx: Transaction, siteId: number, id: number, now: Temporal.Instant) =>
  tx.run(sql`update payment_profiles set deleted_at = ${now} where site_id = ${siteId} and id = ${id}`)

/** The subscriptions of a customer that a card pays, whatever their state. */
export const listSubscriptionsPaidBy = async (
  connection: Connection,
  siteId: number,
  { id, customerId }: Pick<PaymentProfile, 'id' | 'customerId'>,
): Promise<number[]> =>
  (
    await connection.arrays(sql`
      select s.id from subscriptions s
      where s.site_id = ${siteId} and s.customer_id = ${customerId} and s.payment_profile_id = ${id} and s.deleted_at is null`)
  ).map((row) => row[0] as number)
