/** Sets how much of its components a subscription has, as an update does: nothing is charged for what is left of the period. */
import type { Act } from './act.ts'
import { pricedStockOf, refuseUnlessAllocatable, tellAllocation } from './allocation.ts'
import { allocationsOf, heldAfter, stepsOf, type WantedAllocation } from './allocation-steps.ts'
import type { Changes } from './changes.ts'
import type { Component, SubscribedComponent } from './component.ts'
import { isSamePrice } from './component-prices.ts'
import type { Subscription } from './subscription.ts'

/** With an id for each allocation that may come of it. */
export type QuantityChange = {
  wanted: readonly WantedAllocation[]
  ids: readonly number[]
  /** Metered components at another price: for the usage that is not billed yet, and what comes. */
  repriced?: readonly SubscribedComponent[]
}

/** A quantity that stays what it was leaves no trace, unless its price changes. Refuses what an allocation refuses. */
export function changeQuantities(
  act: Act,
  subscription: Subscription,
  { wanted, ids, repriced = [] }: QuantityChange,
): Pick<Changes, 'newAllocations' | 'subscribedComponents'> {
  const { components, minorUnit } = act.facts.pricing
  const steps = stepsOf(components, wanted, null, minorUnit).filter(
    ({ component, quantity, previousQuantity }) => quantity !== previousQuantity || isRepriced(components, component),
  )
  const metered = repriced.filter(({ component }) => isRepriced(components, component))
  if (steps.length === 0 && metered.length === 0) return {}
  refuseUnlessAllocatable(subscription)
  const { siteId, id: subscriptionId } = subscription
  const common = { siteId, subscriptionId, paymentAttemptId: null, createdAt: act.now }
  const newAllocations = allocationsOf(steps, common, ids)
  for (const [place, step] of steps.entries()) tellAllocation(act, step, newAllocations[place]!.id)
  return {
    newAllocations,
    subscribedComponents: [...heldAfter(steps), ...metered].map((held) => pricedStockOf(subscription, held)),
  }
}

function isRepriced(held: readonly SubscribedComponent[], wanted: Component): boolean {
  const before = held.find(({ component }) => component.id === wanted.id)?.component
  return wanted.hasCustomPrice === true && (before === undefined || !isSamePrice(before, wanted))
}
