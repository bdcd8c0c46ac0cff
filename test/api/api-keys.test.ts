/** The keys of a site: made and shown once, listed by what opens nothing, revoked in every process within a second. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createApiServer } from '../../src/api/server.ts'
import { sql } from '../../src/store/sql.ts'
import { promptly, until } from '../support/patience.ts'
import { testTls } from '../support/tls.ts'
import { openOtherSite, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

/** What the service may take, and what it takes to ask. */
const revokedWithinMs = 1000 + 3000

for (const format of formats) {
  describe(`the keys of a site, in ${format}`, () => {
    test('a key is shown once, opens its site, and is listed by its first characters', async (t) => {
      const shop = await openShop(t)
      const say = speaker(shop, format)
      const made = await say('POST /api_keys', { api_key: { name: ' Shop ' } })
      assert.equal(made.status, 201, made.text)
      const { key, ...shown } = made.tree.api_key
      assert.match(key, /^[\w-]{32}$/)
      assert.deepEqual([shown.name, shown.prefix, shown.is_current], ['Shop', key.slice(0, 6), false])
      const listed = (await say('GET /api_keys')).tree
      assert.deepEqual(listed.at(-1), shown)
      assert.deepEqual(
        listed.map((one: { is_current: boolean }) => one.is_current),
        [true, false],
      )
      const seen = (await say('GET /api_keys', undefined, { key })).tree
      assert.deepEqual(
        seen.map((one: { is_current: boolean; last_used_at: string }) => [one.is_current, one.last_used_at !== null]),
        [
          [false, true],
          [true, true],
        ],
      )
      assert.doesNotMatch((await say('GET /api_keys')).text, new RegExp(key.slice(6)))
      assert.equal((await say('GET /api_keys?page=2')).tree.length, 0)
      const nameless = await say('POST /api_keys', { api_key: { name: '' } })
      assert.equal(nameless.tree.api_key.name, null)
    })

    test('one and the same key is made under an Idempotency-Key, and kept in clear nowhere', async (t) => {
      const shop = await openShop(t)
      const say = speaker(shop, format)
      const make = () => say('POST /api_keys', { api_key: { name: 'A' } }, { headers: { 'Idempotency-Key': 'k' } })
      const [first, again] = [await make(), await make()]
      assert.equal(again.text, first.text)
      const rows = await shop.app.db.rows(sql`select * from idempotency_keys where site_id = ${shop.siteId}`)
      assert.equal(rows.length, 1)
      const keys = await shop.app.db.rows(sql`select * from api_keys where site_id = ${shop.siteId}`)
      assert.equal(JSON.stringify([rows, keys]).includes(first.tree.api_key.key), false)
    })

    test('a revoked key opens nothing in any process within a second, and is never a key again', async (t) => {
      const shop = await openShop(t)
      const say = speaker(shop, format)
      const server = createApiServer(shop.app, testTls)
      const { port } = await server.listen('127.0.0.1', 0)
      const { id, key } = (await say('POST /api_keys', { api_key: { name: 'Leaked' } })).tree.api_key
      const elsewhere = async (): Promise<number> => {
        const authorization = `Basic ${Buffer.from(`${key}:X`).toString('base64')}`
        const { request } = await import('node:https')
        return new Promise((resolve, reject) => {
          const options = { host: '127.0.0.1', port, path: '/api_keys.json', ca: testTls.cert, servername: 'localhost' }
          const headers = { authorization, host: `localhost:${port}` }
          request({ ...options, headers, agent: false }, (response) => {
            response.resume()
            resolve(response.statusCode ?? 0)
          })
            .on('error', reject)
            .end()
        })
      }
      try {
        assert.deepEqual([(await say('GET /site', undefined, { key })).status, await elsewhere()], [200, 200])
        assert.equal((await say(`DELETE /api_keys/${id}`)).status, 204)
        const opensNothing = async () => (await elsewhere()) === 401
        await until('a refusal elsewhere', opensNothing, { everyMs: 50, waitMs: promptly(revokedWithinMs) })
        assert.equal((await say('GET /site', undefined, { key })).status, 401)
      } finally {
        await server.close(1000)
      }
      assert.equal((await say(`DELETE /api_keys/${id}`)).status, 404)
      assert.equal((await say('GET /api_keys')).tree.length, 1)
    })

    test('no key revokes itself, and of two that revoke each other one stays', async (t) => {
      const shop = await openShop(t)
      const say = speaker(shop, format)
      const [own] = (await say('GET /api_keys')).tree
      const refused = await say(`DELETE /api_keys/${own.id}`)
      const words = 'API key: cannot revoke itself. Revoke it with another key.'
      assert.deepEqual([refused.status, refused.errors], [422, [words]])
      const { id, key } = (await say('POST /api_keys', { api_key: { name: 'B' } })).tree.api_key
      assert.equal((await say('GET /site', undefined, { key })).status, 200)
      const both = await Promise.all([
        say(`DELETE /api_keys/${id}`),
        say(`DELETE /api_keys/${own.id}`, undefined, { key }),
      ])
      assert.equal(both.filter(({ status }) => status === 204).length, 1)
      const left = await shop.app.db.arrays(sql`
        select k.id from api_keys k where k.site_id = ${shop.siteId} and k.revoked_at is null`)
      assert.equal(left.length, 1)
    })

    test("another site's keys are neither seen nor revoked", async (t) => {
      const shop = await openShop(t)
      const say = speaker(shop, format)
      const { apiKey: key } = await openOtherSite(shop)
      const [foreign] = (await say('GET /api_keys', undefined, { key })).tree
      assert.equal((await say(`DELETE /api_keys/${foreign.id}`)).status, 404)
      assert.equal((await say('GET /api_keys')).tree.length, 1)
    })
  })
}

test('the use of a key is written down once an hour', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const lastUse = async () => (await say('GET /api_keys')).tree[0].last_used_at
  const first = await lastUse()
  const put = (hours: number) =>
    shop.app.db.run(
      sql`update api_keys set last_used_at = last_used_at - ${hours} * interval '1 hour' where site_id = ${shop.siteId}`,
    )
  await say('PUT /site', { site: { name: 'Forget what is remembered' } })
  await put(0.5)
  const earlier = await lastUse()
  assert.ok(Date.parse(earlier) < Date.parse(first))
  await say('PUT /site', { site: { name: 'And again' } })
  assert.equal(await lastUse(), earlier, 'half an hour later')
  await put(1)
  await say('PUT /site', { site: { name: 'And again' } })
  assert.equal(await lastUse(), first)
})
