/** Changes a coupon: subscriptions that have it are discounted by its new amount, and keep the number of uses they were given. */
import { notFound } from '../billing/refusal.ts'
import { updateOwnCode } from '../store/coupon-codes.ts'
import { lockCoupon, updateCouponRow } from '../store/coupons.ts'
import { type App, siteAndNow, write } from './app.ts'
import type { CouponChange } from './create-coupon.ts'
import { refuseCentsOfCoupon } from './refuse-cents-of-catalog.ts'
import { refuseTaken } from './refuse-taken.ts'
import { restrictionsFrom } from './restrict-coupon.ts'

/** Refuses a code that another coupon of the family has, and to be good for what the family does not sell. */
export const updateCoupon = (app: App, siteId: number, couponId: number, change: CouponChange): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, before] = await Promise.all([siteAndNow(app, tx, siteId), lockCoupon(tx, siteId, couponId)])
    if (before === undefined) throw notFound()
    const terms = change(before, now)
    const restrictions = await restrictionsFrom(
      tx,
      siteId,
      before.productFamilyId,
      terms.restrictions,
      before.restrictions,
    )
    const coupon = { ...before, ...terms, restrictions, updatedAt: now }
    await refuseCentsOfCoupon(tx, siteId, coupon)
    await Promise.all([
      updateCouponRow(tx, coupon),
      ...(coupon.code === before.code ? [] : [updateOwnCode(tx, coupon)]),
    ])
    return couponId
  }).catch(refuseTaken)
