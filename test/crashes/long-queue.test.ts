/** A gateway that is slow may have more to do than a lease is long: what waits for its turn stays with the process that holds it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recoverPayments } from '../../src/actions/recover-payments.ts'
import { realTimers } from '../../src/host/timers.ts'
import { until } from '../support/patience.ts'
import { rescue } from './rescue.ts'
import { aGate, aProcess, assess, aWorld, leaseIsOver, paidOnce, payments } from './strange-gateways.ts'
import { query } from './world.ts'

test('leases are renewed while calls wait for their turn, and nobody else takes them up', async (t) => {
  const world = await aWorld(t)
  const gate = aGate()
  let asked = 0
  const slow = await aProcess(
    t,
    world,
    (bogus) => ({
      concurrencyMax: 1,
      purchase: (call) => {
        asked += 1
        return gate.through(() => bogus.purchase(call))
      },
    }),
    // Seconds pass as milliseconds for what it waits for.
    () => ({ timers: { ...realTimers, after: (ms, run) => realTimers.after(ms >= 60_000 ? ms : ms / 1000, run) } }),
  )
  const other = await aProcess(t, world)
  const collecting = assess(slow, world)
  await gate.reached
  await leaseIsOver(world)
  const held = `select from payment_attempts where settled_at is null and next_check_at > now() + interval '60 seconds'`
  await until('renewed leases', async () => (await query(world, held)).length === 3)
  assert.equal(await recoverPayments(other), 0)
  gate.open()
  await collecting
  assert.equal(asked, 3)
  assert.deepEqual(await payments(world), paidOnce)
  await rescue(world)
})
