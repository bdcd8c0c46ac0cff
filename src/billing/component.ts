/** What can be added to a product: a counted quantity, a switch, or metered usage; and how much of it a subscription has. */
import type { DecimalText } from './money.ts'

export const componentKinds = ['metered_component', 'quantity_based_component', 'on_off_component'] as const
export type ComponentKind = (typeof componentKinds)[number]

export const pricingSchemes = ['per_unit', 'volume', 'tiered', 'stairstep'] as const
export type PricingScheme = (typeof pricingSchemes)[number]

export const itemCategories = [
  'Business Software',
  'Consumer Software',
  'Digital Services',
  'Physical Goods',
  'Other',
] as const
type ItemCategory = (typeof itemCategories)[number]

/** Prices are in dollars, exact decimals; an open end is null. Quantities of a bracket are whole. */
export type PriceBracket = { startingQuantity: number; endingQuantity: number | null; unitPrice: DecimalText }

export type Component = {
  siteId: number
  id: number
  productFamilyId: number
  name: string
  handle: string | null
  description: string | null
  /** Singular; `on/off` for a switch. */
  unitName: string
  kind: ComponentKind
  /** Null for a switch. */
  pricingScheme: PricingScheme | null
  /** Set for a switch and for one price per unit; else the brackets say it. */
  unitPrice: DecimalText | null
  prices: readonly PriceBracket[]
  /** The prices are those of one subscription, and not the catalog's. */
  hasCustomPrice?: boolean
  taxable: boolean
  allowFractionalQuantities: boolean
  /** What is false is charged once and then no more; only quantities are. */
  recurring: boolean
  accountingCode: string | null
  taxCode: string | null
  itemCategory: ItemCategory | null
  displayOnHostedPage: boolean
  archivedAt: Temporal.Instant | null
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
}

/** What a component costs. */
export type ComponentPrice = Pick<Component, 'pricingScheme' | 'unitPrice' | 'prices'>

/**
 * How much of a component a subscription has: `quantity` is allocated (1 or 0 for a switch), of what is charged once so much as was not
 * charged yet; `unitBalance` is metered usage not billed yet.
 */
export type SubscribedComponent = { component: Component; quantity: DecimalText; unitBalance: DecimalText }

/** `1 user`, `18 users`, `20.0 users` where fractions are allowed: the unit in the plural unless there is exactly one. */
export function formatQuantity(component: Component, quantity: DecimalText): string {
  return `${formatNumber(component, quantity)} ${pluralOf(component.unitName, quantity)}`
}

type Counting = Pick<Component, 'allowFractionalQuantities'>

/** Fractional components always show a fraction. */
export const formatNumber = ({ allowFractionalQuantities }: Counting, quantity: DecimalText): string =>
  allowFractionalQuantities && !quantity.includes('.') ? `${quantity}.0` : quantity

/** As data carries it: a number where quantities are whole; else text, so that no digit is lost. */
export const shownNumber = (quantity: DecimalText, component: Counting): number | string =>
  component.allowFractionalQuantities ? formatNumber(component, quantity) : Number(quantity)

const isOne = (quantity: DecimalText): boolean => /^0*1(\.0*)?$/.test(quantity)

/** What ends in a single s is a plural, other than `status`, `analysis` and these; capitals before it (`GPUs`, `APIs`) are no such ending. */
const isPlural = (word: string): boolean =>
  /[^s]s$/i.test(word) && !/(us|is|^[Gg]as|^[Ll]ens|^[Bb]ias|^[Aa]lias|^[Aa]tlas|^[Cc]anvas)$/.test(word)

/**
 * Merchants name a unit in the singular, and some in the plural: `event` and `events` both become `events`. Of a name of several words the
 * last one changes; a sign, as in `%` and `m²`, takes no ending.
 */
export function pluralOf(unitName: string, quantity: DecimalText): string {
  const [last] = /\p{L}+$/u.exec(unitName) ?? []
  if (isOne(quantity) || last === undefined || isPlural(last)) return unitName
  if (/[^aeiou]y$/i.test(last)) return `${unitName.slice(0, -1)}ies`
  return /(s|x|z|ch|sh)$/i.test(last) ? `${unitName}es` : `${unitName}s`
}
