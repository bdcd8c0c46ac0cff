/** Finds the coupon of a code, and takes one of the uses that the code has left. */
import { asCouponCode, type CouponByCode, whyNotNow } from '../billing/coupon.ts'
import { countRedemptions, findCouponByCode, lockCoupon } from '../store/coupons.ts'
import type { Connection, Transaction } from '../store/database.ts'

/** Undefined when the code may not be put on a subscription to this product now, for whatever reason. */
export async function findRedeemable(
  connection: Connection,
  siteId: number,
  code: string,
  productId: number,
  now: Temporal.Instant,
): Promise<CouponByCode | undefined> {
  const found = await findCouponByCode(connection, siteId, asCouponCode(code), { productId })
  if (found === undefined || whyNotNow(found.coupon, now) !== null) return undefined
  return (await hasUsesLeft(connection, siteId, found)) ? found : undefined
}

/**
 * Call it in the transaction that writes the redemption: of many who want the last use at once, one gets it. False when none is left.
 * Codes without a limit are not waited for.
 */
export async function claimUse(tx: Transaction, siteId: number, asked: CouponByCode): Promise<boolean> {
  if (asked.coupon.conversionLimit === null) return true
  await lockCoupon(tx, siteId, asked.coupon.id)
  return hasUsesLeft(tx, siteId, asked)
}

/** Before a redemption is written, this is an opinion; `claimUse` makes it certain. */
export async function hasUsesLeft(connection: Connection, siteId: number, asked: CouponByCode): Promise<boolean> {
  const { conversionLimit } = asked.coupon
  return conversionLimit === null || (await countRedemptions(connection, siteId, asked)) < conversionLimit
}
