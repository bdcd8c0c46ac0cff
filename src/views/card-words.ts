/** What a stored card is called in letters, on pages and on paper: its brand and the end of its number. */
import type { CardType } from '../billing/payment-profile.ts'

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
} satisfies Record<Exclude<CardType, 'bogus'>, string>

export const brandOf = (cardType: string | null): string => (cardType === null ? undefined : brands[cardType]) ?? 'Card'

/** `Visa ending in 1111`. */
export const cardName = ({ cardType, lastFour }: { cardType: string | null; lastFour: string | null }): string =>
  `${brandOf(cardType)} ending in ${lastFour ?? '????'}`
