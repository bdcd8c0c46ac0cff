/** At least once through any crash: killed at each point of a delivery, and at random moments of thousands. */
import { describe, test } from 'node:test'
import { webhookPoints } from '../crashes/scenarios.ts'
import { killAtPoint, runWebhookKills } from './kills.ts'

describe('a webhook arrives in order and is on record, killed at', { concurrency: 2 }, () => {
  for (const point of webhookPoints) test(`'${point}'`, (t) => killAtPoint(t, point))
})

test('2,000 webhooks to each of two endpoints all arrive, through 4 kills at random moments', (t) =>
  runWebhookKills(t, {
    webhooks: 2000,
    kills: 4,
    seed: Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31)),
    lifeMsMax: 900,
    say: (line) => t.diagnostic(line),
  }))
