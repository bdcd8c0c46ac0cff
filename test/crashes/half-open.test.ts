/** A link to the database that is cut without a word: within ten seconds everybody is told, nothing hangs, and the work goes on afterwards. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { testDatabase } from '../support/database.ts'
import { openLink } from '../support/link.ts'
import { promptly, until, within } from '../support/patience.ts'
import { startService } from './service.ts'

const noticedMs = 10_000

test('a service whose link is half open says so within ten seconds, works on when it is back, and stops with 0', async (t) => {
  const { url } = await testDatabase(t)
  const link = await openLink(t, url)
  const service = await startService({ databaseUrl: link.url })
  t.after(() => service.kill())
  await service.port
  const ask = (line: string) => service.ask(line)
  assert.equal((await ask('GET /subscriptions.json')).status, 200)
  link.freeze()
  const asked = Array.from({ length: 40 }, () =>
    within(ask('GET /subscriptions.json'), 'an answer', promptly(noticedMs)),
  )
  const isTold = async () => (await within(ask('GET /healthz'), 'the health check', promptly(3000))).status === 503
  await until('the health check says no', isTold, { everyMs: 200, waitMs: promptly(noticedMs) })
  for (const reply of await Promise.all(asked)) {
    assert.equal(reply.status, 503, reply.text)
    assert.match(reply.text, /cannot reach its database just now/)
  }
  const soon = await within(ask('GET /subscriptions.json'), 'a further answer', promptly(1500))
  assert.equal(soon.status, 503)
  link.restore()
  const isBack = async () => (await ask('GET /subscriptions.json')).status === 200
  await until('the service is back', isBack, { everyMs: 100, waitMs: promptly(noticedMs) })
  assert.equal((await ask('GET /healthz')).status, 200)
  assert.doesNotMatch(service.said(), /nobody waited for what failed/)
  assert.equal(await service.stop(), '0', service.said())
})

test('a service that is told to stop while its link is half open ends with 0', async (t) => {
  const { url } = await testDatabase(t)
  const link = await openLink(t, url)
  const service = await startService({ databaseUrl: link.url })
  t.after(() => service.kill())
  await service.port
  link.freeze()
  assert.equal(await within(service.stop(), 'the stop', promptly(20_000)), '0', service.said())
})

const opened = async (t: Parameters<typeof testDatabase>[0]) => {
  const { url } = await testDatabase(t)
  const link = await openLink(t, url)
  const news: string[] = []
  const db = openDatabase(
    { connectionString: link.url },
    { size: 4, news: { away: () => news.push('away'), back: () => news.push('back') } },
  )
  t.after(() => db.close())
  return { url, link, db, news }
}

test('a single connection that is half open is cut alone; a long statement beside it is not', async (t) => {
  const { link, db, news } = await opened(t)
  const long = db.arrays(sql`select 'long', pg_sleep(9)`)
  const stuck = db.transaction(async (tx) => {
    await tx.run(sql`select ${'the one that is stuck'}::text as word`)
    await tx.arrays(sql`select ${'the one that is stuck'}::text`)
    assert.equal(link.freezeThose('the one that is stuck'), 1)
    return tx.arrays(sql`select 1`)
  })
  await assert.rejects(within(stuck, 'the end of the stuck statement', promptly(noticedMs)), /Connection terminated/)
  assert.equal((await long).length, 1)
  assert.deepEqual(news, [])
})

test('who holds a connection of its own hears of its end though nothing is asked on it', async (t) => {
  const { link, db } = await opened(t)
  const lost = Promise.withResolvers<void>()
  const { connection, release } = await db.reserve(lost.resolve)
  await connection.arrays(sql`select ${'a session of its own'}::text`)
  assert.equal(link.freezeThose('a session of its own'), 1)
  await within(lost.promise, 'the end', promptly(noticedMs)).finally(release)
})

test('a heartbeat that is cut alone does not put the database away', async (t) => {
  const { url, db, news } = await opened(t)
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  t.after(() => other.end())
  const cut = async () =>
    (
      await other.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'kalends heartbeat' and datname = current_database()`,
      )
    ).rowCount
  assert.equal(await until('the heartbeat', cut), 1)
  await pause(2500)
  assert.equal((await db.arrays(sql`select 1`)).length, 1)
  assert.deepEqual(news, [])
})
