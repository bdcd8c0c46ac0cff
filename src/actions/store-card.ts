/** Hands a new card to the gateway and makes the row that stands for it; the number goes no further than this. */
import type { BillingAddress, CardType, PaymentProfile } from '../billing/payment-profile.ts'
import { cardTypeOf, isExpired, maskCardNumber } from '../billing/payment-profile.ts'
import { invalid, pending } from '../billing/refusal.ts'
import type { NewCard } from '../gateway/gateway.ts'
import { type App, gatewayOf } from './app.ts'
import { refuseVault } from './live-sites.ts'

/** New cards go to this gateway's vault. */
export const newCardVault = 'bogus'

/** A card to be stored, or one that a vault keeps already and that is only made known to us. */
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
}

/** The vault that keeps the card, or will. */
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
 * The row of a stored card. Refuses what the gateway refuses, in the gateway's words; an unknown answer stores nothing. A live site
 * has no use for cards of the test gateway, imported ones included.
 */
export async function storeCard(
  app: App,
  profile: NewPaymentProfile,
  owner: Owner,
  idempotencyKey: string,
): Promise<PaymentProfile> {
  const { number, imported } = profile
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
    const maskedCardNumber = imported.lastFour && maskCardNumber(imported.lastFour)
    return { ...common, ...imported, maskedCardNumber }
  }
  if (number === null) throw invalid('Credit card number: cannot be blank.')
  const vault = await vaultCard(app, number, { siteId: owner.siteId, idempotencyKey })
  const lastFour = number.fullNumber.slice(-4)
  return {
    ...common,
    ...vault,
    cardType: cardTypeOf(number.fullNumber),
    lastFour,
    maskedCardNumber: maskCardNumber(lastFour),
    expirationMonth: number.expirationMonth,
    expirationYear: number.expirationYear,
  }
}

async function vaultCard(app: App, number: NewCard, reference: { siteId: number; idempotencyKey: string }) {
  const gateway = gatewayOf(app, newCardVault)
  if (gateway === undefined) throw invalid(`No gateway keeps cards of the vault ${newCardVault}.`)
  const stored = await gateway
    .store(number, reference)
    .catch(() => ({ result: 'unknown', message: 'The conversation with the gateway broke.' }) as const)
  // Nothing was taken: whoever repeats the request has the card stored anew.
  if (stored.result === 'unknown') throw pending(stored.message)
  if (stored.result !== 'approved') throw invalid(stored.message)
  return { currentVault: newCardVault, vaultToken: stored.vaultToken, customerVaultToken: stored.customerVaultToken }
}
