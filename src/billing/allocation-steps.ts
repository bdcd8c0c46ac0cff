/** What changes of allocated quantities cost for the rest of a period: charges for upgrades, credits for downgrades. */
import type { Allocation, DowngradeScheme, UpgradeScheme } from './allocation.ts'
import { type Component, formatNumber, formatQuantity, type SubscribedComponent } from './component.ts'
import { chargeLine, type LineItem } from './line-item.ts'
import { type Cents, cents, type DecimalText, type MinorUnit, negate } from './money.ts'
import { priceOf, refuseFraction, refuseUnpriceable } from './pricing.ts'
import { proratedChange, type Rest } from './proration.ts'
import { invalid } from './refusal.ts'

/** A change that somebody asks for. */
export type WantedAllocation = {
  component: Component
  /** Not negative; without decimals unless the component counts fractions. */
  quantity: DecimalText
  memo: string | null
  upgradeScheme: UpgradeScheme
  downgradeScheme: DowngradeScheme
}

/** A change from one quantity to another, with what it costs now; a credit is negative. Of what is charged once nothing is `left`. */
export type Step = WantedAllocation & { previousQuantity: DecimalText; cost: Cents; left: DecimalText }

/** Nothing is charged during a trial, nor in a first period that is free; then there is no rest. */
export function stepsOf(
  held: readonly SubscribedComponent[],
  wanted: readonly WantedAllocation[],
  rest: Rest | null,
  unit: MinorUnit,
): Step[] {
  const quantities = new Map(held.map(({ component, quantity }) => [component.id, quantity]))
  return wanted.map((one) => {
    const quantity = allocatable(one.component, one.quantity)
    const previousQuantity = quantities.get(one.component.id) ?? '0'
    const left = isChargedOnce(one, rest) ? '0' : quantity
    quantities.set(one.component.id, left)
    const cost = costOf({ ...one, quantity }, previousQuantity, rest, unit)
    return { ...one, quantity, previousQuantity, cost, left }
  })
}

export const meteredRefused = 'Allocations can only be updated for quantity and on/off components.'

/** The quantity as it is allocated. Refuses metered components, a switch that is neither on nor off, fractions, and what has no price. */
export function allocatable(component: Component, sent: DecimalText): DecimalText {
  if (component.kind === 'metered_component') {
    throw invalid(meteredRefused)
  }
  if (component.kind === 'on_off_component' && sent !== '0' && sent !== '1') {
    throw invalid(`Quantity: must be 0 or 1 for ${component.name}.`)
  }
  refuseFraction(component, sent)
  refuseUnpriceable(component, sent)
  return sent
}

/** What is charged once is charged now, in full, unless it is to wait for the renewal. */
const isChargedOnce = ({ component, upgradeScheme }: WantedAllocation, rest: Rest | null): boolean =>
  !component.recurring && rest !== null && upgradeScheme !== 'no-prorate'

/** An upgrade leads to a higher price for the period, a downgrade to a lower one. */
function costOf(wanted: WantedAllocation, previousQuantity: DecimalText, rest: Rest | null, unit: MinorUnit): Cents {
  const { component, quantity, upgradeScheme, downgradeScheme } = wanted
  const from = priceOf(component, previousQuantity, unit)
  const to = priceOf(component, quantity, unit)
  if (!component.recurring) return isChargedOnce(wanted, rest) ? to : cents(0)
  if (rest === null || to === from) return cents(0)
  if (to < from) return downgradeScheme === 'prorate' ? proratedChange(from, to, rest, unit) : cents(0)
  if (upgradeScheme === 'no-prorate') return cents(0)
  return upgradeScheme.startsWith('full-price') ? cents(to - from) : proratedChange(from, to, rest, unit)
}

/** Captured at once; what is not captured is collected with the next renewal. */
export const capturesNow = (scheme: UpgradeScheme): boolean => scheme.endsWith('attempt-capture')

export const chargesNow = (steps: readonly Step[]): LineItem[] =>
  linesOf(steps.filter(({ cost, upgradeScheme }) => cost > 0 && capturesNow(upgradeScheme)))

export const chargesLater = (steps: readonly Step[]): LineItem[] =>
  linesOf(steps.filter(({ cost, upgradeScheme }) => cost > 0 && !capturesNow(upgradeScheme)))

/** As if they were charges: what they are the mirror of. */
export const credited = (steps: readonly Step[]): LineItem[] =>
  linesOf(steps.filter(({ cost }) => cost < 0).map((step) => ({ ...step, cost: negate(step.cost) })))

const linesOf = (steps: readonly Step[]): LineItem[] =>
  steps.map(({ component, cost, previousQuantity, quantity }) => {
    const kind = component.kind === 'on_off_component' ? 'on_off_component' : 'quantity_based_component'
    const memo = memoOf(component, previousQuantity, quantity)
    const line = chargeLine(kind, cost, memo, component.taxable, component.id)
    return component.recurring ? line : { ...line, isOneTime: true }
  })

/** `Users: 1 to 2 Users`; a switch says its name, and what is charged once how much of it. */
function memoOf(component: Component, from: DecimalText, to: DecimalText): string {
  if (component.kind === 'on_off_component') return component.name
  if (!component.recurring) return `${component.name}: ${formatQuantity(component, to)}`
  return `${component.name}: ${formatNumber(component, from)} to ${formatQuantity(component, to)}`
}

/** What the subscription has of each component that was touched, once all steps are taken. */
export const heldAfter = (steps: readonly Step[]): SubscribedComponent[] => {
  const after = new Map(
    steps.map(({ component, left }) => [component.id, { component, quantity: left, unitBalance: '0' }]),
  )
  return [...after.values()]
}

export const allocationsOf = (
  steps: readonly Step[],
  common: Pick<Allocation, 'siteId' | 'subscriptionId' | 'paymentAttemptId' | 'createdAt'>,
  ids: readonly number[],
): Allocation[] =>
  steps.map(({ component, quantity, previousQuantity, memo, upgradeScheme, downgradeScheme }, place) => ({
    ...common,
    id: ids[place]!,
    requestId: ids[0]!,
    componentId: component.id,
    quantity,
    previousQuantity,
    memo,
    prorationUpgradeScheme: upgradeScheme,
    prorationDowngradeScheme: downgradeScheme,
    hasCustomPrice: component.hasCustomPrice === true,
  }))
