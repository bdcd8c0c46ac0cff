/** Subscriptions as they are read: with customer, product and card, in one statement, for one or for a page of them. */
import type { CustomNames, Product, ProductFamily } from '../billing/catalog.ts'
import type { Customer } from '../billing/customer.ts'
import type { Cents } from '../billing/money.ts'
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { Subscription } from '../billing/subscription.ts'
import { productList, productWidth, readProduct, soldProductJoins } from './catalog.ts'
import type { Connection } from './database.ts'
import { bigints, type Sql, sql } from './sql.ts'
import { couponsOfSubscription, type SubscribedCoupon } from './subscription-coupons.ts'
import { customers, paymentProfiles, subscriptions } from './tables.ts'

/** A payment whose outcome nobody knows yet. */
type UnsettledPayment = { amount: Cents; askedAt: Temporal.Instant; outcome: 'unknown' | null }

export type SubscriptionRecord = {
  subscription: Subscription
  customer: Customer
  product: Product
  family: ProductFamily
  /** What this subscription pays, whatever the product costs now. */
  productPrice: Cents
  /** What its own price is called; null where it pays a price of the catalog. The product shows the terms of its own price. */
  custom: CustomNames | null
  card: PaymentProfile | null
  /** In the order in which they take off. */
  coupons: readonly SubscribedCoupon[]
  /** Of the product that the next period switches to. */
  nextProductHandle: string | null
  unsettledPayment: UnsettledPayment | null
}

export const recordList: Sql = sql`${subscriptions.list('s')}, ${customers.list('c')}, ${productList}, ${paymentProfiles.list('i')},
  sold.price_in_cents, sold.subscription_id, sold.price_name, sold.price_handle,
  a.amount_in_cents, a.asked_at, a.outcome, ${couponsOfSubscription},
  (select n.handle from products n where n.site_id = s.site_id and n.id = s.next_product_id)`

export const recordJoins: Sql = sql`
  join customers c on c.site_id = s.site_id and c.id = s.customer_id
  join products p on p.site_id = s.site_id and p.id = s.product_id
  join product_versions sold
    on sold.site_id = s.site_id and sold.product_id = s.product_id and sold.version_number = s.product_version_number
  ${soldProductJoins}
  left join payment_profiles i
    on i.site_id = s.site_id and i.customer_id = s.customer_id and i.id = s.payment_profile_id and i.deleted_at is null
  left join payment_attempts a on a.site_id = s.site_id and a.id = s.collecting_attempt_id`

const customerAt = subscriptions.width
const productAt = customerAt + customers.width
const cardAt = productAt + productWidth
const restAt = cardAt + paymentProfiles.width

export function readRecord(row: readonly unknown[]): SubscriptionRecord {
  const [productPrice, owner, name, handle, amount, askedAt, outcome, coupons, nextProductHandle] = row.slice(restAt)
  return {
    subscription: subscriptions.read(row),
    customer: customers.read(row, customerAt),
    ...readProduct(row, productAt),
    card: row[cardAt] === null ? null : paymentProfiles.read(row, cardAt),
    productPrice: productPrice as Cents,
    custom: owner === null ? null : ({ name, handle } as CustomNames),
    coupons: (coupons ?? []) as SubscribedCoupon[],
    nextProductHandle: nextProductHandle as string | null,
    unsettledPayment: askedAt === null ? null : ({ amount, askedAt, outcome } as UnsettledPayment),
  }
}

export async function findSubscriptionRecord(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<SubscriptionRecord | undefined> {
  const [row] = await connection.arrays(sql`
    select ${recordList} from subscriptions s ${recordJoins}
    where s.site_id = ${siteId} and s.id = ${id} and s.deleted_at is null`)
  return row && readRecord(row)
}

/** By their ids, those of deleted customers too: what just happened to them is told. */
export const listToldSubscriptions = async (
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<SubscriptionRecord[]> =>
  (
    await connection.arrays(sql`
      select ${recordList} from subscriptions s ${recordJoins}
      where s.site_id = ${siteId} and s.id = any(${bigints(ids)}::bigint[])`)
  ).map(readRecord)

export const listSubscriptionRecordsOfCustomer = async (
  connection: Connection,
  siteId: number,
  customerId: number,
): Promise<SubscriptionRecord[]> =>
  (
    await connection.arrays(sql`
      select ${recordList} from subscriptions s ${recordJoins}
      where s.site_id = ${siteId} and s.customer_id = ${customerId} and s.deleted_at is null
      order by s.created_at desc, s.id desc`)
  ).map(readRecord)
