/** The test gateway keeps its word: an answer that it gave once is the answer to its key for good. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '../../src/billing/money.ts'
import { BogusGateway } from '../../src/gateway/bogus.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { testDatabase } from '../support/database.ts'

const calm = { latencyInMs: 0, declineRate: 0, errorRate: 0, loseAnswerRate: 0 }
const siteId = 1

test('a payment that was captured is never denied later, whatever goes wrong when it is asked for again', async (t) => {
  const { connection } = await testDatabase(t)
  const gateway = new BogusGateway(connection, stoppedClock('2026-01-01T00:00:00Z'))
  t.after(() => gateway.close())
  const purchase = { siteId, subscriptionId: 1, idempotencyKey: 'once', amount: cents(5000), vaultToken: '1' }

  await gateway.setBehaviour(siteId, { ...calm, loseAnswerRate: 1 })
  assert.equal((await gateway.purchase(purchase)).result, 'unknown')

  await gateway.setBehaviour(siteId, { ...calm, errorRate: 1 })
  assert.equal((await gateway.purchase(purchase)).result, 'approved')
  assert.equal((await gateway.purchase({ ...purchase, idempotencyKey: 'another' })).result, 'error')

  await gateway.setBehaviour(siteId, { ...calm, declineRate: 1 })
  assert.equal((await gateway.purchase(purchase)).result, 'approved')
})
