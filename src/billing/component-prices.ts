/** What a component may cost: the rules that price brackets keep, and how dear anything may get. */
import type { PriceBracket, PricingScheme } from './component.ts'
import type { DecimalText } from './money.ts'

/** Dollars. */
export const unitPriceMin = 0.0001
export const unitPriceMax = 1_000_000
/** In units, of one allocation or usage. */
export const quantityMax = 1_000_000_000_000
export const unitPricePlaces = 4

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
