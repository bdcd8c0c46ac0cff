/** The audit of letters: each receipt is for one payment, and each payment has one receipt at most. */
import { sql } from '../sql.ts'
import type { Pass } from './check.ts'

export const receiptRows: Pass = {
  rows: (siteId) => sql`
    select l.id, l.customer_id, l.transaction_id, s.customer_id as payer_id,
      t.type = 'payment' and t.success and t.subscription_id = l.subscription_id as is_payment,
      count(*) over (partition by l.transaction_id) as times
    from letters l
    left join transactions t on t.site_id = ${siteId} and t.id = l.transaction_id
    left join subscriptions s on s.site_id = ${siteId} and s.id = t.subscription_id
    where l.site_id = ${siteId} and l.kind = 'receipt'`,
  checks: [
    {
      sentence: 'letters: each receipt is for a payment of its customer that succeeded',
      holds: sql`r.is_payment and r.customer_id = r.payer_id`,
      words: sql`format('receipt %s to customer %s is for transaction %s, which is %s', r.id, r.customer_id,
        coalesce(r.transaction_id::text, 'none'), case when r.is_payment then 'a payment of another customer' else 'no such payment' end)`,
    },
    {
      sentence: 'letters: no payment has two receipts',
      about: sql`r.transaction_id is not null`,
      holds: sql`r.times = 1`,
      words: sql`format('receipt %s is one of %s for transaction %s', r.id, r.times, r.transaction_id)`,
    },
  ],
}
