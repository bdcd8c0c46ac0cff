/** A payment whose outcome nobody knows is shown, holds back its own subscription and nothing else, and ends as the gateway says. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { beginAdvance, finishAdvance } from '../../src/actions/advance-clock.ts'
import type { App } from '../../src/actions/app.ts'
import { assessDueSubscriptions } from '../../src/actions/assess-due-subscriptions.ts'
import { createSubscription } from '../../src/actions/create-subscription.ts'
import { recoverPayments } from '../../src/actions/recover-payments.ts'
import { findSubscriptionRecord } from '../../src/store/subscription-records.ts'
import { presentSubscription } from '../../src/views/subscription.ts'
import { deaf } from './deaf-service.ts'
import { hurryRecovery, rescue } from './rescue.ts'
import { behave, copyWorld, jumpTo, makeSeed, openOn, query, signupOnFile, type World } from './world.ts'

const subscriptionId = 500_001

const plan = {
  now: '2026-01-10T12:00:00Z',
  products: [{ handle: 'monthly', interval: { count: 1, unit: 'month' } }],
  subscribers: [{ product: 'monthly', count: 2 }],
} as const

/** A world whose gateway captures, loses every answer, and cannot be asked. */
async function deafWorld(t: TestContext): Promise<{ world: World; app: App; hearing: App }> {
  const world = await copyWorld(t, await makeSeed(t, plan))
  await behave(world, { loseAnswerRate: 1 })
  const opened = await openOn(world.url)
  t.after(() => opened.close())
  const gateways = new Map([...opened.app.gateways].map(([name, gateway]) => [name, deaf(gateway)]))
  return { world, app: { ...opened.app, gateways }, hearing: opened.app }
}

const assess = (app: App, { siteId }: World) => assessDueSubscriptions(app, siteId, { limit: 500, asDue: false })

const purchases = async (world: World): Promise<number> =>
  (
    await query(world, `select from bogus_gateway.calls where kind = 'purchase' and subscription_id = $1`, [
      subscriptionId,
    ])
  ).length

async function shown({ db }: App, { siteId }: World) {
  const record = await findSubscriptionRecord(db, siteId, subscriptionId)
  const { state, balance_in_cents, unsettled_payment } = presentSubscription(record!, {
    timeZone: 'UTC',
    currency: 'USD',
  })
  return { state, balance_in_cents, unsettled: unsettled_payment && { ...unsettled_payment, asked_at: undefined } }
}

test('an unknown outcome is shown, blocks further collection, and is settled once the gateway can be asked', async (t) => {
  const { world, app, hearing } = await deafWorld(t)
  await jumpTo(world, '2026-02-10T12:30:00Z')
  assert.equal(await assess(app, world), 2)
  const unsettled = { amount_in_cents: 1000, asked_at: undefined, outcome: 'unknown' }
  assert.deepEqual(await shown(app, world), { state: 'active', balance_in_cents: 1000, unsettled })
  assert.equal(await purchases(world), 2)

  await jumpTo(world, '2026-04-20T00:00:00Z')
  assert.equal(await assess(app, world), 0, 'the next periods wait')
  await hurryRecovery(world)
  await recoverPayments(app)
  assert.deepEqual(await shown(app, world), { state: 'active', balance_in_cents: 1000, unsettled })
  assert.equal(await purchases(world), 2, 'asked again with the same key, nothing more was captured')

  await hurryRecovery(world)
  await recoverPayments(hearing)
  assert.deepEqual(await shown(app, world), { state: 'active', balance_in_cents: 0, unsettled: null })
  assert.equal(await assess(hearing, world), 2, 'the next period is billed now')
  await behave(world, {})
  await rescue(world)
  assert.equal(await purchases(world), 4, 'January to April')
})

test('a clock on its way does not wait for a gateway that cannot be asked; what was held back follows later', async (t) => {
  const { world, app } = await deafWorld(t)
  await beginAdvance(app, world.siteId, Temporal.Instant.from('2026-04-20T00:00:00Z'))
  await finishAdvance(app, world.siteId)
  assert.equal(await purchases(world), 2)
  await behave(world, {})
  await rescue(world)
  assert.equal(await purchases(world), 4)
})

test('a sign-up with an unknown outcome is refused, and what was captured is given back', async (t) => {
  const { world, app } = await deafWorld(t)
  const signUp = createSubscription(app, world.siteId, await signupOnFile(world))
  await assert.rejects(signUp, /was not completed; if money moved, it will be given back/)
  const voids = () => query(world, `select from bogus_gateway.calls where kind = 'void' and outcome = 'approved'`)
  assert.equal((await voids()).length, 0)
  await query(world, 'update payment_attempts set next_check_at = now() where settled_at is null')
  await rescue(world)
  assert.equal((await voids()).length, 1)
  assert.equal((await query(world, 'select from subscriptions')).length, 2, 'nobody signed up')
})
