/** Components for decisions, made in memory: users by the month, a switch, text messages by the piece. */
import type { WantedAllocation } from '../../src/billing/allocation-steps.ts'
import type { Changes } from '../../src/billing/changes.ts'
import type { Component, SubscribedComponent } from '../../src/billing/component.ts'
import type { AppliedCoupon, Coupon } from '../../src/billing/coupon.ts'
import { type PricingFacts, plainPricing } from '../../src/billing/subscription.ts'
import { type Lived, written } from './story-facts.ts'

const since = Temporal.Instant.from('2026-01-01T00:00:00Z')

/** `Users`, 15.00 each. */
export const quantityComponent = (change: Partial<Component> = {}): Component => ({
  siteId: 1,
  id: 21,
  productFamilyId: 2,
  name: 'Users',
  handle: 'users',
  description: null,
  unitName: 'User',
  kind: 'quantity_based_component',
  pricingScheme: 'per_unit',
  unitPrice: '15',
  prices: [],
  taxable: false,
  allowFractionalQuantities: false,
  recurring: true,
  accountingCode: null,
  taxCode: null,
  itemCategory: null,
  displayOnHostedPage: true,
  archivedAt: null,
  createdAt: since,
  updatedAt: since,
  ...change,
})

/** `Support`, 45.00 while it is on. */
export const onOffComponent = (change: Partial<Component> = {}): Component =>
  quantityComponent({
    id: 22,
    name: 'Support',
    handle: 'support',
    unitName: 'on/off',
    kind: 'on_off_component',
    pricingScheme: null,
    unitPrice: '45',
    ...change,
  })

/** `Messages`, half a cent each. */
export const meteredComponent = (change: Partial<Component> = {}): Component =>
  quantityComponent({
    id: 23,
    name: 'Messages',
    handle: 'messages',
    unitName: 'message',
    kind: 'metered_component',
    unitPrice: '0.005',
    ...change,
  })

export const holding = (component: Component, quantity: string, unitBalance = '0'): SubscribedComponent => ({
  component,
  quantity,
  unitBalance,
})

export const pricedWith = (...components: SubscribedComponent[]): PricingFacts => ({ ...plainPricing, components })

/** The facts after changes were written, what the subscription has of components among them. */
export function stocked(lived: Lived, changes: Changes, catalog: readonly Component[]): Lived {
  const { facts, ids } = changes.subscription ? written(lived, changes) : lived
  const held = new Map(facts.pricing.components.map((one) => [one.component.id, one]))
  for (const { componentId, quantity, unitBalance } of changes.subscribedComponents ?? []) {
    const component = catalog.find(({ id }) => id === componentId)!
    held.set(componentId, { component, quantity, unitBalance })
  }
  for (const { componentId } of changes.billedUsage ?? [])
    held.set(componentId, { ...held.get(componentId)!, unitBalance: '0' })
  const components = [...held.values()].toSorted((left, right) => left.component.id - right.component.id)
  return { ids, facts: { ...facts, pricing: { ...facts.pricing, components } } }
}

/** A second one, prorated both ways and collected with the renewal. */
export const wanting = (component: Component, change: Partial<WantedAllocation> = {}): WantedAllocation => ({
  component,
  quantity: '2',
  memo: null,
  upgradeScheme: 'prorate-delay-capture',
  downgradeScheme: 'prorate',
  ...change,
})

export const tax = { siteId: 1, id: 31, name: 'MA Tax', rate: '6.25', country: 'US', state: 'MA' }

/** `HALF`, half off for good. */
export const coupon = (change: Partial<Coupon>): AppliedCoupon => ({
  coupon: {
    siteId: 1,
    id: 41,
    productFamilyId: 2,
    name: 'Half',
    code: 'HALF',
    description: 'Half off',
    amount: null,
    percentage: '50',
    recurring: true,
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
    archivedAt: null,
    createdAt: since,
    updatedAt: since,
    ...change,
  },
  code: 'HALF',
  useCount: 1,
  usesAllowed: null,
})
