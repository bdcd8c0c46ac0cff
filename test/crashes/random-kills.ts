/** A run of renewals and sign-ups whose process is killed again and again, at moments that nobody chose. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { patienceMs } from '../support/patience.ts'
import { type Chance, chanceFrom } from './chance.ts'
import { type Ask, hurryRecovery, isIdle, rescue } from './rescue.ts'
import { type Service, startService } from './service.ts'
import { behave, type Cleaner, enterWorld, jumpTo, makeSeed, query, type World } from './world.ts'

export type RandomKills = {
  subscriptions: number
  kills: number
  seed: number
  /** A process lives at most this long after it is ready. */
  lifeMsMax: number
  /** The gateway refuses and fails at random, besides losing answers. */
  faults: boolean
  say: (line: string) => void
}

const firstDay = Temporal.Instant.from('2026-01-10T12:00:00Z')

/** Each life has at least this much to do, unless it is killed before. */
const daysPerLife = 2

const betweenSignupsMs = 20
const lookEveryMs = 20

export async function runRandomKills(t: Cleaner, run: RandomKills): Promise<void> {
  const chance = chanceFrom(run.seed)
  run.say(`seed ${run.seed}: ${run.subscriptions} subscriptions, ${run.kills} kills`)
  const seed = await makeSeed(t, {
    now: firstDay.toString(),
    products: [{ handle: 'daily', interval: { count: 1, unit: 'day' } }],
    subscribers: [{ product: 'daily', count: run.subscriptions }],
    dunningAttempts: 100,
  })
  const world = enterWorld(t, seed)
  await behave(world, { loseAnswerRate: 0.3, ...(run.faults && { errorRate: 0.02, declineRate: 0.05 }) })
  const newcomers: Newcomers = { asked: 0, served: 0 }
  let interrupted = 0
  for (let kill = 1; kill <= run.kills; kill++) {
    await live(world, chance, run, newcomers)
    interrupted += Number(await hasOpenPayments(world))
    if (kill % 10 === 0 || kill === run.kills) {
      run.say(`${kill} kills, ${interrupted} of them with payments under way, ${await figures(world)}`)
    }
  }
  await behave(world, {})
  const waitMs = patienceMs + run.subscriptions * 60
  await rescue(world, {
    faults: run.faults,
    waitMs,
    more: (ask) => signUpInTurn(ask, newcomers, () => newcomers.served === newcomers.asked),
  })
  run.say(`at rest: ${await figures(world)}`)
  const [{ count } = { count: 0 }] = await query<{ count: number }>(
    world,
    `select count(*)::int from customers where reference like 'newcomer-%'`,
  )
  assert.equal(count, newcomers.asked, 'everybody who asked to sign up is there')
  assert.ok(count > 0, 'somebody signed up')
}

/** One process from its start to its death. While it lives there is always something due. */
async function live(world: World, chance: Chance, run: RandomKills, newcomers: Newcomers): Promise<void> {
  const byClock = chance.next() < 0.5
  const diesBeforeItServes = chance.next() < 0.15
  const lifeMs = chance.next() * run.lifeMsMax
  await hurryRecovery(world)
  if (!byClock && (await isIdle(world))) await jumpTo(world, await later(world))
  const service = await startService({ databaseUrl: world.url })
  let isAlive = true
  const work = async (): Promise<void> => {
    void signUpInTurn(service.ask, newcomers, () => !isAlive).catch(() => {})
    while (isAlive) {
      if (await isIdle(world)) await (byClock ? moveOn(service, await later(world)) : jumpTo(world, await later(world)))
      await pause(lookEveryMs)
    }
  }
  if (!diesBeforeItServes) await service.port
  const working = diesBeforeItServes ? undefined : work().catch(() => {})
  await pause(lifeMs)
  isAlive = false
  await service.kill()
  await working
}

const later = async (world: World): Promise<string> => {
  const [row] = await query<{ now: Date }>(
    world,
    'select coalesce(clock_set_to + (now() - clock_set_at), now()) as now from sites',
  )
  const seconds = Math.floor(row!.now.getTime() / 1000) + daysPerLife * 86_400
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toString()
}

const moveOn = (service: Service, to: string) => service.ask('PUT /test_clock.json', { test_clock: { now: to } })

/** People who want to sign up, one after the other: `asked` have begun to ask, `served` have had their answer. */
type Newcomers = { asked: number; served: number }

/** Each keeps asking, with one and the same key, until the answer is yes. */
async function signUpInTurn(ask: Ask, newcomers: Newcomers, isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    const number = newcomers.served + 1
    newcomers.asked = number
    const headers = { 'Idempotency-Key': `key-${number}` }
    const { status, text } = await ask('POST /subscriptions.json', signupOf(number), headers)
    // A card that could not be stored, or was declined this time: asking again is asking for the same thing.
    if (status === 201) newcomers.served = number
    else assert.equal(status, 422, text)
    await pause(betweenSignupsMs)
  }
}

const signupOf = (number: number) => ({
  subscription: {
    product_handle: 'daily',
    customer_attributes: {
      first_name: 'New',
      last_name: 'Comer',
      email: 'new@example.com',
      reference: `newcomer-${number}`,
    },
    credit_card_attributes: { full_number: '1', expiration_month: 12, expiration_year: 2099 },
  },
})

const hasOpenPayments = async (world: World): Promise<boolean> =>
  (await query(world, 'select from payment_attempts where settled_at is null limit 1')).length > 0

async function figures(world: World): Promise<string> {
  const [row] = await query<{ periods: string; captures: string; lost: string }>(
    world,
    `select (select count(*) from periods) as periods,
      (select count(*) from bogus_gateway.calls where kind = 'purchase' and outcome = 'approved') as captures,
      (select count(*) from bogus_gateway.calls where kind = 'void') as lost`,
  )
  return `${row!.periods} periods begun, ${row!.captures} captures, ${row!.lost} given back`
}
