/** A gateway that answers late, twice or otherwise than before: each debt is paid once, and no money that it took is dropped. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createSubscription } from '../../src/actions/create-subscription.ts'
import { recordPayment } from '../../src/actions/record-payment.ts'
import { recoverPayments } from '../../src/actions/recover-payments.ts'
import { refundPayment } from '../../src/actions/refund-payment.ts'
import { resolvePayment } from '../../src/actions/resolve-payment.ts'
import { verify } from '../../src/actions/verify.ts'
import { cents } from '../../src/billing/money.ts'
import { wallClock } from '../../src/host/clock.ts'
import { realTimers } from '../../src/host/timers.ts'
import { until } from '../support/patience.ts'
import { rescue } from './rescue.ts'
import {
  aGate,
  aProcess,
  assess,
  attempts,
  aWorld,
  captured,
  couldNot,
  first,
  leaseIsOver,
  letters,
  nothingIsOnItsWay,
  paidOnce,
  payments,
  told,
} from './strange-gateways.ts'
import { query, signupOnFile, type World } from './world.ts'

test('an error beside a call that may still capture ends nothing: the later approval is the payment', async (t) => {
  const world = await aWorld(t)
  const gate = aGate()
  const slow = await aProcess(t, world, (bogus) => ({ purchase: (call) => gate.through(() => bogus.purchase(call)) }))
  const other = await aProcess(t, world, () => ({ purchase: couldNot }))
  const collecting = assess(slow, world)
  await gate.reached
  await leaseIsOver(world)
  await recoverPayments(other)
  assert.deepEqual(await attempts(world), [{ outcome: 'unknown', open: true, begun: 2, heard: 1 }])
  assert.equal(await assess(other, world), 0, 'no new key while the old one may capture')
  gate.open()
  await collecting
  assert.deepEqual(await attempts(world), [{ outcome: 'approved', open: false, begun: 2, heard: 2 }])
  assert.deepEqual(await payments(world), paidOnce)
  assert.equal(await captured(world), 1)
  assert.deepEqual(await told(world), [])
  await rescue(world)
})

/** A payment that ended as an error, while a call of it that nobody knows of is on its way. */
async function givenUp(t: TestContext, world: World) {
  const gate = aGate()
  const slow = await aProcess(t, world, (bogus) => ({ purchase: (call) => gate.through(() => bogus.purchase(call)) }))
  const other = await aProcess(t, world, () => ({ purchase: couldNot }))
  const collecting = assess(slow, world)
  await gate.reached
  await leaseIsOver(world)
  await recoverPayments(other)
  await nothingIsOnItsWay(world)
  await leaseIsOver(world)
  await recoverPayments(other)
  assert.deepEqual(await attempts(world), [{ outcome: 'error', open: false, begun: 2, heard: 1 }])
  return {
    other,
    late: async () => {
      gate.open()
      await collecting
    },
  }
}

test('money that comes after the end pays what is still owed, and is told', async (t) => {
  const world = await aWorld(t)
  const { late } = await givenUp(t, world)
  await late()
  assert.deepEqual(await payments(world), paidOnce)
  const [subscription] = await query(
    world,
    'select state, balance_in_cents::int as balance from subscriptions where id = $1',
    [first],
  )
  assert.deepEqual(subscription, { state: 'active', balance: 0 })
  assert.deepEqual(await told(world), Array(3).fill('late_payment_recorded'))
  assert.ok((await letters(world)).includes('late_payment_recorded'))
  await rescue(world)
})

test('money that comes after the end and is not owed any more is given back, and is told', async (t) => {
  const world = await aWorld(t)
  const { other, late } = await givenUp(t, world)
  await recordPayment(other, world.siteId, first, { amount: cents(1000), memo: 'By cheque' })
  await late()
  assert.deepEqual(await payments(world), paidOnce, 'the cheque')
  const voids = await query(world, `select from bogus_gateway.calls where kind = 'void' and subscription_id = $1`, [
    first,
  ])
  assert.equal(voids.length, 1)
  assert.deepEqual((await told(world)).sort(), [
    'late_payment_given_back',
    'late_payment_recorded',
    'late_payment_recorded',
  ])
  assert.ok((await letters(world)).includes('late_payment_given_back'))
  const { differences, text } = await verify(other)
  assert.equal(differences, 0, text)
})

test('a refund that is made after it was called failed is on record as made', async (t) => {
  const world = await aWorld(t)
  const gate = aGate()
  const slow = await aProcess(t, world, (bogus) => ({ refund: (call) => gate.through(() => bogus.refund(call)) }))
  const other = await aProcess(t, world, () => ({ refund: couldNot }))
  const [payment] = await query<{ id: string }>(
    world,
    `select id from transactions where type = 'payment' and subscription_id = $1`,
    [first],
  )
  const refund = { paymentId: Number(payment!.id), amount: cents(300), memo: 'Sorry', isExternal: false }
  const refunding = refundPayment(slow, world.siteId, first, refund).catch(String)
  await gate.reached
  for (let look = 0; look < 2; look++) {
    await leaseIsOver(world)
    await recoverPayments(other)
    await nothingIsOnItsWay(world)
  }
  const refunds = () =>
    query(world, `select success, amount_in_cents::int as amount from transactions where type = 'refund' order by id`)
  assert.deepEqual(await refunds(), [{ success: false, amount: 300 }])
  gate.open()
  await refunding
  assert.deepEqual(await refunds(), [
    { success: false, amount: 300 },
    { success: true, amount: 300 },
  ])
  assert.deepEqual(await told(world), ['late_payment_recorded'])
})

test('a process whose session broke asks for nothing that it had not asked for, and goes on under a new number', async (t) => {
  const world = await aWorld(t)
  const gate = aGate()
  let asked = 0
  const losing = await aProcess(t, world, (bogus) => ({
    concurrencyMax: 1,
    purchase: (call) => {
      asked += 1
      return gate.through(() => bogus.purchase(call))
    },
  }))
  const collecting = assess(losing, world)
  await gate.reached
  const before = losing.asker
  await query(
    world,
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1::oid and objsubid = 2`,
    [before],
  )
  await until('a new number', () => losing.asker !== before)
  gate.open()
  await collecting
  assert.equal(asked, 1)
  const open = await query<{ begun: number; heard: number }>(
    world,
    `select calls_begun as begun, calls_heard as heard from payment_attempts where settled_at is null`,
  )
  assert.deepEqual(open, Array(2).fill({ begun: 1, heard: 1 }), 'calls that were never made are withdrawn')
  assert.equal(await recoverPayments(losing), 2)
  assert.equal(asked, 3)
  assert.deepEqual(await payments(world), paidOnce)
  await rescue(world)
})

test('a process that stood still for longer than its lease asks for nothing that others took up meanwhile', async (t) => {
  const world = await aWorld(t)
  const gate = aGate()
  let [asked, stoodStillMs] = [0, 0]
  const frozen = await aProcess(
    t,
    world,
    (bogus) => ({
      concurrencyMax: 1,
      purchase: (call) => {
        asked += 1
        return gate.through(() => bogus.purchase(call))
      },
    }),
    () => ({ timers: { ...realTimers, monotonicMs: () => realTimers.monotonicMs() + stoodStillMs } }),
  )
  const other = await aProcess(t, world)
  const collecting = assess(frozen, world)
  await gate.reached
  stoodStillMs = 135_000
  await leaseIsOver(world)
  assert.equal(await recoverPayments(other), 3)
  gate.open()
  await collecting
  assert.equal(asked, 1, 'the one that was on its way')
  assert.deepEqual(await payments(world), paidOnce)
  await rescue(world)
})

test('clocks that are ten minutes apart take nothing from a process that lives', async (t) => {
  const world = await aWorld(t)
  const gate = aGate()
  const slow = await aProcess(t, world, (bogus) => ({ purchase: (call) => gate.through(() => bogus.purchase(call)) }))
  const ahead = await aProcess(t, world, undefined, () => ({
    clock: { now: () => wallClock.now().add({ seconds: 600 }) },
  }))
  const signingUp = createSubscription(slow, world.siteId, await signupOnFile(world))
  await gate.reached
  assert.equal(await recoverPayments(ahead), 0)
  gate.open()
  assert.ok((await signingUp) > first)
})

test('an answer after the time limit is heard all the same', async (t) => {
  const world = await aWorld(t)
  const gate = aGate()
  const impatient = await aProcess(
    t,
    world,
    (bogus) => ({ purchase: (call) => gate.through(() => bogus.purchase(call)) }),
    () => ({ timers: { ...realTimers, after: (ms, run) => realTimers.after(ms / 1000, run) } }),
  )
  await assess(impatient, world)
  assert.deepEqual(await attempts(world), [{ outcome: 'unknown', open: true, begun: 1, heard: 0 }])
  gate.open()
  await until('the late answer', async () => (await attempts(world))[0]?.outcome === 'approved')
  assert.deepEqual(await payments(world), paidOnce)
  await rescue(world)
})

test('a payment whose key is too old to ask again is shown to a human, who says what happened', async (t) => {
  const world = await aWorld(t)
  let asked = 0
  const deaf = async () => ({ result: 'unknown', message: 'Silence.' }) as const
  const silent = await aProcess(t, world, () => ({
    keySecondsMax: 3600,
    purchase: async () => {
      asked += 1
      return deaf()
    },
  }))
  await assess(silent, world)
  assert.equal(asked, 3)
  const later = (hours: number) =>
    query(
      world,
      `update payment_attempts set asked_at = asked_at - $1 * interval '1 hour', last_call_at = last_call_at - $1 * interval '1 hour',
         next_check_at = now() where settled_at is null`,
      [hours],
    )
  await later(0.5)
  await recoverPayments(silent)
  assert.equal(asked, 6, 'within its lifetime the key is asked again')
  await later(2)
  await recoverPayments(silent)
  await leaseIsOver(world)
  await recoverPayments(silent)
  assert.equal(asked, 6)
  assert.deepEqual(await told(world), Array(3).fill('payment_unresolved'), 'once each')
  const open = await query<{ id: string }>(
    world,
    'select id from payment_attempts where unresolved_since is not null and settled_at is null order by id',
  )
  const [paid, unpaid] = open.map(({ id }) => Number(id))
  await resolvePayment(silent, world.siteId, paid!, { gatewayTransactionId: 'found-by-hand' })
  await resolvePayment(silent, world.siteId, unpaid!, 'nothing')
  await assert.rejects(resolvePayment(silent, world.siteId, paid!, 'nothing'), /only a human/)
  const states = await query(
    world,
    'select state, balance_in_cents::int as balance from subscriptions order by id limit 2',
  )
  assert.deepEqual(states, [
    { state: 'active', balance: 0 },
    { state: 'soft_failure', balance: 1000 },
  ])
})
