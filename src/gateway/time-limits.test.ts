/** A gateway that does not answer must not hold up those who wait for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { cents } from '../billing/money.ts'
import type { Gateway, PurchaseRequest } from './gateway.ts'
import { GatewayTimeout, timeLimits, withTimeLimits } from './time-limits.ts'

const request: PurchaseRequest = {
  siteId: 1,
  subscriptionId: 2,
  idempotencyKey: 'k',
  amount: cents(100),
  vaultToken: 't',
}
const approved = { result: 'approved', gatewayTransactionId: '7', message: 'fine' } as const

function slowGateway(takesMs: number): Gateway {
  const answer = async () => {
    await pause(takesMs)
    return approved
  }
  const storing = async () => {
    await pause(takesMs)
    return { result: 'approved', vaultToken: 't', customerVaultToken: null } as const
  }
  return {
    name: 'slow',
    concurrencyMax: 1,
    callSecondsMax: 60,
    keySecondsMax: null,
    store: storing,
    purchase: answer,
    refund: answer,
    void: answer,
    find: answer,
    findRefund: answer,
    close: async () => {},
  }
}

test('an answer in time is passed on as it is', async () => {
  const gateway = withTimeLimits(slowGateway(1), timeLimits)
  assert.deepEqual(await gateway.purchase(request), approved)
})

test('every call ends when its time is over: what moves money after one limit, questions after the other', async () => {
  const gateway = withTimeLimits(slowGateway(500), { moveMs: 20, askMs: 10 })
  const calls: Promise<unknown>[] = [
    gateway.store({} as never, request),
    gateway.purchase(request),
    gateway.refund({ ...request, gatewayTransactionId: '7' }),
    gateway.void({ ...request, gatewayTransactionId: '7' }),
    gateway.find(request),
    gateway.findRefund(request),
  ]
  for (const [place, ended] of (await Promise.allSettled(calls)).entries()) {
    assert.equal(ended.status, 'rejected')
    assert.ok(ended.reason instanceof GatewayTimeout)
    assert.match(ended.reason.message, place < 4 ? /20 ms/ : /10 ms/)
  }
})

test('one gateway stays one: its turns are shared by all who ask', () => {
  const slow = slowGateway(1)
  assert.equal(withTimeLimits(slow, timeLimits), withTimeLimits(slow, timeLimits))
})

test('a broken conversation is passed on, and nothing keeps the process alive afterwards', async () => {
  const broken = { ...slowGateway(1), purchase: () => Promise.reject(new Error('reset')) }
  await assert.rejects(withTimeLimits(broken, timeLimits).purchase(request), /reset/)
})
