/** Changes a stored card or bank account: names, address, expiry and bank in place, a number by storing the new one at the gateway. */
import { randomUUID } from 'node:crypto'
import { subjectOf } from '../billing/act.ts'
import { profileUpdate } from '../billing/life-event.ts'
import type { BankDetails, BillingAddress, PaymentProfile } from '../billing/payment-profile.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import { listFacts } from '../store/facts.ts'
import {
  findPaymentProfile,
  listSubscriptionsPaidBy,
  lockPaymentProfile,
  updatePaymentProfileRow,
} from '../store/payment-profiles.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'
import { type NewPaymentProfile, refuseExpired, storeCard } from './store-card.ts'

export type PaymentProfileChange = {
  details: Partial<
    BillingAddress &
      Pick<PaymentProfile, 'firstName' | 'lastName' | 'expirationMonth' | 'expirationYear'> &
      Pick<BankDetails, 'bankName' | 'bankAccountType' | 'bankAccountHolderType'>
  >
  /** A new card under the same id. */
  number: { fullNumber: string; cvv: string | null } | null
  /** A new bank account under the same id. */
  bank?: NewPaymentProfile['bank']
}

/** Nothing is collected. Refuses a new expiry that has passed, a number without expiry, and what the gateway refuses. */
export async function updatePaymentProfile(
  app: App,
  siteId: number,
  id: number,
  change: PaymentProfileChange,
): Promise<number> {
  const { details, number, bank } = change
  const [{ site, now }, before] = await Promise.all([
    siteAndNow(app, app.db, siteId),
    findPaymentProfile(app.db, siteId, id),
  ])
  if (before === undefined) throw notFound()
  const card = { ...before, ...details }
  const isNewExpiry =
    card.expirationMonth !== before.expirationMonth || card.expirationYear !== before.expirationYear || number !== null
  if (isNewExpiry) refuseExpired(card, now, site.timeZone)
  const stored = number === null && !bank ? {} : await storeNumber(app, card, change, now)
  return write(app, async (tx) => {
    const current = await lockPaymentProfile(tx, siteId, id)
    if (current === undefined) throw notFound()
    const changed = { ...current, ...details, ...stored }
    await updatePaymentProfileRow(tx, { ...changed, updatedAt: now })
    const fields = Object.keys(changed) as (keyof PaymentProfile)[]
    const isSame = fields.every((field) => current[field] === changed[field])
    const facts = await listFacts(tx, site, isSame ? [] : await listSubscriptionsPaidBy(tx, siteId, current))
    const events = [...facts.values()].map((known) =>
      profileUpdate(subjectOf(known, now), current.paymentType, { previousProfile: current }),
    )
    await commit(app, tx, siteId, [{ events }])
    return id
  })
}

/** What the gateway's answer and the new number change in the row. */
async function storeNumber(
  app: App,
  before: PaymentProfile,
  { number, bank }: PaymentProfileChange,
  now: Temporal.Instant,
): Promise<Partial<PaymentProfile>> {
  const holder = { firstName: before.firstName ?? '', lastName: before.lastName ?? '' }
  const described = bank
    ? { number: null, bank: { ...bank, account: bank.account && { ...bank.account, ...holder } } }
    : { number: number && { ...holder, ...number, ...expiryOf(before) } }
  const stored = await storeCard(
    app,
    { ...before, ...holder, imported: null, ...described },
    { siteId: before.siteId, id: before.id, customerId: before.customerId, now },
    `card-${randomUUID()}`,
  )
  const { currentVault, vaultToken, customerVaultToken, cardType, lastFour, maskedCardNumber } = stored
  const { maskedBankAccountNumber, maskedBankRoutingNumber, verified } = stored
  return {
    ...{ currentVault, vaultToken, customerVaultToken, cardType, lastFour, maskedCardNumber },
    ...{ maskedBankAccountNumber, maskedBankRoutingNumber, verified },
  }
}

function expiryOf({ expirationMonth, expirationYear }: PaymentProfile) {
  if (expirationMonth === null || expirationYear === null) {
    throw invalid(
      ...(expirationMonth === null ? ['Credit card expiration month: cannot be blank.'] : []),
      ...(expirationYear === null ? ['Credit card expiration year: cannot be blank.'] : []),
    )
  }
  return { expirationMonth, expirationYear }
}
