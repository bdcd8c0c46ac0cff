/** How it is shown what a payment of a subscription went to; what is left of it is credit on the balance. */
import { type Bill, billUid } from '../billing/bill.ts'
import type { Cents } from '../billing/money.ts'
import type { Fields } from '../wire/shape.ts'
import { decimalOf } from './bill-parts.ts'

export const paidInvoicesShape: Fields = {
  fields: {
    paid_invoices: {
      list: { fields: { invoice_id: 'string', status: 'string', due_amount: 'string', paid_amount: 'string' } },
      item: 'paid_invoice',
    },
    prepayment: {
      fields: { subscription_id: 'integer', amount_in_cents: 'integer', ending_balance_in_cents: 'integer' },
    },
  },
}

type Paid = { subscriptionId: number; bills: readonly Bill[]; left: Cents; credit: Cents }

export const presentPaidInvoices = ({ subscriptionId, bills, left, credit }: Paid) => ({
  paid_invoices: bills.map((bill) => ({
    invoice_id: billUid(bill),
    status: bill.status,
    due_amount: decimalOf(bill.due, bill.currency),
    paid_amount: decimalOf(bill.paid, bill.currency),
  })),
  prepayment:
    left === 0 ? null : { subscription_id: subscriptionId, amount_in_cents: left, ending_balance_in_cents: credit },
})
