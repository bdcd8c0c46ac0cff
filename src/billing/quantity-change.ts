/** Sets how much of its components a subscription has, as an update does: nothing is charged for what is left of the period. */
import type { Act } from './act.ts'
import { refuseUnlessAllocatable, stockOf, tellAllocation } from './allocation.ts'
import { allocationsOf, heldAfter, stepsOf, type WantedAllocation } from './allocation-steps.ts'
import type { Changes } from './changes.ts'
import type { Subscription } from './subscription.ts'

/** With an id for each allocation that may come of it. */
export type QuantityChange = { wanted: readonly WantedAllocation[]; ids: readonly number[] }

/** A quantity that stays what it was leaves no trace. Refuses what an allocation refuses. */
export function changeQuantities(
  act: Act,
  subscription: Subscription,
  { wanted, ids }: QuantityChange,
): Pick<Changes, 'newAllocations' | 'subscribedComponents'> {
  const { components, minorUnit } = act.facts.pricing
  const steps = stepsOf(components, wanted, null, minorUnit).filter(
    ({ quantity, previousQuantity }) => quantity !== previousQuantity,
  )
  if (steps.length === 0) return {}
  refuseUnlessAllocatable(subscription)
  const { siteId, id: subscriptionId } = subscription
  const common = { siteId, subscriptionId, paymentAttemptId: null, createdAt: act.now }
  const newAllocations = allocationsOf(steps, common, ids)
  for (const [place, step] of steps.entries()) tellAllocation(act, step, newAllocations[place]!.id)
  return { newAllocations, subscribedComponents: heldAfter(steps).map((held) => stockOf(subscription, held)) }
}
