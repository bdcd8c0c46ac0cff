/** How an allocation is shown: when it is made with the quantity before it, in lists without. */
import type { Allocation } from '../billing/allocation.ts'
import { shownNumber } from '../billing/component.ts'
import type { Cents } from '../billing/money.ts'
import { defaultPricePoint } from '../billing/price-point.ts'
import type { Fields } from '../wire/shape.ts'
import { formatUtc } from '../wire/timestamp.ts'

/** Quantities have no type of their own: whole ones are integers, others text. */
export const allocationShape: Fields = {
  fields: {
    allocation_id: 'integer',
    component_id: 'integer',
    component_handle: 'string',
    subscription_id: 'integer',
    memo: 'string',
    timestamp: 'datetime',
    created_at: 'datetime',
    price_point_id: 'integer',
    price_point_name: 'string',
    price_point_handle: 'string',
    previous_price_point_id: 'integer',
    proration_upgrade_scheme: 'string',
    proration_downgrade_scheme: 'string',
    upgrade_charge: 'string',
    downgrade_credit: 'string',
    accrue_charge: 'boolean',
    payment: { fields: { id: 'integer', amount_in_cents: 'integer', success: 'boolean', memo: 'string' } },
  },
}

type ShownAllocation = {
  allocation: Allocation
  componentHandle: string | null
  allowFractionalQuantities: boolean
  previousPricePointId: number | null
  payment: { id: number; amount: Cents; success: boolean; memo: string } | null
}

export function presentAllocation(shown: ShownAllocation, { isNew }: { isNew: boolean }) {
  const { allocation, componentHandle, payment } = shown
  return {
    allocation_id: allocation.id,
    component_id: allocation.componentId,
    component_handle: componentHandle,
    subscription_id: allocation.subscriptionId,
    quantity: shownNumber(allocation.quantity, shown),
    ...(isNew && { previous_quantity: shownNumber(allocation.previousQuantity, shown) }),
    memo: allocation.memo,
    timestamp: formatUtc(allocation.createdAt),
    created_at: formatUtc(allocation.createdAt),
    ...presentPricePoint(allocation.componentId, allocation.hasCustomPrice),
    previous_price_point_id: shown.previousPricePointId,
    proration_upgrade_scheme: allocation.prorationUpgradeScheme,
    proration_downgrade_scheme: allocation.prorationDowngradeScheme,
    ...laterNames(allocation),
    payment: payment && {
      id: payment.id,
      amount_in_cents: payment.amount,
      success: payment.success,
      memo: payment.memo,
    },
  }
}

/** The schemes as later versions of the API say them: how much of the price counts, and whether it waits for the renewal. */
const laterNames = ({ prorationUpgradeScheme: up, prorationDowngradeScheme: down }: Allocation) => ({
  upgrade_charge: up === 'no-prorate' ? 'none' : up.startsWith('full-price') ? 'full' : 'prorated',
  downgrade_credit: down === 'no-prorate' ? 'none' : 'prorated',
  accrue_charge: up.endsWith('delay-capture'),
})

/** Prices of the subscription's own are no price point of the catalog; `hasCustomPrice` is null where nobody knows. */
export const presentPricePoint = (componentId: number, hasCustomPrice: boolean | null) => ({
  price_point_id: hasCustomPrice === false ? componentId : null,
  price_point_name: hasCustomPrice === false ? defaultPricePoint.name : null,
  price_point_handle: hasCustomPrice === false ? defaultPricePoint.handle : null,
})
