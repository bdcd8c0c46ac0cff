/** Every code by which a coupon may be asked for: its own, and its subcodes. A code names one coupon of its family. */
import type { Coupon } from '../billing/coupon.ts'
import type { Connection, Transaction } from './database.ts'
import { sql, texts } from './sql.ts'

/** Gives the codes that were free and are the coupon's now. */
export const insertSubcodes = async (
  tx: Transaction,
  { siteId, id, productFamilyId }: Coupon,
  codes: readonly string[],
  now: Temporal.Instant,
): Promise<string[]> =>
  (
    await tx.arrays(sql`
      insert into coupon_codes (site_id, product_family_id, code, coupon_id, created_at)
      select ${siteId}::bigint, ${productFamilyId}::bigint, u.code, ${id}::bigint, ${now}::timestamptz
      from unnest(${texts(codes)}::text[]) with ordinality as u (code, place) order by u.place
      on conflict do nothing returning code`)
  ).map((row) => row[0] as string)

/** The coupon's own code; a code that another coupon of the family has violates `a_code_names_one_coupon_of_its_family`. */
export async function insertOwnCode(tx: Transaction, coupon: Coupon): Promise<void> {
  await tx.run(sql`
    insert into coupon_codes (site_id, product_family_id, code, coupon_id, is_subcode, created_at)
    values (${coupon.siteId}, ${coupon.productFamilyId}, ${coupon.code}, ${coupon.id}, false, ${coupon.updatedAt})`)
}

export async function updateOwnCode(tx: Transaction, { siteId, id, code }: Coupon): Promise<void> {
  await tx.run(sql`
    update coupon_codes set code = ${code} where site_id = ${siteId} and coupon_id = ${id} and not is_subcode`)
}

export const deleteSubcodes = (tx: Transaction, siteId: number, couponId: number): Promise<number> =>
  tx.run(sql`delete from coupon_codes where site_id = ${siteId} and coupon_id = ${couponId} and is_subcode`)

/** False when the coupon has no such subcode. */
export const deleteSubcode = async (
  tx: Transaction,
  siteId: number,
  couponId: number,
  code: string,
): Promise<boolean> =>
  (await tx.run(sql`
    delete from coupon_codes
    where site_id = ${siteId} and coupon_id = ${couponId} and code = ${code} and is_subcode`)) === 1

/** The subcodes in the order of the alphabet. */
export const listSubcodes = async (
  connection: Connection,
  siteId: number,
  couponId: number,
  { perPage, offset }: { perPage: number; offset: number },
): Promise<string[]> =>
  (
    await connection.arrays(sql`
      select k.code from coupon_codes k
      where k.site_id = ${siteId} and k.coupon_id = ${couponId} and k.is_subcode
      order by k.code limit ${perPage} offset ${offset}`)
  ).map((row) => row[0] as string)
