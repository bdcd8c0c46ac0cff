/** Who pays: a customer of the merchant, as decisions and pages see one. */

export type PostalAddress = {
  address: string | null
  address2: string | null
  city: string | null
  state: string | null
  zip: string | null
  country: string | null
}

export type CustomerDetails = PostalAddress & {
  firstName: string
  lastName: string
  email: string
  ccEmails: string | null
  organization: string | null
  /** The merchant's own identifier, unique within the site. */
  reference: string | null
  vatNumber: string | null
  phone: string | null
  taxExempt: boolean
  taxExemptReason: string | null
  /** A language tag, `es-MX`: how numbers and dates are written for the customer. */
  locale: string | null
  salesforceId: string | null
  /** Whether the e-mail address has led to the portal, or the merchant says that the customer is known. */
  verified: boolean
}

/** A customer of whom no more is said than name and e-mail address. */
export const nothingKnown: Omit<CustomerDetails, 'firstName' | 'lastName' | 'email'> = {
  ccEmails: null,
  organization: null,
  reference: null,
  vatNumber: null,
  address: null,
  address2: null,
  city: null,
  state: null,
  zip: null,
  country: null,
  phone: null,
  taxExempt: false,
  taxExemptReason: null,
  locale: null,
  salesforceId: null,
  verified: false,
}

export type Customer = CustomerDetails & {
  siteId: number
  id: number
  portalCustomerCreatedAt: Temporal.Instant | null
  portalInviteLastSentAt: Temporal.Instant | null
  portalInviteLastAcceptedAt: Temporal.Instant | null
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
}

export const fullName = (person: { firstName: string; lastName: string }): string =>
  `${person.firstName} ${person.lastName}`
