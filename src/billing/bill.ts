/** The bill: what the later form calls an invoice. An invoice of who pays by invoice, or what a statement of who pays by card charged. */

import {
  type BillDiscount,
  type BillLine,
  type BillRecord,
  type BillTax,
  type CouponOfBill,
  discountsOf,
  type LineSource,
  linesOf,
  taxesOf,
} from './bill-lines.ts'
import { type AppliedRecord, applyToInvoice, applyToStatement, type StatementMoney } from './bill-money.ts'
import type { Invoice, InvoiceBuyer, InvoiceSeller } from './invoice.ts'
import { formatInvoiceNumber } from './invoice.ts'
import type { Transaction } from './ledger.ts'
import { type Cents, cents, minorUnitOf, sumCents } from './money.ts'
import type { Statement } from './statement.ts'

/** Which table a bill stands in. */
const billKinds = ['invoice', 'statement'] as const
type BillKind = (typeof billKinds)[number]
export type BillRef = { kind: BillKind; id: number }

/** `pending` gathers charges still; `open` is owed; `voided` was archived unpaid. The other words of the later form never come up. */
export const billStatuses = ['draft', 'open', 'paid', 'pending', 'voided', 'canceled', 'processing'] as const
export type BillStatus = (typeof billStatuses)[number]

type BillRole = 'signup' | 'renewal' | 'usage' | 'proration' | 'adhoc'

/** What is known beside the rows themselves. */
export type BillContext = {
  currency: string
  seller: InvoiceSeller
  buyer: InvoiceBuyer
  subscribedAt: Temporal.Instant
  /** Whether invoices ever told what the subscriber owes. */
  wasInvoiced: boolean
  /** Of an invoice; null where nobody gave any. */
  netTerms?: number | null
  lineSources: ReadonlyMap<number, LineSource>
  coupons: ReadonlyMap<number, CouponOfBill>
  /** By the payment that they give back; successful ones. */
  refunds: ReadonlyMap<number, readonly Transaction[]>
}

export type Bill = BillRef & {
  siteId: number
  subscriptionId: number
  customerId: number
  number: string
  status: BillStatus
  role: BillRole
  collection: 'automatic' | 'remittance'
  currency: string
  productName: string
  familyName: string
  seller: InvoiceSeller
  buyer: InvoiceBuyer
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
  /** Null while it is pending. */
  issuedAt: Temporal.Instant | null
  paidAt: Temporal.Instant | null
  /** Days from the issue until it is due. */
  netTerms: number
  lines: readonly BillLine[]
  discounts: readonly BillDiscount[]
  taxes: readonly BillTax[]
  credits: readonly AppliedRecord[]
  payments: readonly AppliedRecord[]
  refunds: readonly { transaction: Transaction; applied: Cents }[]
  subtotal: Cents
  discount: Cents
  tax: Cents
  total: Cents
  /** What no payment settled: credits of the bill's own rows, and what there was or came in credit on the balance. */
  credit: Cents
  /** Of `credit`, what no row of the bill accounts for. */
  balanceCredit: Cents
  paid: Cents
  refunded: Cents
  due: Cents
}

const prefixes: Record<BillKind, string> = { invoice: 'i', statement: 's' }

/** 'inv_i500001', 'inv_s500017': unique in a site and for good, since it names the row. */
export const billUid = ({ kind, id }: BillRef): string => `inv_${prefixes[kind]}${id}`

/** Undefined for what cannot be the uid of a bill. */
export function readBillUid(text: string): BillRef | undefined {
  const [, prefix, digits] = /^inv_([is])(\d{1,15})$/.exec(text) ?? []
  const kind = billKinds.find((one) => prefixes[one] === prefix)
  return kind && { kind, id: Number(digits) }
}

/** '000014' of an invoice; a statement has no such number, so its id stands behind an S. */
const statementNumber = (id: number): string => `S${id}`

const statusOfInvoice = ({ state, due }: Pick<Invoice, 'state' | 'due'>): BillStatus => {
  if (state === 'archived') return due === 0 ? 'paid' : 'voided'
  return state === 'paid' ? 'paid' : 'open'
}

const statusOfStatement = ({ closedAt, settledAt }: Pick<Statement, 'closedAt' | 'settledAt'>): BillStatus =>
  closedAt === null ? 'pending' : settledAt === null ? 'open' : 'paid'

type OwnRows = { charges: readonly BillRecord[]; coupons: readonly { transaction: Transaction; amount: Cents }[] }

/** Lines, discounts and taxes, and what they sum to; `total` is never negative. */
function priced({ charges, coupons }: OwnRows, context: BillContext) {
  const unit = minorUnitOf(context.currency)
  const lines = linesOf(charges, context.lineSources)
  const discounts = discountsOf(coupons, lines, context.coupons, unit)
  const taxes = taxesOf(charges)
  const subtotal = sumCents(lines.map(({ amount }) => amount))
  const tax = sumCents(taxes.map(({ amount }) => amount))
  const discount = cents(Math.min(subtotal + tax, sumCents(discounts.map(({ amount }) => amount))))
  return { lines, discounts, taxes, subtotal, discount, tax, total: cents(subtotal - discount + tax) }
}

type Applied = { credits: readonly AppliedRecord[]; payments: readonly AppliedRecord[]; due: Cents }

function settled(total: Cents, { credits, payments, due }: Applied, { refunds }: BillContext) {
  const paid = sumCents(payments.map(({ applied }) => applied))
  const credit = cents(total - due - paid)
  const given = payments.flatMap(({ transaction, applied }) =>
    (refunds.get(transaction.id) ?? []).map((refund) => ({
      transaction: refund,
      applied: cents(Math.min(applied, refund.amount)),
    })),
  )
  return {
    credits,
    payments,
    refunds: given,
    credit,
    balanceCredit: cents(credit - sumCents(credits.map(({ applied }) => applied))),
    paid,
    refunded: sumCents(given.map(({ applied }) => applied)),
    due,
  }
}

const periodic = ['trial', 'initial', 'baseline'] as const
const proratedKinds = [
  'quantity_based_component',
  'on_off_component',
  'component_proration',
  'prorated',
  'delay_capture',
]

function roleOf(lines: readonly BillLine[], createdAt: Temporal.Instant, { subscribedAt }: BillContext): BillRole {
  const has = (kinds: readonly string[]) => lines.some(({ kind }) => kind !== null && kinds.includes(kind))
  if (has(periodic)) return createdAt.equals(subscribedAt) ? 'signup' : 'renewal'
  if (has(proratedKinds)) return 'proration'
  return has(['metered_component']) ? 'usage' : 'adhoc'
}

const namesOf = (lines: readonly BillLine[]) => ({
  productName: lines[0]?.productName ?? '',
  familyName: lines[0]?.familyName ?? '',
})

export type InvoiceEntryOfBill = { transaction: Transaction; amount: Cents }

export function billOfInvoice(
  invoice: Invoice,
  charges: readonly BillRecord[],
  entries: readonly InvoiceEntryOfBill[],
  context: BillContext,
): Bill {
  const coupons = entries.filter(({ transaction }) => transaction.kind === 'coupon')
  const prices = priced({ charges, coupons }, context)
  const others = entries.filter((entry) => !coupons.includes(entry))
  const money = applyToInvoice(prices.total, invoice, others)
  return {
    kind: 'invoice',
    id: invoice.id,
    siteId: invoice.siteId,
    subscriptionId: invoice.subscriptionId,
    customerId: invoice.customerId,
    number: formatInvoiceNumber(invoice.number),
    status: statusOfInvoice(invoice),
    role: roleOf(prices.lines, invoice.createdAt, context),
    collection: 'remittance',
    currency: context.currency,
    ...namesOf(prices.lines),
    seller: context.seller,
    buyer: context.buyer,
    createdAt: invoice.createdAt,
    updatedAt: invoice.updatedAt,
    issuedAt: invoice.createdAt,
    paidAt: invoice.paidAt,
    netTerms: context.netTerms ?? 0,
    ...prices,
    ...settled(prices.total, money, context),
  }
}

export type StatementOfBill = StatementMoney & {
  statement: Statement & { createdAt: Temporal.Instant; updatedAt: Temporal.Instant }
  customerId: number
}

/** Undefined where a statement charged nothing but what is on invoices, so that it is no bill of its own. A correction that raised the
 * balance is a line too, unless invoices ever told what the subscriber owes. */
export function billOfStatement(
  { statement, customerId, ...money }: StatementOfBill,
  context: BillContext,
): Bill | undefined {
  const listed = money.rows.filter(({ transaction: { id, type, kind, amount } }) =>
    type === 'charge'
      ? context.lineSources.get(id)?.invoiceId === null
      : type === 'adjustment' && kind === null && amount > 0 && !context.wasInvoiced,
  )
  if (listed.length === 0) return undefined
  const coupons = money.rows
    .filter(({ transaction }) => transaction.kind === 'coupon')
    .map(({ transaction }) => ({ transaction, amount: cents(-transaction.amount) }))
  const prices = priced({ charges: listed, coupons }, context)
  const createdAt = statement.closedAt ?? listed[0]!.transaction.createdAt
  return {
    kind: 'statement',
    id: statement.id,
    siteId: statement.siteId,
    subscriptionId: statement.subscriptionId,
    customerId,
    number: statementNumber(statement.id),
    status: statusOfStatement(statement),
    role: roleOf(prices.lines, createdAt, context),
    collection: 'automatic',
    currency: context.currency,
    ...namesOf(prices.lines),
    seller: context.seller,
    buyer: context.buyer,
    createdAt,
    updatedAt: statement.closedAt === null ? listed.at(-1)!.transaction.createdAt : statement.updatedAt,
    issuedAt: statement.closedAt,
    paidAt: statement.settledAt,
    netTerms: 0,
    ...prices,
    ...settled(prices.total, applyToStatement(prices.total, statement, money, listed), context),
  }
}
