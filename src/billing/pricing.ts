/** Quantity to cents: per unit, volume, tiered, stairstep. The one place where unit prices become money, rounded once. */
import { assert } from './assert.ts'
import type { Component, PriceBracket } from './component.ts'
import { type Cents, cents, type DecimalText, type MinorUnit, multiplyDecimal, sumOfProducts } from './money.ts'
import { begunUnits, isWholeQuantity, wholeUnits } from './quantity.ts'
import { invalid } from './refusal.ts'

/** Refuses a quantity beyond the last bracket. Quantities below the first bracket, and 0, cost nothing. */
export function priceOf(component: Component, quantity: DecimalText, unit: MinorUnit): Cents {
  if (Number(quantity) <= 0) return cents(0)
  const { pricingScheme, unitPrice, prices } = component
  if (unitPrice !== null) return multiplyDecimal(quantity, unitPrice, unit)
  switch (pricingScheme) {
    case 'per_unit':
      return multiplyDecimal(quantity, prices[0]?.unitPrice ?? '0', unit)
    case 'volume': {
      const bracket = bracketOf(component, quantity)
      return bracket ? multiplyDecimal(quantity, bracket.unitPrice, unit) : cents(0)
    }
    case 'stairstep': {
      const bracket = bracketOf(component, quantity)
      return bracket ? multiplyDecimal('1', bracket.unitPrice, unit) : cents(0)
    }
    case 'tiered':
      bracketOf(component, quantity)
      return sumOfProducts(
        prices.map((bracket) => ({ quantity: partWithin(bracket, quantity), unitPrice: bracket.unitPrice })),
        unit,
      )
    default:
      assert(pricingScheme === null, 'a component has a price')
      return cents(0)
  }
}

/** Ten billion dollars: far above any bill, far below where sums of cents stop being exact. */
const priceMax = 10_000_000_000

/** Refuses what nobody could be billed for: a quantity beyond the last bracket, and one that would cost more than ten billion. */
export function refuseUnpriceable(component: Component, quantity: DecimalText): void {
  refuseBeyondBrackets(component, quantity)
  const dearest = Math.max(Number(component.unitPrice ?? 0), ...component.prices.map((one) => Number(one.unitPrice)))
  const units = component.pricingScheme === 'stairstep' ? 1 : Number(quantity)
  if (units * dearest > priceMax) throw invalid(`Quantity: is too large for ${component.name}.`)
}

/** Refuses half a thing of what is counted in whole ones. */
export function refuseFraction(component: Component, quantity: DecimalText): void {
  if (component.allowFractionalQuantities || isWholeQuantity(quantity)) return
  throw invalid(`Quantity: must be a whole number for ${component.name}.`)
}

/** Whether the brackets know a price for this much of it. */
export const isWithinBrackets = ({ unitPrice, pricingScheme, prices }: Component, quantity: DecimalText): boolean => {
  if (unitPrice !== null || pricingScheme === 'per_unit' || pricingScheme === null) return true
  const end = prices.at(-1)?.endingQuantity
  return end === null || end === undefined || begunUnits(quantity) <= end
}

function refuseBeyondBrackets(component: Component, quantity: DecimalText): void {
  if (isWithinBrackets(component, quantity)) return
  throw invalid(`Quantity: ${component.name} has no price for more than ${component.prices.at(-1)?.endingQuantity}.`)
}

/** A fraction belongs to the bracket in which the next whole unit lies. */
function bracketOf(component: Component, quantity: DecimalText): PriceBracket | undefined {
  refuseBeyondBrackets(component, quantity)
  const begun = begunUnits(quantity)
  return component.prices.findLast((bracket) => bracket.startingQuantity <= begun)
}

/** How much of a quantity falls into one tier; the tiers below it take theirs first. */
function partWithin(bracket: PriceBracket, quantity: DecimalText): DecimalText {
  const below = Math.max(0, bracket.startingQuantity - 1)
  if (begunUnits(quantity) <= below) return '0'
  const end = bracket.endingQuantity
  if (end !== null && wholeUnits(quantity) >= end) return String(end - below)
  return subtractWhole(quantity, below)
}

/** Exact: only the digits before the point change. */
function subtractWhole(quantity: DecimalText, whole: number): DecimalText {
  const [digits = '0', fraction] = quantity.split('.')
  const rest = String(Number(digits) - whole)
  return fraction === undefined ? rest : `${rest}.${fraction}`
}
