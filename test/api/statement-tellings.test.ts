/** A webhook that tells of a statement lists the events that the statement itself shows, however much happens in one second. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import qs from 'qs'
import { verify } from '../../src/actions/verify.ts'
import { sql, texts } from '../../src/store/sql.ts'
import type { Reply } from '../support/test-app.ts'
import { decliningCard, goodCard, made, openShop, signup } from './shop.ts'

const shop = await openShop()
const { app, siteId } = shop
await app.db.run(sql`
  insert into webhook_endpoints (site_id, id, url, event_keys, sealed_secret, created_at, updated_at)
  values (${siteId}, 1, 'https://example.com/', ${texts(['statement_closed', 'statement_settled'])}, 'sealed', now(), now())`)

type Told = { id: number | string; key: string; message: string }
type Statement = { id: number; events: Told[] }
type Telling = { key: string; statement: { id: string; events?: Told[] }; eventId: string }

let seen = 0
/** What was told since the last look. */
async function tellings(): Promise<Telling[]> {
  const rows = await app.db.arrays(sql`
    select w.id, w.event, w.body from webhooks w where w.site_id = ${siteId} and w.id > ${seen} order by w.id`)
  seen = Number(rows.at(-1)?.[0] ?? seen)
  return rows.map(([, key, body]) => {
    const { payload } = qs.parse(body as string, { parameterLimit: 10_000, arrayLimit: 1000, depth: 9 }) as {
      payload: Reply['json']
    }
    return { key: key as string, statement: payload.statement, eventId: payload.event_id }
  })
}

const ids = (events: readonly Told[]): number[] => events.map(({ id }) => Number(id))
const buy = async (changes: object = {}): Promise<number> =>
  (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription.id
const put = async (line: string, body?: object): Promise<void> => {
  const reply = await shop.ask(`PUT ${line}`, body === undefined ? {} : { body })
  assert.equal(reply.status, 200, reply.text)
}
const statementsOf = async (id: number): Promise<Statement[]> =>
  (await shop.ask(`GET /subscriptions/${id}/statements.json?per_page=200`)).json.map(
    (one: { statement: Statement }) => one.statement,
  )
const keysOf = async (id: number): Promise<string[][]> =>
  (await statementsOf(id)).map(({ events }) => events.map(({ key }) => key))

/** Compares everything that was told since the last look with what GET shows now; gives how often each key was told. */
async function compare(): Promise<Record<string, number>> {
  const told = await tellings()
  for (const { key, statement, eventId } of told) {
    const shown: Statement = (await shop.ask(`GET /statements/${statement.id}.json`)).json.statement
    const events = statement.events ?? []
    assert.deepEqual(ids(events), ids(shown.events), `${key} of statement ${statement.id}`)
    assert.deepEqual(
      events.map((one) => [one.key, one.message]),
      shown.events.map((one) => [one.key, one.message]),
    )
    assert.ok(!ids(events).includes(Number(eventId)), 'a statement does not list the event that tells of it')
  }
  return Object.fromEntries(
    Object.entries(Object.groupBy(told, ({ key }) => key)).map(([key, all = []]) => [key, all.length]),
  )
}

describe('the events of a statement in its webhook are those that it shows', () => {
  beforeEach(async () => assert.deepEqual(await compare(), {}))

  test('where a subscription is bought, canceled and brought back in one second', async () => {
    const id = await buy()
    for (let times = 0; times < 3; times += 1) {
      const canceled = await shop.ask(`DELETE /subscriptions/${id}.json`)
      assert.equal(canceled.status, 200, canceled.text)
      await put(`/subscriptions/${id}/reactivate.json`)
    }
    assert.deepEqual(await compare(), { statement_settled: 4 })
    const back = ['subscription_state_change', 'subscription_state_change', 'payment_success']
    assert.deepEqual(await keysOf(id), [['signup_success', 'payment_success'], back, back, back, []])
  })

  test('where a free trial ended for good, brought back in the same second or later', async () => {
    const trial = { product_handle: 'free-trial', payment_profile_attributes: undefined }
    const [atOnce, later] = [await buy(trial), await buy(trial)]
    await shop.moveClock('2027-02-15T12:00:00Z')
    await compare()
    const bringBack = async (id: number): Promise<void> => {
      await put(`/subscriptions/${id}.json`, { subscription: { payment_profile_attributes: goodCard } })
      await put(`/subscriptions/${id}/reactivate.json`)
    }
    await bringBack(atOnce)
    await shop.moveClock('2027-02-17T12:00:00Z')
    await put(`/subscriptions/${later}.json`, { subscription: { payment_profile_attributes: decliningCard } })
    await shop.moveClock('2027-02-18T12:00:00Z')
    await bringBack(later)
    assert.equal((await compare()).statement_settled, 2)
    const ended = [['signup_success'], ['subscription_state_change']]
    const paid = ['subscription_card_update', 'subscription_state_change', 'payment_success']
    assert.deepEqual(await keysOf(atOnce), [...ended, paid, []])
    assert.deepEqual(await keysOf(later), [...ended, paid, []])
  })

  test('of many subscriptions, at their renewals and where one is settled later', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => buy()))
    await compare()
    await shop.ask('PUT /bogus_gateway/behaviour.json', { body: { behaviour: { decline_rate: 1 } } })
    await shop.moveClock('2027-03-18T12:00:00Z')
    await shop.ask('PUT /bogus_gateway/behaviour.json', { body: { behaviour: { decline_rate: 0 } } })
    const { statement_closed: closed } = await compare()
    assert.ok(closed !== undefined && closed >= many.length)
    await shop.moveClock('2027-03-25T12:00:00Z')
    const { statement_settled: settled } = await compare()
    assert.ok(settled !== undefined && settled >= many.length)
    const [, renewal] = await keysOf(many[0]!)
    assert.deepEqual(renewal, ['payment_failure', 'renewal_failure', 'subscription_state_change'])
  })
})

test('no event is on two statements, and what a statement showed when it was told it shows for good', async () => {
  const { json } = await shop.ask('GET /statements.json?per_page=200')
  const all: Statement[] = json.map((one: { statement: Statement }) => one.statement)
  assert.ok(all.length > 50)
  const listed = all.flatMap(({ events }) => ids(events))
  assert.equal(new Set(listed).size, listed.length)
  seen = 0
  await compare()
  assert.equal((await verify(app)).differences, 0)
})
