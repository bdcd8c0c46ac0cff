/** How payments that came past every gateway were made, as far as somebody said so. */
import type { PaymentMethod } from '../billing/payment.ts'
import type { Connection } from './database.ts'
import { bigints, sql } from './sql.ts'
import { Table } from './table.ts'

export type ExternalPaymentRow = PaymentMethod & { siteId: number; transactionId: number }

export const externalPayments = new Table<ExternalPaymentRow>('external_payments', {
  transactionId: 'bigint',
  method: 'text',
  details: 'text',
  receivedOn: 'text',
})

/** By the payment; those of which nothing was said are left out. */
export async function listExternalPayments(
  connection: Connection,
  siteId: number,
  transactionIds: readonly number[],
): Promise<Map<number, ExternalPaymentRow>> {
  if (transactionIds.length === 0) return new Map()
  const rows = await connection.arrays(sql`
    select ${externalPayments.list('e')} from external_payments e
    where e.site_id = ${siteId} and e.transaction_id = any(${bigints(transactionIds)}::bigint[])`)
  return new Map(rows.map((row) => externalPayments.read(row)).map((row) => [row.transactionId, row]))
}
