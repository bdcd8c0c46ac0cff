/** Which taxes apply to whom, and what they come to. */
import { type Cents, type DecimalText, percentageOf } from './money.ts'

/** A rate in percent, for a country or for one of its states. */
export type Tax = {
  siteId: number
  id: number
  name: string
  rate: DecimalText
  country: string
  state: string | null
}

export type TaxAddress = { country: string | null; state: string | null }

/** Value added tax of the European Union: a VAT number opts out, unless the customer is in the merchant's own country. */
const euCountries = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' '),
)

export type TaxedCustomer = { address: TaxAddress; taxExempt: boolean; vatNumber: string | null }

/** The taxes of an address, in the order of their ids; none for the exempt. Countries and states are compared without case. */
export function taxesFor(taxes: readonly Tax[], customer: TaxedCustomer, merchantCountry: string | null): Tax[] {
  const { address, taxExempt, vatNumber } = customer
  const country = address.country?.trim().toUpperCase()
  if (taxExempt || country === undefined || country === '') return []
  const optsOut =
    vatNumber !== null && vatNumber.trim() !== '' && euCountries.has(country) && country !== merchantCountry
  if (optsOut) return []
  const state = address.state?.trim().toUpperCase()
  return taxes.filter((tax) => tax.country === country && (tax.state === null || tax.state === state))
}

export const taxOn = (tax: Tax, taxable: Cents): Cents => percentageOf(taxable, tax.rate)

/** `MA Tax (6.25%)`, `SE Tax (25.0%)`: a whole rate shows one decimal. */
export const taxMemo = ({ name, rate }: Tax): string => `${name} (${formatRate(rate)}%)`

export function formatRate(rate: DecimalText): string {
  const [whole = '0', fraction = ''] = rate.split('.')
  const digits = fraction.replace(/0+$/, '')
  return `${Number(whole)}.${digits === '' ? '0' : digits}`
}
