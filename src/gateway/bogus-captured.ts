/** What the test gateway holds for each subscription by its own record: what it captured, less what was voided or refunded. */

/** Columns site_id, subscription_id, captured_in_cents; for the audit, which compares it with our ledger from the outside. */
export const bogusCaptured = `
  select c.site_id, c.subscription_id,
    sum(case c.kind when 'purchase' then c.amount_in_cents else -c.amount_in_cents end) as captured_in_cents
  from bogus_gateway.calls c
  where c.outcome = 'approved' and c.kind in ('purchase', 'void', 'refund') and c.subscription_id is not null
  group by c.site_id, c.subscription_id`
