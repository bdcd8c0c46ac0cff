/** Whatever happened, its bills add up: every charge is on one of them, nothing settles two debts, and what is due is what is owed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Bill, billUid } from '../../src/billing/bill.ts'
import type { BillFilter } from '../../src/billing/bill-list.ts'
import { listBillRefs } from '../../src/store/bill-refs.ts'
import { listBills } from '../../src/store/bills.ts'
import { findSite } from '../../src/store/sites.ts'
import { sql } from '../../src/store/sql.ts'
import { readStory } from '../stories/library.ts'
import { search } from '../support/campaign.ts'
import { parseStory } from '../support/story.ts'
import { type Happened, runStory } from '../support/story-run.ts'
import type { World } from '../support/story-world.ts'
import { withDice, worldOf } from './books.ts'
import { randomStory } from './random-stories.ts'

const everything: BillFilter = {
  dateField: 'created_at',
  since: null,
  until: null,
  statuses: null,
  subscriptionId: null,
  customerIds: null,
  productIds: null,
  invoiceNumbers: null,
  statementIds: null,
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0)

/** What is wrong with one bill by itself. */
function brokenSums(bill: Bill): string[] {
  const { subtotal, discount, tax, total, credit, balanceCredit, paid, refunded, due, status } = bill
  const rules: [string, boolean][] = [
    ['the total is lines less discounts plus taxes', total === subtotal - discount + tax],
    ['what is not settled is due', due === total - credit - paid],
    ['nothing is negative', [total, credit, balanceCredit, paid, due, refunded].every((amount) => amount >= 0)],
    ['no more is given back than was paid', refunded <= paid],
    ['what is paid owes nothing', status !== 'paid' || due === 0],
    ['what taxes say falls on lines is what they are', tax === sum(bill.lines.map((line) => line.tax))],
  ]
  return rules.filter(([, holds]) => !holds).map(([rule]) => `${billUid(bill)}: ${rule}`)
}

/** A payment or a credit settles no more than it is, on all bills together. */
function brokenApplications(bills: readonly Bill[]): string[] {
  const applied = bills.flatMap(({ credits, payments }) => [...credits, ...payments])
  return [...Map.groupBy(applied, ({ transaction }) => transaction.id).values()]
    .filter((parts) => sum(parts.map((part) => part.applied)) > Math.abs(parts[0]!.transaction.amount))
    .map((parts) => `row ${parts[0]!.transaction.id} settles more than it is`)
}

async function assertBillsAddUp({ app }: World, { siteId, subscriptions }: Happened): Promise<void> {
  const site = (await findSite(app.db, siteId))!
  const part = { sort: 'created_at', direction: 'asc', perPage: 100_000, offset: 0 } as const
  const bills = await listBills(app.db, site, await listBillRefs(app.db, siteId, everything, part))
  assert.deepEqual(bills.flatMap(brokenSums), [])
  assert.deepEqual(brokenApplications(bills), [])
  for (const [name, id] of subscriptions) {
    const own = bills.filter(({ subscriptionId }) => subscriptionId === id)
    const [row] = await app.db.arrays(sql`
      select s.balance_in_cents, s.invoiced_through_id is not null from subscriptions s
      where s.site_id = ${siteId} and s.id = ${id}`)
    const [balance = 0, wasInvoiced] = row as [number, boolean]
    const due = sum(own.map((bill) => bill.due))
    if (!wasInvoiced) assert.equal(due, Math.max(0, balance), `${name}: what is due is what is owed`)
    const charges = await app.db.arrays(sql`
      select t.id from transactions t
      join subscriptions s on s.site_id = t.site_id and s.id = t.subscription_id
      where t.site_id = ${siteId} and t.subscription_id = ${id} and t.type = 'charge' and t.kind is distinct from 'tax'
        and (t.statement_id <> s.open_statement_id or s.open_statement_id is null or s.open_statement_total_in_cents <> 0)
        and s.payment_collection_method = 'automatic'
      order by t.id`)
    const listed = own.flatMap(({ lines }) =>
      lines.filter(({ kind }) => kind !== null).map((line) => line.transactionId),
    )
    const expected = charges.map(([charge]) => charge as number)
    if (expected.length > 0)
      assert.deepEqual(listed.toSorted(), expected.toSorted(), `${name}: every charge is on one bill`)
  }
}

test('any history leaves bills that add up', async (t) => {
  const world = await worldOf(t)
  await fc.assert(
    fc.asyncProperty(randomStory({ calm: false }), async (text) => {
      await assertBillsAddUp(world, await withDice(text, () => runStory(world, parseStory(text))))
    }),
    search(t, 15),
  )
})

/** Those in which money goes ways that random histories seldom take. */
const stories = [
  'allocations-discounted-and-taxed',
  'charges-and-credit',
  'coupon-leaving-credit',
  'coupons-stacked',
  'delayed-signups',
  'dunning-to-unpaid',
  'invoices-and-cards',
  'metered-usage',
  'migrations',
  'past-due-across-a-period',
  'payments-from-elsewhere',
  'reactivation',
  'refunds',
  'yen',
]

test('so do stories of money that goes other ways', async (t) => {
  const world = await worldOf(t)
  for (const name of stories) {
    await t.test(name, async () => assertBillsAddUp(world, await runStory(world, readStory(name))))
  }
})
