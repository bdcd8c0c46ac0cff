/** How a bill is shown in the later form of invoices: amounts as decimal text in the site's currency, days of the site's calendar. */
import { type Bill, billUid } from '../billing/bill.ts'
import { daysAfter } from '../billing/calendar.ts'
import type { PostalAddress } from '../billing/customer.ts'
import type { InvoiceBuyer } from '../billing/invoice.ts'
import type { Cents } from '../billing/money.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'
import { type BillPartName, type BillViewer, dayOf, decimalOf, partShapes, presentParts } from './bill-parts.ts'

const address: Fields = {
  fields: { street: 'string', line2: 'string', city: 'string', state: 'string', zip: 'string', country: 'string' },
}
const person = {
  chargify_id: 'integer',
  first_name: 'string',
  last_name: 'string',
  organization: 'string',
  email: 'string',
  vat_number: 'string',
} as const

export const billShape: Fields = {
  fields: {
    uid: 'string',
    site_id: 'integer',
    customer_id: 'integer',
    subscription_id: 'integer',
    number: 'string',
    sequence_number: 'integer',
    transaction_time: 'datetime',
    created_at: 'datetime',
    updated_at: 'datetime',
    issue_date: 'date',
    due_date: 'date',
    paid_date: 'date',
    status: 'string',
    role: 'string',
    parent_invoice_id: 'integer',
    collection_method: 'string',
    payment_instructions: 'string',
    currency: 'string',
    consolidation_level: 'string',
    parent_invoice_uid: 'string',
    subscription_group_id: 'integer',
    parent_invoice_number: 'integer',
    group_primary_subscription_id: 'integer',
    product_name: 'string',
    product_family_name: 'string',
    seller: { fields: { name: 'string', address, phone: 'string', logo_url: 'string' } },
    customer: { fields: { ...person, reference: 'string' } },
    payer: { fields: person },
    recipient_emails: { list: 'string', item: 'recipient_email' },
    net_terms: 'integer',
    memo: 'string',
    billing_address: address,
    shipping_address: address,
    subtotal_amount: 'string',
    discount_amount: 'string',
    tax_amount: 'string',
    total_amount: 'string',
    credit_amount: 'string',
    debit_amount: 'string',
    refund_amount: 'string',
    paid_amount: 'string',
    due_amount: 'string',
    ...partShapes,
  },
}

const addressOf = (of: PostalAddress) => ({
  street: of.address,
  line2: of.address2,
  city: of.city,
  state: of.state,
  zip: of.zip,
  country: of.country,
})

/** The card's, as far as it has one. */
const billingOf = (buyer: InvoiceBuyer): PostalAddress =>
  buyer.billing && Object.values(buyer.billing).some((part) => part !== null) ? buyer.billing : buyer

const personOf = (customerId: number, buyer: InvoiceBuyer) => ({
  chargify_id: customerId,
  first_name: buyer.firstName,
  last_name: buyer.lastName,
  organization: buyer.organization,
  email: buyer.email,
  vat_number: buyer.vatNumber,
})

/** Rises with the ids of either kind, and no two bills have the same. */
const sequenceOf = ({ kind, id }: Bill): number => 2 * id + (kind === 'statement' ? 1 : 0)

/** Of a bill that is pending the day of its creation stands for that of its issue. */
const datesOf = (bill: Bill, timeZone: string) => {
  const issued = dayOf(bill.issuedAt ?? bill.createdAt, timeZone)
  return {
    transaction_time: formatTimestamp(bill.createdAt, timeZone),
    created_at: formatTimestamp(bill.createdAt, timeZone),
    updated_at: formatTimestamp(bill.updatedAt, timeZone),
    issue_date: issued,
    due_date: daysAfter(issued, bill.netTerms),
    paid_date: bill.paidAt && dayOf(bill.paidAt, timeZone),
  }
}

const amountsOf = (bill: Bill) => {
  const money = (amount: Cents) => decimalOf(amount, bill.currency)
  return {
    subtotal_amount: money(bill.subtotal),
    discount_amount: money(bill.discount),
    tax_amount: money(bill.tax),
    total_amount: money(bill.total),
    credit_amount: money(bill.credit),
    debit_amount: money(0 as Cents),
    refund_amount: money(bill.refunded),
    paid_amount: money(bill.paid),
    due_amount: money(bill.due),
  }
}

/** With the lists that are named. There are no groups, no logo under an address of its own, and no texts beside those of the lines. */
export function presentBill(bill: Bill, viewer: BillViewer, parts: readonly BillPartName[]) {
  const { seller, buyer } = bill
  const all = presentParts(bill, viewer)
  return {
    uid: billUid(bill),
    site_id: bill.siteId,
    customer_id: bill.customerId,
    subscription_id: bill.subscriptionId,
    number: bill.number,
    sequence_number: sequenceOf(bill),
    ...datesOf(bill, viewer.timeZone),
    status: bill.status,
    role: bill.role,
    parent_invoice_id: null,
    collection_method: bill.collection,
    payment_instructions: '',
    currency: bill.currency,
    consolidation_level: 'none',
    parent_invoice_uid: null,
    subscription_group_id: null,
    parent_invoice_number: null,
    group_primary_subscription_id: null,
    product_name: bill.productName,
    product_family_name: bill.familyName,
    seller: { name: seller.name, address: addressOf(seller), phone: '', logo_url: null },
    customer: { ...personOf(bill.customerId, buyer), reference: buyer.reference },
    payer: personOf(bill.customerId, buyer),
    recipient_emails: [buyer.email],
    net_terms: bill.netTerms,
    memo: '',
    billing_address: addressOf(billingOf(buyer)),
    shipping_address: addressOf(buyer),
    ...amountsOf(bill),
    ...Object.fromEntries(parts.map((name) => [name, all[name]])),
  }
}
