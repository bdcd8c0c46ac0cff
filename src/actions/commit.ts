/** The one writer: turns changes into rows, all of a kind in one statement, in the transaction it is given. */
import type { Changes } from '../billing/changes.ts'
import type { Statement } from '../billing/statement.ts'
import type { Subscription } from '../billing/subscription.ts'
import { clearUnitBalances } from '../store/components.ts'
import type { Transaction } from '../store/database.ts'
import { insertAttempts } from '../store/payment-attempts.ts'
import { updateStatements } from '../store/statements.ts'
import {
  customers,
  events,
  paymentProfiles,
  periods,
  type StatementRow,
  statements,
  subscriptions,
  transactions,
} from '../store/tables.ts'
import type { App } from './app.ts'

/** An attempt that nobody settled by then is taken over by recovery, whoever made it. */
const attemptLeaseSeconds = 120

/** What never changes once a subscription exists. */
const fixed: readonly (keyof Subscription)[] = ['siteId', 'id', 'createdAt', 'signupRevenue', 'signupPaymentId']
const changing = subscriptions.columns
  .map((column) => column.field as keyof Subscription)
  .filter((field) => !fixed.includes(field))

/** All changes belong to one site; the statements go out in one burst, and the first that is refused undoes them all. */
export async function commit(app: App, tx: Transaction, siteId: number, changes: readonly Changes[]): Promise<void> {
  const one = <Key extends keyof Changes>(key: Key) =>
    changes.map((change) => change[key]).filter((row) => row !== undefined)
  const newStatements = changes.flatMap((change) => change.newStatements ?? [])
  const wall = app.clock.now()
  await Promise.all([
    customers.insert(tx, siteId, one('newCustomer')),
    paymentProfiles.insert(tx, siteId, one('newPaymentProfile')),
    subscriptions.insert(tx, siteId, one('newSubscription')),
    subscriptions.update(tx, siteId, changing, one('subscription')),
    periods.insert(tx, siteId, one('periods').flat()),
    updateStatements(tx, siteId, one('statements').flat()),
    statements.insert(tx, siteId, newStatements.map(asRow)),
    transactions.insert(tx, siteId, one('transactions').flat()),
    clearUnitBalances(tx, siteId, one('billedUsage').flat()),
    events.insert(tx, siteId, one('events').flat()),
    insertAttempts(tx, siteId, one('attempt'), {
      askedBy: app.asker,
      askedAt: wall,
      nextCheckAt: wall.add({ seconds: attemptLeaseSeconds }),
    }),
  ])
}

const asRow = (statement: Statement): StatementRow => ({
  ...statement,
  createdAt: statement.openedAt,
  updatedAt: statement.closedAt ?? statement.openedAt,
})
