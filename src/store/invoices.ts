/** Invoices: written with numbers that have no gap, changed when something is paid or credited, loaded for decisions. */
import type { DueInvoice, Invoice, InvoiceSnapshot, InvoicingFacts } from '../billing/invoice.ts'
import type { InvoiceChange } from '../billing/invoicing.ts'
import type { Cents } from '../billing/money.ts'
import type { Connection, Transaction } from './database.ts'
import { bigints, sql, texts } from './sql.ts'
import { Table } from './table.ts'

/** A new one, but for its number, which is drawn when it is written. */
export type NewInvoiceRow = Omit<Invoice, 'number'>

export type InvoiceRow = Invoice & { snapshot: InvoiceSnapshot }
export const invoices = new Table<InvoiceRow>('invoices', {
  id: 'bigint',
  number: 'bigint',
  subscriptionId: 'bigint',
  customerId: 'bigint',
  statementId: 'bigint',
  state: 'text',
  total: 'cents',
  credit: 'cents',
  due: 'cents',
  paidAt: 'instant',
  snapshot: 'json',
  createdAt: 'instant',
  updatedAt: 'instant',
})

/** The part of a payment or a credit that falls on one invoice. */
export type InvoiceEntryRow = { siteId: number; invoiceId: number; transactionId: number; amount: Cents }
export const invoiceEntries = new Table<InvoiceEntryRow>('invoice_entries', {
  invoiceId: 'bigint',
  transactionId: 'bigint',
  amount: 'cents',
})

export async function drawInvoiceIds(connection: Connection, count: number): Promise<number[]> {
  const rows = await connection.arrays(sql`
    select nextval('invoices_id_seq') from generate_series(1, ${count}::int)`)
  return rows.map((row) => row[0] as number)
}

/** Which charges are on which invoice. */
export type InvoiceLineRow = { siteId: number; invoiceId: number; transactionId: number }

/**
 * Copies what the lines say of products, components and periods, all of it as it is now. Usage is that of the period before; what is
 * charged in the middle of a period is for the rest of it.
 */
export async function insertInvoiceLines(
  tx: Transaction,
  siteId: number,
  rows: readonly InvoiceLineRow[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.run(sql`
    insert into invoice_lines (site_id, invoice_id, transaction_id, product_id, product_name, component_name,
      period_started_at, period_ends_at)
    select t.site_id, u.invoice, t.id, p.id, p.name, k.name,
      case when t.kind in ('quantity_based_component', 'on_off_component') and t.created_at between d.started_at and d.ends_at
        and t.created_at <> d.assessed_at then t.created_at else d.started_at end, d.ends_at
    from unnest(${bigints(rows.map((row) => row.invoiceId))}::bigint[],
      ${bigints(rows.map((row) => row.transactionId))}::bigint[]) as u (invoice, id)
    join transactions t on t.site_id = ${siteId} and t.id = u.id
    join products p on p.site_id = ${siteId} and p.id = t.product_id
    left join components k on k.site_id = ${siteId} and k.id = t.component_id
    left join periods d on d.site_id = ${siteId} and d.subscription_id = t.subscription_id
      and t.kind in ('baseline', 'trial', 'quantity_based_component', 'on_off_component', 'metered_component')
      and d.number = t.period_number - case when t.kind = 'metered_component' then 1 else 0 end`)
}

/**
 * Writes invoices with the next numbers of their site, in their order, and the snapshot of what they were made from. Comes last of
 * all in a transaction: whoever draws numbers next waits until this one is committed, or takes the same ones when it is undone.
 */
export async function insertInvoices(tx: Transaction, siteId: number, rows: readonly NewInvoiceRow[]): Promise<void> {
  if (rows.length === 0) return
  const seconds = (pick: (row: NewInvoiceRow) => Temporal.Instant | null) =>
    bigints(rows.map((row) => (pick(row)?.epochMilliseconds ?? Number.NaN) / 1000).map((at) => (at >= 0 ? at : null)))
  const cents = (pick: (row: NewInvoiceRow) => number | null) => bigints(rows.map(pick))
  await tx.run(sql`
    with drawn as (
      insert into invoice_counters as n (site_id, last_number) values (${siteId}, ${rows.length})
      on conflict (site_id) do update set last_number = n.last_number + excluded.last_number
      returning n.site_id, n.last_number - ${rows.length}::bigint as before)
    insert into invoices (site_id, id, number, subscription_id, customer_id, statement_id, state, total_in_cents, credit_in_cents,
      due_in_cents, paid_at, created_at, due_at, updated_at, snapshot)
    select drawn.site_id, u.id, drawn.before + u.place, u.subscription, u.customer, u.statement, u.state, u.total, u.credit, u.due,
      to_timestamp(u.paid), to_timestamp(u.created),
      (to_timestamp(u.created) at time zone s.time_zone + make_interval(days => coalesce(b.net_terms, 0))) at time zone s.time_zone,
      to_timestamp(u.created), jsonb_build_object(
        'seller', jsonb_build_object('name', s.name, 'address', e.address, 'address2', e.address_2, 'city', e.city,
          'state', e.state, 'zip', e.zip, 'country', s.country, 'vatNumber', e.vat_number, 'logoDigest', e.logo_digest,
          'pageSize', coalesce(e.invoice_page_size, 'A4')),
        'buyer', jsonb_build_object('firstName', c.first_name, 'lastName', c.last_name, 'organization', c.organization,
          'email', c.email, 'phone', c.phone, 'reference', c.reference, 'vatNumber', c.vat_number, 'taxExempt', c.tax_exempt,
          'address', c.address, 'address2', c.address_2, 'city', c.city, 'state', c.state, 'zip', c.zip, 'country', c.country,
          'billing', case when coalesce(f.billing_address, f.billing_city, f.billing_zip, f.billing_country) is not null then
            jsonb_build_object('address', f.billing_address, 'address2', f.billing_address_2, 'city', f.billing_city,
              'state', f.billing_state, 'zip', f.billing_zip, 'country', f.billing_country) end),
        'productName', p.name, 'currency', s.currency, 'timeZone', s.time_zone, 'netTerms', b.net_terms)
    from drawn
    join sites s on s.id = drawn.site_id
    left join sellers e on e.site_id = drawn.site_id
    cross join unnest(${cents((row) => row.id)}::bigint[], ${cents((row) => row.subscriptionId)}::bigint[],
      ${cents((row) => row.customerId)}::bigint[], ${cents((row) => row.statementId)}::bigint[],
      ${texts(rows.map((row) => row.state))}::text[], ${cents((row) => row.total)}::bigint[],
      ${cents((row) => row.credit)}::bigint[], ${cents((row) => row.due)}::bigint[], ${seconds((row) => row.paidAt)}::bigint[],
      ${seconds((row) => row.createdAt)}::bigint[]) with ordinality
      as u (id, subscription, customer, statement, state, total, credit, due, paid, created, place)
    join subscriptions b on b.site_id = drawn.site_id and b.id = u.subscription
    join products p on p.site_id = drawn.site_id and p.id = b.product_id
    join customers c on c.site_id = drawn.site_id and c.id = u.customer
    left join payment_profiles f
      on f.site_id = drawn.site_id and f.customer_id = u.customer and f.id = b.payment_profile_id and f.deleted_at is null`)
}

/** What was paid, credited or charged on invoices that exist. */
export const updateInvoices = (tx: Transaction, siteId: number, rows: readonly InvoiceChange[]): Promise<void> =>
  invoices.update(tx, siteId, ['state', 'total', 'due', 'paidAt', 'updatedAt'], rows)

/** What decisions need to know of the invoices of these subscriptions. A charge that a payment covered does not wait for one. */
export async function listInvoicingFacts(
  connection: Connection,
  siteId: number,
  subscriptionIds: readonly number[],
): Promise<Map<number, InvoicingFacts>> {
  if (subscriptionIds.length === 0) return new Map()
  const ids = bigints(subscriptionIds)
  const [dueRows, waitingRows] = await Promise.all([
    connection.arrays(sql`
      select i.subscription_id, i.id, i.state, i.total_in_cents, i.due_in_cents from invoices i
      where i.site_id = ${siteId} and i.subscription_id = any(${ids}::bigint[]) and i.due_in_cents > 0
      order by i.id`),
    connection.arrays(sql`
      select t.subscription_id, t.id, t.amount_in_cents from subscriptions s
      join transactions t on t.site_id = s.site_id and t.subscription_id = s.id and t.type = 'charge'
        and t.id > coalesce(s.invoiced_through_id, s.covered_through_id)
        and (t.id > s.covered_through_id or (t.kind = 'delay_capture' and t.statement_id = s.open_statement_id))
      where s.site_id = ${siteId} and s.id = any(${ids}::bigint[])
        and not exists (select from invoice_lines l where l.site_id = t.site_id and l.transaction_id = t.id)
        and not exists (
          select from transactions p
          where p.site_id = t.site_id and p.subscription_id = t.subscription_id and p.covers_after_id is not null
            and p.id > t.id and p.covers_after_id < t.id)
      order by t.id`),
  ])
  const due = Map.groupBy(dueRows, (row) => row[0] as number)
  const waiting = Map.groupBy(waitingRows, (row) => row[0] as number)
  return new Map(
    subscriptionIds.map((subscriptionId) => [
      subscriptionId,
      {
        due: (due.get(subscriptionId) ?? []).map(
          ([, id, state, total, left]) => ({ id, state, total, due: left }) as DueInvoice,
        ),
        waiting: (waiting.get(subscriptionId) ?? []).map(([, id, amount]) => ({
          id: id as number,
          amount: amount as Cents,
        })),
      },
    ]),
  )
}

export async function findInvoice(connection: Connection, siteId: number, id: number): Promise<Invoice | undefined> {
  const [row] = await connection.arrays(sql`
    select ${invoices.list('i')} from invoices i where i.site_id = ${siteId} and i.id = ${id}`)
  return row && invoices.read(row)
}

/** The subscription is locked, so that nobody decides on the invoice meanwhile. */
export const archiveInvoiceRow = (tx: Transaction, siteId: number, id: number, now: Temporal.Instant) =>
  tx.run(sql`
    update invoices set state = 'archived', updated_at = ${now}
    where site_id = ${siteId} and id = ${id} and state <> 'archived'`)
