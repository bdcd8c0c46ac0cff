/** Gives a coupon subcodes, in addition to those that it has or in their place, and takes one away. */
import { asCouponCode, isCouponCode } from '../billing/coupon.ts'
import { notFound } from '../billing/refusal.ts'
import { deleteSubcode, deleteSubcodes, insertSubcodes } from '../store/coupon-codes.ts'
import { lockCoupon } from '../store/coupons.ts'
import { type App, siteAndNow, write } from './app.ts'

/** What became of each code that was sent, in the order in which they were sent. */
export type SortedCodes = { created: string[]; duplicate: string[]; invalid: string[] }

/** Sorts instead of refusing: codes that the family has already, or that were sent twice, are duplicates. `tell` hears it before the commit. */
export const setCouponCodes = (
  app: App,
  siteId: number,
  couponId: number,
  { codes, replaces }: { codes: readonly string[]; replaces: boolean },
  tell: (sorted: SortedCodes) => void,
): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, coupon] = await Promise.all([siteAndNow(app, tx, siteId), lockCoupon(tx, siteId, couponId)])
    if (coupon === undefined) throw notFound()
    const sorted: SortedCodes = { created: [], duplicate: [], invalid: [] }
    const wanted = new Set<string>()
    for (const code of codes.map(asCouponCode)) {
      if (!isCouponCode(code)) sorted.invalid.push(code)
      else if (wanted.has(code)) sorted.duplicate.push(code)
      else wanted.add(code)
    }
    if (replaces) await deleteSubcodes(tx, siteId, couponId)
    const created = new Set(await insertSubcodes(tx, coupon, [...wanted], now))
    for (const code of wanted) (created.has(code) ? sorted.created : sorted.duplicate).push(code)
    tell(sorted)
    return couponId
  })

/** Its own code stays. */
export const removeCouponCode = (app: App, siteId: number, couponId: number, code: string): Promise<number> =>
  write(app, async (tx) => {
    if (!(await deleteSubcode(tx, siteId, couponId, asCouponCode(code)))) throw notFound()
    return couponId
  })
