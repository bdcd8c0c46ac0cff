/** A database that goes away fails whoever asks it, and nobody else: a failure that nobody waits for would end the process. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../../src/store/database.ts'
import { listFacts } from '../../src/store/facts.ts'
import { findSite } from '../../src/store/sites.ts'
import { sql } from '../../src/store/sql.ts'
import { openShop } from '../api/shop.ts'
import { testDatabase } from '../support/database.ts'

test('facts that are loaded while the connection is lost fail once', async (t) => {
  const unheard: unknown[] = []
  const hear = (error: unknown): void => void unheard.push(error)
  process.on('unhandledRejection', hear)
  t.after(() => process.off('unhandledRejection', hear))
  const { app, siteId } = await openShop(t)
  const site = await findSite(app.db, siteId)
  const { connection } = await testDatabase(t)
  const db = openDatabase(connection, { size: 1 })
  t.after(() => db.close())
  await assert.rejects(
    db.transaction(async (tx) => {
      await Promise.all([tx.run(sql`select pg_terminate_backend(pg_backend_pid())`), listFacts(tx, site!, [1])])
      return 0
    }),
  )
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`).catch(() => {})
      return listFacts(tx, site!, [1])
    }),
  )
  await pause(20)
  assert.deepEqual(unheard, [])
})
