/** What a statement says, in words and formatted amounts: the one source of its text, its HTML and its PDF. */
import { formatDay, twoDigits } from '../billing/calendar.ts'
import { fullName, type PostalAddress } from '../billing/customer.ts'
import type { EventKey } from '../billing/event.ts'
import type { Transaction, TransactionKind } from '../billing/ledger.ts'
import { type Cents, formatMoneySign, negate, sumCents } from '../billing/money.ts'
import { addressOfCard } from '../billing/payment-profile.ts'
import type { StatementDetails } from '../store/statement-details.ts'
import type { TransactionRecord } from '../store/transaction-records.ts'

/** Whose statement it is: what is needed of the site. */
export type Merchant = { readonly name: string; readonly currency: string; readonly timeZone: string }

/** Texts of merchants and customers stand as they were written; whoever draws them escapes them. */
export type StatementLine = { at: string; type: string; detail: string; card: string | null; amount: string }

export type StatementContent = {
  id: number
  merchantName: string
  /** Family and product. */
  product: string
  summary: readonly (readonly [label: string, value: string])[]
  account: { name: string; organization: string | null; email: string; phone: string | null }
  /** Lines of an address as on a letter; none where nothing is known. */
  shippingAddress: readonly string[]
  billingAddress: readonly string[]
  charges: readonly StatementLine[]
  chargesTotal: string
  payments: readonly StatementLine[]
  futurePayments: readonly StatementLine[]
  activity: readonly { at: string; title: string; message: string }[]
  closing: string
}

export function statementContent(details: StatementDetails, merchant: Merchant): StatementContent {
  const { statement, customer } = details
  const { timeZone } = merchant
  const rows = details.transactions.map(({ transaction }) => transaction)
  return {
    id: statement.id,
    merchantName: merchant.name,
    product: `${details.familyName} - ${details.productName}`,
    summary: summaryOf(details, merchant),
    account: {
      name: fullName(customer),
      organization: customer.organization,
      email: customer.email,
      phone: customer.phone,
    },
    shippingAddress: shippingLines(details),
    billingAddress: billingLines(details),
    charges: rows.filter(isCharged).map((row) => lineOf(row, row.amount, merchant)),
    chargesTotal: formatMoneySign(sumCents(rows.filter(isCharged).map(({ amount }) => amount)), merchant.currency),
    payments: paymentLines(details.transactions, merchant),
    futurePayments: paymentLines(details.futurePayments, merchant),
    activity: details.events.filter(isForCustomers).map((event) => ({
      at: formatMinute(event.createdAt, timeZone),
      title: titleOf(event.key),
      message: event.message,
    })),
    closing: statement.memo ?? 'Thank you for your business!',
  }
}

function summaryOf(details: StatementDetails, { currency, timeZone }: Merchant): StatementContent['summary'] {
  const { statement, balance, billedAt, transactions } = details
  const money = (amount: Cents): string => formatMoneySign(amount, currency)
  const received = transactions.filter(({ transaction }) => transaction.type === 'payment' && transaction.success)
  return [
    ['ID', String(statement.id)],
    ['Date', formatDay(statement.openedAt, timeZone)],
    ['Billing Date', formatDay(billedAt, timeZone)],
    ['Starting Balance', money(statement.startingBalance)],
    ['Current Charges', money(statement.total)],
    ['Payments', money(sumCents(received.map(({ transaction }) => transaction.amount)))],
    ['Ending Balance', money(balance)],
    ...(statement.settledAt === null
      ? []
      : [
          [
            'Balance Paid',
            `${formatMinute(statement.settledAt, timeZone)} ${zoneName(statement.settledAt, timeZone)}`,
          ] as const,
        ]),
  ]
}

const isCharged = ({ type }: Transaction): boolean => type === 'charge' || type === 'credit' || type === 'adjustment'

/** What was received and given back; what a gateway declined moved nothing and is told by its event. */
const paymentLines = (records: readonly TransactionRecord[], merchant: Merchant): StatementLine[] =>
  records
    .map(({ transaction }) => transaction)
    .filter(({ type, success }) => success && (type === 'payment' || type === 'refund'))
    .map((row) => lineOf(row, row.type === 'refund' ? negate(row.amount) : row.amount, merchant))

const lineOf = (row: Transaction, amount: Cents, { currency, timeZone }: Merchant): StatementLine => ({
  at: formatMinute(row.createdAt, timeZone),
  type: typeOf(row),
  detail: row.memo,
  card: cardOf(row),
  amount: formatMoneySign(amount, currency),
})

const typesOfKinds: Partial<Record<TransactionKind, string>> = {
  trial: 'Trial',
  initial: 'Setup',
  baseline: 'Recur',
  quantity_based_component: 'Comp',
  on_off_component: 'Comp',
  metered_component: 'Usage',
  coupon: 'Coupon',
  tax: 'Tax',
}
const typesOfTypes = { charge: 'Charge', credit: 'Credit', adjustment: 'Adjust', info: 'Info' } as const

/** At most seven letters. */
function typeOf({ type, kind, cardNumber, cardType }: Transaction): string {
  if (type === 'payment' && cardNumber !== null) return cardType === 'bank_account' ? 'BankPay' : 'CCPay'
  if (type === 'payment') return 'Payment'
  if (type === 'refund') return 'Refund'
  return (kind !== null && typesOfKinds[kind]) || typesOfTypes[type]
}

const cardOf = ({ cardNumber, cardType, cardExpiration }: Transaction): string | null =>
  cardNumber === null
    ? null
    : [
        cardNumber,
        cardType === 'bank_account' ? 'bank account' : cardType,
        cardExpiration === null ? null : `(${cardExpiration})`,
      ]
        .filter(isSaid)
        .join(' ')

const isSaid = (text: string | null): text is string => text !== null && text.trim() !== ''

const addressLines = ({ address, address2, city, state, zip, country }: PostalAddress): string[] =>
  [address, address2, [[city, state].filter(isSaid).join(', '), zip].filter(isSaid).join(' '), country].filter(isSaid)

const shippingLines = ({ customer }: StatementDetails): string[] => addressLines(customer)

const billingLines = ({ billingAddress: card }: StatementDetails): string[] =>
  card === null ? [] : addressLines(addressOfCard(card))

/** `renewal_success` is told as Renewal Success. */
/** What is about the merchant's own affairs: how a debt is gone after, and what keeps the service from billing. */
const merchantsOwn: readonly string[] = [
  'dunning_step_reached',
  'subscription_parked',
  'late_payment_recorded',
  'late_payment_given_back',
  'payment_unresolved',
] satisfies EventKey[]
const isForCustomers = ({ key }: { key: string }): boolean => !merchantsOwn.includes(key)

const titleOf = (key: string): string =>
  key
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

/** `01/15/2027 07:05AM` by the clocks of the site. */
function formatMinute(at: Temporal.Instant, timeZone: string): string {
  const { hour, minute } = at.toZonedDateTimeISO(timeZone)
  return `${formatDay(at, timeZone)} ${twoDigits(hour % 12 || 12)}:${twoDigits(minute)}${hour < 12 ? 'AM' : 'PM'}`
}

/** `EST`, or `GMT+1` where English has no letters for it. */
const zoneName = (at: Temporal.Instant, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' })
    .formatToParts(at.epochMilliseconds)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
