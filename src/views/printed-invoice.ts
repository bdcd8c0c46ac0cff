/** An invoice as a document to be printed: what its snapshot says, in the words of a page. */

import { dayOf, daysAfter } from '../billing/calendar.ts'
import { type Customer, fullName, type PostalAddress } from '../billing/customer.ts'
import {
  formatInvoiceNumber,
  type InvoiceBuyer,
  type InvoiceDocument,
  type InvoiceEntry,
  type InvoiceLine,
  type Logo,
} from '../billing/invoice.ts'
import { type Cents, cents, negate, sumCents } from '../billing/money.ts'
import { lastFourOf } from '../billing/payment-profile.ts'
import type { PrintedDocument, PrintedLine, PrintedLogo, PrintedParty, PrintedPayment } from '../pdf/document.ts'
import { cardName } from './card-words.ts'

/** A coupon's discount stands above the total, where it lowers what taxes are taken of; payments and other credits stand below. */
export function printedInvoice(document: InvoiceDocument): PrintedDocument {
  const { invoice, seller, buyer, lines, taxes, entries, timeZone, currency } = document
  const issuedOn = dayOf(invoice.createdAt, timeZone)
  const { netTerms = null } = document
  const discounts = entries.filter(isDiscount)
  const amounts = [...lines, ...taxes].map(({ amount }) => amount)
  return {
    kind: 'invoice',
    title: 'Invoice',
    number: formatInvoiceNumber(invoice.number),
    issuedOn,
    dueOn: netTerms === null ? null : daysAfter(issuedOn, netTerms),
    paidOn: invoice.state === 'paid' && invoice.paidAt !== null ? dayOf(invoice.paidAt, timeZone) : null,
    facts: [
      { label: 'Product', value: document.productName },
      { label: 'Subscription', value: String(invoice.subscriptionId) },
      ...(buyer.reference === null ? [] : [{ label: 'Your reference', value: buyer.reference }]),
    ],
    seller: { ...seller, logo: printedLogo(document.logo) },
    buyer: { ...printedParty(buyer, buyer.billing ?? buyer), vatNumber: buyer.vatNumber, email: buyer.email },
    shipTo: shipToOf(buyer),
    lines: lines.map((line) => printedLine(line, timeZone)),
    discounts: discounts.map(({ memo, amount }) => ({ name: memo, amount })),
    taxes: taxes.map(({ name, rate, amount, taxable }) => ({
      name,
      ratePercent: Number(rate) > 0 ? rate : null,
      base: taxable,
      amount,
    })),
    total: cents(sumCents(amounts) - sumCents(discounts.map(({ amount }) => amount))),
    previousBalance: negate(invoice.credit),
    payments: entries.filter((entry) => !isDiscount(entry)).map((entry) => printedPayment(entry, timeZone)),
    balance: invoice.due,
    balanceLabel: 'Amount due',
    stamp: invoice.state === 'paid' || invoice.state === 'archived' ? invoice.state : null,
    notes: buyer.taxExempt ? ['The customer is exempt from taxes.'] : [],
    pageSize: seller.pageSize,
    currency,
    locale: localeOf(seller.country),
  }
}

/** English words, with dates and amounts as the merchant's country writes them. */
export const localeOf = (country: string | null): string =>
  country !== null && /^[A-Z]{2}$/.test(country) ? `en-${country}` : 'en-US'

const logoTypes = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/svg+xml': 'svg' } as const

export const printedLogo = (logo: Logo | null): PrintedLogo | null =>
  logo && { type: logoTypes[logo.mediaType], bytes: logo.data }

type Person = Pick<Customer, 'firstName' | 'lastName' | 'organization'>

/** The organization where there is one, with the person below it. */
export function printedParty(person: Person, at: PostalAddress): PrintedParty {
  const { address, address2, city, state, zip, country } = at
  const name = fullName(person)
  const named = person.organization ? { name: person.organization, attention: name } : { name }
  return { ...named, address, address2, city, state, zip, country }
}

/** The customer's own address, where the bill goes to another. */
function shipToOf(buyer: InvoiceBuyer): PrintedParty | null {
  const parts = ['address', 'address2', 'city', 'state', 'zip', 'country'] as const
  const { billing } = buyer
  const isElsewhere = billing !== null && parts.some((part) => (buyer[part] ?? '') !== (billing[part] ?? ''))
  return isElsewhere && parts.some((part) => buyer[part]) ? printedParty(buyer, buyer) : null
}

/** A period has a line of its own on the page; the ledger's memo ends with it. */
const withoutPeriod = (memo: string): string => memo.replace(/ \(\d\d\/\d\d\/\d{4} - \d\d\/\d\d\/\d{4}\)$/, '')

function printedLine(line: InvoiceLine, timeZone: string): PrintedLine {
  const { memo, amount, periodStartedAt, periodEndsAt } = line
  if (periodStartedAt === null || periodEndsAt === null) return { description: memo, amount }
  const period = { from: dayOf(periodStartedAt, timeZone), to: dayOf(periodEndsAt, timeZone) }
  return { description: withoutPeriod(memo), period, amount }
}

const isDiscount = ({ kind }: InvoiceEntry): boolean => kind === 'coupon'

type Received = Pick<InvoiceEntry, 'type' | 'memo' | 'amount' | 'cardNumber' | 'cardType' | 'createdAt'>

export const printedPayment = (entry: Received, timeZone: string): PrintedPayment => ({
  name: nameOf(entry),
  on: dayOf(entry.createdAt, timeZone),
  amount: entry.amount as Cents,
})

function nameOf({ type, memo, cardNumber, cardType }: Received): string {
  if (type !== 'payment') return memo || 'Credit'
  if (cardNumber === null) return memo || 'Payment'
  return cardName({ cardType, lastFour: lastFourOf(cardNumber) })
}
