/** The activity of one period: opened when the one before it closes, closed at the renewal, settled when it is paid. */
import type { Transaction } from './ledger.ts'
import { type Cents, cents, sumCents } from './money.ts'

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
