/** How what customers pay with is shown where it may be either: a card with the fields of cards, a bank account with its own. */
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { Fields } from '../wire/shape.ts'
import { bankAccountShape, presentBankAccount } from './bank-account.ts'
import { creditCardShape, presentCreditCard } from './credit-card.ts'

/** The fields of both; each profile has those of its kind alone. */
export const paymentProfileShape: Fields = {
  ...creditCardShape,
  fields: { ...creditCardShape.fields, ...bankAccountShape.fields },
}

/** Timestamps carry the offset of `timeZone`, the site's. */
export const presentPaymentProfile = (profile: PaymentProfile, timeZone: string) =>
  profile.paymentType === 'bank_account' ? presentBankAccount(profile, timeZone) : presentCreditCard(profile, timeZone)
