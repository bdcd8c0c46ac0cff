/** Never taken twice, never forgotten: the process is killed at every fail point, on every path, and nothing is lost or doubled. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { failPoints } from '../../src/host/fail-points.ts'
import { patienceMs } from '../support/patience.ts'
import { assertSameStory } from './oracle.ts'
import { type Ask, rescue } from './rescue.ts'
import { type Point, type Scenario, scenarios, titleOf, webhookPoints } from './scenarios.ts'
import { type Service, startService } from './service.ts'
import { behave, copyWorld, jumpTo, laterCleaner, makeSeed, query, type Seed, type World } from './world.ts'

const plan = {
  now: '2026-01-10T12:00:00Z',
  products: [{ handle: 'monthly', interval: { count: 1, unit: 'month' } }],
  subscribers: [
    { product: 'monthly', count: 3 },
    { product: 'monthly', count: 1, declined: true },
  ],
  dunningAttempts: 3,
} as const

const subscribers = 4

const dueDay = '2026-02-10T12:30:00Z'
const target = '2026-03-11T00:00:00Z'

let seed: Seed
let undisturbed: World

const suite = laterCleaner()

before(async () => {
  seed = await makeSeed(suite, plan)
  undisturbed = await copyWorld(suite, seed)
  await rescue(undisturbed, { more: async (ask) => assert.equal((await moveClock(ask)).status, 200) })
})
after(() => suite.clean())

const moveClock = (ask: Ask) => ask('PUT /test_clock.json', { test_clock: { now: target } })

test('every fail point is killed at on some path', () => {
  const killedAt = new Set([...scenarios.map(({ point }) => point.replace(/ #\d+$/, '')), ...webhookPoints])
  assert.deepEqual([...killedAt].sort(), [...failPoints].sort())
})

describe('killed at a fail point', { concurrency: 4 }, () => {
  for (const scenario of scenarios) {
    test(titleOf(scenario), async (t) => {
      const world = await copyWorld(t, 'after' in scenario ? await wreckOf(scenario) : seed)
      if (scenario.losesAnswers) await behave(world, { loseAnswerRate: 1 })
      switch (scenario.path) {
        case 'sign-up':
          return signUp(world, scenario)
        case 'recovery of a sign-up':
          return recoverSignup(world, scenario)
        case 'renewal by the worker':
        case 'recovery of a renewal':
          return renew(world, scenario)
        case 'renewal on the way of a clock':
        case 'recovery of a clock':
          return renewByClock(world, scenario)
      }
    })
  }
})

type SecondDeath = Extract<Scenario, { after: Point }>

/** Worlds in which one process has died already, each made once and copied for those that die after it. */
const wrecks = new Map<string, Promise<Seed>>()

function wreckOf(scenario: SecondDeath): Promise<Seed> {
  const name = `${scenario.path} ${scenario.after}`
  const wreck = wrecks.get(name) ?? makeWreck(scenario)
  wrecks.set(name, wreck)
  return wreck
}

async function makeWreck({ path, after: point }: SecondDeath): Promise<Seed> {
  const world = await copyWorld(suite, seed)
  if (path === 'recovery of a renewal') await jumpTo(world, dueDay)
  const provoke: Record<SecondDeath['path'], (service: Service) => Promise<unknown>> = {
    'recovery of a renewal': async () => {},
    'recovery of a clock': ({ ask }) => moveClock(ask),
    'recovery of a sign-up': ({ ask }) => ask('POST /subscriptions.json', newSignup(numbers.good)),
  }
  await killAt(world, point, {}, provoke[path])
  await world.pool.end()
  return world
}

/** Runs the service until it kills itself where it should. */
async function killAt(
  world: World,
  point: Point,
  { isDeaf }: Pick<Scenario, 'isDeaf'> = {},
  provoke?: (service: Service) => Promise<unknown>,
) {
  const program = isDeaf ? { program: 'test/crashes/deaf-service.ts' } : {}
  const service = await startService({ databaseUrl: world.url, failPoint: point, ...program })
  const limit = setTimeout(() => void service.kill(), patienceMs)
  const answered = await provoke?.(service).catch(() => 'nobody')
  assert.equal(await service.ended, 'SIGKILL', service.said())
  clearTimeout(limit)
  assert.match(service.said(), new RegExp(`^stopped at ${point.replace(/ #\d+$/, '')}$`, 'm'))
  assert.ok(answered === undefined || answered === 'nobody', 'the connection broke before an answer')
}

async function signUp(world: World, scenario: Extract<Scenario, { path: 'sign-up' }>): Promise<void> {
  const body = scenario.card === 'stored' ? await signupWithStoredCard(world) : newSignup(numbers[scenario.card])
  const request = (ask: Ask) => ask('POST /subscriptions.json', body, { 'Idempotency-Key': 'once' })
  await killAt(world, scenario.point, scenario, ({ ask }) => request(ask))
  const repeat = async (ask: Ask): Promise<void> => {
    assert.equal(await newcomers(world), scenario.leaves === 'nothing' ? 0 : 1)
    const reply = await request(ask)
    assert.equal(reply.status, scenario.card === 'declining' ? 422 : 201, reply.text)
    assert.equal((await request(ask)).text, reply.text, 'the repeated request is answered as the first time')
  }
  await rescue(world, { more: repeat })
  assert.equal(await newcomers(world), scenario.card === 'declining' ? 0 : 1)
}

const customer = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', reference: 'newcomer' }

const newSignup = (number: string) => ({
  subscription: {
    product_handle: 'monthly',
    customer_attributes: customer,
    credit_card_attributes: { full_number: number, expiration_month: 12, expiration_year: 2099 },
  },
})
const numbers = { good: '1', declining: '2' } as const

async function signupWithStoredCard(world: World): Promise<object> {
  const [stored] = await query<{ id: string }>(
    world,
    `select f.id from payment_profiles f join customers c on c.id = f.customer_id where c.reference = 'subscriber-1'`,
  )
  return {
    subscription: {
      product_handle: 'monthly',
      customer_reference: 'subscriber-1',
      payment_profile_id: Number(stored!.id),
    },
  }
}

/** Subscriptions that the world did not have. */
const newcomers = async (world: World): Promise<number> =>
  (await query(world, 'select from subscriptions')).length - subscribers

async function recoverSignup(world: World, scenario: SecondDeath): Promise<void> {
  await killAt(world, scenario.point, scenario)
  await rescue(world)
  assert.equal(await newcomers(world), 0)
}

async function renew(world: World, scenario: Scenario): Promise<void> {
  if (scenario.path === 'renewal by the worker') await jumpTo(world, dueDay)
  await killAt(world, scenario.point, scenario)
  await rescue(world)
}

async function renewByClock(world: World, scenario: Scenario): Promise<void> {
  const isBegun = scenario.path === 'recovery of a clock'
  await killAt(world, scenario.point, scenario, isBegun ? undefined : ({ ask }) => moveClock(ask))
  await rescue(world)
  const [site] = await query<{ clock_set_to: Date }>(world, 'select clock_set_to from sites')
  assert.equal(site!.clock_set_to.toISOString(), '2026-03-11T00:00:00.000Z')
  // Everything happened once, and has the dates that it would have had.
  await assertSameStory(world, undisturbed)
}
