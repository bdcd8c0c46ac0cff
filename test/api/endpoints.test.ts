/** Endpoints for webhooks, in both formats: made, listed, changed, switched, tested, replayed; each site for itself. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Deliveries } from '../../src/actions/deliver-webhooks.ts'
import { eventKeys } from '../../src/billing/event.ts'
import { createCourier } from '../../src/delivery/courier.ts'
import { startReceiver } from '../support/receiver.ts'
import { made, openOtherSite, openShop, type Shop, signup } from './shop.ts'
import { formats, type Said, speaker } from './two-formats.ts'

// Hooks run in their order: nothing is sent any more when the database closes.
after(() => deliveries.stop())
const shop: Shop = await openShop()
const receiver = await startReceiver({ after: (hook: () => unknown) => after(hook as () => void) })
const deliveries = new Deliveries(shop.app)

/** Everything that is due is sent and on record. */
async function deliver(): Promise<void> {
  for (;;) {
    await deliveries.lookForWork()
    await deliveries.tend()
    const { json } = await shop.ask('GET /webhooks.json?status=pending')
    if (json.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const keys = ['signup_success', 'payment_success']
const idsOf = ({ tree }: Said): number[] => tree.map(({ id }: { id: number | string }) => Number(id))

for (const format of formats) {
  const say: ReturnType<typeof speaker> = (...all) => speaker(shop, format)(...all)

  describe(`an endpoint, in ${format}`, () => {
    test('is created, read, listed, changed and deleted', async () => {
      const created = await say('POST /endpoints', { endpoint: { url: receiver.url, webhook_subscriptions: keys } })
      assert.equal(created.status, 201, created.text)
      const { id, ...endpoint } = created.tree.endpoint
      assert.deepEqual(endpoint, {
        url: receiver.url,
        site_id: shop.siteId,
        status: 'enabled',
        webhook_subscriptions: keys,
        ordered: false,
        failing_since: null,
        slowed: false,
      })
      assert.deepEqual((await say(`GET /endpoints/${id}`)).tree, created.tree)
      const { text } = await shop.ask(`GET /endpoints.json`)
      assert.equal(JSON.parse(text)[0].url, receiver.url, 'bare objects in a bare list')
      assert.ok(idsOf({ tree: JSON.parse(text) } as Said).includes(Number(id)))
      const change = {
        endpoint: { url: `${receiver.url}/2`, webhook_subscriptions: [], ordered: true, status: 'disabled' },
      }
      const changed = await say(`PUT /endpoints/${id}`, change)
      assert.deepEqual(changed.tree.endpoint, { ...created.tree.endpoint, ...change.endpoint })
      assert.equal((await say(`DELETE /endpoints/${id}`)).status, 204)
      for (const line of [`GET /endpoints/${id}`, `DELETE /endpoints/${id}`, `POST /endpoints/${id}/test`]) {
        assert.equal((await say(line)).status, 404, line)
      }
    })

    test('listens to everything when it names no keys', async () => {
      const { tree } = await say('POST /endpoints', { endpoint: { url: receiver.url } })
      assert.deepEqual(tree.endpoint.webhook_subscriptions, [...eventKeys])
      await say(`DELETE /endpoints/${tree.endpoint.id}`)
    })

    test('is refused by name, and nothing is written', async () => {
      const before = (await shop.ask('GET /endpoints.json')).text
      const { tree } = await say('POST /endpoints', { endpoint: { url: receiver.url } })
      const { id } = tree.endpoint
      const scheme = 'URL: invalid, only http and https supported'
      const bad: [string, object, string[]][] = [
        ['POST /endpoints', { endpoint: {} }, ['URL: cannot be blank.']],
        ['POST /endpoints', { endpoint: { url: 'ftp://x.example/' } }, [scheme]],
        ['POST /endpoints', { endpoint: { url: 'nonsense' } }, [scheme]],
        [
          'POST /endpoints',
          { endpoint: { url: `${receiver.url}/a\r\nb` } },
          ['URL: must not hold line breaks or other control characters.'],
        ],
        [`PUT /endpoints/${id}`, { endpoint: { url: null } }, ['URL: cannot be blank.']],
        [`PUT /endpoints/${id}`, { endpoint: { url: 'file:///etc' } }, [scheme]],
        [
          'POST /endpoints',
          { endpoint: { url: receiver.url, webhook_subscriptions: ['payment_success', 'foobar'] } },
          ['Event key is not valid - foobar'],
        ],
        [
          'POST /endpoints',
          { endpoint: { url: receiver.url, ordered: 'perhaps' } },
          ['Ordered: must be true or false.'],
        ],
        [`PUT /endpoints/${id}`, { endpoint: { status: 'deleted' } }, ['Status: must be one of enabled, disabled.']],
        [
          `POST /endpoints/${id}/rotate_secret`,
          { rotation: { overlap_in_hours: 1000 } },
          ['Overlap: must be less than or equal to 168.'],
        ],
      ]
      for (const [line, body, errors] of bad) {
        const said = await say(line, body)
        assert.deepEqual([said.status, said.errors], [422, errors], `${line} ${JSON.stringify(body)}`)
      }
      await say(`DELETE /endpoints/${id}`)
      assert.equal((await shop.ask('GET /endpoints.json')).text, before)
    })

    test('belongs to one site', async () => {
      const { tree } = await say('POST /endpoints', { endpoint: { url: receiver.url, webhook_subscriptions: [] } })
      const { id } = tree.endpoint
      const sent = await say(`POST /endpoints/${id}/test`)
      assert.equal(sent.status, 201)
      const webhook = sent.tree.webhook.id
      key ??= (await openOtherSite(shop)).apiKey
      const lines = ['GET', 'PUT', 'DELETE'].map((method) => `${method} /endpoints/${id}`)
      const others = [
        `GET /endpoints/${id}/secrets`,
        `POST /endpoints/${id}/rotate_secret`,
        `POST /endpoints/${id}/test`,
      ]
      const reads = [`GET /webhooks/${webhook}`, `GET /webhooks/${webhook}/attempts`]
      for (const line of [...lines, ...others, ...reads]) {
        const body = line.startsWith('PUT') ? { endpoint: { url: '' } } : undefined
        assert.equal((await say(line, body, { key })).status, 404, line)
      }
      assert.deepEqual((await say('GET /endpoints', undefined, { key })).tree, [])
      assert.deepEqual((await say('GET /webhooks', undefined, { key })).tree, [])
      await deliver()
      const before = (await say(`GET /webhooks/${webhook}`)).tree
      assert.equal((await say('POST /webhooks/replay', { ids: [webhook] }, { key })).status, 200)
      assert.deepEqual((await say(`GET /webhooks/${webhook}`)).tree, before, 'nothing was asked of our site')
      await say(`DELETE /endpoints/${id}`)
    })
  })

  describe(`the endpoints of a site, in ${format}`, () => {
    test('are a hundred at most; a deleted one makes room', async () => {
      const full = await openOtherSite(shop, `full-${format}`)
      const ask = (line: string, body?: object) => shop.ask(line, { key: full.apiKey, ...(body && { body }) })
      const terms = { endpoint: { url: receiver.url, webhook_subscriptions: keys } }
      const ids: number[] = []
      for (let count = 0; count < 100; count++) ids.push((await ask('POST /endpoints.json', terms)).json.endpoint.id)
      const refused = await ask(`POST /endpoints.${format}`, terms)
      assert.equal(refused.status, 422)
      assert.match(refused.text, /A site has at most 100 endpoints\./)
      await ask(`DELETE /endpoints/${ids[0]}.json`)
      assert.equal((await ask(`POST /endpoints.${format}`, terms)).status, 201)
    })
  })

  describe(`webhooks, in ${format}`, () => {
    test('are written for what happens, sent, listed and replayed', async () => {
      const endpoint = { url: receiver.url, webhook_subscriptions: keys }
      const id = Number((await say('POST /endpoints', { endpoint })).tree.endpoint.id)
      const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
      await made(shop, 'POST /subscriptions.json', signup())
      await deliver()
      const mine = await say(`GET /webhooks?subscription=${subscription.id}`)
      assert.deepEqual(mine.tree.map(({ event }: { event: string }) => event).toSorted(), [
        'payment_success',
        'signup_success',
      ])
      const [record] = mine.tree
      assert.deepEqual(Object.keys(record).slice(0, 5), ['id', 'event', 'body', 'signature', 'signature_hmac_sha_256'])
      assert.equal(record.successful, true)
      assert.equal(record.created_at, '2027-01-15T12:00:00+00:00')
      const got = receiver.received.filter(({ body }) => body === record.body)
      assert.equal(got.length, 1)
      assert.equal(got[0]!.headers['x-kalends-webhook-signature'], record.signature)
      const replay = await say('POST /webhooks/replay', { ids: [7, ...idsOf(mine), ...idsOf(mine)] })
      assert.equal(replay.status, 200)
      assert.match(replay.text, format === 'json' ? /^\{"status":"ok"\}$/ : /<status>ok<\/status>/)
      const queued = await say(`GET /webhooks?subscription=${subscription.id}&status=pending`)
      assert.deepEqual(idsOf(queued), idsOf(mine))
      assert.deepEqual(queued.tree[0].accepted_at, null)
      await deliver()
      assert.equal(receiver.received.filter(({ body }) => body === record.body).length, 2)
      const ids = async (query: string) => idsOf(await say(`GET /webhooks?${query}`))
      const newest = await ids('per_page=3')
      assert.deepEqual(
        newest,
        newest.toSorted((one, other) => other - one),
      )
      assert.deepEqual(await ids('per_page=1&page=2'), [newest[1]])
      const oldest = await ids('order=oldest_first&per_page=3')
      assert.deepEqual(
        oldest,
        oldest.toSorted((one, other) => one - other),
      )
      assert.deepEqual(await ids('order_by=oldest_first&per_page=3'), oldest)
      assert.deepEqual(await ids('order=newest_first&order_by=oldest_first&per_page=3'), newest)
      assert.deepEqual(await ids('since_date=2027-01-15&until_date=2027-01-15&per_page=3'), newest)
      assert.deepEqual(await ids('since_date=2027-01-16'), [])
      assert.deepEqual(await ids('until_date=2027-01-14'), [])
      assert.deepEqual(await ids('status=failed'), [])
      assert.deepEqual(await ids('status=successful&per_page=3'), newest)
      await say(`DELETE /endpoints/${id}`)
      const gone = await say('POST /webhooks/replay', { ids: [newest[0]] })
      assert.equal(gone.status, 200)
      assert.deepEqual(await ids('status=pending'), [], 'nobody is there to send it to')
    })

    test('are refused to be listed or replayed in ways that make no sense', async () => {
      const bad: [string, object | undefined, string][] = [
        ['GET /webhooks?status=lost', undefined, 'Status: must be one of successful, failed, pending, paused.'],
        ['GET /webhooks?order=random', undefined, 'Order: must be one of newest_first, oldest_first.'],
        ['GET /webhooks?order_by=id', undefined, 'Order by: must be one of newest_first, oldest_first.'],
        ['GET /webhooks?since_date=2027-02-30', undefined, 'Since date: is not a possible date.'],
        ['GET /webhooks?subscription=x', undefined, 'Subscription: is not a number.'],
        ['POST /webhooks/replay', { ids: [] }, 'Ids: cannot be blank.'],
        ['POST /webhooks/replay', { other: [1] }, 'Ids: cannot be blank.'],
        ['POST /webhooks/replay', { ids: ['x'] }, 'Id: is not a number.'],
        ['POST /webhooks/replay', { ids: Array(1001).fill(1) }, 'Ids: is too long (maximum is 1000 items).'],
        ['PUT /webhooks/settings', { webhooks_enabled: 'maybe' }, 'Webhooks enabled: must be true or false.'],
        ['PUT /webhooks/settings', { other: 1 }, 'Webhooks enabled: cannot be blank.'],
      ]
      for (const [line, body, error] of bad) {
        const said = await say(line, body)
        assert.deepEqual([said.status, said.errors], [422, [error]], `${line} ${JSON.stringify(body)?.slice(0, 60)}`)
      }
    })

    test('are not written while they are switched off', async () => {
      const off = await say('PUT /webhooks/settings', { webhooks_enabled: false })
      assert.equal(off.status, 200)
      assert.equal((await shop.ask('GET /webhooks/settings.json')).text, '{"webhooks_enabled":false}')
      const { tree } = await say('POST /endpoints', { endpoint: { url: receiver.url } })
      const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
      assert.deepEqual((await say(`GET /webhooks?subscription=${subscription.id}`)).tree, [])
      const on = await shop.ask('PUT /webhooks/settings.json', { body: { webhooks_enabled: true } })
      assert.equal(on.text, '{"webhooks_enabled":true}')
      await say(`DELETE /endpoints/${tree.endpoint.id}`)
    })
  })
}

let key: string | undefined

test('an address inside is refused when it is saved', async (t) => {
  const courier = createCourier({ allowPrivate: false })
  const guarded = await openShop(t, { courier })
  for (const url of ['http://127.0.0.1/', 'http://[::ffff:7f00:1]/', 'https://localhost/']) {
    const reply = await guarded.ask('POST /endpoints.json', { body: { endpoint: { url } } })
    assert.deepEqual([reply.status, reply.json.errors], [422, ['URL: must lead to a public address.']])
  }
  const port = await guarded.ask('POST /endpoints.json', { body: { endpoint: { url: 'https://93.184.216.34:22/' } } })
  assert.deepEqual(port.json.errors, ['URL: invalid, only ports 80 and 443 supported'])
  await courier.close()
})
