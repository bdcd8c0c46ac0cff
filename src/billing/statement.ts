/** The activity of one period: opened when the one before it closes, closed at the renewal, settled when it is paid. */
import type { Transaction, TransactionKind } from './ledger.ts'
import { type Cents, cents, negate, sumCents, zeroCents } from './money.ts'

export type Statement = {
  siteId: number
  id: number
  subscriptionId: number
  openedAt: Temporal.Instant
  closedAt: Temporal.Instant | null
  settledAt: Temporal.Instant | null
  startingBalance: Cents
  endingBalance: Cents | null
  /** What was charged, credited and adjusted in it; payments are not part of it. */
  total: Cents
  memo: string | null
}

/** The moments of a statement's life that lists are sorted by. */
export const statementSorts = ['created_at', 'opened_at', 'closed_at', 'settled_at'] as const
export type StatementSort = (typeof statementSorts)[number]

/** What becomes of a statement that exists already; null leaves a field as it is. */
export type StatementChange = {
  siteId: number
  id: number
  total: Cents | null
  closedAt: Temporal.Instant | null
  endingBalance: Cents | null
  settledAt: Temporal.Instant | null
}

/** What rows add to the total of the statement that lists them. */
export const totalOf = (rows: readonly Transaction[]): Cents =>
  sumCents(
    rows
      .filter((row) => row.type === 'charge' || row.type === 'credit' || row.type === 'adjustment')
      .map((row) => row.amount),
  )

/** A closed statement that is not paid yet. */
export type UnsettledStatement = {
  id: number
  /** What of its ending balance nothing has paid so far. */
  owed: Cents
}

/** Payments of these kinds are for what was charged in their own act. */
export const ownPayments: readonly TransactionKind[] = ['one_time', 'component_proration']

/**
 * What a row pays of what was owed before it: money, and credits that take nothing off a new charge. A discount that is given back with
 * its charge counts against them.
 */
export function paysEarlier({ type, kind, amount, success }: Transaction): Cents {
  if (!success) return zeroCents
  if (type === 'payment') return kind !== null && ownPayments.includes(kind) ? zeroCents : amount
  const isCorrection = type === 'adjustment' && kind === null && amount < 0
  const isDiscountGivenBack = type === 'adjustment' && kind === 'coupon' && amount > 0
  return type === 'credit' || isCorrection || isDiscountGivenBack ? negate(amount) : zeroCents
}

/**
 * Whether a statement is paid, whoever collects: nothing is owed any more, or what came in since it was closed amounts to what it left
 * unpaid, the oldest first. Everything that says of a statement that it is settled asks here.
 */
export const isPaid = (owed: Cents, rows: readonly Transaction[], balance: Cents): boolean =>
  balance <= 0 || owed <= sumCents(rows.map(paysEarlier))

export const newStatement = (
  siteId: number,
  id: number,
  subscriptionId: number,
  openedAt: Temporal.Instant,
  balance: Cents,
): Statement => ({
  siteId,
  id,
  subscriptionId,
  openedAt,
  closedAt: null,
  settledAt: null,
  startingBalance: balance,
  endingBalance: null,
  total: cents(0),
  memo: null,
})
