/** How a customer is shown, on its own and inside a subscription. */
import type { Customer } from '../billing/customer.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'
import { countryName, stateName } from './place-names.ts'

export const customerShape: Fields = {
  fields: {
    id: 'integer',
    first_name: 'string',
    last_name: 'string',
    email: 'string',
    cc_emails: 'string',
    organization: 'string',
    reference: 'string',
    created_at: 'datetime',
    updated_at: 'datetime',
    address: 'string',
    address_2: 'string',
    city: 'string',
    state: 'string',
    zip: 'string',
    country: 'string',
    phone: 'string',
    verified: 'boolean',
    portal_customer_created_at: 'datetime',
    portal_invite_last_sent_at: 'datetime',
    portal_invite_last_accepted_at: 'datetime',
    vat_number: 'string',
    tax_exempt: 'boolean',
    tax_exempt_reason: 'string',
    country_name: 'string',
    state_name: 'string',
    locale: 'string',
    salesforce_id: 'string',
    parent_id: 'integer',
  },
}

export const presentCustomer = (customer: Customer, timeZone: string) => {
  const optional = (at: Temporal.Instant | null) => at && formatTimestamp(at, timeZone)
  return {
    id: customer.id,
    first_name: customer.firstName,
    last_name: customer.lastName,
    email: customer.email,
    cc_emails: customer.ccEmails,
    organization: customer.organization,
    reference: customer.reference,
    created_at: formatTimestamp(customer.createdAt, timeZone),
    updated_at: formatTimestamp(customer.updatedAt, timeZone),
    address: customer.address,
    address_2: customer.address2,
    city: customer.city,
    state: customer.state,
    zip: customer.zip,
    country: customer.country,
    phone: customer.phone,
    verified: customer.verified,
    portal_customer_created_at: optional(customer.portalCustomerCreatedAt),
    portal_invite_last_sent_at: optional(customer.portalInviteLastSentAt),
    portal_invite_last_accepted_at: optional(customer.portalInviteLastAcceptedAt),
    vat_number: customer.vatNumber,
    tax_exempt: customer.taxExempt,
    tax_exempt_reason: customer.taxExemptReason,
    country_name: countryName(customer.country),
    state_name: stateName(customer.country, customer.state),
    locale: customer.locale,
    salesforce_id: customer.salesforceId,
    parent_id: null,
  }
}
