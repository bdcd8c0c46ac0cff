/** The one writer: turns changes into rows, all of a kind in one statement, in the transaction it is given. */
import type { Changes } from '../billing/changes.ts'
import { lettersOf } from '../billing/letter.ts'
import type { Statement } from '../billing/statement.ts'
import type { Subscription, SubscriptionFacts } from '../billing/subscription.ts'
import { allocations } from '../store/allocations.ts'
import { insertCustomPrices } from '../store/catalog.ts'
import { couponRedemptions } from '../store/coupons.ts'
import type { Transaction } from '../store/database.ts'
import { externalPayments } from '../store/external-payments.ts'
import { saveGathering } from '../store/gathering-subscriptions.ts'
import { insertInvoices } from '../store/invoices.ts'
import { insertLetters } from '../store/letters.ts'
import { insertAttempts } from '../store/payment-attempts.ts'
import { movePeriodEnds } from '../store/periods.ts'
import { updateStatements } from '../store/statements.ts'
import { billUnitBalances, saveComponentStock } from '../store/subscription-components.ts'
import { removeSubscriptionCoupons, saveSubscriptionCoupons } from '../store/subscription-coupons.ts'
import {
  customers,
  paymentProfiles,
  periods,
  type StatementRow,
  statements,
  subscriptions,
  transactions,
} from '../store/tables.ts'
import { taxations } from '../store/taxes.ts'
import { usages } from '../store/usages.ts'
import type { App } from './app.ts'
import { writeEvents } from './tell-webhooks.ts'
import { prepareInvoices, writeInvoiceParts } from './write-invoices.ts'

/** What never changes once a subscription exists. */
const fixed: readonly (keyof Subscription)[] = ['siteId', 'id', 'createdAt']
const changing = subscriptions.columns
  .map((column) => column.field as keyof Subscription)
  .filter((field) => !fixed.includes(field))

/** What renewals and payments move; the other half of a subscription they leave alone, as a rule. */
const moving: readonly (keyof Subscription)[] = [
  'state',
  'balance',
  'totalRevenue',
  'periodNumber',
  'currentPeriodStartedAt',
  'currentPeriodEndsAt',
  'nextAssessmentAt',
  'retryAt',
  'dunningAttempts',
  'dunningSince',
  'initialChargeDue',
  'activatedAt',
  'openStatementId',
  'openStatementTotal',
  'coveredThroughId',
  'collectingAttemptId',
  'updatedAt',
]
/** The same for one that is paid by invoice. */
const invoiced: readonly (keyof Subscription)[] = [...moving, 'invoicedThroughId']
const lasting = changing.filter((field) => !invoiced.includes(field))

/** What sets of subscriptions were decided on, by their ids. */
type Facts = ReadonlyMap<number, Pick<SubscriptionFacts, 'subscription'>>

/**
 * All changes belong to one site; the statements go out in one burst, and the first that is refused undoes them all.
 * With the facts that were decided on, fields that no decision touched are not written again.
 */
export async function commit(
  app: App,
  tx: Transaction,
  siteId: number,
  changes: readonly Changes[],
  facts?: Facts,
): Promise<void> {
  const one = <Key extends keyof Changes>(key: Key) =>
    changes.map((change) => change[key]).filter((row) => row !== undefined)
  const events = one('events').flat()
  const newStatements = changes.flatMap((change) => change.newStatements ?? [])
  const wall = app.clock.now()
  const invoiceRows = await prepareInvoices(tx, changes)
  const [tell] = await Promise.all([
    writeEvents(tx, siteId, events),
    customers.insert(tx, siteId, one('newCustomer')),
    paymentProfiles.insert(tx, siteId, one('newPaymentProfile')),
    insertCustomPrices(tx, siteId, one('newCustomPrice')),
    subscriptions.insert(tx, siteId, one('newSubscription')),
    subscriptions.update(tx, siteId, touchedFields(one('subscription'), facts), one('subscription')),
    saveGathering(tx, siteId, gatheringNow([...one('newSubscription'), ...one('subscription')], facts)),
    periods.insert(tx, siteId, one('periods').flat()),
    movePeriodEnds(tx, siteId, one('movedPeriods').flat()),
    updateStatements(tx, siteId, one('statements').flat()),
    statements.insert(tx, siteId, newStatements.map(asRow)),
    transactions.insert(tx, siteId, one('transactions').flat()),
    taxations.insert(tx, siteId, one('taxations').flat()),
    couponRedemptions.insert(tx, siteId, one('redemptions').flat()),
    removeSubscriptionCoupons(tx, siteId, one('removedCoupons').flat()),
    saveSubscriptionCoupons(tx, siteId, one('subscriptionCoupons').flat()),
    billUnitBalances(tx, siteId, one('billedUsage').flat()),
    saveComponentStock(tx, siteId, one('subscribedComponents').flat()),
    allocations.insert(tx, siteId, one('newAllocations').flat()),
    usages.insert(tx, siteId, one('newUsages').flat()),
    externalPayments.insert(tx, siteId, one('externalPayment')),
    insertLetters(tx, siteId, lettersOf(events), wall),
    insertAttempts(tx, siteId, one('attempt'), {
      requestHash: app.requestHashes?.[0] ?? null,
      askedBy: app.asker,
    }),
    invoiceRows && writeInvoiceParts(tx, siteId, invoiceRows),
  ])
  await tell()
  // Last of all: from here on whoever draws an invoice's number waits for this transaction.
  if (invoiceRows) await insertInvoices(tx, siteId, invoiceRows.made)
}

/** Those with something on their open statement that were not known to have it: mid-period acts alone, as a rule. */
const gatheringNow = (rows: readonly Subscription[], facts: Facts | undefined): number[] =>
  rows
    .filter(({ id, openStatementTotal }) => {
      const before = facts?.get(id)?.subscription.openStatementTotal ?? 0
      return openStatementTotal !== 0 && before === 0
    })
    .map(({ id }) => id)

/** One of three lists, so that there are three statements to plan and not one for each mixture. */
function touchedFields(rows: readonly Subscription[], facts: Facts | undefined): readonly (keyof Subscription)[] {
  const isKept = (row: Subscription, fields: readonly (keyof Subscription)[]): boolean => {
    const before = facts?.get(row.id)?.subscription
    return before !== undefined && fields.every((field) => row[field] === before[field])
  }
  if (!rows.every((row) => isKept(row, lasting))) return changing
  return rows.every((row) => isKept(row, ['invoicedThroughId'])) ? moving : invoiced
}

const asRow = (statement: Statement): StatementRow => ({
  ...statement,
  createdAt: statement.openedAt,
  updatedAt: statement.closedAt ?? statement.openedAt,
})
