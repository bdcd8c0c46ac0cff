/** The price of one subscription alone, as sign-ups and updates describe it: whole, since nothing of the product's price is kept. */
import { plainProduct } from '../billing/catalog.ts'
import type { CustomPrice } from '../billing/custom-price.ts'
import { boolean, type Command, cents, integer, nested, oneOf, text, unsupported } from '../wire/input.ts'
import { lengthMax, termsOf, trialOf, units } from './product-input.ts'

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
  tax_included: unsupported('Custom price tax included', 'taxes come on top of prices'),
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
