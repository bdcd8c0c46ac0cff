/** Webhooks that are over are kept for so many days, then forgotten with their attempts; nothing else is, and no number comes twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSite } from '../../src/actions/create-site.ts'
import { forgettingWebhooks } from '../../src/actions/forget-webhooks.ts'
import { verify } from '../../src/actions/verify.ts'
import { sql } from '../../src/store/sql.ts'
import { drawWebhookIds, insertWebhooks } from '../../src/store/webhooks.ts'
import { startWorkers } from '../../src/workers/workers.ts'
import { keepingPost, office as lettersOffice } from '../support/post-office.ts'
import { answer, startReceiver } from '../support/receiver.ts'
import { openPostOffice, type PostOffice } from './post-office.ts'

const keepDays = 90
const day = 24 * 3600

/** Works until every site is through; gives the rounds that it took. */
async function forget({ app }: PostOffice): Promise<number> {
  const round = forgettingWebhooks(app, keepDays)
  for (let rounds = 1; ; rounds += 1) if ((await round()) === 0) return rounds
}

const idsIn = async ({ app, siteId }: PostOffice, table: 'webhooks' | 'webhook_attempts'): Promise<number[]> =>
  (
    await app.db.arrays(
      table === 'webhooks'
        ? sql`select id from webhooks where site_id = ${siteId} order by id`
        : sql`select distinct webhook_id from webhook_attempts where site_id = ${siteId} order by webhook_id`,
    )
  ).map(([id]) => id as number)

const countsOf = async ({ app, siteId }: PostOffice) =>
  (
    await app.db.arrays(sql`
      select s.numbered, s.forgotten, e.numbered, e.forgotten from webhook_settings s
      join webhook_endpoints e on e.site_id = s.site_id where s.site_id = ${siteId} order by e.id`)
  ).map((row) => row.map(Number))

/** What the audit says of numbers; the webhooks of these tests tell of no event. */
async function assertNumbers({ app }: PostOffice): Promise<void> {
  const { text } = await verify(app)
  const lines = text.split('\n').filter((line) => /^webhooks: .*\bnumbers?\b/.test(line))
  assert.equal(lines.length, 3)
  for (const line of lines) assert.match(line, / 0 differences$/)
}

/** Numbered rows that were delivered so many days ago, as many sites have them by the thousand. */
async function deliveredLongAgo(office: PostOffice, siteId: number, count: number, days: number): Promise<void> {
  const { app, clock } = office
  const at = clock.now().subtract({ hours: 24 * days })
  await app.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into webhook_endpoints (site_id, id, url, event_keys, sealed_secret, numbered, created_at, updated_at)
      values (${siteId}, 1, 'https://example.com/', '{}', 'sealed', ${count}, ${at}, ${at})`)
    await tx.run(sql`
      insert into webhook_settings (site_id, numbered) values (${siteId}, ${count})
      on conflict (site_id) do update set numbered = webhook_settings.numbered + ${count}`)
    const ids = await drawWebhookIds(tx, count)
    const row = { siteId, endpointId: 1, eventId: null, event: 'test', subscriptionId: null, body: '', createdAt: at }
    await insertWebhooks(
      tx,
      siteId,
      ids.map((id) => ({ ...row, id })),
    )
    await tx.run(sql`
      update webhooks w set sequence = n.place, endpoint_sequence = n.place, successful = true, accepted_at = ${at},
        last_sent_at = ${at}, attempts = 1
      from (select u.id, row_number() over (order by u.id) as place from webhooks u where u.site_id = ${siteId}) n
      where w.site_id = ${siteId} and w.id = n.id`)
    await tx.run(sql`
      insert into webhook_attempts (site_id, webhook_id, number, sent_at, accepted, duration_in_ms)
      select site_id, id, 1, ${at}, true, 1 from webhooks where site_id = ${siteId}`)
  })
}

const anotherSite = async ({ app }: PostOffice, subdomain: string): Promise<number> =>
  (await createSite(app, { subdomain, live: true, timeZone: 'UTC', currency: 'USD', apiKey: undefined })).siteId

test('what was accepted or given up goes after its days with its attempts; what is still to be sent, and what is young, stays', async (t) => {
  const office = await openPostOffice(t)
  const receiver = await startReceiver(t)
  const good = await office.endpoint(receiver.url)
  const waiting = await office.endpoint(receiver.url, { status: 'disabled' })
  const [accepted] = await office.write(good)
  await office.attempted(accepted!, 1)
  receiver.react(answer(500))
  const [givenUp] = await office.write(good)
  await office.attempted(givenUp!, 1)
  office.clock.pass(4 * day)
  await office.attempted(givenUp!, 2)
  assert.equal((await office.webhook(givenUp!)).next_attempt_at, null)
  receiver.react(answer(200))
  const [replayed] = await office.write(good)
  await office.attempted(replayed!, 1)
  const [paused] = await office.write(waiting)
  await office.until(async () => (await office.webhook(paused!)).next_attempt_at !== null)

  office.clock.pass(keepDays * day)
  await forget(office)
  assert.deepEqual(await idsIn(office, 'webhooks'), [givenUp, replayed, paused], 'sent, or written, no longer ago')
  await office.ask('POST /webhooks/replay.json', { body: { ids: [replayed] } })
  await office.attempted(replayed!, 2)
  const [young] = await office.write(good)
  await office.attempted(young!, 1)
  office.clock.pass(1)
  await forget(office)
  assert.deepEqual(await idsIn(office, 'webhooks'), [replayed, paused, young])
  assert.deepEqual(await idsIn(office, 'webhook_attempts'), [replayed, young])
  await assertNumbers(office)

  const [next] = await office.write(good)
  await office.attempted(next!, 1)
  const last = receiver.received.at(-1)!.headers
  assert.deepEqual(
    [last['x-kalends-webhook-sequence'], last['x-kalends-webhook-endpoint-sequence']],
    ['6', '5'],
    'numbers go on and none comes twice',
  )
  assert.deepEqual(await countsOf(office), [
    [6, 2, 5, 2],
    [6, 2, 1, 0],
  ])
  await assertNumbers(office)
})

test('a webhook that is forgotten is answered like one that never was, and the event that it told of stays', async (t) => {
  const office = await openPostOffice(t)
  const receiver = await startReceiver(t)
  const family = await office.ask('POST /product_families.json', { body: { product_family: { name: 'Almanacs' } } })
  assert.equal(family.status, 201)
  await office.endpoint(receiver.url, { webhook_subscriptions: ['customer_create'] })
  const customer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
  await office.ask('POST /customers.json', { body: { customer } })
  await office.until(() => receiver.received.length === 1)
  const [id] = await idsIn(office, 'webhooks')
  await office.attempted(id!, 1)
  office.clock.pass((keepDays + 1) * day)
  await forget(office)
  const replay = (one: number) => office.ask('POST /webhooks/replay.json', { body: { ids: [one] } })
  const [forgotten, unknown] = [await replay(id!), await replay(7)]
  assert.deepEqual([forgotten.status, forgotten.text], [200, unknown.text])
  assert.equal((await office.ask(`GET /webhooks/${id}.json`)).status, 404)
  assert.equal((await office.ask(`GET /webhooks/${id}/attempts.json`)).status, 404)
  assert.equal((await office.ask('GET /events.json?filter=customer_create')).json.length, 1)
})

test('days are real days, where a test site is ahead of its time too', async (t) => {
  const office = await openPostOffice(t)
  const receiver = await startReceiver(t)
  const endpoint = await office.endpoint(receiver.url)
  const [id] = await office.write(endpoint)
  await office.attempted(id!, 1)
  await office.moveClock('2028-01-15T12:00:00Z')
  await forget(office)
  assert.deepEqual(await idsIn(office, 'webhooks'), [id])
  office.clock.pass(keepDays * day)
  await forget(office)
  assert.deepEqual(await idsIn(office, 'webhooks'), [id], 'after its days to the second it is still there')
  office.clock.pass(1)
  await forget(office)
  assert.deepEqual(await idsIn(office, 'webhooks'), [])
})

test('a site with thousands is worked off set by set, and the next site goes after its first', async (t) => {
  const office = await openPostOffice(t)
  const [big, small, alive] = [office.siteId, await anotherSite(office, 'small'), await anotherSite(office, 'alive')]
  await deliveredLongAgo(office, big, 2500, keepDays + 1)
  await deliveredLongAgo(office, small, 10, keepDays + 1)
  await deliveredLongAgo(office, alive, 10, keepDays - 1)
  const left = async () =>
    (
      await office.app.db.arrays(sql`select site_id, count(*) from webhooks where site_id > 0 group by 1 order by 1`)
    ).map((row) => row.map(Number))
  const round = forgettingWebhooks(office.app, keepDays)
  assert.equal(await round(), 1)
  assert.deepEqual(await left(), [
    [big, 1500],
    [alive, 10],
  ])
  assert.equal(await round(), 1)
  assert.equal(await round(), 0)
  assert.deepEqual(await left(), [[alive, 10]])
  await assertNumbers(office)
})

test('what is kept is passed once, however much of it there is', async (t) => {
  const office = await openPostOffice(t)
  await deliveredLongAgo(office, office.siteId, 3500, keepDays + 1)
  await office.app.db.run(sql`
    update webhooks set next_attempt_at = created_at, accepted_at = null, successful = false, attempts = 0
    where site_id = ${office.siteId} and sequence <= 2500`)
  await office.app.db.run(sql`
    delete from webhook_attempts a using webhooks w
    where a.site_id = ${office.siteId} and w.site_id = a.site_id and w.id = a.webhook_id and w.attempts = 0`)
  assert.equal(await forget(office), 4)
  assert.equal((await idsIn(office, 'webhooks')).length, 2500)
  await assertNumbers(office)
})

test('several processes that forget at once, while webhooks are numbered and replayed, count each webhook once', async (t) => {
  const office = await openPostOffice(t)
  const { app, siteId } = office
  const receiver = await startReceiver(t)
  await deliveredLongAgo(office, siteId, 3000, keepDays + 1)
  const endpoint = await office.endpoint(receiver.url)
  const all = await idsIn(office, 'webhooks')
  const wished = all.filter((_, place) => place % 100 === 0)
  const replays = wished.map((id) => office.ask('POST /webhooks/replay.json', { body: { ids: [id] } }))
  const [fresh, replies] = await Promise.all([
    office.write(endpoint, 50),
    Promise.all(replays),
    ...Array.from({ length: 4 }, () => forget(office)),
    office.until(() => receiver.received.length === 50),
  ])
  assert.ok(replies.every(({ status }) => status === 200))
  const rows = await app.db.arrays(sql`
    select w.id from webhooks w where w.site_id = ${siteId} and w.replays = 1 order by w.id`)
  const replayed = rows.map(([id]) => id as number)
  assert.ok(replayed.every((id) => wished.includes(id)))
  assert.deepEqual(await idsIn(office, 'webhooks'), [...replayed, ...fresh])
  const [row] = await app.db.arrays(sql`select forgotten from webhook_settings where site_id = ${siteId}`)
  assert.equal(Number(row![0]), 3000 - replayed.length)
  await assertNumbers(office)
})

test('nothing comes after an attempt that was under way when its endpoint was deleted, so that the webhook is over', async (t) => {
  const office = await openPostOffice(t)
  let fail = (): void => {}
  const receiver = await startReceiver(t, (response) => {
    fail = () => response.writeHead(500).end()
  })
  const endpoint = await office.endpoint(receiver.url)
  const [id] = await office.write(endpoint)
  await office.until(() => receiver.received.length === 1)
  assert.equal((await office.ask(`DELETE /endpoints/${endpoint}.json`)).status, 204)
  fail()
  const { attempts, next_attempt_at: next } = await office.attempted(id!, 1)
  assert.deepEqual([attempts, next], [1, null])
  office.clock.pass((keepDays + 1) * day)
  await forget(office)
  assert.deepEqual(await idsIn(office, 'webhooks'), [])
  assert.deepEqual(await countsOf(office), [[1, 1, 1, 1]])
})

test('a service forgets by itself, after as many days as it was told', async (t) => {
  const office = await openPostOffice(t)
  const old = await anotherSite(office, 'old')
  await deliveredLongAgo(office, office.siteId, 2100, 8)
  await deliveredLongAgo(office, old, 10, 6)
  const workers = startWorkers(office.app, lettersOffice(keepingPost()), 7)
  await office.until(async () => (await idsIn(office, 'webhooks')).length === 0)
  await workers.stop()
  assert.equal((await idsIn({ ...office, siteId: old }, 'webhooks')).length, 10)
})

test('a site that is emptied gives no number twice', async (t) => {
  const office = await openPostOffice(t)
  const receiver = await startReceiver(t)
  const endpoint = await office.endpoint(receiver.url)
  await office.write(endpoint, 3)
  await office.until(() => receiver.received.length === 3)
  await clearData(office)
  await assertNumbers(office)
  await office.write(endpoint, 2)
  await office.until(() => receiver.received.length === 5)
  const sequences = receiver.received.map(({ headers }) => Number(headers['x-kalends-webhook-endpoint-sequence']))
  assert.deepEqual(
    sequences.toSorted((one, next) => one - next),
    [1, 2, 3, 4, 5],
  )
  await assertNumbers(office)
})

async function clearData(office: PostOffice): Promise<void> {
  const reply = await office.ask('POST /sites/clear_data.json?cleanup_scope=customers')
  assert.equal(reply.status, 200, reply.text)
}
