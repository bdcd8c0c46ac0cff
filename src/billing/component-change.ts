/** Which changes of a component are refused once it is sold: those that would change what subscriptions pay for it. */
import type { Component } from './component.ts'
import { invalid } from './refusal.ts'

/** In the order in which a refusal names them. */
const priced = {
  pricingScheme: 'Pricing scheme',
  unitPrice: 'Unit price',
  prices: 'Prices',
  taxable: 'Taxable',
  recurring: 'Recurring',
  allowFractionalQuantities: 'Allow fractional quantities',
} as const satisfies Partial<Record<keyof Component, string>>

/** Throws a refusal with a sentence for each. */
export function refuseSoldChange(before: Component, after: Component): void {
  const problems = Object.entries(priced)
    .filter(
      ([field]) => JSON.stringify(before[field as keyof Component]) !== JSON.stringify(after[field as keyof Component]),
    )
    .map(([, label]) => `${label}: cannot be changed, since subscriptions have the component; make another one.`)
  if (problems.length > 0) throw invalid(...problems)
}
