/** What customers pay with, a card or a bank account: kind, mask, expiry and vault token; never a full number. */
import type { BankAccountHolderType, BankAccountType } from './bank-account.ts'
import { twoDigits } from './calendar.ts'
import type { PostalAddress } from './customer.ts'

export const cardTypes = [
  'bogus',
  'visa',
  'master',
  'discover',
  'american_express',
  'diners_club',
  'jcb',
  'switch',
  'solo',
  'dankort',
  'maestro',
  'forbrugsforeningen',
  'laser',
] as const
export type CardType = (typeof cardTypes)[number]

export type BillingAddress = {
  billingAddress: string | null
  billingAddress2: string | null
  billingCity: string | null
  billingState: string | null
  billingZip: string | null
  billingCountry: string | null
}

export const paymentTypes = ['credit_card', 'bank_account'] as const
export type PaymentType = (typeof paymentTypes)[number]

/** What is known of a bank account; all of it is null for a card. */
export type BankDetails = {
  bankName: string | null
  bankAccountType: BankAccountType | null
  bankAccountHolderType: BankAccountHolderType | null
  maskedBankRoutingNumber: string | null
  maskedBankAccountNumber: string | null
  /** Whether the gateway may be asked for money of the account; where it wants proof, two small deposits must be told first. */
  verified: boolean | null
}

export type PaymentProfile = BillingAddress &
  BankDetails & {
    paymentType: PaymentType
    siteId: number
    id: number
    customerId: number
    firstName: string | null
    lastName: string | null
    cardType: CardType | null
    lastFour: string | null
    maskedCardNumber: string | null
    expirationMonth: number | null
    expirationYear: number | null
    currentVault: string
    vaultToken: string
    customerVaultToken: string | null
    createdAt: Temporal.Instant
    updatedAt: Temporal.Instant
  }

/** What a card has in the place of a bank. */
export const noBank: BankDetails = {
  bankName: null,
  bankAccountType: null,
  bankAccountHolderType: null,
  maskedBankRoutingNumber: null,
  maskedBankAccountNumber: null,
  verified: null,
}

/** The brand of a card, or that it is none but a bank account. */
export type PaidWith = CardType | 'bank_account'
export const paidWith = ({
  paymentType,
  cardType,
}: Pick<PaymentProfile, 'paymentType' | 'cardType'>): PaidWith | null =>
  paymentType === 'bank_account' ? paymentType : cardType

export const addressOfCard = (card: BillingAddress): PostalAddress => ({
  address: card.billingAddress,
  address2: card.billingAddress2,
  city: card.billingCity,
  state: card.billingState,
  zip: card.billingZip,
  country: card.billingCountry,
})

/** First match wins: narrower ranges stand before the wider ones that contain them. */
const numberRanges: readonly [CardType, RegExp][] = [
  ['bogus', /^[123]$/],
  ['dankort', /^5019\d{12}$/],
  ['forbrugsforeningen', /^600722\d{10}$/],
  ['switch', /^(4903|4905|4911|4936|564182|633110|6333|6759)\d{10,13}$/],
  ['solo', /^(6334|6767)\d{12,15}$/],
  ['laser', /^(6304|6706|6709|6771)\d{12,15}$/],
  ['visa', /^4\d{12}(\d{3}){0,2}$/],
  ['master', /^(5[1-5]\d{4}|222[1-9]\d{2}|22[3-9]\d{3}|2[3-6]\d{4}|27[01]\d{3}|2720\d{2})\d{10}$/],
  ['discover', /^(6011|65\d{2}|64[4-9]\d)\d{12,15}$/],
  ['american_express', /^3[47]\d{13}$/],
  ['diners_club', /^3(0[0-5]|[68]\d)\d{11,16}$/],
  ['jcb', /^35(28|29|[3-8]\d)\d{12,15}$/],
  ['maestro', /^(5[06-8]|6)\d{10,17}$/],
]

/** A number as it is sent may carry blanks and dashes between its groups. */
export const digitsIn = (sent: string): string => sent.replace(/[ -]/g, '')

/** The brand by the number's range; null for a number of no known brand. Takes digits only. */
export const cardTypeOf = (digits: string): CardType | null =>
  numberRanges.find(([, range]) => range.test(digits))?.[0] ?? null

/** All but the last four digits replaced: `XXXX-XXXX-XXXX-1111`; the test numbers 1, 2 and 3 keep their one digit. */
export const maskCardNumber = (lastFour: string): string => `XXXX-XXXX-XXXX-${lastFour}`

/** What the mask of a card's or an account's number leaves to be read; nothing where the number was not known. */
export const lastFourOf = (maskedNumber: string): string => maskedNumber.replace(/^(?:XXXX-)*(?:XXXX)?/, '')

/** The checksum of real card numbers; the one-digit test numbers are exempt from it. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** A plausible card number: digits only, 12 to 19 of them with a right checksum, or one of the test numbers 1, 2 and 3. */
export const isCardNumber = (digits: string): boolean =>
  /^[123]$/.test(digits) || (/^\d{12,19}$/.test(digits) && passesLuhn(digits))

/** A card is good through the last moment of its month, by the calendar of the site's zone. */
export function isExpired(month: number, year: number, now: Temporal.Instant, timeZone: string): boolean {
  const today = now.toZonedDateTimeISO(timeZone)
  return year < today.year || (year === today.year && month < today.month)
}

/** `MM/YYYY`; null where the card's month or year is not known. */
export const formatExpiration = (card: {
  expirationMonth: number | null
  expirationYear: number | null
}): string | null =>
  card.expirationMonth === null || card.expirationYear === null
    ? null
    : `${twoDigits(card.expirationMonth)}/${card.expirationYear}`
