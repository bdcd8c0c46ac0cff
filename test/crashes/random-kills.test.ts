/** Never taken twice, never forgotten: the process is killed at random moments of renewals and sign-ups, again and again. */
import { test } from 'node:test'
import { runRandomKills } from './random-kills.ts'

test('killed at random moments while answers get lost, each period is captured exactly once', async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  const say = (line: string): void => t.diagnostic(line)
  await runRandomKills(t, { subscriptions: 300, kills: 8, seed, lifeMsMax: 1500, faults: false, say })
})
