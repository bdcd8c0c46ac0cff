/** Which subscriptions have, or once had, something on their open statement in the middle of a period; who is among them stays. */
import type { Transaction } from './database.ts'
import { bigints, sql } from './sql.ts'

export const saveGathering = async (tx: Transaction, siteId: number, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await tx.run(sql`
    insert into gathering_subscriptions (site_id, subscription_id)
    select ${siteId}::bigint, u.id from unnest(${bigints(ids)}::bigint[]) u (id)
    order by u.id on conflict (site_id, subscription_id) do nothing`)
}
