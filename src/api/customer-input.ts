/** A customer as requests describe one. */
import type { CustomerDetails } from '../billing/customer.ts'
import { boolean, type Command, email, object, readInput, text } from '../wire/input.ts'

const optionalFields = {
  cc_emails: text('CC emails'),
  organization: text('Organization'),
  reference: text('Reference'),
  vat_number: text('VAT number'),
  address: text('Address'),
  address_2: text('Address 2'),
  city: text('City'),
  state: text('State'),
  zip: text('Zip'),
  country: text('Country'),
  phone: text('Phone'),
  tax_exempt: boolean('Tax exempt'),
}

/** A customer that is made: three fields are needed. */
export const newCustomerInput = object({
  first_name: text('First name', { required: true }),
  last_name: text('Last name', { required: true }),
  email: email('Email address', { required: true }),
  ...optionalFields,
})

type Fields = Command<typeof newCustomerInput>

/** A blank reference is none: two customers without one do not collide. */
export const orNull = (value: string | null | undefined): string | null =>
  value === undefined || value === null || value.trim() === '' ? null : value

/** Throws `InputErrors` with every problem at once. */
export const readNewCustomer = (tree: unknown): CustomerDetails => detailsOf(readInput(newCustomerInput, tree))

const detailsOf = (fields: Fields): CustomerDetails => ({
  firstName: fields.first_name,
  lastName: fields.last_name,
  email: fields.email,
  ccEmails: orNull(fields.cc_emails),
  organization: orNull(fields.organization),
  reference: orNull(fields.reference),
  vatNumber: orNull(fields.vat_number),
  address: orNull(fields.address),
  address2: orNull(fields.address_2),
  city: orNull(fields.city),
  state: orNull(fields.state),
  zip: orNull(fields.zip),
  country: orNull(fields.country),
  phone: orNull(fields.phone),
  taxExempt: fields.tax_exempt ?? false,
})
