/** A component as requests describe it: its name, and what it costs. */
import type { CreateComponent } from '../actions/create-component.ts'
import {
  type Component,
  type ComponentKind,
  itemCategories,
  type PriceBracket,
  pricingSchemes,
} from '../billing/component.ts'
import {
  inOrder,
  priceProblems,
  quantityMax,
  type SentPrices,
  unitPriceMax,
  unitPriceMin,
  unitPricePlaces,
} from '../billing/component-prices.ts'
import { canonicalDecimal } from '../billing/quantity.ts'
import {
  boolean,
  type Command,
  decimal,
  integer,
  listOf,
  longTextMax,
  object,
  oneOf,
  readInput,
  text,
} from '../wire/input.ts'
import { Problems } from './problems.ts'
import { refusedFields } from './refused-fields.ts'

const price = { min: unitPriceMin, max: unitPriceMax, places: unitPricePlaces }
const bound = { min: 0, max: quantityMax }

const bracketInput = object(
  {
    starting_quantity: integer('Starting quantity', { required: true, ...bound }),
    ending_quantity: integer('Ending quantity', bound),
    unit_price: decimal('Unit price', { required: true, ...price }),
  },
  { error: () => 'Prices: must be a list of price brackets.' },
)

const common = {
  handle: text('Handle'),
  description: text('Description', { max: longTextMax }),
  taxable: boolean('Taxable'),
  recurring: boolean('Recurring'),
  accounting_code: text('Accounting code'),
  tax_code: text('Tax code'),
  item_category: oneOf('Item category', itemCategories),
  display_on_hosted_page: boolean('Display on hosted page'),
  ...refusedFields.component,
}

export const countedComponentInput = object({
  name: text('Name', { required: true }),
  unit_name: text('Unit name', { required: true }),
  ...common,
  pricing_scheme: oneOf('Pricing scheme', pricingSchemes, { required: true }),
  unit_price: decimal('Unit price', price),
  prices: listOf('Prices', bracketInput, { max: 100 }),
  allow_fractional_quantities: boolean('Allow fractional quantities'),
})
export const switchInput = object({
  name: text('Name', { required: true }),
  ...common,
  unit_price: decimal('Unit price', { required: true, ...price }),
})

const handleForm = /^[a-z0-9][a-z0-9:_-]*$/
const badHandle =
  "Handle must start with a letter or number and may only contain lowercase letters, numbers, or the characters ':', '-', or '_'."

const onlyQuantities = 'Recurring: only a quantity-based component can be charged once.'

/** What is wrong with a component but for its prices, in words. */
export const detailProblems = ({ kind, recurring, handle }: Pick<Component, 'kind' | 'recurring' | 'handle'>) => [
  ...(recurring || kind === 'quantity_based_component' ? [] : [onlyQuantities]),
  ...(handle === null || handleForm.test(handle) ? [] : [badHandle]),
]

/** Throws `InputErrors` with every problem at once. */
export function readNewComponent(kind: ComponentKind, tree: unknown): CreateComponent {
  const problems = new Problems()
  const read =
    kind === 'on_off_component'
      ? problems.gather(() => readSwitch(readInput(switchInput, tree)))
      : problems.gather(() => readCounted(kind, readInput(countedComponentInput, tree), problems))
  if (read) for (const words of detailProblems(read)) problems.add(words)
  problems.tell()
  return read!
}

const readCommon = (fields: Command<typeof switchInput> | Command<typeof countedComponentInput>) => ({
  name: fields.name,
  handle: fields.handle?.trim() || null,
  description: fields.description?.trim() ? fields.description : null,
  taxable: fields.taxable === true,
  recurring: fields.recurring !== false,
  accountingCode: fields.accounting_code?.trim() ? fields.accounting_code : null,
  taxCode: fields.tax_code?.trim() ? fields.tax_code : null,
  itemCategory: fields.item_category ?? null,
  displayOnHostedPage: fields.display_on_hosted_page !== false,
})

const readSwitch = (fields: Command<typeof switchInput>): CreateComponent => ({
  ...readCommon(fields),
  kind: 'on_off_component',
  unitName: 'on/off',
  pricingScheme: null,
  unitPrice: canonicalDecimal(fields.unit_price),
  prices: [],
  allowFractionalQuantities: false,
})

function readCounted(
  kind: ComponentKind,
  fields: Command<typeof countedComponentInput>,
  problems: Problems,
): CreateComponent {
  const unitPrice = fields.unit_price ? canonicalDecimal(fields.unit_price) : null
  return {
    ...readCommon(fields),
    kind,
    unitName: fields.unit_name,
    ...pricesOf({ scheme: fields.pricing_scheme, unitPrice, prices: bracketsOf(fields.prices) }, problems),
    allowFractionalQuantities: fields.allow_fractional_quantities === true,
  }
}

export const bracketsOf = (sent: Command<typeof countedComponentInput>['prices']): PriceBracket[] =>
  (sent ?? []).map((bracket) => ({
    startingQuantity: bracket.starting_quantity,
    endingQuantity: bracket.ending_quantity ?? null,
    unitPrice: canonicalDecimal(bracket.unit_price),
  }))

export type Priced = Pick<Component, 'pricingScheme' | 'unitPrice' | 'prices'>

/** Tells `problems` what is wrong with the prices. A single price per unit is kept as such, also where it came as a bracket. */
export function pricesOf(sent: SentPrices, problems: Problems): Priced {
  for (const words of priceProblems(sent)) problems.add(words)
  const { scheme, unitPrice, prices } = sent
  return scheme === 'per_unit'
    ? { pricingScheme: scheme, unitPrice: unitPrice ?? prices[0]?.unitPrice ?? null, prices: [] }
    : { pricingScheme: scheme, unitPrice: null, prices: inOrder(prices) }
}
