/** A tax as requests describe it, whole or in part. */
import type { TaxTerms } from '../actions/create-tax.ts'
import { decimal, object, readInput, text } from '../wire/input.ts'

const isEmptyOrCode = (sent: string | null | undefined): boolean => !sent?.trim() || /^[A-Za-z]{2}$/.test(sent.trim())

/** Two letters of either case; blank is none. */
export const countryCode = (label: string) =>
  text(label).refine(isEmptyOrCode, `${label}: must be a country code of two letters.`)

const required = true

export const taxInput = object({
  name: text('Name', { required }),
  rate: decimal('Rate', { required, min: 0, max: 100 }),
  country: text('Country', { required }).refine(isEmptyOrCode, 'Country: must be a country code of two letters.'),
  state: text('State'),
})
export const taxChangeInput = taxInput.partial()

/** Throws `InputErrors` with every problem at once. */
export function readNewTax(tree: unknown): TaxTerms {
  const { name, rate, country, state } = readInput(taxInput, tree)
  return { name, rate: plainDecimal(rate), country: upperCase(country), state: state?.trim() ? upperCase(state) : null }
}

/** What was sent and nothing else; a blank state makes it a tax of the whole country. Throws `InputErrors`. */
export function readTaxChange(tree: unknown): Partial<TaxTerms> {
  const { name, rate, country, state } = readInput(taxChangeInput, tree)
  return {
    ...(name !== undefined && { name }),
    ...(rate !== undefined && { rate: plainDecimal(rate) }),
    ...(country !== undefined && { country: upperCase(country) }),
    ...(state !== undefined && { state: state?.trim() ? upperCase(state) : null }),
  }
}

const upperCase = (text: string): string => text.trim().toUpperCase()

/** '+6', '.5' and '6.' are numbers as people write them; exact arithmetic wants '6' and '0.5'. */
export function plainDecimal(sent: string): string {
  const [whole = '', fraction = ''] = sent.replace('+', '').split('.')
  return `${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`
}
