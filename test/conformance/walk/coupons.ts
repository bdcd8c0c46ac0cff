/** Coupons of every kind, and the codes beside theirs. */
import type { Walker } from '../walker.ts'
import type { Catalog } from './catalog.ts'

const kinds = {
  FLAT: { amount_in_cents: 1000, recurring: true, conversion_limit: '9', allow_negative_balance: true },
  SHARE: {
    percentage: '15',
    recurring: false,
    end_date: '2035-08-29',
    stackable: true,
    compounding_strategy: 'compound',
  },
  LASTING: {
    percentage: '10.5',
    recurring: true,
    duration_period_count: 3,
    stackable: true,
    compounding_strategy: 'compound',
  },
}

/** The ids by the codes. */
export async function walkCoupons(walker: Walker, catalog: Catalog): Promise<Record<string, number>> {
  const productFamilyId = catalog.familyId
  const ids: Record<string, number> = {}
  for (const [code, terms] of Object.entries(kinds)) {
    const coupon = { name: `Coupon ${code}`, code, description: `Less by ${code}`, ...terms }
    const made = await walker.call(
      'createCoupon',
      { productFamilyId, body: { coupon } },
      {
        shownAs: { product_family_id: 'product_family_id' },
      },
    )
    ids[code] = made.coupon.id
  }
  const couponId = ids.FLAT
  await makeRestricted(walker, productFamilyId, catalog)
  await walker.call('updateCoupon', {
    productFamilyId,
    couponId,
    body: { coupon: { name: 'A gift', code: 'FLAT', description: 'A better gift', amount_in_cents: 1100 } },
  })
  await walker.call('readCoupon', { productFamilyId, couponId })
  await walker.call('findCoupon', { productFamilyId, code: 'FLAT' })
  await walker.call('validateCoupon', { code: 'FLAT', productFamilyId })
  await walker.call(
    'createCouponSubcodes',
    { couponId, body: { codes: ['ONE', 'TWO'] } },
    { shownAs: { codes: 'created_codes' } },
  )
  await walker.call('listCouponSubcodes', { couponId })
  await walker.call(
    'updateCouponSubcodes',
    { couponId, body: { codes: ['THREE', 'FOUR'] } },
    { shownAs: { codes: 'created_codes' } },
  )
  await walker.call('deleteCouponSubcode', { couponId, subcode: 'FOUR' })
  const leaving = { name: 'Leaving', code: 'LEAVING', description: 'Gone', percentage: '5' }
  const made = await walker.call('createCoupon', { productFamilyId, body: { coupon: leaving } })
  await walker.call('archiveCoupon', { productFamilyId, couponId: made.coupon.id })
  return ids
}

/** Good for one product and one component alone. */
async function makeRestricted(walker: Walker, productFamilyId: number, { products, users }: Catalog): Promise<void> {
  const coupon = {
    name: 'Some only',
    code: 'SOME',
    description: 'Not for all',
    percentage: '12.25',
    exclude_mid_period_allocations: true,
    apply_on_cancel_at_end_of_period: true,
  }
  const body = {
    coupon,
    restricted_products: { [products.monthly]: true },
    restricted_components: { [users]: true },
  }
  const shownAs = { [products.monthly]: null, [users]: null }
  const made = await walker.call('createCoupon', { productFamilyId, body }, { shownAs })
  const ids = made.coupon.coupon_restrictions.map(({ item_id: id }: { item_id: number }) => id)
  if (!ids.includes(products.monthly) || !ids.includes(users)) throw new Error(`a restriction was lost: ${ids}`)
}

/** Once they were used. */
export async function readCoupons(walker: Walker, productFamilyId: number, couponId: number): Promise<void> {
  await walker.call('listCoupons', { perPage: 20 })
  await walker.call('listCouponsForProductFamily', { productFamilyId })
  await walker.call('readCouponUsage', { productFamilyId, couponId })
}
