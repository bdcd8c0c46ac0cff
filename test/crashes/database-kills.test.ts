/** Never taken twice, never forgotten: PostgreSQL is killed under the service, and the service goes on. */
import { test } from 'node:test'
import { runDatabaseKills } from './database-kills.ts'

test('the database is killed, then both are: each period is captured exactly once, and the service goes on', async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  const say = (line: string): void => t.diagnostic(line)
  await runDatabaseKills(t, { subscriptions: 100, kills: 3, seed, lifeMsMax: 300, say })
})
