/** Which taxes apply to whom, and what they come to. */
import { type Cents, type DecimalText, type MinorUnit, percentageOf } from './money.ts'

/** A rate in percent, for a country or for one of its states, both in upper case. */
export type Tax = {
  siteId: number
  id: number
  name: string
  rate: DecimalText
  country: string
  state: string | null
}

/** What falls of one tax on one line. */
export type TaxShare = { tax: Tax; amount: Cents }

/** What falls of one tax on one charge of the ledger, under the name and the rate that it had then. */
export type Taxation = {
  siteId: number
  chargeId: number
  /** The ledger row of the tax, of which this is a part. */
  taxChargeId: number
  taxId: number
  taxName: string
  rate: DecimalText
  amount: Cents
}

export type TaxAddress = { country: string | null; state: string | null }

export type TaxedCustomer = {
  address: TaxAddress
  /** Where the bills of the card go; null without a card. */
  billing: TaxAddress | null
  taxExempt: boolean
  vatNumber: string | null
}

/** Taxed where the bills go; where the card does not say in which country that is, where the customer is. Never a bit of both. */
const taxPlaceOf = ({ address, billing }: TaxedCustomer): TaxAddress => (billing?.country?.trim() ? billing : address)

/** Value added tax of the European Union: a VAT number opts out, unless the customer is billed in the merchant's own country. */
const euCountries = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' '),
)
/** Greece begins its VAT numbers with letters of its own. */
const vatPrefixes = new Set([...euCountries, 'EL'])

/**
 * Whether it has the form of one: the letters of a member country, then digits and letters; without those letters it begins with a
 * digit. Whether anybody has it is not asked.
 */
export function isVatNumber(text: string): boolean {
  const plain = text.toUpperCase().replace(/[\s.-]/g, '')
  if (/^\d[0-9A-Z+*]{7,11}$/.test(plain)) return true
  return vatPrefixes.has(plain.slice(0, 2)) && /^(?=.*\d)[0-9A-Z+*]{2,12}$/.test(plain.slice(2))
}

/**
 * The taxes of where the customer is billed, in the order of their ids; none for the exempt. A VAT number opts out by the same place.
 * Countries and states are compared without case. Whatever is priced asks here.
 */
export function taxesFor(taxes: readonly Tax[], customer: TaxedCustomer, merchantCountry: string | null): Tax[] {
  const { taxExempt, vatNumber } = customer
  const place = taxPlaceOf(customer)
  const country = place.country?.trim().toUpperCase()
  if (taxExempt || country === undefined || country === '') return []
  const optsOut =
    euCountries.has(country) && country !== merchantCountry && vatNumber !== null && isVatNumber(vatNumber)
  if (optsOut) return []
  const state = place.state?.trim().toUpperCase()
  return taxes
    .filter((tax) => tax.country === country && (tax.state === null || tax.state === state))
    .toSorted((left, right) => left.id - right.id)
}

export const taxOn = (tax: Tax, taxable: Cents, unit: MinorUnit): Cents => percentageOf(taxable, tax.rate, unit)

/** `MA Tax (6.25%)`, `SE Tax (25.0%)`: a whole rate shows one decimal. */
export const taxMemo = ({ name, rate }: Tax): string => `${name} (${formatRate(rate)}%)`

export function formatRate(rate: DecimalText): string {
  const [whole = '0', fraction = ''] = rate.split('.')
  const digits = fraction.replace(/0+$/, '')
  return `${Number(whole)}.${digits === '' ? '0' : digits}`
}

/** A rate in percent as a fraction of one: '6.25' is '0.0625'. */
export function fractionOf(rate: DecimalText): DecimalText {
  const [whole = '0', fraction = ''] = rate.split('.')
  const digits = whole.padStart(3, '0')
  return formatRate(`${digits.slice(0, -2)}.${digits.slice(-2)}${fraction}`)
}
