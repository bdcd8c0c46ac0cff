/** Components that are charged once: what of them waits to be charged, and that none of it is left once it was. */
import type { ComponentStock } from './changes.ts'
import type { SubscribedComponent } from './component.ts'
import type { Subscription } from './subscription.ts'

const waits = ({ component, quantity }: SubscribedComponent): boolean => !component.recurring && quantity !== '0'

/** What is left of components when everything that was due in advance has been charged. */
export const afterCharge = (components: readonly SubscribedComponent[]): SubscribedComponent[] =>
  components.map((one) => (waits(one) ? { ...one, quantity: '0' } : one))

/** What an assessment of these components charges for good. */
export const chargedOnce = (components: readonly SubscribedComponent[]): ChargedOnce[] =>
  components.filter(waits).map(({ component, quantity }) => ({ componentId: component.id, quantity }))

/** Plain JSON. */
export type ChargedOnce = { componentId: number; quantity: SubscribedComponent['quantity'] }

/** Takes away what was charged; a quantity that was set to another meanwhile still waits. */
export const takeCharged = (
  { siteId, id: subscriptionId }: Pick<Subscription, 'siteId' | 'id'>,
  components: readonly SubscribedComponent[],
  charged: readonly ChargedOnce[],
): { subscribedComponents?: ComponentStock[] } => {
  const taken = charged.filter(({ componentId, quantity }) =>
    components.some((one) => one.component.id === componentId && one.quantity === quantity),
  )
  if (taken.length === 0) return {}
  const rows = taken.map(({ componentId }) => ({
    siteId,
    subscriptionId,
    componentId,
    quantity: '0',
    unitBalance: '0',
  }))
  return { subscribedComponents: rows }
}
