/** How the test gateway decides: by the card or account it was shown, or by the token that it gave out for it. */
import { randomBytes } from 'node:crypto'
import { isAccountNumber, isIban } from '../billing/bank-account.ts'
import { isCardNumber } from '../billing/payment-profile.ts'
import type { NewBankAccount, NewCard } from './gateway.ts'

export const successMessage = 'Bogus Gateway: Forced success'
export const declineMessage = 'Bogus Gateway: Forced failure'
export const errorMessage = 'Bogus Gateway: Forced error'

const notVerifiedMessage = 'Bogus Gateway: The bank account is not verified'
export const wrongDepositsMessage = 'Bogus Gateway: These are not the deposits that were made'

const decliningNumbers = new Set(['2', '4000000000000002'])
const decliningAccounts = new Set(['000111111116', 'DE62370400440532013001'])
/** It is kept, and pays once it is verified. */
const unverifiedAccount = '4'

/** In cents, what the gateway lets every account find that is to be verified. */
const deposits = [32, 45]

/** The token that stands for a card or an account: the test numbers 1 and 2 themselves, else a random one whose end says how it behaves. */
export const vaultTokenFor = (instrument: NewCard | NewBankAccount): string | undefined =>
  'fullNumber' in instrument ? tokenOfCard(instrument.fullNumber) : tokenOfAccount(instrument)

function tokenOfAccount({ accountNumber, iban }: NewBankAccount): string | undefined {
  const number = accountNumber ?? iban ?? ''
  if (number === '1' || number === '2') return number
  if (number === '3' || !(isAccountNumber(number) || isIban(number))) return undefined
  return randomToken(number === unverifiedAccount ? 4 : decliningAccounts.has(number) ? 2 : 1)
}

function tokenOfCard(fullNumber: string): string | undefined {
  if (fullNumber === '1' || fullNumber === '2') return fullNumber
  if (fullNumber === '3' || !isCardNumber(fullNumber)) return undefined
  return randomToken(decliningNumbers.has(fullNumber) ? 2 : 1)
}

const randomToken = (behaviour: 1 | 2 | 4): string => `bogus_${randomBytes(9).toString('hex')}_${behaviour}`

/** Whether the account that the token stands for may be asked for money. */
export const isVerified = (vaultToken: string): boolean => !vaultToken.endsWith('_4')

/** The token of the same account once it is verified; undefined where the deposits are others than those that were made. */
export const verifiedToken = (vaultToken: string, told: readonly number[]): string | undefined =>
  told.toSorted((a, b) => a - b).join() === deposits.join() ? vaultToken.replace(/_4$/, '_1') : undefined

/** Tokens that end in 2 are declined, those that end in 3 go wrong, those that end in _4 wait for verification, all others are approved. */
export function answerFor(vaultToken: string): { outcome: 'approved' | 'declined' | 'error'; message: string } {
  const behaviour = /(?:^|_)([123]|(?<=_)4)$/.exec(vaultToken)?.[1]
  if (behaviour === '2') return { outcome: 'declined', message: declineMessage }
  if (behaviour === '3') return { outcome: 'error', message: errorMessage }
  if (behaviour === '4') return { outcome: 'declined', message: notVerifiedMessage }
  return { outcome: 'approved', message: successMessage }
}
