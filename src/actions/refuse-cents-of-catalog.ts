/** Refuses prices and discounts in cents of a currency that has none, and holds the currency until what they are of is written. */
import type { PricingTerms } from '../billing/catalog.ts'
import type { CouponTerms } from '../billing/coupon.ts'
import { refuseCents } from '../billing/whole-units.ts'
import type { Transaction } from '../store/database.ts'
import { lockCurrency } from '../store/sites.ts'

export const refuseCentsOfProduct = async (
  tx: Transaction,
  siteId: number,
  { price, initialCharge, trial }: Pick<PricingTerms, 'price' | 'initialCharge' | 'trial'>,
): Promise<void> =>
  refuseCents(await lockCurrency(tx, siteId), {
    Price: price,
    'Initial charge': initialCharge,
    'Trial Price': trial?.price ?? null,
  })

export const refuseCentsOfCoupon = async (
  tx: Transaction,
  siteId: number,
  { amount }: Pick<CouponTerms, 'amount'>,
): Promise<void> => refuseCents(await lockCurrency(tx, siteId), { Amount: amount })
