/** Prices of one subscription alone, as sign-ups and updates describe them: whole, since nothing of the catalog's price is kept. */
import { plainProduct } from '../billing/catalog.ts'
import { pricingSchemes } from '../billing/component.ts'
import { type CustomComponentPrice, quantityMax, unitPriceMax, unitPricePlaces } from '../billing/component-prices.ts'
import type { CustomPrice } from '../billing/custom-price.ts'
import { canonicalDecimal } from '../billing/quantity.ts'
import {
  boolean,
  type Command,
  cents,
  decimal,
  integer,
  listOf,
  nested,
  object,
  oneOf,
  text,
  unsupported,
} from '../wire/input.ts'
import { lengthMax, termsOf, trialOf, units } from './product-input.ts'

const taxIncluded = { tax_included: unsupported('Custom price tax included', 'taxes come on top of prices') }

export const customPriceInput = nested('Custom price', {
  name: text('Custom price name'),
  handle: text('Custom price handle'),
  price_in_cents: cents('Custom price', { required: true, min: 0 }),
  interval: integer('Custom price interval', { required: true, min: 1, max: lengthMax }),
  interval_unit: oneOf('Custom price interval unit', units),
  trial_price_in_cents: cents('Custom price trial price', { min: 0 }),
  trial_interval: integer('Custom price trial interval', { min: 0, max: lengthMax }),
  trial_interval_unit: oneOf('Custom price trial interval unit', units),
  initial_charge_in_cents: cents('Custom price initial charge', { min: 0 }),
  initial_charge_after_trial: boolean('Custom price initial charge after trial'),
  expiration_interval: integer('Custom price expiration interval', { min: 0, max: lengthMax }),
  expiration_interval_unit: oneOf('Custom price expiration interval unit', [...units, 'never']),
  ...taxIncluded,
})

/** Throws `InputErrors` where the length and the price of a trial do not go together. Null where none was sent. */
export function readCustomPrice(sent: Command<typeof customPriceInput>): CustomPrice | null {
  if (!sent) return null
  return {
    name: sent.name?.trim() || null,
    handle: sent.handle?.trim() || null,
    ...termsOf(sent, plainProduct),
    trial: trialOf(sent, null),
  }
}

const ownPeriod = 'components are billed with the period of the subscription'
const bound = { min: 0, max: quantityMax }

/** Unlike a price of the catalog, one of these may be 0. */
const bracketInput = object(
  {
    starting_quantity: integer('Custom price starting quantity', { required: true, ...bound }),
    ending_quantity: integer('Custom price ending quantity', bound),
    unit_price: decimal('Custom price unit price', {
      required: true,
      min: 0,
      max: unitPriceMax,
      places: unitPricePlaces,
    }),
  },
  { error: () => 'Custom price prices: must be a list of price brackets.' },
)

/** Of a component; the scheme stays that of the component where it is not given. */
export const customComponentPriceInput = nested('Custom price', {
  pricing_scheme: oneOf('Custom price pricing scheme', pricingSchemes),
  prices: listOf('Custom price prices', bracketInput, { max: 100 }),
  interval: unsupported('Custom price interval', ownPeriod),
  interval_unit: unsupported('Custom price interval unit', ownPeriod),
  ...taxIncluded,
})

export const readCustomComponentPrice = (
  sent: Command<typeof customComponentPriceInput>,
): CustomComponentPrice | null =>
  sent
    ? {
        scheme: sent.pricing_scheme ?? null,
        prices: (sent.prices ?? []).map((bracket) => ({
          startingQuantity: bracket.starting_quantity,
          endingQuantity: bracket.ending_quantity ?? null,
          unitPrice: canonicalDecimal(bracket.unit_price),
        })),
      }
    : null
