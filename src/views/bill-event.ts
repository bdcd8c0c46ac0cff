/** How events of bills are shown: each with what happened and with the bill as it stands. */
import type { Bill } from '../billing/bill.ts'
import { type Cents, cents } from '../billing/money.ts'
import type { BillEvent } from '../store/bill-events.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'
import { billShape, presentBill } from './bill.ts'
import { type BillViewer, billPartNames, decimalOf, presentPaymentMethod } from './bill-parts.ts'

export const billEventShape: Fields = {
  fields: {
    id: 'integer',
    event_type: 'string',
    timestamp: 'datetime',
    invoice: billShape,
    event_data: { fields: {} },
  },
}

export const billEventsShape: Fields = {
  fields: { events: { list: billEventShape, item: 'event' }, page: 'integer', per_page: 'integer' },
}

const unconsolidated = { consolidation_level: 'none' }

/** The part of a payment that settled something of the bill; 0 where it failed. */
const appliedOf = (bill: Bill, id: number): Cents =>
  bill.payments.find(({ transaction }) => transaction.id === id)?.applied ?? cents(0)

function dataOf({ type, transaction }: BillEvent, bill: Bill, viewer: BillViewer): object {
  const money = (amount: Cents) => decimalOf(amount, bill.currency)
  if (transaction === null) {
    const due = cents(Math.max(0, bill.total - bill.balanceCredit))
    const to_status = due === 0 ? 'paid' : 'open'
    return {
      ...unconsolidated,
      from_status: 'pending',
      to_status,
      due_amount: money(due),
      total_amount: money(bill.total),
    }
  }
  const { id, amount, memo, createdAt } = transaction
  const transaction_time = formatTimestamp(createdAt, viewer.timeZone)
  if (type === 'failed_payment') {
    return {
      amount_in_cents: amount,
      applied_amount: amount / 100,
      memo,
      payment_method: transaction.cardType === 'bank_account' ? 'ach' : 'credit_card',
      transaction_id: id,
    }
  }
  if (type === 'refund_invoice') {
    return {
      ...unconsolidated,
      apply_credit: false,
      credit_note_attributes: {},
      memo,
      original_amount: money(amount),
      refund_amount: money(amount),
      payment_id: transaction.refundedPaymentId,
      refund_id: id,
      transaction_time,
    }
  }
  const payment_method = presentPaymentMethod(transaction, viewer)
  return {
    ...unconsolidated,
    memo,
    original_amount: money(amount),
    applied_amount: money(appliedOf(bill, id)),
    transaction_time,
    payment_method,
    transaction_id: id,
    parent_invoice_number: null,
    remaining_prepayment_amount: null,
    prepayment: false,
    external: payment_method.type === 'external',
  }
}

export const presentBillEvent = (event: BillEvent, bill: Bill, viewer: BillViewer) => ({
  id: event.id,
  event_type: event.type,
  timestamp: formatTimestamp(event.at, viewer.timeZone),
  invoice: presentBill(bill, viewer, billPartNames),
  event_data: dataOf(event, bill, viewer),
})
