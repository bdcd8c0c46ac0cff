/** A product as requests describe it, whole or in part. */
import type { CreateProduct } from '../actions/create-product.ts'
import type { ProductChange } from '../actions/update-product.ts'
import type { Interval } from '../billing/calendar.ts'
import { type PricingTerms, type ProductDetails, plainProduct, type Trial, trialTypes } from '../billing/catalog.ts'
import { cents as asCents, type Cents } from '../billing/money.ts'
import {
  boolean,
  type Command,
  cents,
  InputErrors,
  integer,
  longTextMax,
  object,
  oneOf,
  readInput,
  text,
} from '../wire/input.ts'
import { Problems } from './problems.ts'

/** Three hundred years of months, ten of days: beyond every period that anybody bills. */
export const lengthMax = 3650
export const units = ['day', 'month'] as const

export const productInput = object({
  name: text('Name', { required: true }),
  handle: text('API Handle'),
  description: text('Description', { max: longTextMax }),
  accounting_code: text('Accounting code'),
  request_credit_card: boolean('Request credit card'),
  require_credit_card: boolean('Require credit card'),
  price_in_cents: cents('Price', { required: true, min: 0 }),
  interval: integer('Interval', { required: true, min: 1, max: lengthMax }),
  interval_unit: oneOf('Interval unit', units),
  initial_charge_in_cents: cents('Initial charge', { min: 0 }),
  initial_charge_after_trial: boolean('Initial charge after trial'),
  expiration_interval: integer('Expiration interval', { min: 0, max: lengthMax }),
  expiration_interval_unit: oneOf('Expiration interval unit', [...units, 'never']),
  return_url: text('Return URL', { max: longTextMax }),
  return_params: text('Return params', { max: longTextMax }),
  update_return_url: text('Update return URL', { max: longTextMax }),
  update_return_params: text('Update return params', { max: longTextMax }),
  taxable: boolean('Taxable'),
  tax_code: text('Tax code'),
  require_billing_address: boolean('Require billing address'),
  request_billing_address: boolean('Request billing address'),
  require_shipping_address: boolean('Require shipping address'),
  request_shipping_address: boolean('Request shipping address'),
})
export const productChangeInput = productInput.partial()
type Fields = Command<typeof productChangeInput>
type PriceFields = Pick<
  Fields,
  | 'price_in_cents'
  | 'interval'
  | 'interval_unit'
  | 'initial_charge_in_cents'
  | 'initial_charge_after_trial'
  | 'expiration_interval'
  | 'expiration_interval_unit'
>

/** Apart from the others, so that what is wrong with a trial is told even where something else is wrong too. */
export const trialInput = object({
  trial_price_in_cents: cents('Trial Price', { min: 0 }),
  trial_interval: integer('Trial Interval', { min: 0, max: lengthMax }),
  trial_interval_unit: oneOf('Trial interval unit', units),
  trial_type: oneOf('Trial type', trialTypes),
})
type TrialFields = Command<typeof trialInput>

/** Throws `InputErrors` with every problem at once. */
export function readNewProduct(tree: unknown): CreateProduct {
  const problems = new Problems()
  const fields = problems.gather(() => readInput(productInput, tree)) ?? {}
  const trial = problems.gather(() => trialOf(readInput(trialInput, tree), null)) ?? null
  problems.tell()
  return { ...detailsOf(fields, plainProduct), ...termsOf(fields, plainProduct), trial }
}

/** What is wrong with the fields is thrown now; what is wrong with them for this product, when the change is made. */
export function readProductChange(tree: unknown): ProductChange {
  const problems = new Problems()
  const fields = problems.gather(() => readInput(productChangeInput, tree)) ?? {}
  const trial = problems.gather(() => readInput(trialInput, tree)) ?? {}
  problems.tell()
  return (before) => ({
    ...detailsOf(fields, before),
    ...termsOf(fields, before),
    trial: trialOf(trial, before.trial),
  })
}

/** Blank is none. */
const words = (sent: string | null | undefined, before: string | null): string | null =>
  sent === undefined ? before : sent?.trim() ? sent : null
/** Null is false. */
const flag = (sent: boolean | null | undefined, before: boolean): boolean =>
  sent === undefined ? before : sent === true

const detailsOf = (fields: Fields, before: ProductDetails): ProductDetails => ({
  name: fields.name ?? before.name,
  handle: words(fields.handle, before.handle),
  description: words(fields.description, before.description),
  accountingCode: words(fields.accounting_code, before.accountingCode),
  requestCreditCard: flag(fields.request_credit_card, before.requestCreditCard),
  requireCreditCard: flag(fields.require_credit_card, before.requireCreditCard),
  taxable: flag(fields.taxable, before.taxable),
  taxCode: words(fields.tax_code, before.taxCode),
  requireBillingAddress: flag(fields.require_billing_address, before.requireBillingAddress),
  requestBillingAddress: flag(fields.request_billing_address, before.requestBillingAddress),
  requireShippingAddress: flag(fields.require_shipping_address, before.requireShippingAddress),
  requestShippingAddress: flag(fields.request_shipping_address, before.requestShippingAddress),
  returnUrl: words(fields.return_url, before.returnUrl),
  returnParams: words(fields.return_params, before.returnParams),
  updateReturnUrl: words(fields.update_return_url, before.updateReturnUrl),
  updateReturnParams: words(fields.update_return_params, before.updateReturnParams),
})

const centsOrNone = (value: number | null): Cents | null => (value === null ? null : asCents(value))

export const termsOf = (fields: PriceFields, before: PricingTerms): Omit<PricingTerms, 'trial'> => ({
  price: fields.price_in_cents === undefined ? before.price : asCents(fields.price_in_cents),
  interval: { count: fields.interval ?? before.interval.count, unit: fields.interval_unit ?? before.interval.unit },
  initialCharge:
    fields.initial_charge_in_cents === undefined ? before.initialCharge : centsOrNone(fields.initial_charge_in_cents),
  initialChargeAfterTrial: flag(fields.initial_charge_after_trial, before.initialChargeAfterTrial),
  expiration: expirationOf(fields, before.expiration),
})

/** No length, a length of 0 and the unit `never` all say that nothing expires. */
function expirationOf(fields: PriceFields, before: Interval | null): Interval | null {
  const { expiration_interval: length, expiration_interval_unit: sentUnit } = fields
  const count = length === undefined ? before?.count : length
  const unit = sentUnit ?? before?.unit ?? 'month'
  return count && unit !== 'never' ? { count, unit } : null
}

/** No length and a length of 0 say that there is no trial. Throws `InputErrors` where length and price do not go together. */
export function trialOf(fields: TrialFields, before: Trial | null): Trial | null {
  const {
    trial_interval: sentLength,
    trial_price_in_cents: sentPrice,
    trial_interval_unit: unit,
    trial_type: type,
  } = fields
  const count = sentLength === undefined ? before?.interval.count : sentLength
  if (!count) {
    if (sentPrice) throw new InputErrors(['Trial Interval: must be given if a trial price is provided.'])
    return null
  }
  const price = sentPrice === undefined ? before?.price : sentPrice
  if (price === undefined || price === null) {
    throw new InputErrors(['Trial Price: must be given if a trial interval (duration) is provided.'])
  }
  return {
    price: asCents(price),
    interval: { count, unit: unit ?? before?.interval.unit ?? 'month' },
    type: type ?? before?.type ?? 'payment_expected',
  }
}
