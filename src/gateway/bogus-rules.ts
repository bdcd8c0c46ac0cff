/** How the test gateway decides: by the card it was shown, or by the token that it gave out for it. */
import { randomBytes } from 'node:crypto'
import { isCardNumber } from '../billing/payment-profile.ts'

export const successMessage = 'Bogus Gateway: Forced success'
export const declineMessage = 'Bogus Gateway: Forced failure'
export const errorMessage = 'Bogus Gateway: Forced error'

const decliningNumbers = new Set(['2', '4000000000000002'])

/** The token that stands for a card: the test numbers 1 and 2 themselves, else a random one whose end says how it behaves. */
export function vaultTokenFor(fullNumber: string): string | undefined {
  if (fullNumber === '1' || fullNumber === '2') return fullNumber
  if (fullNumber === '3' || !isCardNumber(fullNumber)) return undefined
  return `bogus_${randomBytes(9).toString('hex')}_${decliningNumbers.has(fullNumber) ? 2 : 1}`
}

/** Tokens that end in 2 are declined, those that end in 3 go wrong, all others are approved. */
export function answerFor(vaultToken: string): { outcome: 'approved' | 'declined' | 'error'; message: string } {
  const behaviour = /(?:^|_)([123])$/.exec(vaultToken)?.[1]
  if (behaviour === '2') return { outcome: 'declined', message: declineMessage }
  if (behaviour === '3') return { outcome: 'error', message: errorMessage }
  return { outcome: 'approved', message: successMessage }
}
