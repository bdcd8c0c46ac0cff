/** The audit of invoices: totals, amounts due, states, numbers, and what is listed on them. */
import { sql } from '../sql.ts'
import type { Pass } from './check.ts'

export const invoiceRows: Pass = {
  rows: (siteId) => sql`
    select i.id, i.number, i.state, i.total_in_cents as total, i.credit_in_cents as credit, i.due_in_cents as due, i.paid_at,
      i.created_at, coalesce(l.charged, 0) as charged, coalesce(e.applied, 0) as applied, e.applied_at,
      coalesce(e.is_partly_paid, false) or i.credit_in_cents > 0 as is_partly_paid,
      row_number() over (order by i.number) as place, max(i.number) over () as highest,
      (select n.last_number from invoice_counters n where n.site_id = ${siteId}) as last_number
    from invoices i
    left join (
      select x.invoice_id, sum(t.amount_in_cents) as charged from invoice_lines x
      join transactions t on t.site_id = ${siteId} and t.id = x.transaction_id
      where x.site_id = ${siteId} group by x.invoice_id) l on l.invoice_id = i.id
    left join (
      select x.invoice_id, sum(x.amount_in_cents) as applied, max(t.created_at) as applied_at,
        bool_or(t.kind is distinct from 'coupon') as is_partly_paid
      from invoice_entries x
      join transactions t on t.site_id = ${siteId} and t.id = x.transaction_id
      where x.site_id = ${siteId} group by x.invoice_id) e on e.invoice_id = i.id
    where i.site_id = ${siteId}`,
  checks: [
    {
      sentence: 'invoices: the total of each is the sum of its charges',
      holds: sql`r.total = r.charged`,
      words: sql`format('invoice %s has a total of %s cents, its charges sum to %s', r.id, r.total, r.charged)`,
    },
    {
      sentence: 'invoices: what is due of each is its total, less what was in credit, paid and credited',
      holds: sql`r.due = greatest(0, r.total - r.credit - r.applied)`,
      words: sql`format('of invoice %s %s cents are due, after a total of %s, %s in credit and %s paid and credited', r.id, r.due,
        r.total, r.credit, r.applied)`,
    },
    {
      sentence: 'invoices: each was paid exactly when nothing was due any more',
      holds: sql`(r.paid_at is null) = (r.due > 0)
        and (r.paid_at is null or r.paid_at = greatest(r.created_at, r.applied_at))`,
      words: sql`format('invoice %s, of which %s cents are due, says that it was paid %s', r.id, r.due,
        coalesce('at ' || r.paid_at, 'never'))`,
    },
    {
      sentence: 'invoices: the state of each is that of its amounts, unless it is archived',
      about: sql`r.state <> 'archived'`,
      holds: sql`r.state = case when r.due = 0 then 'paid' when r.is_partly_paid then 'partial' else 'unpaid' end`,
      words: sql`format('invoice %s, of which %s of %s cents are due, is %s', r.id, r.due, r.total, r.state)`,
    },
    {
      sentence: 'invoices: their numbers run from 1 without a gap',
      holds: sql`r.number = r.place`,
      words: sql`format('invoice %s has the number %s and is the %s. in their order', r.id, r.number, r.place)`,
    },
    {
      sentence: 'invoices: the counter of each site stands at the last number that it gave',
      holds: sql`r.last_number = r.highest`,
      words: sql`format('the counter stands at %s, the last invoice has the number %s', coalesce(r.last_number, 0), r.highest)`,
    },
  ],
}

export const invoiceLineRows: Pass = {
  rows: (siteId) => sql`
    select l.invoice_id, l.transaction_id, t.type, t.subscription_id, i.subscription_id as whose
    from invoice_lines l
    left join invoices i on i.site_id = ${siteId} and i.id = l.invoice_id
    left join transactions t on t.site_id = ${siteId} and t.id = l.transaction_id
    where l.site_id = ${siteId}`,
  checks: [
    {
      sentence: 'invoices: each lists charges of its own subscription',
      holds: sql`r.type = 'charge' and r.subscription_id = r.whose`,
      words: sql`format('invoice %s of subscription %s lists transaction %s, a %s of subscription %s', r.invoice_id,
        coalesce(r.whose::text, 'nobody'), r.transaction_id, coalesce(r.type, 'row that is gone'), r.subscription_id)`,
    },
  ],
}

export const invoiceEntryRows: Pass = {
  rows: (siteId) => sql`
    select e.invoice_id, e.transaction_id, t.type, t.success, t.amount_in_cents as amount, t.subscription_id,
      i.subscription_id as whose, sum(e.amount_in_cents) over (partition by e.transaction_id) as applied
    from invoice_entries e
    left join invoices i on i.site_id = ${siteId} and i.id = e.invoice_id
    left join transactions t on t.site_id = ${siteId} and t.id = e.transaction_id
    where e.site_id = ${siteId}`,
  checks: [
    {
      sentence:
        'invoices: each is lowered by payments and credits of its own subscription, by none of them more than there is of it',
      holds: sql`r.subscription_id = r.whose and r.success
        and r.applied <= case when r.type = 'payment' then r.amount when r.type in ('adjustment', 'credit') then -r.amount end`,
      words: sql`format('%s cents of transaction %s, a %s of %s cents, are applied to invoice %s and others', r.applied,
        r.transaction_id, coalesce(r.type, 'row that is gone'), r.amount, r.invoice_id)`,
    },
  ],
}

export const invoiceEvents: Pass = {
  rows: (siteId) => sql`
    select coalesce(i.subscription_id, e.subscription_id) as subscription_id, coalesce(i.made, 0) as made, coalesce(e.told, 0) as told
    from (
      select x.subscription_id, count(*) as made from invoices x where x.site_id = ${siteId} group by x.subscription_id) i
    full join (
      select x.subscription_id, count(*) as told from events x
      where x.site_id = ${siteId} and x.key = 'invoice_issued' group by x.subscription_id) e on e.subscription_id = i.subscription_id`,
  checks: [
    {
      sentence: 'events: each invoice is told once',
      holds: sql`r.made = r.told`,
      words: sql`format('subscription %s has %s invoices, %s were told', r.subscription_id, r.made, r.told)`,
    },
  ],
}
