/** A customer as requests describe one. */
import { type CustomerDetails, nothingKnown } from '../billing/customer.ts'
import {
  blankAsNull,
  boolean,
  type Command,
  email,
  languageTag,
  longTextMax,
  object,
  onlySent,
  readInput,
  text,
} from '../wire/input.ts'
import { refusedFields } from './refused-fields.ts'

const optionalFields = {
  cc_emails: text('CC emails', { max: longTextMax }),
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
  tax_exempt_reason: text('Tax exempt reason'),
  locale: languageTag('Locale'),
  salesforce_id: text('Salesforce id'),
  verified: boolean('Verified'),
  ...refusedFields.customer,
}

/** A customer that is made: three fields are needed. */
export const newCustomerInput = object({
  first_name: text('First name', { required: true }),
  last_name: text('Last name', { required: true }),
  email: email('Email address', { required: true }),
  ...optionalFields,
})

export const customerChangeInput = newCustomerInput.partial()
type Fields = Command<typeof customerChangeInput>

/** Throws `InputErrors` with every problem at once. */
export function readNewCustomer(tree: unknown): CustomerDetails {
  const fields = readInput(newCustomerInput, tree)
  const { first_name: firstName, last_name: lastName, email } = fields
  return { ...nothingKnown, ...detailsOf(fields), firstName, lastName, email }
}

/** Whatever is known of somebody: also without a name. */
export const readPartialCustomer = (tree: unknown): CustomerDetails => ({
  ...nothingKnown,
  firstName: '',
  lastName: '',
  email: '',
  ...readCustomerChange(tree),
})

/** What was sent and nothing else; blank clears all but the three fields that are needed. Throws `InputErrors`. */
export const readCustomerChange = (tree: unknown): Partial<CustomerDetails> =>
  detailsOf(readInput(customerChangeInput, tree))

const detailsOf = (fields: Fields): Partial<CustomerDetails> =>
  onlySent({
    firstName: fields.first_name,
    lastName: fields.last_name,
    email: fields.email,
    ccEmails: blankAsNull(fields.cc_emails),
    organization: blankAsNull(fields.organization),
    // A blank reference is none: two customers without one do not collide.
    reference: blankAsNull(fields.reference),
    vatNumber: blankAsNull(fields.vat_number),
    address: blankAsNull(fields.address),
    address2: blankAsNull(fields.address_2),
    city: blankAsNull(fields.city),
    state: blankAsNull(fields.state),
    zip: blankAsNull(fields.zip),
    country: blankAsNull(fields.country),
    phone: blankAsNull(fields.phone),
    taxExempt: fields.tax_exempt === null ? false : fields.tax_exempt,
    taxExemptReason: blankAsNull(fields.tax_exempt_reason),
    locale: fields.locale,
    salesforceId: blankAsNull(fields.salesforce_id),
    verified: fields.verified ?? undefined,
  })
