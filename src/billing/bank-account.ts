/** The numbers of bank accounts: what they must look like, and what is left of them once the gateway has them. */

export const bankAccountTypes = ['checking', 'savings'] as const
export type BankAccountType = (typeof bankAccountTypes)[number]

export const bankAccountHolderTypes = ['personal', 'business'] as const
export type BankAccountHolderType = (typeof bankAccountHolderTypes)[number]

/** All but the last four characters replaced: `XXXX3344`. Nothing is left of what is not known. */
export const maskBankNumber = (ending: string | null): string => `XXXX${(ending ?? '').slice(-4)}`

/** Account, routing and branch codes and IBANs may be sent with blanks and dashes between their groups. */
export const bankNumberIn = (sent: string): string => sent.replace(/[ -]/g, '').toUpperCase()

/** 5 to 20 digits, so that a mask hides some of them; the one-digit test numbers are exempt. */
export const isAccountNumber = (number: string): boolean => /^(?:[1-4]|\d{5,20})$/.test(number)

/** The code of a bank or of one of its branches: a routing number, a sort code, a BSB. */
export const isBankCode = (code: string): boolean => /^[0-9A-Z]{3,12}$/.test(code)

/** Country, checksum and the account within the country, of the right checksum by ISO 13616. */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(iban)) return false
  const moved = iban.slice(4) + iban.slice(0, 4)
  let remainder = 0
  for (const character of moved) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}
