/** Coupons, found by id and by code, and how often they were put on subscriptions. */
import type { Coupon, CouponByCode, CouponRedemption } from '../billing/coupon.ts'
import { type NamedRestriction, restrictionsOfCoupon } from './coupon-restrictions.ts'
import type { Connection, Transaction } from './database.ts'
import { type Narrowing, narrowedBy } from './narrowing.ts'
import { allOf, bigints, sql, texts } from './sql.ts'
import { Table } from './table.ts'

export const coupons = new Table<Coupon>('coupons', {
  id: 'bigint',
  productFamilyId: 'bigint',
  name: 'text',
  code: 'text',
  description: 'text',
  amount: 'cents',
  percentage: 'decimal',
  recurring: 'boolean',
  durationPeriodCount: 'integer',
  allowNegativeBalance: 'boolean',
  stackable: 'boolean',
  compoundingStrategy: 'text',
  startDate: 'instant',
  endDate: 'instant',
  conversionLimit: 'integer',
  restrictions: 'json',
  excludeMidPeriodAllocations: 'boolean',
  applyOnCancelAtEndOfPeriod: 'boolean',
  applyOnSubscriptionExpiration: 'boolean',
  createdAt: 'instant',
  updatedAt: 'instant',
  archivedAt: 'instant',
})

export const couponRedemptions = new Table<CouponRedemption>('coupon_redemptions', {
  couponId: 'bigint',
  code: 'text',
  subscriptionId: 'bigint',
  createdAt: 'instant',
})

/** A coupon, and what its family is called, and what it is good for alone. */
export type CouponInFamily = { coupon: Coupon; familyName: string; restrictions: NamedRestriction[] }

const inFamily = (row: readonly unknown[]): CouponInFamily => ({
  coupon: coupons.read(row),
  familyName: row[coupons.width] as string,
  restrictions: row[coupons.width + 1] as NamedRestriction[],
})

const inFamilyList = sql`${coupons.list('c')}, f.name, ${restrictionsOfCoupon}`
const familyJoin = sql`join product_families f on f.site_id = c.site_id and f.id = c.product_family_id`

/** Archived coupons are found too; `familyId` null is any family. */
export async function findCoupon(
  connection: Connection,
  siteId: number,
  id: number,
  familyId: number | null = null,
): Promise<CouponInFamily | undefined> {
  const [row] = await connection.arrays(sql`
    select ${inFamilyList} from coupons c ${familyJoin}
    where c.site_id = ${siteId} and c.id = ${id} and c.product_family_id = coalesce(${familyId}::bigint, c.product_family_id)`)
  return row && inFamily(row)
}

type Part = { perPage: number; offset: number; familyId: number | null; includeArchived: boolean }

/** `codes` are coupons' own or subcodes; null is no limit. */
export type CouponNarrowing = Narrowing & { codes: readonly string[] | null }

/** Oldest first; of one family or of all. */
export const listCoupons = async (
  connection: Connection,
  siteId: number,
  { perPage, offset, familyId, includeArchived }: Part,
  { codes, ...narrowing }: CouponNarrowing,
): Promise<CouponInFamily[]> =>
  (
    await connection.arrays(sql`
      select ${inFamilyList} from coupons c ${familyJoin}
      where ${allOf([
        sql`c.site_id = ${siteId}`,
        ...(familyId === null ? [] : [sql`c.product_family_id = ${familyId}`]),
        ...(includeArchived ? [] : [sql`c.archived_at is null`]),
        ...(codes === null
          ? []
          : [
              sql`c.id in (select k.coupon_id from coupon_codes k
                where k.site_id = ${siteId} and k.code = any(${texts(codes)}::text[]))`,
            ]),
        ...narrowedBy('c', narrowing),
      ])}
      order by c.id limit ${perPage} offset ${offset}`)
  ).map(inFamily)

/** The coupon that has this code in a family, as its own or as a subcode; archived ones too. */
export async function findCouponByCode(
  connection: Connection,
  siteId: number,
  code: string,
  familyId: number,
): Promise<CouponByCode | undefined> {
  const [row] = await connection.arrays(sql`
    select ${coupons.list('c')} from coupon_codes k join coupons c on c.site_id = k.site_id and c.id = k.coupon_id
    where k.site_id = ${siteId} and k.product_family_id = ${familyId} and k.code = ${code}`)
  return row && { coupon: coupons.read(row), code }
}

/** By the codes of these that a product's family knows, as coupons' own or as subcodes; archived ones too. */
export const listCouponsByCode = async (
  connection: Connection,
  siteId: number,
  codes: readonly string[],
  productId: number,
): Promise<Map<string, Coupon>> =>
  new Map(
    (
      await connection.arrays(sql`
        select ${coupons.list('c')}, k.code from coupon_codes k join coupons c on c.site_id = k.site_id and c.id = k.coupon_id
        where k.site_id = ${siteId} and k.code = any(${texts(codes)}::text[])
          and k.product_family_id = (select p.product_family_id from products p where p.site_id = ${siteId} and p.id = ${productId})`)
    ).map((row) => [row[coupons.width] as string, coupons.read(row)]),
  )

/** Locked until the transaction ends: for a change, or while its redemptions are counted. */
export async function lockCoupon(tx: Transaction, siteId: number, id: number): Promise<Coupon | undefined> {
  const [row] = await tx.arrays(sql`
    select ${coupons.list('c')} from coupons c where c.site_id = ${siteId} and c.id = ${id} for no key update`)
  return row && coupons.read(row)
}

/** The same for several, always in the same order. */
export async function lockCoupons(tx: Transaction, siteId: number, ids: readonly number[]): Promise<void> {
  await tx.arrays(sql`
    select c.id from coupons c where c.site_id = ${siteId} and c.id = any(${bigints(ids)}::bigint[])
    order by c.id for no key update`)
}

/**
 * How often a code was put on subscriptions. A sign-up that waits for its payment counts; one that was never completed does not,
 * so nothing has to be taken back when it fails. A reactivation that waits for its payment counts by what it intends.
 */
export async function countRedemptions(
  connection: Connection,
  siteId: number,
  { coupon, code }: CouponByCode,
): Promise<number> {
  const [row] = await connection.arrays(sql`
    select (select count(*) from payment_attempts a
      where a.site_id = ${siteId} and a.settled_at is null and a.reason = 'reactivation'
        and a.intent -> 'coupon' ->> 'couponId' = ${String(coupon.id)} and a.intent -> 'coupon' ->> 'couponCode' = ${code}
    ) + count(*) from coupon_redemptions r
    where r.site_id = ${siteId} and r.coupon_id = ${coupon.id} and r.code = ${code} and (
      exists (select from subscriptions s where s.site_id = r.site_id and s.id = r.subscription_id)
      or exists (select from payment_attempts a
        where a.site_id = r.site_id and a.subscription_id = r.subscription_id and a.reason = 'signup' and a.settled_at is null))`)
  return row![0] as number
}

const changing = coupons.columns
  .map((column) => column.field as keyof Coupon)
  .filter((field) => field !== 'createdAt' && field !== 'productFamilyId')

export const updateCouponRow = (tx: Transaction, coupon: Coupon): Promise<void> =>
  coupons.update(tx, coupon.siteId, changing, [coupon])
