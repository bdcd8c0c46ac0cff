/** Changes a stored card: its names, address and expiry in place, its number by storing the new one at the gateway. */
import { randomUUID } from 'node:crypto'
import { subjectOf } from '../billing/act.ts'
import { cardUpdate } from '../billing/life-event.ts'
import type { BillingAddress, PaymentProfile } from '../billing/payment-profile.ts'
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
import { refuseExpired, storeCard } from './store-card.ts'

export type PaymentProfileChange = {
  details: Partial<
    BillingAddress & Pick<PaymentProfile, 'firstName' | 'lastName' | 'expirationMonth' | 'expirationYear'>
  >
  /** A new card under the same id. */
  number: { fullNumber: string; cvv: string | null } | null
}

/** Nothing is collected. Refuses a new expiry that has passed, a number without expiry, and what the gateway refuses. */
export async function updatePaymentProfile(
  app: App,
  siteId: number,
  id: number,
  { details, number }: PaymentProfileChange,
): Promise<number> {
  const [{ site, now }, before] = await Promise.all([
    siteAndNow(app, app.db, siteId),
    findPaymentProfile(app.db, siteId, id),
  ])
  if (before === undefined) throw notFound()
  const card = { ...before, ...details }
  const isNewExpiry =
    card.expirationMonth !== before.expirationMonth || card.expirationYear !== before.expirationYear || number !== null
  if (isNewExpiry) refuseExpired(card, now, site.timeZone)
  const stored = number === null ? {} : await storeNumber(app, card, number, now)
  return write(app, async (tx) => {
    const current = await lockPaymentProfile(tx, siteId, id)
    if (current === undefined) throw notFound()
    const changed = { ...current, ...details, ...stored }
    await updatePaymentProfileRow(tx, { ...changed, updatedAt: now })
    const fields = Object.keys(changed) as (keyof PaymentProfile)[]
    const isSame = fields.every((field) => current[field] === changed[field])
    const facts = await listFacts(tx, site, isSame ? [] : await listSubscriptionsPaidBy(tx, siteId, current))
    const events = [...facts.values()].map((known) => cardUpdate(subjectOf(known, now), { previousProfile: current }))
    await commit(app, tx, siteId, [{ events }])
    return id
  })
}

/** What the gateway's answer and the new number change in the row. */
async function storeNumber(
  app: App,
  card: PaymentProfile,
  { fullNumber, cvv }: { fullNumber: string; cvv: string | null },
  now: Temporal.Instant,
) {
  const { expirationMonth, expirationYear } = card
  if (expirationMonth === null || expirationYear === null) {
    throw invalid(
      ...(expirationMonth === null ? ['Credit card expiration month: cannot be blank.'] : []),
      ...(expirationYear === null ? ['Credit card expiration year: cannot be blank.'] : []),
    )
  }
  const holder = { firstName: card.firstName ?? '', lastName: card.lastName ?? '' }
  const stored = await storeCard(
    app,
    { ...card, ...holder, number: { ...holder, fullNumber, cvv, expirationMonth, expirationYear }, imported: null },
    { siteId: card.siteId, id: card.id, customerId: card.customerId, now },
    `card-${randomUUID()}`,
  )
  const { currentVault, vaultToken, customerVaultToken, cardType, lastFour, maskedCardNumber } = stored
  return { currentVault, vaultToken, customerVaultToken, cardType, lastFour, maskedCardNumber }
}
