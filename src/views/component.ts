/** How a component is shown: in the catalog, and as what a subscription has of it. */
import { type Component, type SubscribedComponent, shownNumber } from '../billing/component.ts'
import type { DecimalText } from '../billing/money.ts'
import { defaultPricePoint } from '../billing/price-point.ts'
import type { AllocationSpan } from '../store/allocations.ts'
import type { Fields, Shape } from '../wire/shape.ts'
import { formatUtc } from '../wire/timestamp.ts'

export const pricesShape: Shape = {
  list: { fields: { starting_quantity: 'integer', ending_quantity: 'integer', unit_price: 'string' } },
  item: 'price',
}

export const componentShape: Fields = {
  fields: {
    id: 'integer',
    name: 'string',
    handle: 'string',
    description: 'string',
    unit_name: 'string',
    unit_price: 'string',
    pricing_scheme: 'string',
    prices: pricesShape,
    product_family_id: 'integer',
    product_family_name: 'string',
    price_per_unit_in_cents: 'integer',
    default_price_point_id: 'integer',
    default_price_point_name: 'string',
    price_point_count: 'integer',
    price_points_url: 'string',
    kind: 'string',
    archived: 'boolean',
    taxable: 'boolean',
    allow_fractional_quantities: 'boolean',
    recurring: 'boolean',
    accounting_code: 'string',
    tax_code: 'string',
    item_category: 'string',
    display_on_hosted_page: 'boolean',
    archived_at: 'datetime',
    created_at: 'datetime',
    updated_at: 'datetime',
  },
}

/** A price per unit is also shown as the one bracket that it is. */
export const presentComponent = (component: Component, familyName: string) => ({
  id: component.id,
  name: component.name,
  handle: component.handle,
  description: component.description,
  unit_name: component.unitName,
  pricing_scheme: component.pricingScheme,
  ...presentPrices(component),
  product_family_id: component.productFamilyId,
  product_family_name: familyName,
  price_per_unit_in_cents: null,
  default_price_point_id: component.id,
  default_price_point_name: defaultPricePoint.name,
  price_point_count: 1,
  price_points_url: `/components/${component.id}/price_points`,
  kind: component.kind,
  archived: component.archivedAt !== null,
  taxable: component.taxable,
  allow_fractional_quantities: component.allowFractionalQuantities,
  recurring: component.recurring,
  accounting_code: component.accountingCode,
  tax_code: component.taxCode,
  item_category: component.itemCategory,
  display_on_hosted_page: component.displayOnHostedPage,
  archived_at: component.archivedAt && formatUtc(component.archivedAt),
  created_at: formatUtc(component.createdAt),
  updated_at: formatUtc(component.updatedAt),
})

export const presentPrices = (component: Component) => ({
  unit_price: component.unitPrice && shownPrice(component.unitPrice),
  prices: pricesOf(component).map(({ startingQuantity, endingQuantity, unitPrice }) => ({
    starting_quantity: startingQuantity,
    ending_quantity: endingQuantity,
    unit_price: shownPrice(unitPrice),
  })),
})

const pricesOf = ({ pricingScheme, unitPrice, prices }: Component): Component['prices'] =>
  pricingScheme === 'per_unit' && unitPrice !== null
    ? [{ startingQuantity: 1, endingQuantity: null, unitPrice }]
    : prices

/** `10.0`, `0.0055`: always with a point. */
const shownPrice = (price: DecimalText): string => (price.includes('.') ? price : `${price}.0`)

/** Quantities have no type of their own: whole ones are integers, others text. */
export const subscribedComponentShape: Fields = {
  fields: {
    component_id: 'integer',
    subscription_id: 'integer',
    component_handle: 'string',
    name: 'string',
    unit_name: 'string',
    kind: 'string',
    pricing_scheme: 'string',
    unit_price: 'string',
    prices: pricesShape,
    price_point_id: 'integer',
    price_point_handle: 'string',
    price_point_name: 'string',
    price_point_type: 'string',
    product_family_id: 'integer',
    enabled: 'boolean',
    taxable: 'boolean',
    recurring: 'boolean',
    archived_at: 'datetime',
    created_at: 'datetime',
    updated_at: 'datetime',
  },
}

export const presentSubscribedComponent = (
  { component, ...held }: SubscribedComponent,
  subscriptionId: number,
  span: AllocationSpan | undefined,
) => ({
  component_id: component.id,
  subscription_id: subscriptionId,
  component_handle: component.handle,
  name: component.name,
  unit_name: component.unitName,
  kind: component.kind,
  pricing_scheme: component.pricingScheme,
  ...presentPrices(component),
  ...pricePointOf(component),
  product_family_id: component.productFamilyId,
  ...stockOf({ component, ...held }),
  taxable: component.taxable,
  recurring: component.recurring,
  archived_at: component.archivedAt && formatUtc(component.archivedAt),
  ...datesOf(component, span),
})

/** What is charged once is used up without an allocation, and usage of what is metered is billed: when that was is not told. */
const datesOf = ({ recurring }: Component, span: AllocationSpan | undefined) => ({
  created_at: span === undefined ? null : formatUtc(span.firstAt),
  updated_at: span === undefined || !recurring ? null : formatUtc(span.lastAt),
})

/** Prices of the subscription's own are no price point of the catalog. */
const pricePointOf = ({ id, hasCustomPrice }: Component) => ({
  price_point_id: hasCustomPrice ? null : id,
  price_point_handle: hasCustomPrice ? null : defaultPricePoint.handle,
  price_point_name: hasCustomPrice ? null : defaultPricePoint.name,
  price_point_type: hasCustomPrice ? 'custom' : 'default',
})

/** A unit balance is a number in either case: clients read it as one. */
function stockOf({ component, quantity, unitBalance }: SubscribedComponent): object {
  switch (component.kind) {
    case 'metered_component':
      return { unit_balance: Number(unitBalance) }
    case 'on_off_component':
      return { allocated_quantity: Number(quantity), enabled: quantity === '1' }
    case 'quantity_based_component':
      return { allocated_quantity: shownNumber(quantity, component) }
  }
}
