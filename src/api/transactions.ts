/** Transactions: of the site or of one subscription, narrowed by id or by date and by type; one; and how many there are. */
import { transactionTypes } from '../billing/ledger.ts'
import { findTransactionCount, listTransactionRecords, type TransactionFilter } from '../store/transaction-lists.ts'
import { findTransactionRecord } from '../store/transaction-records.ts'
import { presentTransaction, transactionShape } from '../views/transaction.ts'
import { list, resource } from '../wire/answer.ts'
import { readDirection, readIdWindow, readPage } from '../wire/paging.ts'
import type { Query, Route } from '../wire/request.ts'
import { type Context, type Handler, type SiteRequest, shows, subscriptionFrom } from './handler.ts'
import { readDateWindow, readWord, readWords } from './list-input.ts'
import { Problems } from './problems.ts'

/** The deprecated authorizations were never kept: a list of them is empty. */
const kinds = [...transactionTypes, 'info_transaction', 'payment_authorization'] as const

/** Only one kind of filter applies: with one by id, that by date has no effect. It also decides the order. */
function readFilter(query: Query, timeZone: string): TransactionFilter & { orderedBy: 'id' | 'created_at' | null } {
  const sent = readWords(query, 'kinds', kinds)
  const types =
    sent &&
    transactionTypes.filter((type) => sent.includes(type) || (type === 'info' && sent.includes('info_transaction')))
  const { sinceId, maxId } = readIdWindow(query)
  const { since, until } = readDateWindow(query, timeZone)
  if (sinceId !== null || maxId !== null) return { types, sinceId, maxId, orderedBy: 'id' }
  return { types, since, until, orderedBy: since === null && until === null ? null : 'created_at' }
}

/** Throws `InputErrors` with every problem at once. */
function readList({ query, context }: SiteRequest) {
  const problems = new Problems()
  const page = problems.gather(() => readPage(query))
  const direction = problems.gather(() => readDirection(query, 'desc'))
  const orderBy = problems.gather(() => readWord(query, 'order_by', ['id', 'created_at'], 'created_at'))
  const filter = problems.gather(() => readFilter(query, context.site.timeZone))
  problems.tell()
  const { perPage, offset } = page!
  return { filter: filter!, part: { orderBy: filter!.orderedBy ?? orderBy!, direction: direction!, perPage, offset } }
}

const listed = async (request: SiteRequest, subscriptionId: number | null) => {
  const { app, site } = request.context
  const { filter, part } = readList(request)
  const found = await listTransactionRecords(app.db, site.id, { ...filter, subscriptionId }, part)
  const shown = found.map((record) => presentTransaction(record, site.timeZone))
  return list('transactions', 'transaction', shown, transactionShape)
}

const ofSite: Handler = (request) => listed(request, null)
const ofSubscription: Handler = async (request) => listed(request, await subscriptionFrom(request))

/** Filters narrow what is counted as they narrow the list. */
const counted: Handler = async (request) => {
  const { app, site } = request.context
  return resource(
    200,
    'count',
    await findTransactionCount(app.db, site.id, readFilter(request.query, site.timeZone)),
    'integer',
  )
}

const read = shows('transaction_id', async (connection, site, id) => {
  const record = await findTransactionRecord(connection, site.id, id)
  return record && resource(200, 'transaction', presentTransaction(record, site.timeZone), transactionShape)
})

export const transactionRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/transactions', handler: ofSite },
  { method: 'GET', path: '/transactions/count', handler: counted },
  { method: 'GET', path: '/transactions/:transaction_id', handler: read },
  { method: 'GET', path: '/subscriptions/:subscription_id/transactions', handler: ofSubscription },
]
