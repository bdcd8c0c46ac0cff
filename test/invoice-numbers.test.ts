/** Invoice numbers under load: no gap, no number twice and no deadlock, whatever is undone in between. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { creditInvoice, payInvoice } from '../src/actions/act-on-invoice.ts'
import type { App } from '../src/actions/app.ts'
import { assessDueSubscriptions } from '../src/actions/assess-due-subscriptions.ts'
import { createCharge } from '../src/actions/create-charge.ts'
import { recordPayment } from '../src/actions/record-payment.ts'
import { verify } from '../src/actions/verify.ts'
import { cents } from '../src/billing/money.ts'
import { openDatabase } from '../src/store/database.ts'
import { sql } from '../src/store/sql.ts'
import { testDatabase } from './support/database.ts'
import { parseStory } from './support/story.ts'
import { runStory } from './support/story-run.ts'
import { openWorld, setClock, type World } from './support/story-world.ts'

const workers = 16
const subscribers = 48
const charge = {
  memo: 'Paper',
  useNegativeBalance: false,
  delayCapture: false,
  accrueOnFailure: false,
  taxable: false,
  collectionMethod: null,
} as const

const story = `
product lite: 10.00 every month, card optional
${Array.from({ length: subscribers }, (_, place) => `2026-01-01  sign up ada to lite as s${place} without a card, by invoice`).join('\n')}
2026-01-02  so far`

async function opened(t: TestContext): Promise<World> {
  const { connection } = await testDatabase(t)
  const world = await openWorld(connection)
  const db = openDatabase(connection, { size: workers })
  t.after(async () => {
    await db.close()
    await world.close()
  })
  return { ...world, app: { ...world.app, db } }
}

/** Every few times the process is lost just before its transaction commits; its numbers must come back. */
const failing = (app: App): App => {
  let reached = 0
  const reach = (point: string): void => {
    if (point === 'renewal: before commit' && ++reached % 5 === 0) throw new Error('Connection terminated: lost')
  }
  return { ...app, reach }
}

async function renewAll(app: App, siteId: number): Promise<number> {
  let lost = 0
  for (;;) {
    try {
      if ((await assessDueSubscriptions(app, siteId, { limit: 3, asDue: false })) === 0) return lost
    } catch (error) {
      assert.match(String(error), /lost/)
      lost += 1
    }
  }
}

test('16 workers, charges and payments on one site: no gap, no number twice, no deadlock', async (t) => {
  const { app, ...world } = await opened(t)
  const { siteId, subscriptions } = await runStory({ app, ...world }, parseStory(story))
  await setClock(app, siteId, Temporal.Instant.from('2026-04-15T00:00:00Z'))
  const ids = [...subscriptions.values()]
  const [first = []] = await app.db.arrays(sql`
    select array_agg(i.id order by i.id) from invoices i where i.site_id = ${siteId}`)
  const invoiceIds = first[0] as number[]
  const lossy = failing(app)
  const [lost] = await Promise.all([
    Promise.all(Array.from({ length: workers }, () => renewAll(lossy, siteId))),
    ...ids.map((id) => createCharge(app, siteId, id, { ...charge, amount: cents(300) })),
    ...ids.map((id) => recordPayment(app, siteId, id, { amount: cents(700), memo: 'Transfer' })),
    ...invoiceIds.map((id) =>
      // It may be paid by the transfers by now.
      payInvoice(app, siteId, id, { amount: cents(500), memo: 'Cheque' }).catch((error: unknown) =>
        assert.match(String(error), /since it is paid/),
      ),
    ),
    ...invoiceIds.map((id) =>
      creditInvoice(app, siteId, id, { amount: cents(100), memo: 'Sorry' }).catch((error: unknown) =>
        assert.match(String(error), /since it is paid/),
      ),
    ),
  ])
  assert.ok(
    lost.some((count) => count > 0),
    'some transactions were undone',
  )
  const [row] = await app.db.arrays(sql`
    select count(*), count(distinct i.number), min(i.number), max(i.number) from invoices i where i.site_id = ${siteId}`)
  // The sign-up, three renewals and a charge of each.
  const made = subscribers * 5
  assert.deepEqual(row, [made, made, 1, made])
  const [[deadlocks] = []] = await app.db.arrays(sql`
    select pg_stat_get_db_deadlocks(d.oid)::int from pg_database d where d.datname = current_database()`)
  assert.equal(deadlocks, 0)
  const { text, differences } = await verify(app)
  assert.equal(differences, 0, text)
})
