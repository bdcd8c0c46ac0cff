/** What the portal keeps out: other customers' records, forms of other pages, endless card attempts, and markup in names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/store/sql.ts'
import { goodCard, grace, made, openOtherSite, signup } from '../api/shop.ts'
import { linkOf, openWorld } from './people.ts'
import { enter, visitorOf, wordsOf } from './visitor.ts'

const world = await openWorld()
const visitor = await enter(world, await linkOf(world, world.customerId))
const at = (id: number | string, rest = ''): string => `/account/subscriptions/${id}${rest}`

const paths = ['', '/card', '/cancel', '/product', '/reactivate']
const acts = ['/pay', '/card', '/cancel', '/keep', '/product', '/reactivate']

test("another customer's subscriptions, invoices and statements are not found, nor are those of other sites", async () => {
  const { subscription } = await made(world, 'POST /subscriptions.json', signup({ customer_attributes: grace }))
  await openOtherSite(world)
  for (const id of [
    subscription.id,
    1,
    999_999_999,
    'x',
    '500001.json',
    '../500001',
    '%2e%2e',
    `${world.active}.json`,
  ]) {
    for (const path of paths) {
      const reply = await visitor.get(at(id, path))
      assert.equal(reply.status, 404, at(id, path))
      assert.doesNotMatch(wordsOf(reply), /Grace|Hopper/)
    }
    for (const act of acts) assert.equal((await visitor.post(at(id, act))).status, 404, at(id, act))
  }
  for (const path of [
    '/account/invoices/1.pdf',
    '/account/statements/1.pdf',
    '/account/nothing',
    '/account/assets/x.css',
  ]) {
    assert.equal((await visitor.get(path)).status, 404, path)
  }
  const { state, cancel_at_end_of_period } = (await world.ask(`GET /subscriptions/${subscription.id}.json`)).json
    .subscription
  assert.deepEqual([state, cancel_at_end_of_period], ['active', false])
})

test('without a session every page says so and does nothing', async () => {
  const stranger = visitorOf(world)
  for (const path of [
    '/account',
    '/account/history',
    '/account/details',
    ...paths.map((path) => at(world.active, path)),
  ]) {
    const reply = await stranger.get(path)
    assert.equal(reply.status, 403, path)
    assert.doesNotMatch(reply.text, /Almanac House|Ada/)
  }
  for (const act of acts) assert.equal((await stranger.post(at(world.active, act))).status, 403)
})

test("forms are taken from our own pages and from nobody else's", async () => {
  const path = at(world.active, '/cancel')
  const fields = { when: 'now' }
  for (const headers of [
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: 'null' },
    { Origin: `http://localhost:${world.port}` },
    { Origin: `https://localhost:${world.port}.evil.example` },
    { Origin: 'https://acme.localhost' },
  ]) {
    const reply = await visitor.post(path, fields, headers)
    assert.equal(reply.status, 403, JSON.stringify(headers))
    assert.match(wordsOf(reply), /nothing was done/)
  }
  const bare = await world.ask(`POST ${path}`, {
    key: null,
    body: 'when=now',
    headers: { Cookie: visitor.cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(bare.status, 403, 'a form that does not say where it comes from')
  assert.equal((await world.ask(`GET /subscriptions/${world.active}.json`)).json.subscription.state, 'active')
})

test('an API key opens no page, and a session no endpoint', async () => {
  assert.equal((await world.ask('GET /account')).status, 403)
  assert.equal((await world.ask('GET /customers.json', { key: null, headers: { Cookie: visitor.cookie } })).status, 401)
})

test('forms have a size, a type and methods of their own', async () => {
  const path = '/account/details'
  assert.equal((await visitor.post(path, { city: 'x'.repeat(70_000) })).status, 413)
  assert.equal((await visitor.post(path, {}, { 'Content-Type': 'application/json' })).status, 303, 'nothing was sent')
  assert.equal((await visitor.post(path, { city: 'Paris' }, { 'Content-Type': 'application/json' })).status, 415)
  assert.equal((await visitor.post(path, { city: 'x'.repeat(300) })).status, 422)
  assert.equal(
    (await visitor.post(path, {}, { 'X-Http-Method-Override': 'DELETE' })).status,
    303,
    'is no override here',
  )
  assert.equal((await world.ask(`PUT ${path}`, { key: null, headers: { Cookie: visitor.cookie } })).status, 404)
  assert.match(wordsOf(await visitor.get(path)), /Your details/)
})

test('what a site does not allow, or the state does not admit, is neither offered nor done', async () => {
  const put = (portal_settings: object) => world.ask('PUT /portal/settings.json', { body: { portal_settings } })
  await put({
    may_change_card: false,
    may_change_product: false,
    may_cancel_at_once: false,
    may_cancel_at_period_end: false,
    may_reactivate: false,
    may_pay: false,
    may_edit_address: false,
  })
  try {
    for (const [id, words] of [
      [world.active, /Change card|Change product|Cancel/],
      [world.overdue, /Pay \$50\.00 now|Use another card/],
      [world.canceled, /Reactivate/],
    ] as const) {
      assert.doesNotMatch(wordsOf(await visitor.get(at(id))), words)
      for (const act of acts) assert.equal((await visitor.post(at(id, act), { when: 'now' })).status, 409, act)
    }
    assert.equal((await visitor.post('/account/details', { city: 'Paris' })).status, 409)
  } finally {
    await put({
      may_change_card: true,
      may_change_product: true,
      may_cancel_at_once: true,
      may_cancel_at_period_end: true,
      may_reactivate: true,
      may_pay: true,
      may_edit_address: true,
    })
  }
  assert.equal((await visitor.post(at(world.active, '/pay'))).status, 409, 'nothing is owed')
  assert.equal((await visitor.post(at(world.active, '/keep'))).status, 409, 'nothing was canceled')
  assert.equal((await visitor.post(at(world.active, '/reactivate'))).status, 409, 'it is active')
})

test('cards can be tried ten times an hour', async () => {
  const fields = { number: '2', month: '12', year: '2031', first_name: 'Ada', last_name: 'Lovelace' }
  await world.app.db.run(sql`delete from rate_counts where site_id = ${world.siteId}`)
  for (let attempt = 1; attempt <= 10; attempt++) {
    assert.notEqual((await visitor.post(at(world.active, '/card'), fields)).status, 429, `attempt ${attempt}`)
  }
  for (const act of ['/card', '/pay']) {
    const reply = await visitor.post(at(act === '/pay' ? world.overdue : world.active, act), fields)
    assert.equal(reply.status, 429)
    assert.match(wordsOf(reply), /Too many attempts/)
  }
  await world.app.db.run(sql`delete from rate_counts where site_id = ${world.siteId}`)
})

test('names that hold markup are shown as text, in pages and titles', async () => {
  const mark = `<script>alert(1)</script>"'&`
  const { customer } = await made(world, 'POST /customers.json', {
    customer: {
      first_name: mark,
      last_name: mark,
      email: 'm@example.com',
      organization: mark,
      city: `"><img src=x onerror=alert(1)>`,
    },
  })
  const product_handle = 'monthly'
  await made(world, 'POST /subscriptions.json', {
    subscription: {
      product_handle,
      customer_id: customer.id,
      payment_profile_attributes: { ...goodCard, first_name: mark },
    },
  })
  const before = (await world.ask('GET /portal/settings.json')).json
  await world.ask('PUT /portal/settings.json', { body: { portal_settings: { logo_text: mark, terms: mark } } })
  const own = await enter(world, await linkOf(world, customer.id))
  for (const path of ['/account', '/account/details', '/account/history']) {
    const { text, headers } = await own.get(path)
    assert.ok(text.includes('&lt;script&gt;'), path)
    assert.doesNotMatch(text, /<script|<img/, path)
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'self'/)
  }
  await world.ask('PUT /portal/settings.json', { body: before })
})

test('amounts and dates follow the language of the browser', async () => {
  const read = async (language: string) => wordsOf(await visitor.get(at(world.trial), { 'Accept-Language': language }))
  assert.match(await read('de-DE,de;q=0.9,en;q=0.8'), /50,00 \$ .*15\. März 2027|15\. März 2027.* 50,00 \$/)
  assert.match(await read('fr-CH'), /15 mars 2027/)
  assert.match(await read('ja'), /2027年3月15日/)
  for (const nonsense of ['', '*', 'xx-yy-zz;q=a', '\u00e4'.repeat(3), `${'a,'.repeat(500)}`]) {
    assert.match(await read(nonsense.replace(/[^ -~]/g, '?')), /March 15, 2027/)
  }
})
