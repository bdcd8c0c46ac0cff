/** The invoice: its states, its number, and everything that a printed one shows, as it was when it was made. */
import type { PostalAddress } from './customer.ts'
import type { TransactionKind, TransactionType } from './ledger.ts'
import type { Cents, DecimalText } from './money.ts'

export const invoiceStates = ['unpaid', 'partial', 'paid', 'archived'] as const
export type InvoiceState = (typeof invoiceStates)[number]

/** The dates that a window of a list can be about; `issue_date` is another name of `created_at`. */
export const invoiceDates = ['created_at', 'updated_at', 'issue_date', 'paid_date'] as const
export type InvoiceDate = (typeof invoiceDates)[number]

export const invoiceSorts = [
  'created_at',
  'issue_date',
  'updated_at',
  'number',
  'status',
  'total_amount',
  'due_amount',
] as const
export type InvoiceSort = (typeof invoiceSorts)[number]

export const pageSizes = ['A4', 'Letter'] as const
type PageSize = (typeof pageSizes)[number]

export type Invoice = {
  siteId: number
  id: number
  /** Counted on each site from 1, without a gap. */
  number: number
  subscriptionId: number
  customerId: number
  statementId: number | null
  state: InvoiceState
  /** The sum of its charges, taxes among them. */
  total: Cents
  /** What the subscriber had in credit when it was made. */
  credit: Cents
  due: Cents
  /** Exactly when nothing is due. */
  paidAt: Temporal.Instant | null
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
}

/** An invoice with something due, as decisions see it. */
export type DueInvoice = Pick<Invoice, 'id' | 'state' | 'total' | 'due'>

/** What decisions about a subscription need to know of its invoices. */
export type InvoicingFacts = {
  /** Those with something due, oldest first; archived ones among them, to which nothing is applied any more. */
  due: readonly DueInvoice[]
  /** Charges that are on no invoice and were not paid: the next period's invoice lists them. */
  waiting: readonly { id: number; amount: Cents }[]
}

/** As it is written on the invoice. */
export const formatInvoiceNumber = (number: number): string => String(number).padStart(6, '0')

/** What a merchant shows at the head of invoices, beside the site's name and country. */
export type SellerDetails = Omit<PostalAddress, 'country'> & {
  vatNumber: string | null
  /** Names the logo; null where there is none. */
  logoDigest: string | null
  invoicePageSize: PageSize
}

export type InvoiceSeller = PostalAddress & {
  name: string
  vatNumber: string | null
  logoDigest: string | null
  pageSize: PageSize
}

export type InvoiceBuyer = PostalAddress & {
  firstName: string
  lastName: string
  organization: string | null
  email: string
  phone: string | null
  reference: string | null
  vatNumber: string | null
  taxExempt: boolean
  /** That of the card on file. */
  billing: PostalAddress | null
}

/** What later changes of names, addresses or settings never change. */
export type InvoiceSnapshot = {
  seller: InvoiceSeller
  buyer: InvoiceBuyer
  productName: string
  currency: string
  timeZone: string
  /** Days from its making until it is due; absent or null where nobody gave any. */
  netTerms?: number | null
}

export type Logo = { mediaType: 'image/png' | 'image/svg+xml' | 'image/jpeg'; data: Uint8Array }

/** A tax that fell on one line, or the sum of it on all lines. */
export type InvoiceTax = { name: string; rate: DecimalText; amount: Cents }

/** One charge that is no tax. */
export type InvoiceLine = {
  transactionId: number
  kind: TransactionKind | null
  memo: string
  amount: Cents
  /** What a coupon took off it. */
  discountAmount: Cents
  /** What taxes were taken of: the amount less the discount, or 0. */
  taxableAmount: Cents
  taxes: readonly InvoiceTax[]
  productName: string
  componentName: string | null
  periodStartedAt: Temporal.Instant | null
  periodEndsAt: Temporal.Instant | null
  createdAt: Temporal.Instant
}

/** What lowered the amount due: a payment, a discount, a credit. */
export type InvoiceEntry = {
  transactionId: number
  type: TransactionType
  kind: TransactionKind | null
  memo: string
  /** Never negative; it may be more than there was to pay. */
  amount: Cents
  cardNumber: string | null
  cardType: string | null
  createdAt: Temporal.Instant
}

/** Everything that a printed invoice shows. */
export type InvoiceDocument = InvoiceSnapshot & {
  invoice: Invoice
  /** In the order of the charges. */
  lines: readonly InvoiceLine[]
  /** One for each row of a tax; `taxable` is what it was taken of. */
  taxes: readonly (InvoiceTax & { taxable: Cents; memo: string })[]
  /** Oldest first; a coupon's discount is among them, with the kind `coupon`. */
  entries: readonly InvoiceEntry[]
  logo: Logo | null
}
