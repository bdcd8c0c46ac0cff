/** Customers, found by id, by the merchant's own reference or by words; deleted ones do not exist. */
import type { Customer } from '../billing/customer.ts'
import type { Connection, Transaction } from './database.ts'
import { type Narrowing, narrowedBy } from './narrowing.ts'
import { allOf, fragment, type Sql, sql } from './sql.ts'
import { customers } from './tables.ts'

const findOne = async (connection: Connection, siteId: number, condition: Sql): Promise<Customer | undefined> => {
  const [row] = await connection.arrays(sql`
    select ${customers.list('c')} from customers c where c.site_id = ${siteId} and c.deleted_at is null and ${condition}`)
  return row && customers.read(row)
}

export const findCustomer = (connection: Connection, siteId: number, id: number) =>
  findOne(connection, siteId, sql`c.id = ${id}`)

export const findCustomerByReference = (connection: Connection, siteId: number, reference: string) =>
  findOne(connection, siteId, sql`c.reference = ${reference}`)

/** Locks the row for a change, until the transaction ends. */
export const lockCustomer = (tx: Transaction, siteId: number, id: number) =>
  findOne(tx, siteId, sql`c.id = ${id} for update`)

/** Keeps a customer from being deleted until the transaction ends, while others may do so too. */
export const lockCustomerShared = (tx: Transaction, siteId: number, id: number) =>
  findOne(tx, siteId, sql`c.id = ${id} for share`)

type Part = { perPage: number; offset: number; direction: 'asc' | 'desc' }

/** By id, which is the order in which they were created. */
export const listCustomers = async (
  connection: Connection,
  siteId: number,
  { perPage, offset, direction }: Part,
  narrowing: Narrowing,
): Promise<Customer[]> =>
  (
    await connection.arrays(sql`
      select ${customers.list('c')} from customers c
      where ${allOf([sql`c.site_id = ${siteId} and c.deleted_at is null`, ...narrowedBy('c', narrowing)])}
      order by c.id ${fragment(direction)} limit ${perPage} offset ${offset}`)
  ).map((row) => customers.read(row))

const wordsMax = 10
const wordLengthMax = 100

/** As the index by parts of words has it. */
const searchedText = sql`(w.first_name || ' ' || w.last_name || ' ' || w.email || ' ' || coalesce(w.organization, '') || ' ' ||
  coalesce(w.reference, ''))`

/**
 * Ids of customers: every word stands in the name, e-mail address, organization or reference, one of less than three letters at the
 * beginning of a word; or the whole is the id.
 */
export const customersByWords = (siteId: number, text: string): Sql => {
  const id = /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : null
  return sql`
    select w.id from customers w
    where ${allOf([sql`w.site_id = ${siteId} and w.deleted_at is null`, ...wordsOf(text)])}
    union
    select i.id from customers i where i.site_id = ${siteId} and i.deleted_at is null and i.id = ${id}`
}

export const findCustomersByWords = async (
  connection: Connection,
  siteId: number,
  text: string,
  { perPage, offset, direction }: Part,
  narrowing: Narrowing,
): Promise<Customer[]> => {
  // Found as a set first: left to choose, the planner would walk all customers in the order of their ids.
  const rows = await connection.arrays(sql`
    with found as materialized (${customersByWords(siteId, text)}),
    page as materialized (
      select found.id from found join customers n on n.site_id = ${siteId} and n.id = found.id
      where ${allOf(narrowedBy('n', narrowing))} order by found.id ${fragment(direction)} limit ${perPage} offset ${offset})
    select ${customers.list('c')} from page join customers c on c.site_id = ${siteId} and c.id = page.id
    order by c.id ${fragment(direction)}`)
  return rows.map((row) => customers.read(row))
}

/** Parts of words are looked up by their groups of three letters. */
const partLengthMin = 3

/** What is neither letter nor digit separates words, here as in the columns that are searched. No words find nothing. */
function wordsOf(text: string): Sql[] {
  const words = text
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
    .slice(0, wordsMax)
    .map((word) => word.slice(0, wordLengthMax).toWellFormed())
  const isPart = (word: string): boolean => [...word].length >= partLengthMin
  const parts = words.filter(isPart).map((word) => sql`${searchedText} ilike ${`%${word}%`}`)
  const beginnings = words.filter((word) => !isPart(word)).map((word) => `'${word}':*`)
  if (parts.length > 0 && beginnings.length === 0) return parts
  return [...parts, sql`w.search @@ to_tsquery('simple', ${beginnings.join(' & ')})`]
}

export const updateCustomerRow = (tx: Transaction, siteId: number, customer: Customer): Promise<void> =>
  customers.update(tx, siteId, changing, [customer])

const changing = customers.columns
  .map((column) => column.field as keyof Customer)
  .filter((field) => field !== 'createdAt')

/**
 * Hides the customer, the cards and the subscriptions from every other statement; the ledger's rows stay. What merchants wrote
 * down about them is deleted. The subscriptions are locked.
 */
export async function markCustomerDeleted(
  tx: Transaction,
  siteId: number,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  const theirs = sql`
    select s.id from subscriptions s
    where s.site_id = ${siteId} and s.customer_id = ${id} and s.deleted_at is null`
  await Promise.all([
    tx.run(sql`
      delete from metadata
      where site_id = ${siteId} and (customer_id = ${id} or subscription_id in (${theirs}))`),
    tx.run(sql`delete from notes where site_id = ${siteId} and subscription_id in (${theirs})`),
    tx.run(sql`
      update subscriptions set deleted_at = ${now}
      where site_id = ${siteId} and customer_id = ${id} and deleted_at is null`),
    tx.run(sql`
      update payment_profiles set deleted_at = ${now}
      where site_id = ${siteId} and customer_id = ${id} and deleted_at is null`),
    tx.run(sql`delete from portal_sessions where site_id = ${siteId} and customer_id = ${id}`),
    tx.run(sql`delete from management_links where site_id = ${siteId} and customer_id = ${id}`),
    tx.run(sql`update customers set deleted_at = ${now} where site_id = ${siteId} and id = ${id}`),
  ])
}

/** How many may use the portal and were never invited to it. */
export async function getUninvitedCount(connection: Connection, siteId: number): Promise<number> {
  const [row] = await connection.arrays(sql`
    select count(*) from customers c
    where c.site_id = ${siteId} and c.portal_customer_created_at is not null and c.portal_invite_last_sent_at is null
      and c.deleted_at is null`)
  return row![0] as number
}
