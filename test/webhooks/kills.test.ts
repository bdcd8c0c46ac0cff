/** At least once through any crash: killed at each point of a delivery, and at random moments of thousands. */
import { test } from 'node:test'
import { webhookPoints } from '../crashes/scenarios.ts'
import { killAtPoints, runWebhookKills } from './kills.ts'

test('killed at each point of a delivery, webhooks arrive in order', (t) => killAtPoints(t, webhookPoints))

test('2,000 webhooks to each of two endpoints all arrive, through 3 kills at random moments', (t) =>
  runWebhookKills(t, {
    webhooks: 2000,
    kills: 3,
    seed: Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31)),
    lifeMsMax: 900,
    say: (line) => t.diagnostic(line),
  }))
