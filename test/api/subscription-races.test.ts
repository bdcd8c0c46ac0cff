/** Many acts on one subscription at the same time: what comes of them is what comes of the same acts one by one, in the order of their turns. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { verify } from '../../src/actions/verify.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { search } from '../support/campaign.ts'
import { type Records, readRecords } from '../support/story-records.ts'
import { type TestApp, testApp } from '../support/test-app.ts'
import { nameHeader, watchLocks } from './locks-taken.ts'
import { type Command, collecting, quiet } from './racing-commands.ts'
import { everything, outcome, said, waitsForMoney } from './racing-records.ts'
import { orders, type Run } from './serial-orders.ts'
import { decliningCard, openedAt } from './shop.ts'
import { type Lived, openTwins, signUp, type Twin } from './twin-shops.ts'

const asked = 50
const racedAt = '2027-02-15T13:00:00Z'

/** What a subscription is when the race begins. */
const beginnings: readonly ((twin: Twin, name: string) => Promise<Lived>)[] = [
  (twin, name) => signUp(twin, name, { coupon_code: 'HALF' }),
  async (twin, name) => {
    const lived = await signUp(twin, name)
    const card = { subscription: { payment_profile_attributes: decliningCard } }
    await twin.ask(`PUT /subscriptions/${lived.id}.json`, card)
    return lived
  },
  (twin, name) => signUp(twin, name, { product_handle: 'tried' }),
  (twin, name) => signUp(twin, name, { payment_collection_method: 'invoice' }),
  async (twin, name) => {
    const lived = await signUp(twin, name)
    await twin.ask(`DELETE /subscriptions/${lived.id}.json`)
    return lived
  },
]

/** Mixed as the seed says; so many of them may ask the gateway. */
function mixed(seed: number, collectingCount: number): Command[] {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const wanted = Array.from({ length: asked }, () => quiet[below(quiet.length)]!)
  for (let i = 0; i < collectingCount; i++) wanted[below(asked)] = collecting[below(collecting.length)]!
  return wanted
}

type Race = Run & { racer: Lived; followers: readonly Lived[]; record: typeof everything }

/** Does the same one by one, on one follower for each order, until one ends as the race did: then null, else the closest. */
async function explain(app: TestApp, [races, turns]: readonly [Twin, Twin], names: readonly string[], race: Race) {
  const { wanted, replies, racer, followers, record } = race
  const end = await record(app, races, racer)
  const serial = orders(
    names.filter((name) => !replies[Number(name)]!.text.includes(waitsForMoney)),
    race,
  )
  let closest: { actual: string[]; expected: string[]; astray: number } | undefined
  for (const follower of followers) {
    const { value: order } = serial.next()
    if (order === undefined) break
    const again: string[] = []
    for (const place of order) {
      const command = wanted[place]!
      const { line, body } = command.on(turns, follower)
      again.push(said(command, await turns.ask(line, body)))
    }
    const actual = [...order.map((place) => said(wanted[place]!, replies[place]!)), ...end]
    const expected = [...again, ...(await record(app, turns, follower))]
    if (isDeepStrictEqual(actual, expected)) return null
    const astray = actual.filter((line) => !expected.includes(line)).length
    if (closest === undefined || astray < closest.astray) closest = { actual, expected, astray }
  }
  return closest ?? null
}

type Raced = Run & { app: TestApp; twin: Twin; lived: Lived }
type Kind = {
  collectingCount: number
  ordersMax: number
  record: typeof everything
  judge(closest: Awaited<ReturnType<typeof explain>>, raced: Raced): Promise<void>
}

/** One race for each beginning, or for more of them in a campaign. */
async function raceAll(t: TestContext, { collectingCount, ordersMax, record, judge }: Kind): Promise<void> {
  const app = await testApp(t, { clock: stoppedClock(openedAt) })
  const locks = watchLocks(t, app)
  const twins = await openTwins(app)
  const [races, turns] = twins
  const { numRuns, seed } = search(t, beginnings.length)
  const pairs: Pick<Race, 'racer' | 'followers'>[] = []
  for (let round = 0; round < numRuns; round++) {
    const begin = beginnings[round % beginnings.length]!
    const followers = Array.from({ length: ordersMax }, () => begin(turns, 'ada'))
    pairs.push({ racer: await begin(races, 'ada'), followers: await Promise.all(followers) })
  }
  for (const { ask } of twins) await ask('PUT /test_clock.json', { test_clock: { now: racedAt } })
  await races.ask('PUT /bogus_gateway/behaviour.json', { behaviour: { latency_in_ms: 1 } })
  for (const [round, pair] of pairs.entries()) {
    locks.names.length = 0
    const wanted = mixed(seed + round, collectingCount)
    const replies = await Promise.all(
      wanted.map((command, place) => {
        const { line, body } = command.on(races, pair.racer)
        return races.ask(line, body, { [nameHeader]: String(place) })
      }),
    )
    for (const [place, { status, text }] of replies.entries()) {
      assert.ok([200, 201, 204, 422].includes(status), `${wanted[place]!.title}: ${status} ${text}`)
    }
    await judge(await explain(app, twins, locks.names, { ...pair, wanted, replies, record }), {
      app,
      twin: races,
      lived: pair.racer,
      wanted,
      replies,
    })
  }
  const { text, differences } = await verify(app.app)
  assert.equal(differences, 0, text)
}

test('50 parallel acts on one subscription leave the rows that the same acts leave one by one, in the order of their turns', (t) =>
  raceAll(t, {
    collectingCount: 0,
    ordersMax: 1,
    record: everything,
    judge: async (closest) => assert.deepEqual(closest?.actual, closest?.expected),
  }))

/** Of each kind of act: how to know it, and what it writes each time it is answered with success. */
const traces: readonly (readonly [RegExp, (records: Records) => unknown[]])[] = [
  [/^POST .(adjustments|credits)/, (records) => rows(records, 'adjustment').filter(({ memo }) => memo === 'Race')],
  [/^POST .payments/, (records) => rows(records, 'payment').filter(({ kind }) => kind === 'manual')],
  [/^POST .charges/, (records) => rows(records, 'charge').filter(({ memo }) => memo === 'Race')],
  [/^refund/, (records) => rows(records, 'refund').filter(({ success }) => success)],
  [/^use/, ({ events }) => events.filter(({ key }) => key === 'metered_usage')],
  [
    /^POST .hold/,
    ({ events }) => events.filter((event) => event.eventSpecificData?.new_subscription_state === 'on_hold'),
  ],
]
const rows = ({ transactions }: Records, type: string) =>
  transactions.map(({ transaction }) => transaction).filter((row) => row.type === type)

test('some of 50 parallel acts ask the gateway: what is answered with success is done once, and nothing else is', async (t) => {
  let explained = 0
  await raceAll(t, {
    collectingCount: 8,
    ordersMax: process.env.CAMPAIGN === undefined ? 3 : 10,
    record: outcome,
    judge: async (closest, { app, twin, lived, wanted, replies }) => {
      if (closest === null) explained += 1
      else t.diagnostic(JSON.stringify(closest.actual.filter((line) => !closest.expected.includes(line))))
      const records = await readRecords(app.app.db, twin.siteId, lived.id)
      for (const [pattern, written] of traces) {
        const done = wanted.filter(({ title }, place) => pattern.test(title) && replies[place]!.status < 300)
        assert.equal(written(records).length, done.length, `${pattern}`)
      }
    },
  })
  t.diagnostic(`${explained} of these races were explained by one of the first serial orders`)
})

test('a charge that may accrue does so although the subscription is canceled while it is captured', async (t) => {
  const app = await testApp(t, { clock: stoppedClock(openedAt) })
  const [{ ask }] = await openTwins(app)
  const { id } = await signUp({ ask }, 'ada')
  const path = `/subscriptions/${id}`
  await ask(`PUT ${path}.json`, { subscription: { payment_profile_attributes: decliningCard } })
  await ask(`POST ${path}/charges.json`, { charge: { amount: '1.00', memo: 'Earlier', delay_capture: true } })
  const hold = app.hold(id)
  const charging = ask(`POST ${path}/charges.json`, {
    charge: { amount: '2.00', memo: 'Late', accrue_on_failure: true },
  })
  await hold.reached
  assert.equal((await ask(`DELETE ${path}.json`).finally(hold.release)).status, 200)
  const { status, json } = await charging
  assert.deepEqual(
    { status, memo: json.charge?.memo, kind: json.charge?.kind },
    { status: 201, memo: 'Late', kind: 'delay_capture' },
  )
})
