/** What a component may cost: the rules that price brackets keep, and how dear anything may get. */
import type { Component, ComponentPrice, PriceBracket, PricingScheme } from './component.ts'
import type { DecimalText } from './money.ts'
import { invalid } from './refusal.ts'

/** Dollars. */
export const unitPriceMin = 0.000_000_01
export const unitPriceMax = 1_000_000
/** In units, of one allocation or usage. */
export const quantityMax = 1_000_000_000_000
export const unitPricePlaces = 8

export type SentPrices = {
  scheme: PricingScheme
  unitPrice: DecimalText | null
  prices: readonly PriceBracket[]
}

const noBracket = 'At least 1 price bracket must be defined'
const gaps =
  'Successive brackets may not have gaps in quantity (i.e. if one bracket ends at quantity 10, the next must begin at quantity 11)'

/** What is wrong with prices, in words; empty when nothing is. */
export function priceProblems({ scheme, unitPrice, prices }: SentPrices): string[] {
  if (scheme !== 'per_unit') {
    const misplaced = unitPrice === null ? [] : [`Unit price: does not go with the pricing scheme ${scheme}.`]
    return [...misplaced, ...(prices.length === 0 ? [noBracket] : bracketProblems(prices))]
  }
  if (unitPrice === null && prices.length === 0) return ['Unit price: cannot be blank.']
  if (unitPrice !== null && prices.length > 0) return ['Unit price: give either it or one price bracket, not both.']
  if (prices.length > 1) return ['Exactly 1 price bracket may be defined for the pricing scheme per_unit']
  return bracketProblems(prices)
}

/** The lowest bracket may start anywhere; one may be without an end, the last one. */
function bracketProblems(prices: readonly PriceBracket[]): string[] {
  const problems = new Set<string>()
  const sorted = inOrder(prices)
  for (const [place, { startingQuantity, endingQuantity }] of sorted.entries()) {
    if (endingQuantity !== null && endingQuantity < startingQuantity) {
      problems.add('Ending quantity: must be greater than or equal to the starting quantity.')
    }
    const next = sorted[place + 1]
    if (next === undefined) continue
    if (endingQuantity === null) problems.add('Ending quantity: may be blank only in the last bracket.')
    else if (next.startingQuantity <= endingQuantity) problems.add('Brackets may not overlap in quantity')
    else if (next.startingQuantity > endingQuantity + 1) problems.add(gaps)
  }
  return [...problems]
}

/** Lowest first. */
export const inOrder = (prices: readonly PriceBracket[]): PriceBracket[] =>
  prices.toSorted((left, right) => left.startingQuantity - right.startingQuantity)

/** The prices that a subscription is given for itself; without a scheme that of the component. */
export type CustomComponentPrice = { scheme: PricingScheme | null; prices: readonly PriceBracket[] }

/** The component at prices of one subscription alone. Refuses brackets that do not fit its kind and scheme. */
export function atCustomPrice(component: Component, { scheme: sent, prices }: CustomComponentPrice): Component {
  const isSwitch = component.kind === 'on_off_component'
  if (isSwitch && sent !== null && sent !== 'per_unit') {
    throw invalid(`Pricing scheme: ${component.name} is a switch and has one price.`)
  }
  const scheme = isSwitch ? 'per_unit' : (sent ?? component.pricingScheme ?? 'per_unit')
  const problems = prices.length === 0 ? [noBracket] : priceProblems({ scheme, unitPrice: null, prices })
  if (problems.length > 0) throw invalid(...problems)
  const onePrice = scheme === 'per_unit'
  return {
    ...component,
    pricingScheme: isSwitch ? null : scheme,
    unitPrice: onePrice ? prices[0]!.unitPrice : null,
    prices: onePrice ? [] : inOrder(prices),
    hasCustomPrice: true,
  }
}

/** What is kept of a price that is one subscription's own; undefined for the catalog's. */
export const ownPriceOf = ({
  hasCustomPrice,
  pricingScheme,
  unitPrice,
  prices,
}: Component): ComponentPrice | undefined => (hasCustomPrice ? { pricingScheme, unitPrice, prices } : undefined)

export const isSamePrice = (left: Component, right: Component): boolean =>
  JSON.stringify(saidOf(left)) === JSON.stringify(saidOf(right))

const saidOf = ({ hasCustomPrice = false, pricingScheme, unitPrice, prices }: Component) => [
  [hasCustomPrice, pricingScheme, unitPrice],
  prices.map((bracket) => [bracket.startingQuantity, bracket.endingQuantity, bracket.unitPrice]),
]
