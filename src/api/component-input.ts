/** A component as requests describe it: its name, and what it costs. */
import type { CreateComponent } from '../actions/create-component.ts'
import { type ComponentKind, pricingSchemes } from '../billing/component.ts'
import {
  inOrder,
  priceProblems,
  quantityMax,
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

/** Throws `InputErrors` with every problem at once. */
export function readNewComponent(kind: ComponentKind, tree: unknown): CreateComponent {
  const problems = new Problems()
  const read =
    kind === 'on_off_component'
      ? problems.gather(() => readSwitch(readInput(switchInput, tree)))
      : problems.gather(() => readCounted(kind, readInput(countedComponentInput, tree), problems))
  if (read && !read.recurring && kind !== 'quantity_based_component') problems.add(onlyQuantities)
  const handle = read?.handle ?? null
  if (handle !== null && !handleForm.test(handle)) problems.add(badHandle)
  problems.tell()
  return read!
}

const readCommon = (fields: Command<typeof switchInput> | Command<typeof countedComponentInput>) => ({
  name: fields.name,
  handle: fields.handle?.trim() || null,
  description: fields.description?.trim() ? fields.description : null,
  taxable: fields.taxable === true,
  recurring: fields.recurring !== false,
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
  const scheme = fields.pricing_scheme
  const unitPrice = fields.unit_price ? canonicalDecimal(fields.unit_price) : null
  const prices = (fields.prices ?? []).map((bracket) => ({
    startingQuantity: bracket.starting_quantity,
    endingQuantity: bracket.ending_quantity ?? null,
    unitPrice: canonicalDecimal(bracket.unit_price),
  }))
  for (const words of priceProblems({ scheme, unitPrice, prices })) problems.add(words)
  const onePrice = scheme === 'per_unit'
  return {
    ...readCommon(fields),
    kind,
    unitName: fields.unit_name,
    pricingScheme: scheme,
    unitPrice: onePrice ? (unitPrice ?? prices[0]?.unitPrice ?? null) : null,
    prices: onePrice ? [] : inOrder(prices),
    allowFractionalQuantities: fields.allow_fractional_quantities === true,
  }
}
