/** What a subscription leaves behind: its transactions and statements, newest first unless asked otherwise. */
import { notFound } from '../billing/refusal.ts'
import type { Connection } from '../store/database.ts'
import { listStatementRecords, listTransactionRecords, type Window } from '../store/ledger-records.ts'
import { findSubscription } from '../store/subscriptions.ts'
import { presentStatement, statementShape } from '../views/statement.ts'
import { presentTransaction, transactionShape } from '../views/transaction.ts'
import { list } from '../wire/answer.ts'
import { type Direction, readDirection, readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import type { Shape } from '../wire/shape.ts'
import { type Context, type Handler, idFrom } from './handler.ts'

type Listing<Item> = {
  plural: string
  item: string
  shape: Shape
  direction: Direction
  load: (connection: Connection, siteId: number, subscriptionId: number, window: Window) => Promise<Item[]>
  present: (item: Item, timeZone: string) => object
}

/** One page of a subscription's records; 404 when the site has no such subscription. */
const listed =
  <Item>({ plural, item, shape, direction, load, present }: Listing<Item>): Handler =>
  async (request) => {
    const { app, site } = request.context
    const subscriptionId = idFrom(request, 'subscription_id')
    if (!(await findSubscription(app.db, site.id, subscriptionId))) throw notFound()
    const { perPage, offset } = readPage(request.query)
    const window = { perPage, offset, direction: readDirection(request.query, direction) }
    const found = await load(app.db, site.id, subscriptionId, window)
    return list(
      plural,
      item,
      found.map((one) => present(one, site.timeZone)),
      shape,
    )
  }

export const subscriptionRecordRoutes: readonly Route<Context>[] = [
  {
    method: 'GET',
    path: '/subscriptions/:subscription_id/transactions',
    handler: listed({
      plural: 'transactions',
      item: 'transaction',
      shape: transactionShape,
      direction: 'desc',
      load: listTransactionRecords,
      present: presentTransaction,
    }),
  },
  {
    method: 'GET',
    path: '/subscriptions/:subscription_id/statements',
    handler: listed({
      plural: 'statements',
      item: 'statement',
      shape: statementShape,
      direction: 'asc',
      load: listStatementRecords,
      present: presentStatement,
    }),
  },
]
