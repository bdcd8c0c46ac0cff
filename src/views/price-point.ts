/** How the default price point of a product or a component is shown: the prices that the catalog has for it. */
import type { Product } from '../billing/catalog.ts'
import type { Component } from '../billing/component.ts'
import { defaultPricePoint } from '../billing/price-point.ts'
import type { Fields } from '../wire/shape.ts'
import { formatUtc } from '../wire/timestamp.ts'
import { presentPrices, pricesShape } from './component.ts'

export const componentPricePointShape: Fields = {
  fields: {
    id: 'integer',
    type: 'string',
    default: 'boolean',
    name: 'string',
    handle: 'string',
    pricing_scheme: 'string',
    component_id: 'integer',
    prices: pricesShape,
    use_site_exchange_rate: 'boolean',
    tax_included: 'boolean',
    interval: 'integer',
    interval_unit: 'string',
    archived_at: 'datetime',
    created_at: 'datetime',
    updated_at: 'datetime',
  },
}

type Dated = Pick<Component, 'id' | 'archivedAt' | 'createdAt' | 'updatedAt'>

const common = ({ id }: Dated) => ({
  id,
  name: defaultPricePoint.name,
  handle: defaultPricePoint.handle,
  type: 'default',
  use_site_exchange_rate: true,
  tax_included: false,
})

const dates = ({ archivedAt, createdAt, updatedAt }: Dated) => ({
  archived_at: archivedAt && formatUtc(archivedAt),
  created_at: formatUtc(createdAt),
  updated_at: formatUtc(updatedAt),
})

/** A switch has one price, as if it were per unit. */
export const presentComponentPricePoint = (component: Component) => ({
  ...common(component),
  default: true,
  pricing_scheme: component.pricingScheme ?? 'per_unit',
  component_id: component.id,
  prices: presentPrices({ ...component, pricingScheme: component.pricingScheme ?? 'per_unit' }).prices,
  interval: null,
  interval_unit: null,
  ...dates(component),
})

export const productPricePointShape: Fields = {
  fields: {
    id: 'integer',
    name: 'string',
    handle: 'string',
    type: 'string',
    price_in_cents: 'integer',
    interval: 'integer',
    interval_unit: 'string',
    trial_price_in_cents: 'integer',
    trial_interval: 'integer',
    trial_interval_unit: 'string',
    trial_type: 'string',
    introductory_offer: 'boolean',
    initial_charge_in_cents: 'integer',
    initial_charge_after_trial: 'boolean',
    expiration_interval: 'integer',
    expiration_interval_unit: 'string',
    product_id: 'integer',
    subscription_id: 'integer',
    use_site_exchange_rate: 'boolean',
    tax_included: 'boolean',
    archived_at: 'datetime',
    created_at: 'datetime',
    updated_at: 'datetime',
  },
}

export const presentProductPricePoint = (product: Product) => ({
  ...common(product),
  price_in_cents: product.price,
  interval: product.interval.count,
  interval_unit: product.interval.unit,
  trial_price_in_cents: product.trial?.price ?? null,
  trial_interval: product.trial?.interval.count ?? null,
  trial_interval_unit: product.trial?.interval.unit ?? null,
  trial_type: product.trial?.type ?? null,
  introductory_offer: null,
  initial_charge_in_cents: product.initialCharge,
  initial_charge_after_trial: product.initialChargeAfterTrial,
  expiration_interval: product.expiration?.count ?? null,
  expiration_interval_unit: product.expiration?.unit ?? 'never',
  product_id: product.id,
  subscription_id: null,
  ...dates(product),
})
