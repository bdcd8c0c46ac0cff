/** What a sign-up takes of components: judged against the catalog, and what is on record of it from the start. */
import { pricedStockOf } from './allocation.ts'
import { allocatable } from './allocation-steps.ts'
import type { Changes } from './changes.ts'
import type { Component, SubscribedComponent } from './component.ts'
import { atCustomPrice, type CustomComponentPrice } from './component-prices.ts'
import type { DecimalText } from './money.ts'
import { afterCharge } from './one-time.ts'
import { whyNotAtPricePoint } from './price-point.ts'
import { refuseFraction } from './pricing.ts'
import { invalid, Refusal } from './refusal.ts'
import type { Site } from './site.ts'
import { countable } from './usage.ts'

export type ComponentName = { id: number } | { handle: string }

export const isNamed = (component: Component, by: ComponentName): boolean =>
  'id' in by ? component.id === by.id : component.handle === by.handle

/** Whichever of the three goes with the kind counts. */
export type ComponentChoice = {
  by: ComponentName
  allocatedQuantity: DecimalText | null
  enabled: boolean | null
  unitBalance: DecimalText | null
  /** In place of the prices of the catalog. */
  customPrice?: CustomComponentPrice | null
  /** Its id, or `handle:` and its handle. */
  pricePoint?: string | null
}

export const unknownComponent = (by: ComponentName): string =>
  `Component: ${'id' in by ? by.id : by.handle} could not be found.`

export type Chosen = { components: SubscribedComponent[]; problems: string[] }

/** `offered` are the components that are sold with the product; in the order of their ids. */
export function chooseComponents(offered: readonly Component[], choices: readonly ComponentChoice[]): Chosen {
  const components = new Map<number, SubscribedComponent>()
  const problems: string[] = []
  for (const choice of choices) {
    const { by } = choice
    const component = offered.find((one) => isNamed(one, by))
    if (component === undefined) {
      problems.push(unknownComponent(by))
    } else if (components.has(component.id)) {
      problems.push(`Component: ${component.name} is given more than once.`)
    } else {
      const read = readChoice(component, choice)
      if ('problems' in read) problems.push(...read.problems)
      else components.set(component.id, read)
    }
  }
  return { components: [...components.values()].toSorted((a, b) => a.component.id - b.component.id), problems }
}

function readChoice(
  offered: Component,
  choice: ComponentChoice,
): SubscribedComponent | { problems: readonly string[] } {
  const { allocatedQuantity, enabled, unitBalance, customPrice } = choice
  try {
    const component = customPrice ? atCustomPrice(offered, customPrice) : offered
    const problem = whyNotAtPricePoint(component, choice.pricePoint)
    if (problem !== null) return { problems: [problem] }
    if (component.kind === 'metered_component') {
      const sent = unitBalance ?? '0'
      refuseFraction(component, sent)
      return { component, quantity: '0', unitBalance: countable(component, sent) }
    }
    const sent = allocatedQuantity ?? (enabled ? '1' : '0')
    return { component, quantity: allocatable(component, sent), unitBalance: '0' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { problems: error.messages }
  }
}

/** Without a quantity, what the subscription has of it. */
export type RehearsedComponent = { by: ComponentName; quantity: DecimalText | null; pricePoint: string | null }

/** Those that are supposed and no others. `held` is everything that the subscription can have. Refuses what it cannot have. */
export function rehearseComponents(
  held: readonly SubscribedComponent[],
  supposed: readonly RehearsedComponent[],
): SubscribedComponent[] {
  const choices = supposed.map(({ by, quantity, pricePoint }) => {
    const has = held.find(({ component }) => isNamed(component, by))
    return {
      by,
      pricePoint,
      enabled: null,
      allocatedQuantity: quantity ?? has?.quantity ?? null,
      unitBalance: quantity ?? has?.unitBalance ?? null,
    }
  })
  const { components, problems } = chooseComponents(
    held.map(({ component }) => component),
    choices,
  )
  if (problems.length > 0) throw invalid(...problems)
  return components
}

/** `isCharged` says that the sign-up charges for what it takes of components. */
type Start = { site: Site; subscriptionId: number; now: Temporal.Instant; isCharged: boolean }

/**
 * The first quantities and balances are changes from nothing, so that what a subscription has is the sum of its records. Each component takes
 * one id: of an allocation, or of a usage.
 */
export function startComponents(
  { site, subscriptionId, now, isCharged }: Start,
  chosen: readonly SubscribedComponent[],
  ids: readonly number[],
): Pick<Changes, 'subscribedComponents' | 'newAllocations' | 'newUsages'> {
  const rows = chosen.map(({ component, quantity, unitBalance }, place) => ({
    isMetered: component.kind === 'metered_component',
    hasCustomPrice: component.hasCustomPrice === true,
    quantity,
    unitBalance,
    row: {
      siteId: site.id,
      id: ids[place]!,
      subscriptionId,
      componentId: component.id,
      memo: null,
      createdAt: now,
    },
  }))
  return {
    subscribedComponents: (isCharged ? afterCharge(chosen) : chosen).map((one) =>
      pricedStockOf({ siteId: site.id, id: subscriptionId }, one),
    ),
    newAllocations: rows
      .filter(({ isMetered }) => !isMetered)
      .map(({ row, quantity, hasCustomPrice }) => ({
        ...row,
        ...firstAllocation,
        requestId: row.id,
        quantity,
        hasCustomPrice,
      })),
    newUsages: rows
      .filter(({ isMetered, unitBalance }) => isMetered && unitBalance !== '0')
      .map(({ row, unitBalance }) => ({ ...row, quantity: unitBalance })),
  }
}

const firstAllocation = {
  previousQuantity: '0',
  prorationUpgradeScheme: 'no-prorate',
  prorationDowngradeScheme: 'no-prorate',
  paymentAttemptId: null,
} as const
