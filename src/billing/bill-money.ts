/** What payments and credits settled of a bill, and what is due: invoices say it themselves; of statements the oldest is paid first. */
import type { BillRecord } from './bill-lines.ts'
import type { Invoice } from './invoice.ts'
import type { Transaction } from './ledger.ts'
import { type Cents, cents, zeroCents } from './money.ts'
import { ownPayments, paysEarlier, type Statement } from './statement.ts'

/** A payment or a credit, and the part of it that settled something of the bill. */
export type AppliedRecord = { transaction: Transaction; applied: Cents }

type Settling = { credits: AppliedRecord[]; payments: AppliedRecord[]; due: Cents }

/** An entry may be listed whole though it was too much: no more is applied than there was to settle. */
export function applyToInvoice(
  total: Cents,
  { credit, due }: Pick<Invoice, 'credit' | 'due'>,
  entries: readonly { transaction: Transaction; amount: Cents }[],
): Settling {
  let left = Math.max(0, total - credit - due)
  const applied = entries.map(({ transaction, amount }) => {
    const part = Math.min(left, amount)
    left -= part
    return { transaction, applied: cents(part) }
  })
  return { ...parted(applied), due }
}

const parted = (applied: readonly AppliedRecord[]) => ({
  credits: applied.filter(({ transaction }) => transaction.type !== 'payment'),
  payments: applied.filter(({ transaction }) => transaction.type === 'payment'),
})

export type StatementMoney = {
  /** All rows of the statement, in their order. */
  rows: readonly BillRecord[]
  /** Payments that came when it was closed and unpaid, up to the one that paid it. */
  laterPayments: readonly BillRecord[]
  /** What of its ending balance nothing has paid so far; of the open one, what its subscription owes. */
  owed: Cents
}

/**
 * What is due is the newest part of what the subscriber owes, and no charge that a payment covered. Money settles what was owed before
 * the statement first, unless it came for a charge of its own act.
 */
export function applyToStatement(
  total: Cents,
  { startingBalance, settledAt }: Pick<Statement, 'startingBalance' | 'settledAt'>,
  { rows, laterPayments, owed }: StatementMoney,
  charges: readonly BillRecord[],
): Settling {
  const due = settledAt === null ? cents(Math.max(0, Math.min(total, owed, uncovered(charges)))) : zeroCents
  let left = total - due
  let owedBefore = Math.max(0, startingBalance)
  // What there was in credit settles first.
  left -= Math.min(left, Math.max(0, -startingBalance))
  const applied = [...rows, ...laterPayments].flatMap(({ transaction }) => {
    const { type, kind, success, amount } = transaction
    const isOwn = type === 'payment' && kind !== null && ownPayments.includes(kind)
    const reduces = kind !== 'coupon' && ((type === 'adjustment' && amount < 0) || type === 'credit')
    if (!success || (type !== 'payment' && !reduces)) return []
    const whole = Math.abs(amount)
    const before = isOwn || paysEarlier(transaction) === 0 ? 0 : Math.min(owedBefore, whole)
    owedBefore -= before
    const part = Math.min(left, whole - before)
    left -= part
    return part > 0 ? [{ transaction, applied: cents(part) }] : []
  })
  return { ...parted(applied), due }
}

/** What the charges that no payment covered amount to, less what was taken off them. */
const uncovered = (charges: readonly BillRecord[]): number =>
  charges.reduce(
    (sum, { transaction: { amount, discountAmount }, paymentId }) =>
      paymentId === null ? sum + amount - discountAmount : sum,
    0,
  )
