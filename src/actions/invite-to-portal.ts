/** Invites a customer to the portal, for the first time or again. */
import type { Customer } from '../billing/customer.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import { lockCustomer, updateCustomerRow } from '../store/customers.ts'
import type { Transaction } from '../store/database.ts'
import { insertLetters } from '../store/letters.ts'
import { countOnce, type Rate } from '../store/rate-counts.ts'
import { type App, siteAndNow, write } from './app.ts'

const invitations: Rate = { kind: 'invitation', most: 5, minutes: 30 }

const tooMany = 'Too many requests for this customer. You can perform 5 requests within 00:30:00.'
export const portalNotEnabled = 'Billing Portal is not enabled for this customer.'

/** Gives the customer's id. Refuses a customer to whom the portal is closed, and the sixth invitation within half an hour. */
export const inviteToPortal = (app: App, siteId: number, customerId: number): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, customer] = await Promise.all([siteAndNow(app, tx, siteId), lockCustomer(tx, siteId, customerId)])
    if (customer === undefined) throw notFound()
    if (customer.portalCustomerCreatedAt === null) throw invalid(portalNotEnabled)
    await invite(app, tx, customer, now)
    return customerId
  })

/**
 * Puts the invitation on record for a customer who is locked, and writes the letter; the link in it is good for 48 hours.
 */
export async function invite(app: App, tx: Transaction, customer: Customer, now: Temporal.Instant): Promise<void> {
  const { siteId, id } = customer
  const count = await countOnce(tx, siteId, invitations, String(id), app.clock.now())
  if (count > invitations.most) throw invalid(tooMany)
  const letter = { siteId, customerId: id, subscriptionId: null, transactionId: null, details: {}, createdAt: now }
  await insertLetters(tx, siteId, [{ ...letter, kind: 'invitation' }], app.clock.now())
  await updateCustomerRow(tx, siteId, {
    ...customer,
    portalInviteLastSentAt: now,
    portalInviteLastAcceptedAt: null,
    updatedAt: now,
  })
}
