/** Makes a coupon of a product family. */
import type { Coupon, CouponTerms } from '../billing/coupon.ts'
import { insertOwnCode } from '../store/coupon-codes.ts'
import { coupons } from '../store/coupons.ts'
import { nextIds } from '../store/ids.ts'
import { type App, siteAndNow, write } from './app.ts'
import { refuseCentsOfCoupon } from './refuse-cents-of-catalog.ts'
import { refuseTaken } from './refuse-taken.ts'
import { restrictionsFrom } from './restrict-coupon.ts'

/** What a request says of a coupon, given the one that there is and the time by the site's clock; throws what makes no sense. */
export type CouponChange = (before: CouponTerms, now: Temporal.Instant) => CouponTerms

/** Says nothing but that it takes effect once. */
const blank: CouponTerms = {
  name: '',
  code: '',
  description: '',
  amount: null,
  percentage: null,
  recurring: false,
  durationPeriodCount: null,
  allowNegativeBalance: false,
  stackable: true,
  compoundingStrategy: 'compound',
  startDate: null,
  endDate: null,
  conversionLimit: null,
  restrictions: [],
  excludeMidPeriodAllocations: false,
  applyOnCancelAtEndOfPeriod: false,
  applyOnSubscriptionExpiration: false,
}

/** The family must be one of the site. Refuses a code that the family has already, and to be good for what it does not sell. */
export async function createCoupon(
  app: App,
  siteId: number,
  productFamilyId: number,
  describe: CouponChange,
): Promise<number> {
  const [{ now }, [newId]] = await Promise.all([siteAndNow(app, app.db, siteId), nextIds(app.db, 'coupons')])
  const id = newId!
  const origin = { siteId, id, productFamilyId, createdAt: now, updatedAt: now, archivedAt: null }
  const terms = describe(blank, now)
  return write(app, async (tx) => {
    const restrictions = await restrictionsFrom(tx, siteId, productFamilyId, terms.restrictions)
    const coupon: Coupon = { ...terms, ...origin, restrictions }
    await refuseCentsOfCoupon(tx, siteId, coupon)
    await Promise.all([coupons.insert(tx, siteId, [coupon]), insertOwnCode(tx, coupon)])
    return id
  }).catch(refuseTaken)
}
