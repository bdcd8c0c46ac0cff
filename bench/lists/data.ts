/** A site with a long record: subscriptions that were billed ten times, with everything that this leaves in lists. */
import type { Place } from '../place.ts'

const createdAt = '2020-01-01T00:00:00Z'
const periods = 10
const rowsOfPeriod = 2
/** One in so many subscriptions has rows of the rarer types. */
const rareEvery = 50
/** One in so many is billed by invoice. */
const invoicedEvery = 5

export type ListSite = {
  id: number
  subscriptions: number
  firstSubscription: number
  /** Ids of transactions rise with the time at which they were written, those of events and invoices too. */
  firstTransaction: number
  transactions: number
  firstStatement: number
  statements: number
  firstInvoice: number
  invoices: number
}

const tables = [
  'subscriptions',
  'statements',
  'transactions',
  'events',
  'invoices',
  'invoice_lines',
  'invoice_entries',
  'webhooks',
]

/** Loads the rows of all sites without their indexes, which are made afterwards: a tenth of the time. */
export async function makeListSites(place: Place, rowCounts: readonly number[]): Promise<ListSite[]> {
  const indexes = await place.pool.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
      where tablename = any($1) and indexname not in (select conname from pg_constraint)`,
    [tables],
  )
  for (const { name } of indexes.rows) await place.run(`drop index ${name}`)
  const sites: ListSite[] = []
  let free = 1_000_000
  for (const rows of rowCounts) {
    const { site, nextFree } = siteOf(sites.length + 1, rows, free)
    free = nextFree
    await load(place, site)
    sites.push(site)
  }
  for (const { definition } of indexes.rows) await place.run(definition)
  await place.run('vacuum (analyze)', 'checkpoint')
  return sites
}

function siteOf(id: number, rows: number, free: number): { site: ListSite; nextFree: number } {
  const subscriptions = Math.max(Math.ceil(rows / (periods * rowsOfPeriod)), rareEvery)
  const billed = subscriptions * periods
  const site: ListSite = {
    id,
    subscriptions,
    firstSubscription: free,
    firstTransaction: free,
    transactions: billed * rowsOfPeriod,
    firstStatement: free,
    statements: billed + subscriptions,
    firstInvoice: free,
    invoices: Math.ceil(billed / invoicedEvery),
  }
  return { site, nextFree: free + 2 * billed * rowsOfPeriod + 1000 }
}

/** `i` counts the bills of the site in the order of their time; `p` is the period, `s` the place of the subscription. */
const bills = ({ subscriptions }: ListSite): string => `(
  select i, i / ${subscriptions} as p, i % ${subscriptions} as s, ${momentOf('i', subscriptions)} as at
  from generate_series(0, ${subscriptions * periods - 1}) as i) as b`

/** A month for each period, over which its bills are spread evenly. */
const momentOf = (bill: string, subscriptions: number): string =>
  `date_trunc('second', timestamptz '${createdAt}' + ${bill}::double precision / ${subscriptions} * interval '30 days')`

async function load(place: Place, site: ListSite): Promise<void> {
  const client = await place.pool.connect()
  try {
    // What is written here refers to nothing that is missing; looking up every row of it would take most of the time.
    await client.query('set session_replication_role = replica')
    for (const statement of [...soldTo(site), ...recordOf(site), ...invoicesOf(site), ...webhooksOf(site)])
      await client.query(statement)
  } finally {
    client.release(true)
  }
}

const soldTo = (site: ListSite): string[] => [
  `insert into sites (id, subdomain, name, sealed_shared_key, created_at)
    values (${site.id}, 'site${site.id}', 'Site', 'none', '${createdAt}')`,
  `insert into product_families (site_id, id, name, created_at, updated_at)
    values (${site.id}, ${site.id}, 'Clubs', '${createdAt}', '${createdAt}')`,
  `insert into products (site_id, id, product_family_id, name, created_at, updated_at)
    values (${site.id}, ${site.id}, ${site.id}, 'Gold Club', '${createdAt}', '${createdAt}')`,
  `insert into product_versions (site_id, product_id, version_number, price_in_cents, interval_count, interval_unit, created_at)
    values (${site.id}, ${site.id}, 1, 4900, 1, 'month', '${createdAt}')`,
  `insert into customers (site_id, id, first_name, last_name, email, created_at, updated_at)
    select ${site.id}, ${site.firstSubscription} + s, 'First' || s, 'Last' || s, 'person' || s || '@example.com', '${createdAt}',
      '${createdAt}' from generate_series(0, ${site.subscriptions - 1}) as s`,
  `insert into subscriptions (site_id, id, customer_id, product_id, product_version_number, payment_collection_method, state,
      balance_in_cents, total_revenue_in_cents, period_number, anchor_at, anchor_time_zone, anchor_period_number,
      current_period_started_at, current_period_ends_at, next_assessment_at, dunning_attempts, initial_charge_due,
      signup_revenue_in_cents, signup_payment_id, open_statement_id, open_statement_total_in_cents, covered_through_id, created_at,
      updated_at)
    select ${site.id}, ${site.firstSubscription} + s, ${site.firstSubscription} + s, ${site.id}, 1, 'automatic', 'active', 0, 49000,
      ${periods}, at, 'UTC', 1, at, at + interval '30 days', at + interval '30 days', 0, false, 4900, 0,
      ${site.firstStatement} + ${periods * site.subscriptions} + s, 0, 0, '${createdAt}', at
    from generate_series(0, ${site.subscriptions - 1}) as s,
      lateral (select ${momentOf(`(${(periods - 1) * site.subscriptions} + s)`, site.subscriptions)} as at) as m`,
]

const recordOf = (site: ListSite): string[] => [
  `insert into statements (site_id, id, subscription_id, opened_at, closed_at, settled_at, starting_balance_in_cents,
      ending_balance_in_cents, total_in_cents, created_at, updated_at)
    select ${site.id}, ${site.firstStatement} + i, ${site.firstSubscription} + i % ${site.subscriptions}, at, closed, closed, 0,
      case when closed is not null then 0 end, case when closed is null then 0 else 4900 end, at, coalesce(closed, at)
    from generate_series(0, ${site.statements - 1}) as i,
      lateral (select ${momentOf('i', site.subscriptions)} - interval '30 days' as at,
        case when i < ${site.subscriptions * periods} then ${momentOf('i', site.subscriptions)} end as closed) as m`,
  `insert into transactions (site_id, id, subscription_id, customer_id, product_id, statement_id, period_number, type, kind, success,
      amount_in_cents, memo, starting_balance_in_cents, ending_balance_in_cents, covers_after_id, gateway_used,
      gateway_transaction_id, card_number, card_expiration, card_type, created_at)
    select ${site.id}, ${site.firstTransaction} + 2 * i + k, ${site.firstSubscription} + s, ${site.firstSubscription} + s, ${site.id},
      ${site.firstStatement} + i, p + 1, case k when 0 then 'charge' else 'payment' end, case k when 0 then 'baseline' end, true, 4900,
      'A period of the Gold Club (02/15/2027 - 03/15/2027)', 4900 * k, 4900 * (1 - k),
      case k when 1 then ${site.firstTransaction} + 2 * i - 1 end, case k when 1 then 'bogus' end,
      case k when 1 then i::text end, case k when 1 then 'XXXX-XXXX-XXXX-1111' end, case k when 1 then '12/2031' end,
      case k when 1 then 'visa' end, at
    from ${bills(site)}, generate_series(0, 1) as k`,
  `insert into transactions (site_id, id, subscription_id, customer_id, product_id, statement_id, period_number, type, success,
      amount_in_cents, memo, starting_balance_in_cents, ending_balance_in_cents, created_at)
    select ${site.id}, ${site.firstTransaction + site.transactions} + 3 * i + k, ${site.firstSubscription} + s,
      ${site.firstSubscription} + s, ${site.id}, ${site.firstStatement} + i, p + 1, (array['adjustment', 'refund', 'info'])[k + 1], true,
      0, 'Seldom', 0, 0, at
    from ${bills(site)}, generate_series(0, 2) as k where s % ${rareEvery} = 0`,
  `insert into events (site_id, id, key, message, subscription_id, customer_id, created_at, event_specific_data)
    select ${site.id}, ${site.firstTransaction} + 2 * i + k,
      case when k = 0 then 'payment_success' when s % ${rareEvery} = 0 then 'statement_closed' else 'statement_settled' end,
      case when k = 0 then 'Successful payment' else 'Statement ' || ${site.firstStatement} + i || ' settled successfully' end,
      ${site.firstSubscription} + s, ${site.firstSubscription} + s, at, case k when 0 then jsonb_build_object('product_id', ${site.id}) end
    from ${bills(site)}, generate_series(0, 1) as k`,
]

const isInvoiced = `i % ${invoicedEvery} = 0`

/** The newest of a hundred is unpaid. */
const invoicesOf = (site: ListSite): string[] => [
  `insert into invoices (site_id, id, number, subscription_id, customer_id, statement_id, state, total_in_cents, credit_in_cents,
      due_in_cents, paid_at, snapshot, created_at, updated_at)
    select ${site.id}, ${site.firstInvoice} + i / ${invoicedEvery}, i / ${invoicedEvery} + 1, ${site.firstSubscription} + s,
      ${site.firstSubscription} + s, ${site.firstStatement} + i, case when open then 'unpaid' else 'paid' end, 4900, 0,
      case when open then 4900 else 0 end, case when not open then at end, '{}', at, at
    from ${bills(site)}, lateral (select i % ${100 * invoicedEvery} = 0 as open) as o where ${isInvoiced}`,
  `insert into invoice_lines (site_id, invoice_id, transaction_id, product_id, product_name, period_started_at, period_ends_at)
    select ${site.id}, ${site.firstInvoice} + i / ${invoicedEvery}, ${site.firstTransaction} + 2 * i, ${site.id}, 'Gold Club', at, at
    from ${bills(site)} where ${isInvoiced}`,
  `insert into invoice_entries (site_id, invoice_id, transaction_id, amount_in_cents)
    select ${site.id}, ${site.firstInvoice} + i / ${invoicedEvery}, ${site.firstTransaction} + 2 * i + 1, 4900
    from ${bills(site)} where ${isInvoiced} and i % ${100 * invoicedEvery} <> 0`,
]

/** One for each bill; one of a thousand failed and was given up. */
const webhooksOf = (site: ListSite): string[] => [
  `insert into webhook_endpoints (site_id, id, url, event_keys, sealed_secret, created_at, updated_at)
    values (${site.id}, ${site.id}, 'https://example.com/', '{}', 'none', '${createdAt}', '${createdAt}')`,
  `insert into webhooks (site_id, id, endpoint_id, event_id, event, subscription_id, body, created_at, sequence, endpoint_sequence,
      successful, accepted_at, last_sent_at, last_error_at, last_error, attempts)
    select ${site.id}, ${site.firstTransaction} + i, ${site.id}, ${site.firstTransaction} + 2 * i, 'payment_success',
      ${site.firstSubscription} + s, repeat('payload[a]=b&', 40), at, i + 1, i + 1, not failed, case when not failed then at end, at,
      case when failed then at end, case when failed then '503' end, 1
    from ${bills(site)}, lateral (select i % 1000 = 0 as failed) as f`,
]
