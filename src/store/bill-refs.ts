/** Which bills a list shows: invoices, statements of who pays by card, and statements that gather charges still, merged in one order. */

import type { BillRef, BillStatus } from '../billing/bill.ts'
import type { BillDate, BillFilter, BillSort } from '../billing/bill-list.ts'
import { latestInstant } from '../billing/calendar.ts'
import { isBill, isLine } from './billed-statements.ts'
import type { Connection } from './database.ts'
import { allOf, bigints, fragment, type Sql, sql } from './sql.ts'

export type BillPart = { sort: BillSort; direction: 'asc' | 'desc'; perPage: number; offset: number }

/** Where a branch of the list finds what all of them are narrowed and ordered by. */
type Columns = { created: string; due: string; updated: string; paid: string; number: string }

/** Rows of one kind and status; `rank` is the place of the status among the words in alphabetical order. */
type Branch = { kind: 0 | 1; rank: number; status: BillStatus; from: Sql; conditions: readonly Sql[]; columns: Columns }

const firstMoment = Temporal.Instant.from('1970-01-01T00:00:00Z')

const ofInvoices = (status: BillStatus, rank: number, condition: string): Branch => ({
  kind: 0,
  rank,
  status,
  from: fragment('invoices u'),
  conditions: [fragment(condition)],
  columns: { created: 'u.created_at', due: 'u.due_at', updated: 'u.updated_at', paid: 'u.paid_at', number: 'u.number' },
})

const ofStatements = (status: BillStatus, rank: number, condition: string, settled: string): Branch => ({
  kind: 1,
  rank,
  status,
  from: fragment('statements u'),
  conditions: [fragment(condition)],
  columns: { created: 'u.closed_at', due: 'u.closed_at', updated: settled, paid: 'u.settled_at', number: 'u.id' },
})

/**
 * Few at any time: those with a total already are looked for among those that ever had one in the middle of a period, and those whose
 * payment is asked for just now. They are there from their first line.
 */
const gathering: Branch = {
  kind: 1,
  rank: 2,
  status: 'pending',
  from: sql`(
      select c.site_id, c.subscription_id from gathering_subscriptions c
      union select a.site_id, a.subscription_id from payment_attempts a where a.settled_at is null) x
    join subscriptions s on s.site_id = x.site_id and s.id = x.subscription_id
    join statements u on u.site_id = s.site_id and u.id = s.open_statement_id
    cross join lateral (
      select min(t.created_at) as first, max(t.created_at) as last from transactions t
      where t.site_id = u.site_id and t.subscription_id = u.subscription_id and t.statement_id = u.id and ${isLine}) g`,
  conditions: [fragment('s.open_statement_total_in_cents <> 0'), fragment("s.payment_collection_method = 'automatic'")],
  columns: { created: 'g.first', due: 'g.first', updated: 'g.last', paid: 'u.settled_at', number: 'u.id' },
}

const branches: readonly Branch[] = [
  ofInvoices('open', 0, "u.state in ('unpaid', 'partial')"),
  ofStatements('open', 0, 'u.closed_at is not null and u.settled_at is null', 'u.closed_at'),
  ofInvoices('paid', 1, "(u.state = 'paid' or (u.state = 'archived' and u.due_in_cents = 0))"),
  // Both are said, for the index of either.
  ofStatements('paid', 1, 'u.closed_at is not null and u.settled_at is not null', 'u.settled_at'),
  gathering,
  ofInvoices('voided', 3, "u.state = 'archived' and u.due_in_cents > 0"),
]

const dateNames = {
  created_at: 'created',
  issue_date: 'created',
  due_date: 'due',
  updated_at: 'updated',
  paid_date: 'paid',
} as const

const dateOf = ({ columns }: Branch, dateField: BillDate): string => columns[dateNames[dateField]]

/**
 * What a window is about. Statements that are listed in the order of another date are found in that order: an expression has no index,
 * and whoever took the window's would look at all that is in it before the first page is cut.
 */
const windowDate = (branch: Branch, { dateField }: BillFilter, sort: BillSort): Sql => {
  const date = dateOf(branch, dateField)
  const isOrder = date === (sort === 'number' ? undefined : dateOf(branch, sort === 'status' ? 'created_at' : sort))
  return fragment(isOrder || branch.kind === 0 ? date : `(${date} + interval '0 seconds')`)
}

function conditionsOf(siteId: number, branch: Branch, filter: BillFilter, sort: BillSort): Sql[] {
  const { since, until, subscriptionId, customerIds, productIds, invoiceNumbers, statementIds } = filter
  const isInvoice = branch.kind === 0
  const date = windowDate(branch, filter, sort)
  const ids = (list: readonly number[]): Sql => sql`any(${bigints(list)}::bigint[])`
  const owner = branch === gathering ? sql`x.site_id = ${siteId}` : sql`u.site_id = ${siteId}`
  return [
    owner,
    ...branch.conditions,
    ...(since === null && until === null
      ? []
      : [sql`${date} between ${since ?? firstMoment} and ${until ?? latestInstant}`]),
    ...(subscriptionId === null ? [] : [sql`u.subscription_id = ${subscriptionId}`]),
    ...(customerIds === null
      ? []
      : [
          isInvoice
            ? sql`u.customer_id = ${ids(customerIds)}`
            : sql`u.subscription_id in (
                select c.id from subscriptions c where c.site_id = ${siteId} and c.customer_id = ${ids(customerIds)})`,
        ]),
    ...(productIds === null
      ? isInvoice
        ? []
        : [isBill('u')]
      : [isInvoice ? listsProduct(ids(productIds)) : chargesProduct(ids(productIds))]),
    ...(invoiceNumbers === null && statementIds === null
      ? []
      : [sql`${fragment(branch.columns.number)} = ${ids((isInvoice ? invoiceNumbers : statementIds) ?? [])}`]),
  ]
}

const listsProduct = (ids: Sql): Sql => sql`exists (
  select from invoice_lines l where l.site_id = u.site_id and l.invoice_id = u.id and l.product_id = ${ids})`
/** Instead of `isBill`: what is sought is a line of one of them. */
const chargesProduct = (ids: Sql): Sql => sql`exists (
  select from transactions t where t.site_id = u.site_id and t.subscription_id = u.subscription_id and t.statement_id = u.id
    and t.product_id = ${ids} and ${isLine})`

/** By the date that was asked for and then by kind and id; the newest first within one status, as among numbers the invoices come first. */
function orderOf({ sort, direction }: BillPart): { within: (branch: Branch) => Sql; among: Sql } {
  const opposite = direction === 'asc' ? 'desc' : 'asc'
  if (sort === 'status') {
    return {
      within: ({ columns }) => fragment(`${columns.created} ${opposite}, u.id ${opposite}`),
      among: fragment(`f.rank ${direction}, f.at ${opposite}, f.kind ${opposite}, f.id ${opposite}`),
    }
  }
  if (sort === 'number') {
    return {
      within: ({ columns }) => fragment(`${columns.number} ${direction}`),
      among: fragment(`f.kind ${direction}, f.number ${direction}`),
    }
  }
  return {
    within: (branch) => fragment(`${dateOf(branch, sort)} ${direction}, u.id ${direction}`),
    among: fragment(`f.at ${direction}, f.kind ${direction}, f.id ${direction}`),
  }
}

/** Each branch gives no more than a page and what comes before it, so that every one of them ends early in an index. */
export async function listBillRefs(
  connection: Connection,
  siteId: number,
  filter: BillFilter,
  part: BillPart,
): Promise<BillRef[]> {
  const { statuses } = filter
  const wanted = branches.filter(({ status }) => statuses === null || statuses.includes(status))
  if (wanted.length === 0) return []
  const { within, among } = orderOf(part)
  const dateField = part.sort === 'number' || part.sort === 'status' ? 'created_at' : part.sort
  const parts = wanted.map(
    (branch) => sql`(
      select ${fragment(`${branch.kind}::int as kind, ${branch.rank}::int as rank, u.id, ${branch.columns.number} as number`)},
        ${fragment(dateOf(branch, dateField))} as at
      from ${branch.from} where ${allOf(conditionsOf(siteId, branch, filter, part.sort))}
      order by ${within(branch)} limit ${part.offset + part.perPage})`,
  )
  const union = parts.reduce((all, one) => sql`${all} union all ${one}`)
  const rows = await connection.arrays(sql`
    select f.kind, f.id from (${union}) f order by ${among} limit ${part.perPage} offset ${part.offset}`)
  return rows.map(([kind, id]) => ({ kind: kind === 0 ? 'invoice' : 'statement', id: id as number }))
}
