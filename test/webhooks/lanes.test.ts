/** How webhooks are handed out: in order where it is asked for, retried for three days, slowed down and never dropped, each endpoint for itself. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { attemptsMax } from '../../src/billing/webhook-retry.ts'
import { sql } from '../../src/store/sql.ts'
import { drawWebhookIds, insertWebhooks } from '../../src/store/webhooks.ts'
import { answer, startReceiver } from '../support/receiver.ts'
import { openPostOffice } from './post-office.ts'

const sequenceOf = ({ headers }: { headers: Record<string, unknown> }): number =>
  Number(headers['x-kalends-webhook-endpoint-sequence'])

describe('webhooks', () => {
  test('are numbered without gaps for the site and for each endpoint, whatever was rolled back', async (t) => {
    const office = await openPostOffice(t)
    const [one, other] = [await startReceiver(t), await startReceiver(t)]
    const [first, second] = [await office.endpoint(one.url), await office.endpoint(other.url)]
    await office.write(first, 5)
    await assert.rejects(
      office.app.db.transaction(async (tx) => {
        await tx.run(sql`select nextval('webhooks_id_seq')`)
        throw new Error('rolled back')
      }),
    )
    await office.write(second, 3)
    await office.write(first, 2)
    await office.until(() => one.received.length === 7 && other.received.length === 3)
    assert.deepEqual(one.received.map(sequenceOf).sort(), [1, 2, 3, 4, 5, 6, 7])
    assert.deepEqual(other.received.map(sequenceOf).sort(), [1, 2, 3])
    const bySite = [...one.received, ...other.received].map(({ headers }) =>
      Number(headers['x-kalends-webhook-sequence']),
    )
    assert.deepEqual(
      bySite.toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    )
  })

  test('of one subscription wait for one another where the endpoint asks for it; others do not wait', async (t) => {
    const office = await openPostOffice(t)
    const order: string[] = []
    const receiver = await startReceiver(t, (response, { body }) => {
      const id = /^id=(\d+)/.exec(body)![1]!
      order.push(id)
      response.writeHead(order.filter((one) => one === id).length === 1 && id === String(head) ? 500 : 200).end()
    })
    const endpointId = await office.endpoint(receiver.url, { ordered: true })
    const [head, ...tail] = await office.write(endpointId, 4, 7)
    const [stranger] = await office.write(endpointId, 1, 8)
    await office.until(async () => (await office.webhook(stranger!)).successful)
    assert.equal((await office.attempted(head!, 1)).successful, false)
    assert.deepEqual(order.toSorted(), [head, stranger].map(String), 'nothing overtook the first one')
    office.clock.pass(11)
    await office.attempted(tail.at(-1)!, 1)
    assert.deepEqual(
      order.filter((id) => id !== String(stranger)),
      [head, head, ...tail].map(String),
    )
  })

  test('are tried on the documented schedule, then kept as failed; a replay begins it anew under the same id', async (t) => {
    const office = await openPostOffice(t)
    const receiver = await startReceiver(t, answer(503))
    const [id] = await office.write(await office.endpoint(receiver.url))
    /** The clock is cut to whole seconds; a gap is longer by as much as that may have been. */
    const cut = 1
    const gaps: number[] = []
    for (let tries = 1; tries < attemptsMax; tries++) {
      const { next_attempt_at: next, last_error: error } = await office.attempted(id!, tries)
      assert.equal(error, `503 Service Unavailable (retry ${tries} of ${attemptsMax})`)
      const seconds = Date.parse(next) / 1000 - office.clock.now().epochMilliseconds / 1000
      gaps.push(seconds - cut)
      office.clock.pass(seconds)
    }
    const hour = 3600
    assert.deepEqual(gaps.slice(0, 8), [10, 15, 90, 180, 600, 1800, hour, 2 * hour])
    assert.deepEqual(gaps.slice(8), [4 * hour, 8 * hour, 12 * hour, 12 * hour, 12 * hour, 12 * hour])
    const failed = await office.attempted(id!, attemptsMax)
    assert.deepEqual([failed.next_attempt_at, failed.successful], [null, false])
    receiver.react(answer(200))
    const reply = await office.ask('POST /webhooks/replay.json', { body: { ids: [id] } })
    assert.deepEqual([reply.status, reply.json], [200, { status: 'ok' }])
    const again = await office.attempted(id!, attemptsMax + 1)
    assert.deepEqual([again.id, again.successful, again.last_error], [id, true, null])
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  })

  test('wait longer when the receiver asks for it', async (t) => {
    const office = await openPostOffice(t)
    const receiver = await startReceiver(t, answer(429, { 'retry-after': '120' }))
    const [id] = await office.write(await office.endpoint(receiver.url))
    assert.equal((await office.attempted(id!, 1)).next_attempt_at, '2027-01-15T12:02:01Z')
  })

  test('that were replayed are not accepted until they are again, and keep their other fields', async (t) => {
    const office = await openPostOffice(t)
    const receiver = await startReceiver(t)
    const [id] = await office.write(await office.endpoint(receiver.url))
    const before = await office.attempted(id!, 1)
    office.clock.pass(60)
    await office.ask('POST /webhooks/replay.json', { body: { ids: [id] } })
    const queued = await office.webhook(id!)
    assert.deepEqual(queued, { ...before, accepted_at: null, next_attempt_at: '2027-01-15T12:01:00Z' })
    const after = await office.attempted(id!, 2)
    assert.equal(Date.parse(after.accepted_at), Date.parse('2027-01-15T12:01:00Z'))
    assert.equal(receiver.received[0]!.body, receiver.received[1]!.body)
  })
})

describe('an endpoint', () => {
  test('that keeps failing is slowed down and told of, never switched off, and catches up when it is back', async (t) => {
    const office = await openPostOffice(t)
    const receiver = await startReceiver(t, answer(500))
    const endpointId = await office.endpoint(receiver.url)
    await office.write(endpointId, 40)
    const endpoint = async () => (await office.ask(`GET /endpoints/${endpointId}.json`)).json.endpoint
    await office.until(async () => (await endpoint()).slowed)
    const { status, failing_since: since } = await endpoint()
    assert.deepEqual([status, since], ['enabled', '2027-01-15T12:00:00Z'])
    const told = async (key: string) => (await office.ask(`GET /events.json?filter=${key}`)).json.length
    await office.until(async () => (await told('webhook_endpoint_failing')) === 1)
    const paused = (await office.ask('GET /webhooks.json?status=paused&per_page=200')).json
    assert.equal(paused.length, 40)
    const before = receiver.received.length
    office.clock.pass(10)
    await office.until(() => receiver.received.length > before)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await office.until(async () => true)
    assert.equal(receiver.received.length, before + 1, 'one at a time')
    receiver.react(answer(200))
    office.clock.pass(600)
    const left = async () => (await office.ask('GET /webhooks.json?status=pending')).json.length
    await office.until(async () => (await left()) === 0)
    assert.deepEqual([(await endpoint()).slowed, (await endpoint()).failing_since], [false, null])
    assert.equal(await told('webhook_endpoint_failing'), 1)
    assert.equal(await told('webhook_endpoint_recovered'), 1)
  })

  test('is sent each webhook once by a process that slept for longer than it may hold an endpoint', async (t) => {
    const office = await openPostOffice(t)
    let answerAll = (): void => {}
    const awake = new Promise<void>((resolve) => {
      answerAll = resolve
    })
    t.after(() => answerAll())
    const receiver = await startReceiver(t, (response) => void awake.then(() => response.writeHead(200).end()))
    const endpointId = await office.endpoint(receiver.url)
    await office.write(endpointId, 3)
    await office.until(() => receiver.received.length === 3)
    office.clock.pass(3600)
    await office.write(endpointId, 1)
    await office.until(() => receiver.received.length >= 4)
    answerAll()
    await office.until(async () => (await office.ask('GET /webhooks.json?status=pending')).json.length === 0)
    assert.equal(receiver.received.length, 4)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 4)
  })

  test('that hangs on every call keeps no other one waiting', async (t) => {
    // For longer than anybody waits here: what is sent to the other one does not wait for the first to be given up.
    const office = await openPostOffice(t, { limitMs: 3_600_000 })
    const [deaf, good] = [await startReceiver(t, () => {}), await startReceiver(t)]
    await office.write(await office.endpoint(deaf.url), 200)
    const list = async (status: string) => (await office.ask(`GET /webhooks.json?status=${status}&per_page=200`)).json
    try {
      await office.until(() => deaf.received.length > 0)
      await office.write(await office.endpoint(good.url), 200)
      await office.until(async () => (await list('successful')).length === 200)
      assert.equal(good.received.length, 200)
      assert.deepEqual(await list('failed'), [])
      assert.equal((await list('pending')).length, 200)
    } finally {
      await office.app.courier.close()
    }
  })

  test('is sent its webhooks though as many as may be hang at others', async (t) => {
    const office = await openPostOffice(t, { limitMs: 3_600_000 }, 3)
    const [deaf, deafToo, good] = [
      await startReceiver(t, () => {}),
      await startReceiver(t, () => {}),
      await startReceiver(t),
    ]
    await office.write(await office.endpoint(deaf.url), 10)
    await office.write(await office.endpoint(deafToo.url), 10)
    try {
      // One to each, and three more.
      await office.until(() => deaf.received.length + deafToo.received.length === 5)
      await office.write(await office.endpoint(good.url), 10)
      await office.until(() => good.received.length === 10)
      assert.equal(deaf.received.length + deafToo.received.length, 5)
    } finally {
      await office.app.courier.close()
    }
  })

  test('is sent its webhooks while an act that tells it something is not yet over', async (t) => {
    const office = await openPostOffice(t)
    const receiver = await startReceiver(t)
    const endpointId = await office.endpoint(receiver.url)
    await office.write(endpointId)
    await office.app.db.transaction(async (tx) => {
      const [id] = await drawWebhookIds(tx, 1)
      const row = { siteId: office.siteId, id: id!, endpointId, eventId: null, event: 'payment_success' }
      const rest = { subscriptionId: null, body: 'id=1', createdAt: office.clock.now() }
      await insertWebhooks(tx, office.siteId, [{ ...row, ...rest }])
      await office.until(() => receiver.received.length === 1)
    })
    await office.until(() => receiver.received.length === 2)
  })

  test('changes over to a new secret: both sign until the old one ends', async (t) => {
    const office = await openPostOffice(t)
    const receiver = await startReceiver(t)
    const id = await office.endpoint(receiver.url)
    const secrets = async () => (await office.ask(`GET /endpoints/${id}/secrets.json`)).json.endpoint_secrets
    const old = (await secrets()).secret
    const rotated = await office.ask(`POST /endpoints/${id}/rotate_secret.json`, {
      body: { rotation: { overlap_in_hours: 2 } },
    })
    assert.equal(rotated.status, 200)
    const now = await secrets()
    assert.notEqual(now.secret, old)
    assert.deepEqual([now.previous_secret, now.previous_secret_expires_at], [old, '2027-01-15T14:00:00Z'])
    const signatures = async (): Promise<string[]> => {
      const count = receiver.received.length
      await office.write(id)
      await office.until(() => receiver.received.length > count)
      return String(receiver.received.at(-1)!.headers['webhook-signature']).split(' ')
    }
    assert.equal((await signatures()).length, 2)
    office.clock.pass(2 * 3600)
    assert.equal((await signatures()).length, 1)
    assert.equal((await secrets()).previous_secret, null)
  })

  test('is sent what waits at once when its URL is another one, or it is enabled again', async (t) => {
    const office = await openPostOffice(t)
    const [broken, good] = [await startReceiver(t, answer(500)), await startReceiver(t)]
    const id = await office.endpoint(broken.url)
    const [first] = await office.write(id)
    await office.attempted(first!, 1)
    const change = (endpoint: object) => office.ask(`PUT /endpoints/${id}.json`, { body: { endpoint } })
    await change({ url: broken.url, ordered: true })
    for (let turn = 0; turn < 5; turn++) await office.until(async () => true)
    assert.equal(broken.received.length, 1)
    await change({ status: 'enabled' })
    await office.attempted(first!, 2)
    assert.equal(broken.received.length, 2)
    await change({ url: good.url })
    const told = await office.attempted(first!, 3)
    assert.deepEqual([told.successful, told.last_sent_url, good.received.length], [true, good.url, 1])
  })

  test('that is disabled is sent nothing until it is enabled again; while all are off, nothing is sent either', async (t) => {
    const office = await openPostOffice(t)
    const receiver = await startReceiver(t)
    const id = await office.endpoint(receiver.url, { status: 'disabled' })
    const [webhook] = await office.write(id)
    const wait = async () => {
      for (let turn = 0; turn < 5; turn++) await office.until(async () => true)
    }
    await wait()
    assert.equal(receiver.received.length, 0)
    await office.ask('PUT /webhooks/settings.json', { body: { webhooks_enabled: false } })
    await office.ask(`PUT /endpoints/${id}.json`, { body: { endpoint: { status: 'enabled' } } })
    await wait()
    assert.equal(receiver.received.length, 0)
    await office.ask('PUT /webhooks/settings.json', { body: { webhooks_enabled: true } })
    assert.equal((await office.attempted(webhook!, 1)).successful, true)
  })

  test('stops gracefully: what is under way is answered and recorded, nothing new is begun', async (t) => {
    const office = await openPostOffice(t)
    let answerAll = (): void => {}
    const told = new Promise<void>((resolve) => {
      answerAll = resolve
    })
    const receiver = await startReceiver(t, (response) => void told.then(() => response.writeHead(200).end()))
    await office.write(await office.endpoint(receiver.url), 20)
    await office.until(() => receiver.received.length > 0)
    const stopped = office.deliveries.stop()
    answerAll()
    await stopped
    const sent = receiver.received.length
    const { json: accepted } = await office.ask('GET /webhooks.json?status=successful&per_page=200')
    assert.equal(accepted.length, sent)
    assert.ok(sent < 20)
  })
})
