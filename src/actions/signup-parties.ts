/** Who signs up and with which card: known ones are found within the site, new ones are described and not written yet. */
import { type Customer, type CustomerDetails, fullName } from '../billing/customer.ts'
import { customerEvent, type SiteEvent } from '../billing/event.ts'
import type { PaymentProfile } from '../billing/payment-profile.ts'
import { invalid } from '../billing/refusal.ts'
import {
  findCustomer,
  findCustomerByReference,
  lockCustomer,
  lockCustomerShared,
  updateCustomerRow,
} from '../store/customers.ts'
import type { Connection, Transaction } from '../store/database.ts'
import { findPaymentProfile } from '../store/payment-profiles.ts'
import type { NewPaymentProfile } from './store-card.ts'

export type CustomerChoice = { id: number } | { reference: string } | { details: CustomerDetails }
export type CardChoice = { profileId: number } | { profile: NewPaymentProfile }

export type Parties = {
  existing: Customer | null
  details: CustomerDetails | null
  storedCard: PaymentProfile | null
  newCard: NewPaymentProfile | null
  problems: string[]
}

const noCustomer = 'A Customer must be specified for the subscription to be valid.'
const referenceTaken = 'Reference: must be unique - that value has been taken.'
const foreignCard = 'Payment profile: must belong to the customer.'

/** Finds both; what is missing or does not fit is told in `problems`, in the order of the specification's fields. */
export async function findParties(
  connection: Connection,
  siteId: number,
  customer: CustomerChoice | null,
  card: CardChoice | null,
  { needsCustomer }: { needsCustomer: boolean },
): Promise<Parties> {
  const parties: Parties = { existing: null, details: null, storedCard: null, newCard: null, problems: [] }
  if (customer !== null && 'details' in customer) {
    parties.details = customer.details
    const { reference } = customer.details
    if (reference !== null && (await findCustomerByReference(connection, siteId, reference))) {
      parties.problems.push(referenceTaken)
    }
  } else {
    parties.existing = (await findExisting(connection, siteId, customer)) ?? null
    if (parties.existing === null && (customer !== null || needsCustomer)) parties.problems.push(noCustomer)
  }
  if (card !== null && 'profileId' in card) {
    parties.storedCard = (await findPaymentProfile(connection, siteId, card.profileId)) ?? null
    const fits = parties.storedCard !== null && parties.storedCard.customerId === parties.existing?.id
    if (!fits) parties.problems.push(foreignCard)
  } else if (card !== null) {
    parties.newCard = named(card.profile, parties.existing)
  }
  return parties
}

/**
 * A customer who is deleted meanwhile must not come back with a subscription: refuses that, and holds off deleting until the
 * transaction ends. A new VAT number is written; gives the event that tells of it.
 */
export async function holdCustomer(
  tx: Transaction,
  { siteId, id }: Customer,
  vatNumber: string | null,
  now: Temporal.Instant,
): Promise<SiteEvent[]> {
  const found = await (vatNumber === null ? lockCustomerShared : lockCustomer)(tx, siteId, id)
  if (found === undefined) throw invalid(noCustomer)
  if (vatNumber === null || found.vatNumber === vatNumber) return []
  await updateCustomerRow(tx, siteId, { ...found, vatNumber, updatedAt: now })
  return [customerEvent({ siteId, customerId: id, customerName: fullName(found), at: now }, 'update')]
}

async function findExisting(
  connection: Connection,
  siteId: number,
  choice: { id: number } | { reference: string } | null,
): Promise<Customer | undefined> {
  if (choice === null) return undefined
  return 'id' in choice
    ? findCustomer(connection, siteId, choice.id)
    : findCustomerByReference(connection, siteId, choice.reference)
}

/** A card that leaves names out bears those of the customer on file; the names of a new customer are on it already. */
function named(card: NewPaymentProfile, customer: Customer | null): NewPaymentProfile {
  if (customer === null) return card
  const names = { firstName: card.firstName || customer.firstName, lastName: card.lastName || customer.lastName }
  const { bank } = card
  return {
    ...card,
    ...names,
    number: card.number && { ...card.number, ...names },
    ...(bank && { bank: { ...bank, account: bank.account && { ...bank.account, ...names } } }),
  }
}

/** A customer that is about to be written. */
export const newCustomer = (siteId: number, id: number, details: CustomerDetails, now: Temporal.Instant): Customer => ({
  ...details,
  siteId,
  id,
  portalCustomerCreatedAt: null,
  portalInviteLastSentAt: null,
  portalInviteLastAcceptedAt: null,
  createdAt: now,
  updatedAt: now,
})
