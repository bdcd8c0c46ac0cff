/** A database that goes away fails whoever asks it, and nobody else: a failure that nobody waits for would end the process. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
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

/** Says that it is ready and, in the same breath, that it goes. */
function leavingServer(): (socket: Socket) => void {
  const message = (letter: string, body: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(letter), length, body])
  }
  const welcome = message('R', Buffer.alloc(4))
  const ready = message('Z', Buffer.from('I'))
  const goodbye = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'))
  return (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([welcome, ready, goodbye])))
  }
}

test('a database that goes at the very moment at which it answers fails whoever asks it', async (t) => {
  const unheard: unknown[] = []
  const hear = (error: unknown): void => void unheard.push(error)
  process.on('uncaughtException', hear)
  t.after(() => process.off('uncaughtException', hear))
  const server = createServer(leavingServer()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const db = openDatabase({ host: '127.0.0.1', port, user: 'nobody', database: 'nothing', ssl: false }, { size: 1 })
  t.after(() => db.close())
  await assert.rejects(db.run(sql`select 1`))
  await assert.rejects(db.transaction((tx) => tx.run(sql`select 1`)))
  await pause(20)
  assert.deepEqual(unheard, [])
})
