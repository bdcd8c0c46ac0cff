/** Takes a coupon out of use; subscriptions that have it keep it. */
import { invalid, notFound } from '../billing/refusal.ts'
import { lockCoupon, updateCouponRow } from '../store/coupons.ts'
import { type App, siteAndNow, write } from './app.ts'

/** Refuses one that is archived already. */
export const archiveCoupon = (app: App, siteId: number, couponId: number): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, coupon] = await Promise.all([siteAndNow(app, tx, siteId), lockCoupon(tx, siteId, couponId)])
    if (coupon === undefined) throw notFound()
    if (coupon.archivedAt !== null) throw invalid('Coupon: is archived already.')
    await updateCouponRow(tx, { ...coupon, archivedAt: now, updatedAt: now })
    return couponId
  })
