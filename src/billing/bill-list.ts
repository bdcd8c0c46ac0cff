/** What lists of bills, and of what happened to them, are narrowed and ordered by. */
import type { BillRef, BillStatus } from './bill.ts'

/** A bill is issued when it is created. An invoice is due so many days later as its net terms say, a statement at once. */
export const billDates = ['created_at', 'issue_date', 'due_date', 'updated_at', 'paid_date'] as const
export type BillDate = (typeof billDates)[number]

/** Amounts are missing: what a statement comes to is computed from its rows. */
export const billSorts = ['created_at', 'issue_date', 'due_date', 'updated_at', 'number', 'status'] as const
export type BillSort = (typeof billSorts)[number]

/** Null is no limit; both ends of the window belong to it. */
export type BillFilter = {
  dateField: BillDate
  since: Temporal.Instant | null
  until: Temporal.Instant | null
  statuses: readonly BillStatus[] | null
  subscriptionId: number | null
  customerIds: readonly number[] | null
  /** At least one of the charges is for one of them. */
  productIds: readonly number[] | null
  invoiceNumbers: readonly number[] | null
  statementIds: readonly number[] | null
}

export const billEventTypes = ['issue_invoice', 'apply_payment', 'failed_payment', 'refund_invoice'] as const
export type BillEventType = (typeof billEventTypes)[number]

/** Null is no limit. The event with the id `afterId` is not among those that come after it. */
export type BillEventFilter = {
  afterId: number | null
  since: Temporal.Instant | null
  ref: BillRef | null
  types: readonly BillEventType[]
}
