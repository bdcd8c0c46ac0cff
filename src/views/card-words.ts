/** What a stored card or bank account is called in letters, on pages and on paper: its brand and the end of its number. */
import type { PaidWith } from '../billing/payment-profile.ts'

/** The test cards are of no brand. */
const brands: Partial<Record<string, string>> = {
  visa: 'Visa',
  master: 'Mastercard',
  discover: 'Discover',
  american_express: 'American Express',
  diners_club: 'Diners Club',
  jcb: 'JCB',
  switch: 'Switch',
  solo: 'Solo',
  dankort: 'Dankort',
  maestro: 'Maestro',
  forbrugsforeningen: 'Forbrugsforeningen',
  laser: 'Laser',
  bank_account: 'Bank account',
} satisfies Record<Exclude<PaidWith, 'bogus'>, string>

export const brandOf = (cardType: string | null): string => (cardType === null ? undefined : brands[cardType]) ?? 'Card'

/** What it is called in the middle of a sentence: `your card`, `your bank account`. */
export const kindName = (cardType: string | null): string => (cardType === 'bank_account' ? 'bank account' : 'card')

/** The same as the label of a fact. */
export const kindLabel = (cardType: string | null): string => (cardType === 'bank_account' ? 'Bank account' : 'Card')

/** `Visa ending in 1111`. */
export const cardName = ({ cardType, lastFour }: { cardType: string | null; lastFour: string | null }): string =>
  `${brandOf(cardType)} ending in ${lastFour || '????'}`
