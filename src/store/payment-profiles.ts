/** Stored cards, found within their site; deleted ones do not exist. */
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { Connection } from './database.ts'
import { sql } from './sql.ts'
import { paymentProfiles } from './tables.ts'

export async function findPaymentProfile(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<PaymentProfile | undefined> {
  const [row] = await connection.arrays(sql`
    select ${paymentProfiles.list('f')} from payment_profiles f
    where f.site_id = ${siteId} and f.id = ${id} and f.deleted_at is null`)
  return row && paymentProfiles.read(row)
}
