/** The test gateway gives back no more than it took, once for each key, whatever happens on the line. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cents } from '../../src/billing/money.ts'
import { BogusGateway } from '../../src/gateway/bogus.ts'
import type { RefundRequest } from '../../src/gateway/gateway.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { testDatabase } from '../support/database.ts'

const calm = { latencyInMs: 0, declineRate: 0, errorRate: 0, loseAnswerRate: 0 }
const siteId = 1

async function openGateway(t: TestContext) {
  const { connection } = await testDatabase(t)
  const gateway = new BogusGateway(connection, stoppedClock('2026-01-01T00:00:00Z'))
  t.after(() => gateway.close())
  const purchase = { siteId, subscriptionId: 1, idempotencyKey: 'paid', amount: cents(5000), vaultToken: '1' }
  const paid = await gateway.purchase(purchase)
  assert.ok(paid.result === 'approved')
  const { gatewayTransactionId } = paid
  const refund = (idempotencyKey: string, amount: number, change: Partial<RefundRequest> = {}) =>
    gateway.refund({
      siteId,
      subscriptionId: 1,
      idempotencyKey,
      amount: cents(amount),
      gatewayTransactionId,
      ...change,
    })
  return { gateway, refund }
}

test('parts of a purchase are given back until nothing is left, each key once', async (t) => {
  const { gateway, refund } = await openGateway(t)
  const first = await refund('a', 2000)
  assert.equal(first.result, 'approved')
  assert.deepEqual(await refund('a', 2000), first, 'the same key answers as the first time')
  assert.equal((await refund('a', 1999)).result, 'error', 'the same key with another amount is an error')
  assert.deepEqual(await gateway.findRefund({ siteId, idempotencyKey: 'a' }), first)
  assert.equal((await refund('b', 3001)).result, 'declined')
  assert.equal((await refund('c', 3000)).result, 'approved')
  assert.equal((await refund('d', 1)).result, 'declined')
  assert.equal((await refund('b', 3001)).result, 'declined', 'a no stands')
})

test('a crowd of refunds takes what there is and no more', async (t) => {
  const { gateway, refund } = await openGateway(t)
  const answers = await Promise.all(Array.from({ length: 40 }, (_, place) => refund(`key ${place % 20}`, 500)))
  const approved = answers.filter(({ result }) => result === 'approved').length
  assert.equal(approved, 20, 'ten keys, each asked twice')
  const calls = await gateway.listCalls(siteId, { sinceId: 0, perPage: 200, offset: 0 })
  const given = calls.filter(({ kind, outcome }) => kind === 'refund' && outcome === 'approved')
  assert.deepEqual(
    given.map(({ amountInCents }) => amountInCents),
    Array(10).fill(500),
  )
})

test('what was never taken, or has been voided, is not given back', async (t) => {
  const { gateway, refund } = await openGateway(t)
  for (const gatewayTransactionId of ['999', '', 'x', '1e3']) {
    assert.equal((await refund('nothing', 1, { gatewayTransactionId })).result, 'error')
  }
  assert.equal((await refund('other site', 1, { siteId: 2 })).result, 'error')
  assert.deepEqual(await gateway.findRefund({ siteId, idempotencyKey: 'nothing' }), { result: 'not_found' })
  await gateway.void({ siteId, idempotencyKey: 'paid' })
  assert.equal((await refund('voided', 1)).result, 'declined')
})

test('a refund that was made is never denied later, and one that went wrong may be asked for again', async (t) => {
  const { gateway, refund } = await openGateway(t)
  await gateway.setBehaviour(siteId, { ...calm, loseAnswerRate: 1 })
  assert.equal((await refund('lost', 2000)).result, 'unknown')
  await gateway.setBehaviour(siteId, { ...calm, errorRate: 1 })
  assert.equal((await refund('lost', 2000)).result, 'approved')
  assert.equal((await refund('wrong', 3000)).result, 'error')
  await gateway.setBehaviour(siteId, calm)
  assert.equal((await refund('wrong', 3000)).result, 'approved')
})
