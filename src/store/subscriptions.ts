/** Subscriptions: claimed when due, locked for a change, and loaded with everything that a decision looks at. */
import type { Interval } from '../billing/calendar.ts'
import type { ProductTerms, TrialType } from '../billing/catalog.ts'
import { type Cents, cents } from '../billing/money.ts'
import type { Site } from '../billing/site.ts'
import type { CardOnFile, SubscriptionFacts } from '../billing/subscription.ts'
import type { Connection, Transaction } from './database.ts'
import { bigints, fragment, type Sql, sql } from './sql.ts'
import { subscriptions } from './tables.ts'

/** The states in which time goes on, as the partial index on due subscriptions has them. Parked subscriptions wait. */
const isDueState = fragment(
  "s.state in ('trialing', 'active', 'past_due', 'soft_failure', 'unpaid') and s.deleted_at is null and s.parked_reason is null",
)

/** Up to `limit` ids that are due by `dueBy`, earliest first, that nobody else works on; locked until the transaction ends. */
export const claimDue = async (
  tx: Transaction,
  siteId: number,
  { dueBy, limit }: { dueBy: Temporal.Instant; limit: number },
): Promise<number[]> =>
  (
    await tx.arrays(sql`
      select s.id from subscriptions s
      where s.site_id = ${siteId} and s.next_assessment_at <= ${dueBy} and ${isDueState} and s.collecting_attempt_id is null
      order by s.next_assessment_at, s.id
      limit ${limit}
      for update skip locked`)
  ).map((row) => row[0] as number)

/** The earliest instant at which something is due, or undefined when nothing ever is. */
export async function findNextDueAt(connection: Connection, siteId: number): Promise<Temporal.Instant | undefined> {
  const [row] = await connection.arrays(sql`
    select s.next_assessment_at from subscriptions s
    where s.site_id = ${siteId} and ${isDueState} and s.collecting_attempt_id is null
    order by s.next_assessment_at limit 1`)
  return row?.[0] as Temporal.Instant | undefined
}

/** Holds a subscription back from everything that falls due, for a reason in words. */
export const setParkedReason = async (
  connection: Connection,
  siteId: number,
  id: number,
  reason: string,
): Promise<void> => {
  await connection.run(sql`update subscriptions set parked_reason = ${reason} where site_id = ${siteId} and id = ${id}`)
}

/** False when the site has no such subscription, or it is not parked. */
export const clearParkedReason = async (connection: Connection, siteId: number, id: number): Promise<boolean> =>
  (await connection.run(sql`
    update subscriptions set parked_reason = null
    where site_id = ${siteId} and id = ${id} and parked_reason is not null`)) === 1

const termsList = `p.id, v.version_number, p.name, v.price_in_cents, v.interval_count, v.interval_unit, v.initial_charge_in_cents,
  v.initial_charge_after_trial, v.trial_price_in_cents, v.trial_interval, v.trial_interval_unit, v.trial_type,
  v.expiration_interval, v.expiration_interval_unit, p.require_credit_card, p.taxable`
const termsWidth = 16

/** Reads the terms of one version; a trial without a type obliges to payment. */
function readTerms(row: readonly unknown[], at: number): ProductTerms {
  const interval = (count: number, unit: number) => ({ count: row[at + count], unit: row[at + unit] }) as Interval
  return {
    productId: row[at] as number,
    versionNumber: row[at + 1] as number,
    name: row[at + 2] as string,
    price: row[at + 3] as Cents,
    interval: interval(4, 5),
    initialCharge: row[at + 6] as Cents,
    initialChargeAfterTrial: row[at + 7] as boolean,
    trial:
      row[at + 9] === null
        ? null
        : {
            price: (row[at + 8] as Cents | null) ?? cents(0),
            interval: interval(9, 10),
            type: (row[at + 11] as TrialType | null) ?? 'payment_expected',
          },
    expiration: row[at + 12] === null ? null : interval(12, 13),
    requireCreditCard: row[at + 14] as boolean,
    taxable: row[at + 15] as boolean,
  }
}

/** The terms on sale now of one product that is not archived, by id or handle; undefined when the site sells no such product. */
export async function findProductTerms(
  connection: Connection,
  siteId: number,
  by: { id: number } | { handle: string },
): Promise<ProductTerms | undefined> {
  const condition: Sql = 'id' in by ? sql`p.id = ${by.id}` : sql`p.handle = ${by.handle}`
  const [row] = await connection.arrays(sql`
    select ${fragment(termsList)} from products p
    join product_versions v on v.site_id = p.site_id and v.product_id = p.id and v.version_number = p.version_number
    where p.site_id = ${siteId} and ${condition} and p.archived_at is null`)
  return row && readTerms(row, 0)
}

/** Locks subscriptions in the order of their ids (so that two sets never wait for each other in a ring) and gives the ids found. */
export const lockSubscriptions = async (tx: Transaction, siteId: number, ids: readonly number[]): Promise<number[]> =>
  (
    await tx.arrays(sql`
      select s.id from subscriptions s
      where s.site_id = ${siteId} and s.id = any(${bigints(ids)}::bigint[]) and s.deleted_at is null
      order by s.id for update`)
  ).map((row) => row[0] as number)

export async function findCustomerIdOfSubscription(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<number | undefined> {
  const [row] = await connection.arrays(sql`
    select s.customer_id from subscriptions s where s.site_id = ${siteId} and s.id = ${id} and s.deleted_at is null`)
  return row?.[0] as number | undefined
}

/** Locks all subscriptions of a customer, in the same order, and gives their ids. */
export const lockSubscriptionsOfCustomer = async (
  tx: Transaction,
  siteId: number,
  customerId: number,
): Promise<number[]> =>
  (
    await tx.arrays(sql`
      select s.id from subscriptions s
      where s.site_id = ${siteId} and s.customer_id = ${customerId} and s.deleted_at is null
      order by s.id for update`)
  ).map((row) => row[0] as number)

/** Everything that decisions about these subscriptions look at, in one statement; missing ids are left out. */
export async function listFacts(
  connection: Connection,
  site: Site,
  ids: readonly number[],
): Promise<Map<number, SubscriptionFacts>> {
  const rows = await connection.arrays(sql`
    select ${subscriptions.list('s')}, ${fragment(termsList)}, c.first_name, c.last_name,
      f.id, f.current_vault, f.vault_token, f.masked_card_number, f.expiration_month, f.expiration_year, f.card_type,
      case when s.state in ('past_due', 'unpaid', 'soft_failure', 'canceled') then (
        select array_agg(t.id order by t.id) from statements t
        where t.site_id = s.site_id and t.subscription_id = s.id and t.closed_at is not null and t.settled_at is null) end
    from subscriptions s
    join products p on p.site_id = s.site_id and p.id = s.product_id
    join product_versions v on v.site_id = s.site_id and v.product_id = s.product_id and v.version_number = s.product_version_number
    join customers c on c.site_id = s.site_id and c.id = s.customer_id
    left join payment_profiles f on f.site_id = s.site_id and f.id = s.payment_profile_id and f.deleted_at is null
    where s.site_id = ${site.id} and s.id = any(${bigints(ids)}::bigint[]) and s.deleted_at is null`)
  return new Map(rows.map((row) => [row[1] as number, readFacts(site, row)]))
}

function readFacts(site: Site, row: readonly unknown[]): SubscriptionFacts {
  const subscription = subscriptions.read(row)
  const product = readTerms(row, subscriptions.width)
  const rest = row.slice(subscriptions.width + termsWidth)
  const [
    firstName,
    lastName,
    id,
    currentVault,
    vaultToken,
    maskedCardNumber,
    expirationMonth,
    expirationYear,
    cardType,
  ] = rest
  const card = {
    id,
    currentVault,
    vaultToken,
    maskedCardNumber,
    expirationMonth,
    expirationYear,
    cardType,
  } as CardOnFile
  return {
    site,
    subscription,
    product,
    customer: { id: subscription.customerId, firstName: firstName as string, lastName: lastName as string },
    card: id === null ? null : card,
    unsettledStatementIds: (rest[9] as number[] | null) ?? [],
  }
}

export async function findSubscription(connection: Connection, siteId: number, id: number): Promise<boolean> {
  const rows = await connection.arrays(sql`
    select from subscriptions s where s.site_id = ${siteId} and s.id = ${id} and s.deleted_at is null`)
  return rows.length === 1
}
