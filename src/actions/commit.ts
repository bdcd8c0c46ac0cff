/** The one writer: turns changes into rows, all of a kind in one statement, in the transaction it is given. */
import type { Changes } from '../billing/changes.ts'
import type { Subscription } from '../billing/subscription.ts'
import type { Transaction } from '../store/database.ts'
import { insertAttempts } from '../store/payment-attempts.ts'
import { updateStatements } from '../store/statements.ts'
import {
  customers,
  events,
  paymentProfiles,
  periods,
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
  const wall = app.clock.now()
  const all = <Item>(pick: (change: Changes) => Item | undefined): Item[] =>
    changes.map(pick).filter((item) => item !== undefined)
  const newStatements = changes.flatMap((change) => change.newStatements ?? [])
  await Promise.all([
    customers.insert(
      tx,
      siteId,
      all((change) => change.newCustomer),
    ),
    paymentProfiles.insert(
      tx,
      siteId,
      all((change) => change.newPaymentProfile),
    ),
    subscriptions.insert(
      tx,
      siteId,
      all((change) => change.newSubscription),
    ),
    subscriptions.update(
      tx,
      siteId,
      changing,
      all((change) => change.subscription),
    ),
    periods.insert(
      tx,
      siteId,
      changes.flatMap((change) => change.periods ?? []),
    ),
    updateStatements(
      tx,
      siteId,
      changes.flatMap((change) => change.statements ?? []),
    ),
    statements.insert(
      tx,
      siteId,
      newStatements.map((statement) => ({
        ...statement,
        createdAt: statement.openedAt,
        updatedAt: statement.closedAt ?? statement.openedAt,
      })),
    ),
    transactions.insert(
      tx,
      siteId,
      changes.flatMap((change) => change.transactions ?? []),
    ),
    events.insert(
      tx,
      siteId,
      changes.flatMap((change) => change.events ?? []),
    ),
    insertAttempts(
      tx,
      siteId,
      all((change) => change.attempt),
      {
        askedBy: app.asker,
        askedAt: wall,
        nextCheckAt: wall.add({ seconds: attemptLeaseSeconds }),
      },
    ),
  ])
}
