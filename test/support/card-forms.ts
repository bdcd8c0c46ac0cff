/** Forms for the portal's card page, with marked numbers. */
import { grouped, markedBadCode, markedCodes } from './marked-cards.ts'

/** What a browser posts to change a card; the numbers stand where they belong, and where they do not. */
export function cardForms(number: () => string): string[] {
  const form = (changes: Record<string, string> = {}) =>
    new URLSearchParams({
      number: number(),
      month: '12',
      year: '2099',
      cvv: markedCodes[0],
      first_name: 'Ada',
      last_name: 'Lovelace',
      ...changes,
    }).toString()
  return [
    form(),
    form({ number: grouped(number(), ' ') }),
    form({ cvv: markedBadCode }),
    ...['month', 'year', 'cvv', 'first_name', 'last_name', 'zip', number()].map((name) => form({ [name]: number() })),
    form({ number: `${number()}1` }),
  ]
}
