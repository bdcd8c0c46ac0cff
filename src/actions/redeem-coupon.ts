/** Finds the coupons of codes, and takes one of the uses that each code has left. */
import { asCouponCode, type CouponByCode, isGoodFor, whyNotNow } from '../billing/coupon.ts'
import { codeRefused } from '../billing/coupon-change.ts'
import { countRedemptions, listCouponsByCode, lockCoupons } from '../store/coupons.ts'
import type { Connection, Transaction } from '../store/database.ts'

export type FoundCoupons = {
  coupons: CouponByCode[]
  /** A sentence for each code that may not be put on a subscription to this product now. */
  refused: string[]
}

const reasons = {
  archived: 'That coupon is no longer active.',
  not_started: 'Coupon is not valid yet.',
  expired: 'Coupon expired.',
  other_product: 'Coupon is not good for this product.',
  unknown: 'Coupon code could not be found.',
  used_up: 'Coupon has no uses left.',
} as const

/** Both in the order of the codes, in however many statements one code needs. */
export async function findRedeemables(
  connection: Connection,
  siteId: number,
  codes: readonly string[],
  productId: number,
  now: Temporal.Instant,
): Promise<FoundCoupons> {
  const asked = codes.map(asCouponCode)
  const known = asked.length === 0 ? new Map() : await listCouponsByCode(connection, siteId, asked, productId)
  const judged = await Promise.all(
    asked.map(async (code): Promise<{ code: string; found?: CouponByCode; reason: keyof typeof reasons | null }> => {
      const coupon = known.get(code)
      if (coupon === undefined) return { code, reason: 'unknown' }
      const reason = whyNotNow(coupon, now) ?? (isGoodFor(coupon, productId) ? null : 'other_product')
      if (reason !== null) return { code, reason }
      const found = { coupon, code }
      return { code, found, reason: (await hasUsesLeft(connection, siteId, found)) ? null : 'used_up' }
    }),
  )
  return {
    coupons: judged.flatMap(({ found, reason }) => (found && reason === null ? [found] : [])),
    refused: judged.flatMap(({ code, reason }) => (reason === null ? [] : [codeRefused(code, reasons[reason])])),
  }
}

/** Undefined when the code may not be put on a subscription to this product now, for whatever reason. */
export const findRedeemable = async (
  connection: Connection,
  siteId: number,
  code: string,
  productId: number,
  now: Temporal.Instant,
): Promise<CouponByCode | undefined> => (await findRedeemables(connection, siteId, [code], productId, now)).coupons[0]

/**
 * Call it in the transaction that writes the redemptions: of many who want the last use at once, one gets it. Gives a sentence for each
 * code of which none is left. Codes without a limit are not waited for; the others are locked together, so that nobody waits in a circle.
 */
export async function claimUses(tx: Transaction, siteId: number, asked: readonly CouponByCode[]): Promise<string[]> {
  const limited = asked.filter(({ coupon }) => coupon.conversionLimit !== null)
  if (limited.length === 0) return []
  const ids = limited.map(({ coupon }) => coupon.id)
  await lockCoupons(tx, siteId, ids)
  const left = await Promise.all(limited.map((one) => hasUsesLeft(tx, siteId, one)))
  return limited.filter((_, place) => !left[place]).map(({ code }) => codeRefused(code, reasons.used_up))
}

/** Before a redemption is written, this is an opinion; `claimUses` makes it certain. */
export async function hasUsesLeft(connection: Connection, siteId: number, asked: CouponByCode): Promise<boolean> {
  const { conversionLimit } = asked.coupon
  return conversionLimit === null || (await countRedemptions(connection, siteId, asked)) < conversionLimit
}
