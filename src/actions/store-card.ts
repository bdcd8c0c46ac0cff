/** Hands a new card or bank account to the gateway and makes the row that stands for it; the number goes no further than this. */
import type { BankDetails, BillingAddress, CardType, PaymentProfile } from '../billing/payment-profile.ts'
import { cardTypeOf, isExpired, lastFourOf, maskCardNumber, noBank } from '../billing/payment-profile.ts'
import { invalid, pending } from '../billing/refusal.ts'
import type { NewBankAccount, NewCard, StoreOutcome } from '../gateway/gateway.ts'
import { type App, gatewayOf } from './app.ts'
import { refuseVault } from './live-sites.ts'

/** New cards go to this gateway's vault. */
export const newCardVault = 'bogus'

/** A card or bank account to be stored, or one that a vault keeps already and that is only made known to us. */
export type NewPaymentProfile = BillingAddress & {
  firstName: string
  lastName: string
  number: NewCard | null
  imported: {
    currentVault: string
    vaultToken: string
    customerVaultToken: string | null
    lastFour: string | null
    cardType: CardType | null
    expirationMonth: number | null
    expirationYear: number | null
  } | null
  /** There is no card then. `account` is null where a vault keeps it already. */
  bank?: { details: BankDetails; account: NewBankAccount | null }
}

/** The vault that keeps it, or will. */
export const vaultOf = ({ imported }: Pick<NewPaymentProfile, 'imported'>): string =>
  imported?.currentVault ?? newCardVault

/** Refuses a card whose month is over by the site's calendar; one of which it is not known passes. */
export function refuseExpired(
  { expirationMonth: month, expirationYear: year }: Pick<PaymentProfile, 'expirationMonth' | 'expirationYear'>,
  now: Temporal.Instant,
  timeZone: string,
): void {
  if (month !== null && year !== null && isExpired(month, year, now, timeZone)) {
    throw invalid('Credit card: cannot be expired.')
  }
}

/** Whose row it will be. */
type Owner = { siteId: number; id: number; customerId: number; now: Temporal.Instant }

/**
 * The row of a stored card or bank account. Refuses what the gateway refuses, in the gateway's words; an unknown answer stores nothing. A live site
 * has no use for cards of the test gateway, imported ones included.
 */
export async function storeCard(
  app: App,
  profile: NewPaymentProfile,
  owner: Owner,
  idempotencyKey: string,
): Promise<PaymentProfile> {
  const { number, imported, bank } = profile
  await refuseVault(app, owner.siteId, vaultOf(profile))
  const {
    firstName,
    lastName,
    billingAddress,
    billingAddress2,
    billingCity,
    billingState,
    billingZip,
    billingCountry,
  } = profile
  const common = {
    siteId: owner.siteId,
    id: owner.id,
    customerId: owner.customerId,
    firstName,
    lastName,
    billingAddress,
    billingAddress2,
    billingCity,
    billingState,
    billingZip,
    billingCountry,
    createdAt: owner.now,
    updatedAt: owner.now,
  }
  if (imported !== null) {
    if (bank) return { ...common, ...imported, ...noCard, ...bank.details }
    const maskedCardNumber = imported.lastFour && maskCardNumber(imported.lastFour)
    return { ...common, ...aCard, ...imported, maskedCardNumber }
  }
  const instrument = bank?.account ?? number
  if (instrument === null) throw invalid('Credit card number: cannot be blank.')
  const vault = await askVault(app, instrument, { siteId: owner.siteId, idempotencyKey })
  if ('fullNumber' in instrument) return { ...common, ...vault, ...aCard, ...cardFields(instrument) }
  const details = { ...noBank, ...bank?.details }
  return { ...common, ...noCard, ...details, ...vault, lastFour: lastFourOf(details.maskedBankAccountNumber ?? '') }
}

const aCard = { paymentType: 'credit_card', ...noBank } as const
const noCard = {
  paymentType: 'bank_account',
  cardType: null,
  maskedCardNumber: null,
  expirationMonth: null,
  expirationYear: null,
} as const

function cardFields({ fullNumber, expirationMonth, expirationYear }: NewCard) {
  const lastFour = fullNumber.slice(-4)
  const maskedCardNumber = maskCardNumber(lastFour)
  return { cardType: cardTypeOf(fullNumber), lastFour, maskedCardNumber, expirationMonth, expirationYear }
}

async function askVault(
  app: App,
  instrument: NewCard | NewBankAccount,
  reference: { siteId: number; idempotencyKey: string },
) {
  const gateway = gatewayOf(app, newCardVault)
  if (gateway === undefined) throw invalid(`No gateway keeps cards of the vault ${newCardVault}.`)
  const { vaultToken, customerVaultToken, verified = true } = await approved(gateway.store(instrument, reference))
  return { currentVault: newCardVault, vaultToken, customerVaultToken, verified }
}

/** Refuses what the gateway refuses. Nothing was taken: whoever repeats a request that was not answered has it done anew. */
export async function approved(asked: Promise<StoreOutcome>): Promise<Extract<StoreOutcome, { result: 'approved' }>> {
  const answer = await asked.catch(
    () => ({ result: 'unknown', message: 'The conversation with the gateway broke.' }) as const,
  )
  if (answer.result === 'unknown') throw pending(answer.message)
  if (answer.result !== 'approved') throw invalid(answer.message)
  return answer
}
