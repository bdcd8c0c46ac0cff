/** Everything that lists can be asked for, at their beginning and far in. */
import type { TransactionType } from '../../src/billing/ledger.ts'
import type { StatementSort } from '../../src/billing/statement.ts'
import type { Connection } from '../../src/store/database.ts'
import { type EventFilter, findEventCount, listEvents } from '../../src/store/events.ts'
import { everyInvoice, findInvoiceRecord, listInvoiceRecords } from '../../src/store/invoice-records.ts'
import { findStatementDetails } from '../../src/store/statement-details.ts'
import { findStatementCount, listStatementIds, listStatements } from '../../src/store/statement-lists.ts'
import {
  findTransactionCount,
  listTransactionRecords,
  type TransactionFilter,
} from '../../src/store/transaction-lists.ts'
import { findTransactionRecord } from '../../src/store/transaction-records.ts'
import { findWebhook, listWebhooks, type WebhookFilter } from '../../src/store/webhooks.ts'
import type { ListSite } from './data.ts'

type Reading = (connection: Connection, site: ListSite) => Promise<unknown>

export type Asked = {
  title: string
  near: Reading
  /** Absent where nothing lies further in. */
  far?: Reading
  /** Goes on after the last id that was seen, or from one moment: what must cost the same anywhere. */
  isContinuation?: boolean
}

const perPage = 20
const first = { perPage, offset: 0 }
const noEvents: EventFilter = { subscriptionId: null, sinceId: null, maxId: null, keys: null, since: null, until: null }
const noInvoices = everyInvoice

/** The ids and moments of 90 % of the way. */
const deep = (count: number): number => Math.floor(count * 0.9)
const begin = Temporal.Instant.from('2020-01-02T00:00:00Z')
const late = begin.add({ hours: 24 * 270 })
const day = (since: Temporal.Instant) => ({ since, until: since.add({ hours: 24 }) })

type Paging = { orderBy?: 'id' | 'created_at'; direction?: 'asc' | 'desc'; offset?: number }

const transactions =
  (filter: TransactionFilter, { orderBy = 'created_at', direction = 'desc', offset = 0 }: Paging = {}): Reading =>
  (connection, site) =>
    listTransactionRecords(connection, site.id, filter, { orderBy, direction, perPage, offset })

const fromId =
  (share: (site: ListSite) => TransactionFilter, direction: 'asc' | 'desc'): Reading =>
  (connection, site) =>
    transactions(share(site), { orderBy: 'id', direction })(connection, site)

const halfway =
  (filter: TransactionFilter, orderBy: 'id' | 'created_at'): Reading =>
  (connection, site) =>
    transactions(filter, { orderBy, offset: Math.floor(site.transactions / 2) })(connection, site)

const ofTypes = (...types: TransactionType[]): Asked => ({
  title: `transactions, kinds ${types.join(', ')}`,
  near: transactions({ types }, { direction: 'asc' }),
  far: (connection, site) => transactions({ types, since: late }, { direction: 'asc' })(connection, site),
  isContinuation: true,
})

const ofTypesById = (...types: TransactionType[]): Asked => ({
  title: `transactions, since_id, kinds ${types.join(', ')}`,
  near: fromId(({ firstTransaction }) => ({ types, sinceId: firstTransaction }), 'asc'),
  far: fromId(({ firstTransaction, transactions: all }) => ({ types, sinceId: firstTransaction + deep(all) }), 'asc'),
  isContinuation: true,
})

export const transactionLists: readonly Asked[] = [
  { title: 'transactions, newest first', near: transactions({}), far: halfway({}, 'created_at') },
  { title: 'transactions, order_by id', near: transactions({}, { orderBy: 'id' }), far: halfway({}, 'id') },
  {
    title: 'transactions, since_id, asc',
    near: fromId(({ firstTransaction }) => ({ sinceId: firstTransaction }), 'asc'),
    far: fromId(({ firstTransaction, transactions: all }) => ({ sinceId: firstTransaction + deep(all) }), 'asc'),
    isContinuation: true,
  },
  {
    title: 'transactions, max_id, desc',
    near: fromId(({ firstTransaction, transactions: all }) => ({ maxId: firstTransaction + deep(all) }), 'desc'),
    far: fromId(({ firstTransaction, transactions: all }) => ({ maxId: firstTransaction + all - deep(all) }), 'desc'),
    isContinuation: true,
  },
  {
    title: 'transactions, since_date to until_date',
    near: transactions(day(begin), { direction: 'asc' }),
    far: transactions(day(late), { direction: 'asc' }),
    isContinuation: true,
  },
  ofTypes('charge'),
  ofTypes('refund'),
  ofTypes('payment', 'adjustment', 'info'),
  ofTypesById('payment'),
  ofTypesById('adjustment', 'refund'),
  {
    title: 'transactions of a subscription',
    near: (connection, site) => transactions({ subscriptionId: site.firstSubscription })(connection, site),
    far: (connection, site) =>
      transactions({ subscriptionId: site.firstSubscription + deep(site.subscriptions) })(connection, site),
    isContinuation: true,
  },
  {
    title: 'one transaction',
    near: (connection, site) => findTransactionRecord(connection, site.id, site.firstTransaction),
    far: (connection, site) =>
      findTransactionRecord(connection, site.id, site.firstTransaction + 2 * deep(site.transactions / 2)),
    isContinuation: true,
  },
  { title: 'transactions, count', near: (connection, site) => findTransactionCount(connection, site.id, {}) },
  {
    title: 'transactions, count of a kind and of a day',
    near: (connection, site) => findTransactionCount(connection, site.id, { types: ['charge'], ...day(late) }),
  },
]

const statements =
  (sort: StatementSort, direction: 'asc' | 'desc', share: number): Reading =>
  (connection, site) =>
    listStatements(
      connection,
      site.id,
      { subscriptionId: null },
      { sort, direction, perPage, offset: Math.floor(site.statements * share) },
    )

export const statementLists: readonly Asked[] = [
  ...(['created_at', 'closed_at', 'settled_at'] as const).map((sort) => ({
    title: `statements, sort ${sort}, desc`,
    near: statements(sort, 'desc', 0),
    far: statements(sort, 'desc', 0.5),
  })),
  {
    title: 'statements, ids',
    near: (connection, { id }) =>
      listStatementIds(
        connection,
        id,
        { subscriptionId: null },
        { ...first, perPage: 10_000, sort: 'created_at', direction: 'asc' },
      ),
  },
  {
    title: 'statements of a subscription',
    near: (connection, { id, firstSubscription }) =>
      listStatements(
        connection,
        id,
        { subscriptionId: firstSubscription },
        { ...first, sort: 'closed_at', direction: 'asc' },
      ),
    far: (connection, { id, firstSubscription, subscriptions }) =>
      listStatements(
        connection,
        id,
        { subscriptionId: firstSubscription + deep(subscriptions) },
        { ...first, sort: 'closed_at', direction: 'asc' },
      ),
    isContinuation: true,
  },
  {
    title: 'one statement',
    near: (connection, { id, firstStatement }) => findStatementDetails(connection, id, firstStatement),
    far: (connection, { id, firstStatement, statements: all }) =>
      findStatementDetails(connection, id, firstStatement + deep(all)),
    isContinuation: true,
  },
  { title: 'statements, count', near: (connection, { id }) => findStatementCount(connection, id) },
]

const events =
  (filter: (site: ListSite) => Partial<EventFilter>, direction: 'asc' | 'desc', share = 0): Reading =>
  (connection, site) =>
    listEvents(
      connection,
      site.id,
      { ...noEvents, ...filter(site) },
      { perPage, offset: Math.floor(site.transactions * share), direction },
    )

const eventsSince = (title: string, keys: string[] | null): Asked => ({
  title,
  near: events(({ firstTransaction }) => ({ keys, sinceId: firstTransaction }), 'asc'),
  far: events(({ firstTransaction, transactions: all }) => ({ keys, sinceId: firstTransaction + deep(all) }), 'asc'),
  isContinuation: true,
})

export const eventLists: readonly Asked[] = [
  { title: 'events, newest first', near: events(() => ({}), 'desc'), far: events(() => ({}), 'desc', 0.5) },
  eventsSince('events, since_id, asc', null),
  eventsSince('events, since_id, filter of two keys', ['payment_success', 'statement_closed']),
  {
    title: 'events of a day',
    near: events(() => day(begin), 'asc'),
    far: events(() => day(late), 'asc'),
    isContinuation: true,
  },
  {
    title: 'events of a subscription',
    near: events(({ firstSubscription }) => ({ subscriptionId: firstSubscription }), 'desc'),
    far: events(
      ({ firstSubscription, subscriptions }) => ({ subscriptionId: firstSubscription + deep(subscriptions) }),
      'desc',
    ),
    isContinuation: true,
  },
  { title: 'events, count', near: (connection, { id }) => findEventCount(connection, id, noEvents) },
]

export const invoiceLists: readonly Asked[] = [
  {
    title: 'invoices, newest first',
    near: (connection, { id }) => listInvoiceRecords(connection, id, noInvoices, first),
    far: (connection, { id, invoices }) =>
      listInvoiceRecords(connection, id, noInvoices, { perPage, offset: Math.floor(invoices / 2) }),
  },
  {
    title: 'invoices, status unpaid',
    near: (connection, { id }) => listInvoiceRecords(connection, id, { ...noInvoices, states: ['unpaid'] }, first),
    far: (connection, { id }) =>
      listInvoiceRecords(
        connection,
        id,
        { ...noInvoices, states: ['unpaid'], until: begin.add({ hours: 240 }) },
        first,
      ),
  },
  {
    title: 'invoices of a day',
    near: (connection, { id }) => listInvoiceRecords(connection, id, { ...noInvoices, ...day(begin) }, first),
    far: (connection, { id }) => listInvoiceRecords(connection, id, { ...noInvoices, ...day(late) }, first),
    isContinuation: true,
  },
  {
    title: 'one invoice',
    near: (connection, { id, firstInvoice }) => findInvoiceRecord(connection, id, firstInvoice + 1),
    far: (connection, { id, firstInvoice, invoices }) =>
      findInvoiceRecord(connection, id, firstInvoice + deep(invoices) + 1),
    isContinuation: true,
  },
]

const webhooks =
  (filter: Partial<WebhookFilter>, share = 0): Reading =>
  (connection, { id, transactions: all }) =>
    listWebhooks(
      connection,
      id,
      { status: null, since: null, until: null, subscriptionId: null, isOldestFirst: false, ...filter },
      { perPage, offset: Math.floor((all / 2) * share) },
    )

export const webhookLists: readonly Asked[] = [
  { title: 'webhooks, newest first', near: webhooks({}), far: webhooks({}, 0.5) },
  {
    title: 'webhooks of a day, oldest first',
    near: webhooks({ ...day(begin), isOldestFirst: true }),
    far: webhooks({ ...day(late), isOldestFirst: true }),
    isContinuation: true,
  },
  {
    title: 'webhooks, status failed',
    near: webhooks({ status: 'failed' }),
    far: webhooks({ status: 'failed', until: late }),
  },
  {
    title: 'one webhook',
    near: (connection, { id, firstTransaction }) => findWebhook(connection, id, firstTransaction),
    far: (connection, { id, firstTransaction, transactions: all }) =>
      findWebhook(connection, id, firstTransaction + deep(all / 2)),
    isContinuation: true,
  },
]
