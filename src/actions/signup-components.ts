/** The components of a sign-up: found in the product's family, and put on record once the subscription exists. */
import type { Changes } from '../billing/changes.ts'
import { type Chosen, type ComponentChoice, chooseComponents, startComponents } from '../billing/component-choice.ts'
import { chargesComponents, type SignupPlan } from '../billing/signup.ts'
import { listComponentsOfProduct } from '../store/components.ts'
import type { Connection, Transaction } from '../store/database.ts'
import { nextIds } from '../store/ids.ts'

/** What cannot be had, or not so much of it, is told in `problems`. */
export async function findChosenComponents(
  connection: Connection,
  siteId: number,
  productId: number,
  choices: readonly ComponentChoice[],
): Promise<Chosen> {
  if (choices.length === 0) return { components: [], problems: [] }
  return chooseComponents(await listComponentsOfProduct(connection, siteId, productId), choices)
}

type Start = Pick<Changes, 'subscribedComponents' | 'newAllocations' | 'newUsages'>

/** The rows with which the components of a new subscription begin. */
export async function beginComponents(
  tx: Transaction,
  plan: SignupPlan,
  subscriptionId: number,
  now: Temporal.Instant,
): Promise<Start> {
  const { site, pricing } = plan.terms
  const { components } = pricing
  if (components.length === 0) return {}
  const names = components.map(({ component }) => (component.kind === 'metered_component' ? 'usages' : 'allocations'))
  const ids = await nextIds(tx, ...names)
  return startComponents({ site, subscriptionId, now, isCharged: chargesComponents(plan) }, components, ids)
}
