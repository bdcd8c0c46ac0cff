/** Webhooks are written and sent while the process is killed again and again: everything arrives, and receivers could tell if it did not. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { createEndpoint } from '../../src/actions/save-endpoint.ts'
import { createCourier } from '../../src/delivery/courier.ts'
import type { Opened } from '../../src/main.ts'
import { drawWebhookIds, insertWebhooks } from '../../src/store/webhooks.ts'
import { chanceFrom } from '../crashes/chance.ts'
import type { Point } from '../crashes/scenarios.ts'
import { startService } from '../crashes/service.ts'
import { type Cleaner, enterWorld, makeSeed, openOn, query, type World } from '../crashes/world.ts'
import { patienceMs } from '../support/patience.ts'
import { answer, type Received, type Receiver, startReceiver } from '../support/receiver.ts'

export type WebhookKills = {
  /** To each of two endpoints, one of which asks for order. */
  webhooks: number
  kills: number
  seed: number
  lifeMsMax: number
  say: (line: string) => void
}

const subscriptions = 40
const perAct = 20
const rollbackRate = 0.1
const errorRate = 0.01

type Arrivals = { url: string; receiver: Receiver; sequences: Set<number>; bySubscription: Map<string, number[]> }

export async function runWebhookKills(t: Cleaner, run: WebhookKills): Promise<void> {
  const chance = chanceFrom(run.seed)
  run.say(`seed ${run.seed}: ${run.webhooks} webhooks to each of two endpoints, ${run.kills} kills`)
  const { world, opened } = await enterWithWebhooks(t)
  const ends = [await listen(t, () => chance.next()), await listen(t, () => chance.next())] as const
  const [plain, ordered] = [
    await addEndpoint(opened, world.siteId, ends[0].url, false),
    await addEndpoint(opened, world.siteId, ends[1].url, true),
  ]
  let written = 0
  let isDone = false
  const write = async (): Promise<void> => {
    while (written < run.webhooks) {
      const isKept = chance.next() >= rollbackRate
      await writeAct(opened, world.siteId, [plain, ordered], isKept, written).catch(() => {})
      if (isKept) written += perAct
      // Spread over the lives of the processes.
      await pause((run.kills * run.lifeMsMax * perAct) / run.webhooks / 4)
    }
    isDone = true
  }
  const writing = write()
  for (let kill = 1; kill <= run.kills; kill++) {
    const service = await startService({ databaseUrl: world.url })
    await service.port.catch(() => {})
    await pause(chance.next() * run.lifeMsMax)
    await service.kill()
    if (kill % 10 === 0 || kill === run.kills) run.say(`${kill} kills, ${ends.map(arrivedOf).join(' and ')} arrived`)
  }
  await writing
  assert.ok(isDone)
  const service = await startService({ databaseUrl: world.url })
  await untilSent(world, patienceMs + run.webhooks * 5)
  assert.equal(await service.stop(), '0', service.said())
  for (const end of ends) assert.deepEqual(holesOf(end.sequences, run.webhooks), [], 'every number arrived')
  assertOrder(ends[1])
  await assertRecords(world, run.webhooks)
  run.say(`at rest: ${ends.map(({ receiver }) => receiver.received.length).join(' and ')} requests`)
}

/** Kills one process after another, each at another point of a delivery; the last one finishes everything. */
export async function killAtPoints(t: Cleaner, points: readonly Point[]): Promise<void> {
  const { world, opened } = await enterWithWebhooks(t)
  const end = await listen(t, () => 1)
  const endpoint = await addEndpoint(opened, world.siteId, end.url, true)
  for (const point of points) {
    await writeAct(opened, world.siteId, [endpoint], true, 0)
    const service = await startService({ databaseUrl: world.url, failPoint: point })
    assert.equal(await service.ended, 'SIGKILL', service.said())
    assert.match(service.said(), new RegExp(`^stopped at ${point}$`, 'm'))
  }
  const service = await startService({ databaseUrl: world.url })
  await untilSent(world, patienceMs)
  assert.equal(await service.stop(), '0')
  assert.deepEqual(holesOf(end.sequences, points.length * perAct), [])
  assertOrder(end)
}

async function enterWithWebhooks(t: Cleaner): Promise<{ world: World; opened: Opened }> {
  process.env.WEBHOOK_ALLOW_PRIVATE = '1'
  const seed = await makeSeed(t, {
    now: '2026-01-10T12:00:00Z',
    products: [{ handle: 'monthly', interval: { count: 1, unit: 'month' } }],
    subscribers: [{ product: 'monthly', count: 1 }],
  })
  const opened = await openOn(seed.url)
  t.after(() => opened.close())
  return { world: enterWorld(t, seed), opened }
}

async function listen(t: Cleaner, draw: () => number): Promise<Arrivals> {
  const sequences = new Set<number>()
  const bySubscription = new Map<string, number[]>()
  const keep = ({ headers, body }: Received): void => {
    const sequence = Number(headers['x-kalends-webhook-endpoint-sequence'])
    const [, subscription = ''] = /subscription_id\]=(\d+)/.exec(body) ?? []
    if (!sequences.has(sequence)) {
      const sent = bySubscription.get(subscription) ?? []
      sent.push(sequence)
      bySubscription.set(subscription, sent)
    }
    sequences.add(sequence)
  }
  const receiver = await startReceiver(t, (response, received, socket) => {
    const isAccepted = draw() >= errorRate
    if (isAccepted) keep(received)
    answer(isAccepted ? 200 : 500)(response, received, socket)
  })
  return { url: receiver.url, receiver, sequences, bySubscription }
}

const arrivedOf = ({ sequences }: Arrivals): number => sequences.size

async function addEndpoint({ app }: Opened, siteId: number, url: string, ordered: boolean): Promise<number> {
  const courier = createCourier({ allowPrivate: true })
  const terms = { url, eventKeys: ['payment_success'], ordered, status: 'enabled' as const }
  const id = await createEndpoint({ ...app, courier }, siteId, terms)
  await courier.close()
  return id
}

/** As an act does it, in one transaction, which may come to nothing. */
const writeAct = (
  { app }: Opened,
  siteId: number,
  endpoints: readonly number[],
  isKept: boolean,
  from: number,
): Promise<void> =>
  app.db.transaction(async (tx) => {
    const createdAt = app.clock.now()
    for (const endpointId of endpoints) {
      const ids = await drawWebhookIds(tx, perAct)
      const rows = ids.map((id, place) => {
        const subscriptionId = 1 + ((from + place) % subscriptions)
        const body = `id=${id}&event=payment_success&payload[subscription_id]=${subscriptionId}`
        return { siteId, id, endpointId, eventId: null, event: 'payment_success', subscriptionId, body, createdAt }
      })
      await insertWebhooks(tx, siteId, rows)
    }
    if (!isKept) throw new Error('rolled back')
  })

/** Retries are hurried up: the test does not wait for ten seconds each. */
async function untilSent(world: World, waitMs: number): Promise<void> {
  const from = performance.now()
  for (;;) {
    await query(
      world,
      `update webhooks set next_attempt_at = now() where next_attempt_at > now() and last_error is not null`,
    )
    const [left] = await query<{ count: number }>(
      world,
      'select count(*)::int from webhooks where sequence is null or next_attempt_at is not null',
    )
    if (left?.count === 0) return
    if (performance.now() - from > waitMs) throw new Error(`${left?.count} webhooks were not sent in time`)
    await pause(100)
  }
}

const holesOf = (sequences: ReadonlySet<number>, count: number): number[] =>
  Array.from({ length: count }, (_, place) => place + 1).filter((number) => !sequences.has(number))

function assertOrder({ bySubscription }: Arrivals): void {
  for (const [subscription, sent] of bySubscription) {
    const inOrder = sent.toSorted((one, other) => one - other)
    assert.deepEqual(sent, inOrder, `those of subscription ${subscription} came in order`)
  }
}

async function assertRecords(world: World, each: number): Promise<void> {
  const [row] = await query<Record<string, number>>(
    world,
    `select count(*)::int as all, max(sequence)::int as last, count(distinct sequence)::int as numbers,
       count(*) filter (where successful and accepted_at is not null and last_error is null)::int as accepted,
       sum(attempts)::int as attempts, (select count(*)::int from webhook_attempts) as recorded from webhooks`,
  )
  const all = 2 * each
  const { attempts, recorded, ...counts } = row!
  assert.deepEqual(counts, { all, last: all, numbers: all, accepted: all })
  assert.equal(recorded, attempts)
}
