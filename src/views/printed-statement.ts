/** A statement as a document to be printed: what was charged and paid in its time, and what is owed at its end. */

import { dayOf } from '../billing/calendar.ts'
import type { Transaction } from '../billing/ledger.ts'
import { type Cents, formatMoneySign, negate, sumCents } from '../billing/money.ts'
import { addressOfCard } from '../billing/payment-profile.ts'
import type { PrintedDocument, PrintedLine, PrintedParty } from '../pdf/document.ts'
import type { Letterhead } from '../store/letterheads.ts'
import type { StatementDetails } from '../store/statement-details.ts'
import { localeOf, printedLogo, printedParty, printedPayment } from './printed-invoice.ts'
import type { Merchant } from './statement-content.ts'

export function printedStatement(
  details: StatementDetails,
  merchant: Merchant,
  { seller, logo }: Letterhead,
): PrintedDocument {
  const { statement, balance, customer } = details
  const { timeZone } = merchant
  const rows = details.transactions.map(({ transaction }) => transaction)
  const charged = rows.filter(({ type }) => type === 'charge' || type === 'credit' || type === 'adjustment')
  const isOpen = statement.closedAt === null
  return {
    kind: 'statement',
    title: 'Statement',
    number: String(statement.id),
    issuedOn: dayOf(statement.closedAt ?? statement.openedAt, timeZone),
    dueOn: null,
    paidOn: statement.settledAt && dayOf(statement.settledAt, timeZone),
    facts: [
      { label: 'Product', value: details.productName },
      { label: 'Subscription', value: String(statement.subscriptionId) },
    ],
    seller: { ...seller, logo: printedLogo(logo) },
    buyer: { ...buyerOf(details), vatNumber: customer.vatNumber, email: customer.email },
    shipTo: null,
    lines: charged.filter(isLine).map(printedLine),
    discounts: charged.filter(isDiscount).map(({ memo, amount }) => ({ name: memo, amount: negate(amount) })),
    taxes: charged.filter(isTax).map(({ memo, amount }) => ({ name: memo, ratePercent: null, base: null, amount })),
    total: sumCents(charged.map(({ amount }) => amount)),
    previousBalance: statement.startingBalance,
    payments: rows.filter(isPayment).map((row) => printedPayment(row, timeZone)),
    balance,
    balanceLabel: isOpen ? 'Balance so far' : 'Ending balance',
    stamp: statement.settledAt === null ? null : 'paid',
    notes: notesOf(details, merchant),
    pageSize: seller.pageSize,
    currency: merchant.currency,
    locale: localeOf(seller.country),
  }
}

const periodInMemo = / \((\d\d)\/(\d\d)\/(\d{4}) - (\d\d)\/(\d\d)\/(\d{4})\)$/

/** The ledger's memo ends with the period, which has a line of its own on the page. */
function printedLine({ memo, amount }: Transaction): PrintedLine {
  const found = periodInMemo.exec(memo)
  if (found === null) return { description: memo, amount }
  const [, month, day, year, endMonth, endDay, endYear] = found
  const period = { from: `${year}-${month}-${day}`, to: `${endYear}-${endMonth}-${endDay}` }
  return { description: memo.replace(periodInMemo, ''), period, amount }
}

const isTax = ({ kind }: Transaction): boolean => kind === 'tax'
const isDiscount = ({ kind, type }: Transaction): boolean => kind === 'coupon' && type !== 'charge'
const isLine = (row: Transaction): boolean => !isTax(row) && !isDiscount(row)
const isPayment = ({ type, success }: Transaction): boolean => type === 'payment' && success

/** The address of the card on file, else the customer's own. */
function buyerOf({ customer, billingAddress: card }: StatementDetails): PrintedParty {
  if (card === null || !(card.billingAddress || card.billingCity)) return printedParty(customer, customer)
  return printedParty(customer, addressOfCard(card))
}

/** Refunds leave the balance alone, and payments that came later are not part of it: both are told below the sums. */
function notesOf(details: StatementDetails, { currency, timeZone }: Merchant): string[] {
  const { statement, transactions, futurePayments } = details
  const tell = (what: string, at: Temporal.Instant, amount: Cents) =>
    `${what} on ${dayOf(at, timeZone)}: ${formatMoneySign(amount, currency)}`
  const refunds = transactions.filter(({ transaction }) => transaction.type === 'refund' && transaction.success)
  return [
    ...refunds.map(({ transaction: { createdAt, amount } }) => tell('Refund', createdAt, amount)),
    ...futurePayments.map(({ transaction: { createdAt, amount } }) => tell('Payment', createdAt, amount)),
    ...(statement.closedAt === null ? ['This statement is still open: more may be added to it.'] : []),
    ...(statement.memo === null ? [] : [statement.memo]),
  ]
}
