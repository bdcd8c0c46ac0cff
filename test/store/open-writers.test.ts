/** A writer that stands still holds lists back no longer than PostgreSQL lets its transaction be idle. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { SiteEvent } from '../../src/billing/event.ts'
import { openDatabase } from '../../src/store/database.ts'
import { insertEvents, listEvents } from '../../src/store/events.ts'
import { sql } from '../../src/store/sql.ts'
import { testDatabase } from '../support/database.ts'

const siteId = 1
const event: SiteEvent = {
  siteId,
  key: 'customer_update',
  message: '',
  subscriptionId: null,
  customerId: null,
  createdAt: Temporal.Instant.from('2027-01-15T12:00:00Z'),
  eventSpecificData: null,
}

test('the transaction of a process that stands still is ended, and lists go on', async (t) => {
  const { connection } = await testDatabase(t)
  const living = openDatabase(connection, { size: 2 })
  const still = openDatabase(connection, { size: 1 })
  t.after(() => Promise.all([living.close(), still.close()]))
  const begun = Promise.withResolvers<void>()
  const cut = Promise.withResolvers<void>()
  const [limit] = await still.arrays(sql`select current_setting('idle_in_transaction_session_timeout')`)
  assert.notEqual(limit![0], '0', 'there is a limit')
  const ended = still.transaction(async (tx) => {
    await tx.run(sql`set local idle_in_transaction_session_timeout = '300ms'`)
    await insertEvents(tx, siteId, [event])
    begun.resolve()
    await cut.promise
    await tx.run(sql`select 1`)
  })
  await Promise.race([begun.promise, ended])
  await living.transaction((tx) => insertEvents(tx, siteId, [event]))
  const filter = { subscriptionId: null, sinceId: 1, maxId: null, keys: null, since: null, until: null }
  const shown = () => listEvents(living, siteId, filter, { perPage: 20, offset: 0, direction: 'asc' })
  while ((await shown()).length === 0) await pause(20)
  assert.equal((await shown()).length, 1)
  cut.resolve()
  await assert.rejects(ended)
})
