/** Refuses amounts that somebody gives in cents of a currency that has none; what is computed is rounded instead. */
import { type Cents, minorUnitOf } from './money.ts'
import { invalid } from './refusal.ts'

const inWords = (currency: string): string => `must be whole, since ${currency} has no cents.`

/** Whether an amount can be paid in the currency; null stands for none. */
export const isWhole = (amount: Cents | null, currency: string): boolean => (amount ?? 0) % minorUnitOf(currency) === 0

/** Refuses every given amount that is not whole, by its label. */
export function refuseCents(currency: string, amounts: Readonly<Record<string, Cents | null>>): void {
  const broken = Object.entries(amounts).filter(([, amount]) => !isWhole(amount, currency))
  if (broken.length > 0) throw invalid(...broken.map(([label]) => `${label}: ${inWords(currency)}`))
}
