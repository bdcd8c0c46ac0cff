/** Checks what a coupon is to be good for, and gives each part of it an id. */
import type { CouponRestriction, RestrictedTo, restrictionTypes } from '../billing/coupon.ts'
import { invalid } from '../billing/refusal.ts'
import { listUnknownItems } from '../store/coupon-restrictions.ts'
import type { Transaction } from '../store/database.ts'
import { nextIds } from '../store/ids.ts'

const labels: Record<(typeof restrictionTypes)[number], string> = {
  Product: 'Restricted products',
  Component: 'Restricted components',
}

/** What was there keeps its id. Refuses, by its id, what the family of the coupon does not sell. */
export async function restrictionsFrom(
  tx: Transaction,
  siteId: number,
  productFamilyId: number,
  asked: readonly RestrictedTo[],
  before: readonly CouponRestriction[] = [],
): Promise<CouponRestriction[]> {
  const kept = (one: RestrictedTo): CouponRestriction | undefined =>
    before.find(({ itemType, itemId }) => itemType === one.itemType && itemId === one.itemId)
  const fresh = asked.filter((one) => kept(one) === undefined)
  if (fresh.length === 0) return asked.map((one) => kept(one)!)
  const unknown = await listUnknownItems(tx, siteId, productFamilyId, fresh)
  if (unknown.length > 0) {
    const told = unknown.map(
      ({ itemType, itemId }) => `${labels[itemType]}: there is no ${itemId} in the product family.`,
    )
    throw invalid(...told)
  }
  const ids = await nextIds(tx, ...fresh.map(() => 'coupon_restrictions' as const))
  return asked.map((one) => kept(one) ?? { id: ids[fresh.indexOf(one)]!, ...one })
}
