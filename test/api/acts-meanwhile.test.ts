/** What comes while a gateway is asked for an act: both are done, as if one had come after the other, whichever was first. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { verify } from '../../src/actions/verify.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { search } from '../support/campaign.ts'
import { type TestApp, testApp } from '../support/test-app.ts'
import { type Command, collecting, quiet } from './racing-commands.ts'
import { outcome, said, waitsForMoney } from './racing-records.ts'
import { openedAt } from './shop.ts'
import { type Lived, openTwins, signUp, type Twin } from './twin-shops.ts'

/** How a subscription stands when the gateway is asked, and for which acts it may be. Those in trouble got there by the clock. */
type Standing = { title: string; asks: RegExp; begin(twin: Twin): Promise<Lived> }

const inTrouble: readonly Standing[] = [
  { title: 'past due', asks: /retry|^PUT {2}.*full_number|charges|users/, begin: (twin) => signUp(twin, 'ada') },
  {
    title: 'unpaid',
    asks: /retry|reactivate|charges/,
    begin: (twin) => signUp(twin, 'ada', { product_handle: 'brief', coupon_code: 'HALF' }),
  },
]

const inOrder: readonly Standing[] = [
  { title: 'active, with a coupon', asks: /migrations|charges|users/, begin: (twin) => stocked(twin) },
  {
    title: 'canceled, with a coupon',
    asks: /reactivate/,
    begin: async (twin) => {
      const lived = await stocked(twin)
      await twin.ask(`DELETE /subscriptions/${lived.id}.json`)
      return lived
    },
  },
]

async function stocked(twin: Twin): Promise<Lived> {
  const lived = await signUp(twin, 'ada', { coupon_code: 'HALF' })
  const { users, calls } = twin.components
  const path = `/subscriptions/${lived.id}/components`
  await twin.ask(`POST ${path}/${users}/allocations.json`, { allocation: { quantity: 3 } })
  await twin.ask(`POST ${path}/${calls}/usages.json`, { usage: { quantity: 2000 } })
  return lived
}

type Pair = { standing: Standing; asked: Command; meanwhile: Command }

/** A migration is not made of what was canceled meanwhile: its payment stays as credit, as in no serial order. */
const isTooLate = (asked: Command, meanwhile: Command): boolean =>
  asked.title.startsWith('POST /migrations') && meanwhile.title.startsWith('DELETE  ')

const pairsOf = (standings: readonly Standing[]): Pair[] =>
  standings.flatMap((standing) =>
    collecting
      .filter(({ title }) => standing.asks.test(title))
      .flatMap((asked) => quiet.map((meanwhile) => ({ standing, asked, meanwhile })))
      .filter(({ asked, meanwhile }) => !isTooLate(asked, meanwhile)),
  )

/** So many of them, spread over all. */
function chosen<One>(all: readonly One[], count: number, seed: number): One[] {
  const step = all.length / Math.min(count, all.length)
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[(Math.floor(i * step) + seed) % all.length]!)
}

/** So many pairs at a time. */
const atOnce = 8

type Threesome = Pair & { racer: Lived; followers: readonly [Lived, Lived] }

async function beginAll([races, turns]: readonly [Twin, Twin], pairs: readonly Pair[]): Promise<Threesome[]> {
  const threesomes: Threesome[] = []
  for (let i = 0; i < pairs.length; i += atOnce) {
    const begun = pairs.slice(i, i + atOnce).map(async (pair) => {
      const { begin } = pair.standing
      const [racer, first, second] = await Promise.all([begin(races), begin(turns), begin(turns)])
      return { ...pair, racer, followers: [first, second] as const }
    })
    threesomes.push(...(await Promise.all(begun)))
  }
  return threesomes
}

const moveClocks = async (twins: readonly Twin[], now: string, declineRate: number): Promise<void> => {
  for (const { ask } of twins) {
    await ask('PUT /bogus_gateway/behaviour.json', { behaviour: { decline_rate: declineRate } })
    await ask('PUT /test_clock.json', { test_clock: { now } })
  }
}

/** What comes in between stands on the statement that is open by then, so when statements settle is that of no serial order. */
const leftBy = async (...of: Parameters<typeof outcome>): Promise<string[]> =>
  (await outcome(...of)).filter((line) => !/^\{"key":"statement_(closed|settled)"/.test(line))

/** Null when one of both orders explains what came of the two acts. */
async function explain(
  app: TestApp,
  [races, turns]: readonly [Twin, Twin],
  { asked, meanwhile, racer, followers }: Threesome,
) {
  const on = (twin: Twin, lived: Lived, command: Command) => {
    const { line, body } = command.on(twin, lived)
    return twin.ask(line, body)
  }
  const hold = app.hold(racer.id)
  const asking = on(races, racer, asked)
  await Promise.race([hold.reached, asking])
  const between = await on(races, racer, meanwhile).finally(hold.release)
  const answers = [said(asked, await asking), said(meanwhile, between)]
  const actual = [...answers, ...(await leftBy(app, races, racer))]
  const waited = between.text.includes(waitsForMoney)
  const expected: string[][] = []
  for (const [order, follower] of followers.entries()) {
    const ask = async (command: Command) => said(command, await on(turns, follower, command))
    const late = order === 0 ? [] : [await ask(meanwhile)]
    const again = [await ask(asked), ...(waited ? [answers[1]!] : order === 0 ? [await ask(meanwhile)] : late)]
    expected.push([...again, ...(await leftBy(app, turns, follower))])
    if (waited) break
  }
  return expected.some((serial) => isDeepStrictEqual(serial, actual)) ? null : { actual, expected }
}

async function race(t: TestContext, count: number, declineRate: number): Promise<string[]> {
  const app = await testApp(t, { clock: stoppedClock(openedAt) })
  const twins = await openTwins(app)
  const { numRuns, seed } = search(t, count)
  const troubled = await beginAll(twins, chosen(pairsOf(inTrouble), Math.ceil(numRuns / 2), seed))
  await moveClocks(twins, '2027-02-15T13:00:00Z', 1)
  await moveClocks(twins, '2027-02-15T13:01:00Z', 0)
  const living = await beginAll(twins, chosen(pairsOf(inOrder), Math.ceil(numRuns / 2), seed))
  await moveClocks(twins, '2027-02-22T00:00:00Z', 1)
  for (const { ask } of twins) {
    await ask('PUT /bogus_gateway/behaviour.json', { behaviour: { decline_rate: declineRate } })
  }
  const all = [...troubled, ...living]
  const unexplained: string[] = []
  for (let i = 0; i < all.length; i += atOnce) {
    await Promise.all(
      all.slice(i, i + atOnce).map(async (three) => {
        const found = await explain(app, twins, three)
        if (found === null) return
        const [first = [], second = []] = found.expected
        const odd = found.actual.filter((line) => !first.includes(line) && !second.includes(line))
        const less = (lines: string[]) => lines.filter((line) => !found.actual.includes(line))
        unexplained.push(
          JSON.stringify(
            {
              standing: three.standing.title,
              asked: three.asked.title,
              meanwhile: three.meanwhile.title,
              odd,
              missing: [less(first), less(second)],
              actual: found.actual,
              expected: found.expected,
            },
            null,
            1,
          ),
        )
      }),
    )
  }
  const { text, differences } = await verify(app.app)
  assert.equal(differences, 0, text)
  return unexplained
}

for (const [words, declineRate] of [
  ['approves', 0],
  ['declines', 1],
] as const) {
  test(`an act that comes while a gateway ${words} another comes before it or after it`, async (t) => {
    const unexplained = await race(t, 6, declineRate)
    assert.deepEqual(unexplained, [], unexplained.join('\n'))
  })
}

test('an allocation waits while a migration is paid for, since the period that it would be charged for is about to end', async (t) => {
  const app = await testApp(t, { clock: stoppedClock(openedAt) })
  const [{ ask, components }] = await openTwins(app)
  const { id } = await signUp({ ask }, 'ada')
  const path = `/subscriptions/${id}`
  const allocate = () =>
    ask(`POST ${path}/components/${components.users}/allocations.json`, { allocation: { quantity: 4 } })
  const hold = app.hold(id)
  const migrating = ask(`POST ${path}/migrations.json`, { migration: { product_handle: 'dear' } })
  await hold.reached
  const { status, json } = await allocate().finally(hold.release)
  assert.deepEqual([status, json], [422, { errors: [waitsForMoney] }])
  assert.equal((await migrating).status, 200)
  assert.equal((await allocate()).status, 201)
})
