/** What a payment of a subscription went to: the bills, and what was too much and stays as credit. */

import { assert } from '../billing/assert.ts'
import type { Bill } from '../billing/bill.ts'
import { type Cents, cents, sumCents } from '../billing/money.ts'
import { listBillsPaidBy } from '../store/bill-events.ts'
import { listBills } from '../store/bills.ts'
import type { Connection } from '../store/database.ts'
import type { SiteRow } from '../store/sites.ts'
import { findTransactionRecord } from '../store/transaction-records.ts'

export type PaidBills = { subscriptionId: number; bills: readonly Bill[]; left: Cents; credit: Cents }

export async function findPaidBills(connection: Connection, site: SiteRow, paymentId: number): Promise<PaidBills> {
  const record = await findTransactionRecord(connection, site.id, paymentId)
  assert(record !== undefined, 'a payment that was just recorded can be read')
  const { subscriptionId, amount, endingBalance } = record.transaction
  const found = await listBills(connection, site, await listBillsPaidBy(connection, site.id, paymentId))
  const parts = found.flatMap((bill) => {
    const applied = bill.payments.find(({ transaction }) => transaction.id === paymentId)?.applied
    return applied ? [{ bill, applied }] : []
  })
  const left = cents(amount - sumCents(parts.map(({ applied }) => applied)))
  return { subscriptionId, bills: parts.map(({ bill }) => bill), left, credit: cents(Math.max(0, -endingBalance)) }
}
