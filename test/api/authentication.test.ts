/** Who may ask: the key finds the site, the Host must not contradict it, and who may not ask learns nothing else. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setSiteHosts } from '../../src/actions/set-site-hosts.ts'
import { until } from '../support/patience.ts'
import { made, openOtherSite, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
const other = await openOtherSite(shop)

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

/** What an asker without a right is told, word for word. */
const assertDenied = (said: { status: number; text: string; headers: Record<string, unknown> }, why: string) => {
  assert.equal(said.status, 401, why)
  assert.equal(said.text, 'HTTP Basic: Access denied.\n', why)
  assert.match(String(said.headers['www-authenticate']), /^Basic realm="/)
}

for (const format of formats) {
  const say = speaker(shop, format)
  const path = `/subscriptions/${subscription.id}`

  describe(`a key in ${format}`, () => {
    test('the key is the user name, and any password goes with it', async () => {
      for (const password of ['X', '', 'x:y', 'pässword']) {
        const headers = { Authorization: basic(`${shop.apiKey}:${password}`) }
        assert.equal((await say(`GET ${path}`, undefined, { key: null, headers })).status, 200, password)
      }
      const headers = { Authorization: `basic ${basic(shop.apiKey).slice('Basic '.length)}` }
      assert.equal((await say(`GET ${path}`, undefined, { key: null, headers })).status, 200)
    })

    test('without a key that is known nobody gets in', async () => {
      assertDenied(await say(`GET ${path}`, undefined, { key: null }), 'none')
      for (const authorization of [
        basic('nobody:X'),
        basic(`X:${shop.apiKey}`),
        basic(`:${shop.apiKey}`),
        basic(''),
        basic(`${shop.apiKey.slice(0, -1)}:X`),
        basic(`${'k'.repeat(600)}:X`),
        `Bearer ${shop.apiKey}`,
        'Basic',
        'Basic ****',
        shop.apiKey,
      ]) {
        const headers = { Authorization: authorization }
        assertDenied(await say(`GET ${path}`, undefined, { key: null, headers }), authorization)
      }
      assertDenied(await say(`GET ${path}?api_key=${shop.apiKey}`, undefined, { key: null }), 'a key in the query')
    })

    test('401 comes before 404, before 406, and before what is wrong with a document', async () => {
      for (const line of ['GET /nothing/at/all', 'GET /subscriptions/1', 'PUT /subscriptions', 'GET /']) {
        assertDenied(await say(line, undefined, { key: null }), line)
      }
      const sent = { key: null, body: '{"subscription": ', headers: { 'Content-Type': 'text/csv' } }
      assertDenied(await shop.ask(`POST /subscriptions.${format}`, sent), 'a broken document')
      assertDenied(await shop.ask('GET /subscriptions.pdf', { key: null }), 'a format that is not offered')
    })
  })

  describe(`a host in ${format}`, () => {
    const asked = (host: string, key: string) => say('GET /subscriptions', undefined, { key, headers: { Host: host } })

    test('a host that names the site of the key, or no site, is welcome', async () => {
      for (const host of [
        'acme.localhost',
        'ACME.localhost:8443',
        'acme.example.com',
        'localhost',
        '127.0.0.1:8443',
        'example.com',
        'www.example.com',
        'nobody.localhost',
        'billing.acme-corp.example.com',
        'kalends.internal.lan:8443',
        '.example.com',
        '[::1]:8443',
      ]) {
        assert.equal((await asked(host, shop.apiKey)).status, 200, host)
      }
      assert.equal((await asked('beta.example.com', other.apiKey)).status, 200)
    })

    test("a host that is one of a site's own names opens that site and no other", async () => {
      const own = `shop-${format}.example.org`
      assert.equal((await asked(own, other.apiKey)).status, 200, 'nobody has it yet')
      await assert.rejects(setSiteHosts(shop.app, shop.siteId, ['no host']), /must be a host name/)
      await setSiteHosts(shop.app, shop.siteId, [own.toUpperCase(), `beta.${own}`])
      // What a host names is remembered for a moment.
      await until('the name is known', async () => (await asked(own, other.apiKey)).status === 401)
      for (const host of [own, `${own}:8443`, `beta.${own}`]) {
        assert.equal((await asked(host, shop.apiKey)).status, 200, host)
      }
      assertDenied(await asked(own, other.apiKey), 'another site at it')
      assert.equal((await asked(`beta.${own}`, other.apiKey)).status, 200, 'its own subdomain')
      await assert.rejects(setSiteHosts(shop.app, other.siteId, [own]), /belongs to another site/)
      await setSiteHosts(shop.app, shop.siteId, [])
      await until('the name is given back', async () => (await asked(own, other.apiKey)).status === 200)
    })

    test('a host that names another site denies the key', async () => {
      for (const host of ['beta.localhost', 'beta.example.com:8443', 'BETA.internal.lan']) {
        assertDenied(await asked(host, shop.apiKey), host)
      }
      assertDenied(await asked('acme.localhost', other.apiKey), 'the other way round')
    })

    test('each key sees its own site alone', async () => {
      assert.deepEqual((await asked('localhost', other.apiKey)).tree, [])
      assert.equal((await asked('localhost', shop.apiKey)).tree.length, 1)
    })
  })
}

test('the health check asks for no key, and tells nothing', async () => {
  const reply = await shop.ask('GET /healthz', { key: null })
  assert.deepEqual([reply.status, reply.json], [200, { status: 'ok' }])
})
