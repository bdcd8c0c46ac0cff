/** A change of a component as requests describe it: what they leave out stays as it is. */
import type { ComponentChange } from '../actions/update-component.ts'
import type { Component } from '../billing/component.ts'
import { canonicalDecimal } from '../billing/quantity.ts'
import { type Command, readInput } from '../wire/input.ts'
import { bracketsOf, countedComponentInput, detailProblems, type Priced, pricesOf } from './component-input.ts'
import { Problems } from './problems.ts'

export const componentChangeInput = countedComponentInput.partial()
type Fields = Command<typeof componentChangeInput>

/** What is wrong with the fields is thrown now; what is wrong with them for this component, when the change is made. */
export function readComponentChange(tree: unknown): ComponentChange {
  const fields = readInput(componentChangeInput, tree)
  return (before) => {
    const problems = new Problems()
    const after = { ...before, ...detailsOf(fields, before), ...changedPrices(fields, before, problems) }
    for (const words of detailProblems(after)) problems.add(words)
    problems.tell()
    return after
  }
}

/** Blank is none. */
const words = (sent: string | null | undefined, before: string | null): string | null =>
  sent === undefined ? before : sent?.trim() ? sent : null

const flag = (sent: boolean | null | undefined, before: boolean): boolean => sent ?? before

const detailsOf = (fields: Fields, before: Component) => ({
  name: fields.name ?? before.name,
  handle: words(fields.handle, before.handle)?.trim() ?? null,
  description: words(fields.description, before.description),
  // A switch counts nothing.
  unitName: before.kind === 'on_off_component' ? before.unitName : (fields.unit_name ?? before.unitName),
  taxable: flag(fields.taxable, before.taxable),
  recurring: flag(fields.recurring, before.recurring),
  allowFractionalQuantities:
    before.kind === 'on_off_component'
      ? before.allowFractionalQuantities
      : flag(fields.allow_fractional_quantities, before.allowFractionalQuantities),
  accountingCode: words(fields.accounting_code, before.accountingCode),
  taxCode: words(fields.tax_code, before.taxCode),
  itemCategory: fields.item_category === undefined ? before.itemCategory : fields.item_category,
  displayOnHostedPage: flag(fields.display_on_hosted_page, before.displayOnHostedPage),
})

/** Brackets are kept where only the scheme changes. What a component shows may be sent back: a price per unit with the bracket that it is. */
function changedPrices(fields: Fields, before: Component, problems: Problems): Priced {
  const unitPrice = fields.unit_price ? canonicalDecimal(fields.unit_price) : null
  const brackets = bracketsOf(fields.prices)
  if (before.kind === 'on_off_component') {
    return { pricingScheme: null, unitPrice: unitPrice ?? before.unitPrice, prices: [] }
  }
  const scheme = fields.pricing_scheme ?? before.pricingScheme ?? 'per_unit'
  const isSent = unitPrice !== null || brackets.length > 0
  if (!isSent && scheme === before.pricingScheme) {
    return { pricingScheme: scheme, unitPrice: before.unitPrice, prices: before.prices }
  }
  const [only, ...others] = brackets
  const isSaidTwice = scheme === 'per_unit' && others.length === 0 && only?.unitPrice === unitPrice
  const prices = isSaidTwice ? [] : isSent ? brackets : scheme === 'per_unit' ? [] : before.prices
  return pricesOf({ scheme, unitPrice, prices }, problems)
}
