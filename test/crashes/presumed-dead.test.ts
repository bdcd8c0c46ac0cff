/** A process that was only taken for dead: what others took up in its place is done once, and what it does late is undone. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { beginAdvance, finishAbandonedAdvances, finishAdvance } from '../../src/actions/advance-clock.ts'
import { answerOnce } from '../../src/actions/answer-once.ts'
import type { App } from '../../src/actions/app.ts'
import { assessDueSubscriptions } from '../../src/actions/assess-due-subscriptions.ts'
import { createSubscription } from '../../src/actions/create-subscription.ts'
import { recoverPayments } from '../../src/actions/recover-payments.ts'
import { type Gateway, gatewayTerms } from '../../src/gateway/gateway.ts'
import { listLivingAskers } from '../../src/store/askers.ts'
import { until } from '../support/patience.ts'
import { assertSameStory } from './oracle.ts'
import { hurryRecovery, rescue } from './rescue.ts'
import { copyWorld, jumpTo, makeSeed, openOn, query, signupOnFile, type World } from './world.ts'

const plan = {
  now: '2026-01-10T12:00:00Z',
  products: [{ handle: 'monthly', interval: { count: 1, unit: 'month' } }],
  subscribers: [{ product: 'monthly', count: 3 }],
} as const

const aWorld = async (t: TestContext): Promise<World> => copyWorld(t, await makeSeed(t, plan))

async function aProcess(t: TestContext, world: World): Promise<App> {
  const opened = await openOn(world.url)
  t.after(() => opened.close())
  return opened.app
}

/** Where a process stands still until it is let go on. */
function gate(): { reached: Promise<void>; open(): void; pass(): Promise<void> } {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    open: () => opened.resolve(),
    pass: () => {
      reached.resolve()
      return opened.promise
    },
  }
}

/** The same process with a gateway that is slow to hear of purchases. */
function withSlowGateway(app: App, pass: () => Promise<void>): App {
  const slow = (gateway: Gateway): Gateway => ({
    ...gatewayTerms(gateway),
    store: (card, reference) => gateway.store(card, reference),
    purchase: async (request) => {
      await pass()
      return gateway.purchase(request)
    },
    find: (reference) => gateway.find(reference),
    refund: (request) => gateway.refund(request),
    findRefund: (reference) => gateway.findRefund(reference),
    void: (reference) => gateway.void(reference),
    close: () => gateway.close(),
  })
  return { ...app, gateways: new Map([...app.gateways].map(([name, gateway]) => [name, slow(gateway)])) }
}

const subscriptions = async (world: World): Promise<number> => (await query(world, 'select from subscriptions')).length

const takeForDead = (world: World): Promise<object[]> =>
  query(world, `update payment_attempts set next_check_at = now() - interval '1 second' where settled_at is null`)

test('a sign-up that recovery gave up while its gateway was slow captures late, and gives it back', async (t) => {
  const world = await aWorld(t)
  const [slow, other] = await Promise.all([aProcess(t, world), aProcess(t, world)])
  const { reached, open, pass } = gate()
  const signingUp = createSubscription(withSlowGateway(slow, pass), world.siteId, await signupOnFile(world))
  const refused = assert.rejects(signingUp, /took too long and was given up/)
  await reached
  await takeForDead(world)
  for (let look = 0; look < 6; look++) {
    await recoverPayments(other)
    await hurryRecovery(world)
  }
  assert.equal(
    (await query(world, 'select from payment_attempts where settled_at is null')).length,
    0,
    'it was given up',
  )
  open()
  await refused
  assert.equal((await query(world, `select from bogus_gateway.calls where kind = 'void'`)).length, 1)
  assert.equal(await subscriptions(world), 3)
  await rescue(world)
})

test('a sign-up that recovery gave up before its gateway was asked never asks', async (t) => {
  const world = await aWorld(t)
  const [slow, other] = await Promise.all([aProcess(t, world), aProcess(t, world)])
  const command = await signupOnFile(world)
  const given: App = {
    ...slow,
    reach: (point) => {
      if (point !== 'signup: attempt on record') return
      throw new Error('stand still here')
    },
  }
  await assert.rejects(createSubscription(given, world.siteId, command), /stand still here/)
  await takeForDead(world)
  await recoverPayments(other)
  assert.equal(
    (await query(world, 'select from payment_attempts where settled_at is null')).length,
    0,
    'at the first look',
  )
  assert.equal(await subscriptions(world), 3)
  await rescue(world)
})

test('two processes that carry out a request with one key make one subscription', async (t) => {
  const world = await aWorld(t)
  const [slow, other] = await Promise.all([aProcess(t, world), aProcess(t, world)])
  const command = await signupOnFile(world)
  const { reached, open, pass } = gate()
  const request = (app: App) =>
    answerOnce(app, {
      siteId: world.siteId,
      key: 'once',
      request: 'the same',
      act: (acting) => createSubscription(acting, world.siteId, command),
      show: async (_connection, id) => ({ id }),
    })
  // To the second process the first one is gone: its number is not among the living.
  const absent = { ...withSlowGateway(slow, pass), asker: 1_000_000, isAlive: () => true }
  const first = assert.rejects(request(absent), /has taken the place of this one/)
  await reached
  const answer = await request(other)
  open()
  await first
  assert.equal(await subscriptions(world), 4)
  assert.deepEqual(await request(slow), answer)
  assert.equal(await subscriptions(world), 4)
  await rescue(world)
})

test('a clock that was taken over is moved by one process only, and arrives as if nothing had happened', async (t) => {
  const seed = await makeSeed(t, plan)
  const targets = ['2026-04-20T00:00:00Z', '2026-05-20T00:00:00Z'].map((text) => Temporal.Instant.from(text))
  const undisturbed = await copyWorld(t, seed)
  const alone = await aProcess(t, undisturbed)
  for (const target of targets) {
    await beginAdvance(alone, seed.siteId, target)
    await finishAdvance(alone, seed.siteId)
  }

  const world = await copyWorld(t, seed)
  const [slow, other] = await Promise.all([aProcess(t, world), aProcess(t, world)])
  const { reached, open, pass } = gate()
  const absent = { ...withSlowGateway(slow, pass), asker: 1_000_000, isAlive: () => true }
  await beginAdvance(absent, world.siteId, targets[0]!)
  const late = finishAdvance(absent, world.siteId)
  await reached
  await finishAbandonedAdvances(other)
  await beginAdvance(other, world.siteId, targets[1]!)
  await finishAdvance(other, world.siteId)
  open()
  await late
  const [site] = await query<{ clock_set_to: Date }>(world, 'select clock_set_to from sites')
  assert.equal(site!.clock_set_to.toISOString(), '2026-05-20T00:00:00.000Z', 'the late one does not put it back')
  await rescue(world)
  await assertSameStory(world, undisturbed)
})

test('payments that one process recovers from a slow gateway are left to it by the others, while it lives', async (t) => {
  const world = await aWorld(t)
  await jumpTo(world, '2026-02-10T12:30:00Z')
  const [slow, other] = await Promise.all([aProcess(t, world), aProcess(t, world)])
  const dying: App = {
    ...slow,
    asker: 1_000_000,
    reach: (point) => {
      if (point === 'renewal: attempts on record') throw new Error('died here')
    },
  }
  await assert.rejects(assessDueSubscriptions(dying, world.siteId, { limit: 10, asDue: false }), /died here/)
  const { reached, open, pass } = gate()
  const recovering = recoverPayments(withSlowGateway(slow, pass))
  await reached
  assert.equal(await recoverPayments(other), 0)
  open()
  assert.equal(await recovering, 3)
  await rescue(world)
})

test('a process that loses its connection comes back under another number, and its payments are taken up', async (t) => {
  const world = await aWorld(t)
  const [losing, other] = await Promise.all([openOn(world.url), aProcess(t, world)])
  t.after(() => losing.close())
  const before = losing.app.asker
  assert.ok((await listLivingAskers(other.db)).includes(before))
  await query(
    world,
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1::oid and objsubid = 2`,
    [before],
  )
  await until('another number', () => losing.app.asker !== before)
  const living = await listLivingAskers(other.db)
  assert.notEqual(losing.app.asker, before)
  assert.ok(living.includes(losing.app.asker) && !living.includes(before))
})
