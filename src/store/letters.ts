/** Letters to customers and to the merchant: written with what they tell of, claimed by whoever sends them, kept with what became of them. */
import type { CustomerLetterKind, LetterKind, MerchantLetterKind, NewLetter } from '../billing/letter.ts'
import type { Connection, Transaction } from './database.ts'
import { bigints, type Sql, sql, texts } from './sql.ts'
import { Table } from './table.ts'

export type Letter = NewLetter & {
  id: number
  sentAt: Temporal.Instant | null
  recipient: string | null
  subject: string | null
  attempts: number
  lastError: string | null
  nextAttemptAt: Temporal.Instant | null
}

export type CustomerLetter = Letter & { kind: CustomerLetterKind; customerId: number }
export type MerchantLetter = Letter & { kind: MerchantLetterKind; customerId: null }

export const letters = new Table<Letter>('letters', {
  id: 'bigint',
  kind: 'text',
  customerId: 'bigint',
  subscriptionId: 'bigint',
  transactionId: 'bigint',
  details: 'json',
  createdAt: 'instant',
  sentAt: 'instant',
  recipient: 'text',
  subject: 'text',
  attempts: 'integer',
  lastError: 'text',
  nextAttemptAt: 'instant',
})

/** Hours in which the merchant is told of the same thing once: what comes and goes all day would fill a mailbox. */
const sameAgainHours = 24

/** In the transaction of what they tell of; kinds that the site has switched off are not written. `wall` makes them due at once. */
export async function insertLetters(
  tx: Transaction,
  siteId: number,
  rows: readonly NewLetter[],
  wall: Temporal.Instant,
): Promise<void> {
  if (rows.length === 0) return
  await tx.run(sql`
    insert into letters (site_id, kind, customer_id, subscription_id, transaction_id, details, created_at, next_attempt_at)
    select ${siteId}::bigint, n.kind, n.customer_id, n.subscription_id, n.transaction_id, n.details::jsonb,
      to_timestamp(n.created_at), ${wall}::timestamptz
    from unnest(${texts(rows.map(({ kind }) => kind))}::text[], ${bigints(rows.map(({ customerId }) => customerId))}::bigint[],
      ${bigints(rows.map(({ subscriptionId }) => subscriptionId))}::bigint[],
      ${bigints(rows.map(({ transactionId }) => transactionId))}::bigint[],
      ${texts(rows.map(({ details }) => JSON.stringify(details)))}::text[],
      ${bigints(rows.map(({ createdAt }) => Math.floor(createdAt.epochMilliseconds / 1000)))}::bigint[])
      as n (kind, customer_id, subscription_id, transaction_id, details, created_at)
    where not exists (select from letter_settings l where l.site_id = ${siteId} and n.kind = any(l.switched_off))
      and (n.customer_id is not null or not exists (
        select from letters p
        where p.site_id = ${siteId} and p.customer_id is null and p.kind = n.kind
          and p.created_at > to_timestamp(n.created_at) - make_interval(hours => ${sameAgainHours}::int)
          and p.subscription_id is not distinct from n.subscription_id
          and p.details -> 'endpoint_id' is not distinct from n.details::jsonb -> 'endpoint_id'
          and p.details -> 'gateway' is not distinct from n.details::jsonb -> 'gateway'))`)
}

/** Sites that have a letter to send, judged at `wall`. */
export const listSitesWithDueLetters = async (connection: Connection, wall: Temporal.Instant): Promise<number[]> =>
  (
    await connection.arrays(sql`
      select s.id from sites s
      where exists (select from letters l where l.site_id = s.id and l.next_attempt_at <= ${wall}) order by s.id`)
  ).map(([id]) => id as number)

/** Takes letters that are due; nobody else gets them before `leaseUntil`. Each claim counts as an attempt. */
export const claimLetters = async (
  connection: Connection,
  siteId: number,
  { wall, leaseUntil, limit }: { wall: Temporal.Instant; leaseUntil: Temporal.Instant; limit: number },
): Promise<number[]> =>
  (
    await connection.arrays(sql`
      update letters l set next_attempt_at = ${leaseUntil}, attempts = l.attempts + 1
      from (
        select d.id from letters d where d.site_id = ${siteId} and d.next_attempt_at <= ${wall}
        order by d.next_attempt_at, d.id limit ${limit} for update skip locked) due
      where l.site_id = ${siteId} and l.id = due.id
      returning l.id`)
  )
    .map(([id]) => id as number)
    .sort((one, other) => one - other)

export type LetterResult = {
  id: number
  recipient: string | null
  subject: string | null
  sentAt: Temporal.Instant | null
  error: string | null
  nextAttemptAt: Temporal.Instant | null
}

/** What became of a letter that was claimed. */
export const settleLetter = (
  connection: Connection,
  siteId: number,
  { id, recipient, subject, sentAt, error, nextAttemptAt }: LetterResult,
): Promise<number> =>
  connection.run(sql`
    update letters set recipient = ${recipient}, subject = ${subject}, sent_at = ${sentAt}, last_error = ${error},
      next_attempt_at = ${nextAttemptAt}
    where site_id = ${siteId} and id = ${id} and sent_at is null`)

const newestFirst = (siteId: number, condition: Sql, { perPage, offset }: { perPage: number; offset: number }): Sql =>
  sql`select ${letters.list('l')} from letters l where l.site_id = ${siteId} and ${condition}
    order by l.id desc limit ${perPage} offset ${offset}`

export const listLetters = async (
  connection: Connection,
  siteId: number,
  { customerId, kinds }: { customerId: number | null; kinds: readonly LetterKind[] | null },
  page: { perPage: number; offset: number },
): Promise<Letter[]> => {
  const ofCustomer = sql`(${customerId}::bigint is null or l.customer_id = ${customerId}::bigint)`
  const ofKind = sql`(${kinds === null}::boolean or l.kind = any(${texts(kinds ?? [])}::text[]))`
  const rows = await connection.arrays(newestFirst(siteId, sql`${ofCustomer} and ${ofKind}`, page))
  return rows.map((row) => letters.read(row))
}

export async function findLetter(connection: Connection, siteId: number, id: number): Promise<Letter | undefined> {
  const [row] = await connection.arrays(
    sql`select ${letters.list('l')} from letters l where l.site_id = ${siteId} and l.id = ${id}`,
  )
  return row && letters.read(row)
}

export async function listMerchantLetters(
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<MerchantLetter[]> {
  const rows = await connection.arrays(sql`
    select ${letters.list('l')} from letters l
    where l.site_id = ${siteId} and l.id = any(${bigints(ids)}::bigint[]) and l.customer_id is null`)
  return rows.map((row) => letters.read(row) as MerchantLetter)
}

export type LetterSettings = {
  switchedOff: readonly LetterKind[]
  /** The site's name when null. */
  fromName: string | null
  /** The installation's address when null. */
  fromEmail: string | null
  replyTo: string | null
  /** Where the merchant is written to; null means the address for support. */
  merchantEmail: string | null
}

export const defaultLetterSettings: LetterSettings = {
  switchedOff: [],
  fromName: null,
  fromEmail: null,
  replyTo: null,
  merchantEmail: null,
}

export async function findLetterSettings(connection: Connection, siteId: number): Promise<LetterSettings> {
  const [row] = await connection.arrays(sql`
    select to_json(l.switched_off), l.from_name, l.from_email, l.reply_to, l.merchant_email from letter_settings l where l.site_id = ${siteId}`)
  if (row === undefined) return defaultLetterSettings
  const [switchedOff, fromName, fromEmail, replyTo, merchantEmail] = row
  return { switchedOff, fromName, fromEmail, replyTo, merchantEmail } as LetterSettings
}

/** The caller has locked the site. */
export const saveLetterSettings = (tx: Transaction, siteId: number, settings: LetterSettings, now: Temporal.Instant) =>
  tx.run(sql`
    insert into letter_settings (site_id, switched_off, from_name, from_email, reply_to, merchant_email, updated_at)
    values (${siteId}, ${texts(settings.switchedOff)}, ${settings.fromName}, ${settings.fromEmail}, ${settings.replyTo},
      ${settings.merchantEmail}, ${now})
    on conflict (site_id) do update set switched_off = excluded.switched_off, from_name = excluded.from_name,
      from_email = excluded.from_email, reply_to = excluded.reply_to, merchant_email = excluded.merchant_email, updated_at = excluded.updated_at`)
