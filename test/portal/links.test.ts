/** The link into the portal: on which days it opens, what becomes of false ones, and what a session is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { letterUrl } from '../../src/actions/fetch-management-link.ts'
import type { LinkPurpose } from '../../src/billing/management-link.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { sql } from '../../src/store/sql.ts'
import { ada, grace, made, openedAt, openShop, type Shop } from '../api/shop.ts'
import { linkOf } from './people.ts'
import { cookieFrom, enter, pathOf, visitorOf, wordsOf } from './visitor.ts'

const after = (seconds: number): string => Temporal.Instant.from(openedAt).add({ seconds }).toString()
const daySeconds = 86_400

const customerOf = async (shop: Shop, person: object = ada): Promise<number> =>
  (await made(shop, 'POST /customers.json', { customer: person })).customer.id

test('a link opens the portal from minute 0 to the last second of day 64, and is gone on day 65', async (t) => {
  const shop = await openShop(t)
  const url = await linkOf(shop, await customerOf(shop))
  for (const seconds of [0, 60, 14 * daySeconds, 15 * daySeconds, 64 * daySeconds, 65 * daySeconds - 1]) {
    if (seconds > 0) await shop.moveClock(after(seconds))
    const visitor = await enter(shop, url)
    assert.equal((await visitor.get('/account')).status, 200, `${seconds} seconds old`)
  }
  await shop.moveClock(after(65 * daySeconds))
  const late = await visitorOf(shop).get(pathOf(url))
  assert.equal(late.status, 410)
  assert.match(wordsOf(late), /no longer valid/)
  assert.equal(cookieFrom(late), undefined)
})

test('an older link goes on opening beside the newer one, also over a change of keys', async (t) => {
  const shop = await openShop(t)
  const id = await customerOf(shop)
  const first = await linkOf(shop, id)
  await shop.moveClock(after(40 * daySeconds))
  const second = await linkOf(shop, id)
  assert.notEqual(first.slice(-5), second.slice(-5), 'another key')
  await enter(shop, first)
  await enter(shop, second)
})

test('the cookie is for this host, over HTTPS, out of reach of scripts; the token is no part of any address', async (t) => {
  const shop = await openShop(t)
  const reply = await visitorOf(shop).get(pathOf(await linkOf(shop, await customerOf(shop))))
  const [cookie = ''] = [reply.headers['set-cookie'] ?? []].flat()
  assert.match(cookie, /^__Host-portal=\d+\.[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  assert.equal(reply.headers.location, '/account')
  const [[hash] = []] = await shop.app.db.arrays(
    sql`select token_hash from portal_sessions where site_id = ${shop.siteId}`,
  )
  assert.match(String(hash), /^[0-9a-f]{64}$/)
  assert.ok(!cookie.includes(String(hash)))
})

test('tampered, truncated and foreign links are not found and let nobody in', async (t) => {
  const shop = await openShop(t)
  const [one, other] = [await customerOf(shop), await customerOf(shop, grace)]
  const path = pathOf(await linkOf(shop, one))
  await linkOf(shop, other)
  const [, , , time = '', signature = ''] = path.split('/')
  const flipped = (signature[0] === '0' ? '1' : '0') + signature.slice(1)
  const wrong = [
    `/manage/${other}/${time}/${signature}`,
    `/manage/${one}/${Number(time) + 1}/${signature}`,
    `/manage/${one}/${time}/${flipped}`,
    `/manage/${one}/${time}/${signature.slice(0, 32)}${(Number.parseInt(signature.slice(32), 16) + 1).toString(16)}`,
    path.slice(0, -1),
    path.slice(0, -20),
    `${path}0`,
    `/manage/${one}/${time}/`,
    `/manage/${one}/${time}`,
    '/manage',
    '/manage/',
    `/manage/invitation/${one}/${time}/${signature}`,
    `/manage/${one}/${time}/${signature.toUpperCase()}`,
    `/manage/%00/${time}/${signature}`,
    `/manage/${one}/9999999999999999/${signature}`,
    `/manage/..%2f/${time}/${signature}`,
  ]
  for (const bad of wrong) {
    const reply = await visitorOf(shop).get(bad)
    assert.equal(reply.status, 404, bad)
    assert.match(wordsOf(reply), /Page not found/, bad)
    assert.equal(cookieFrom(reply), undefined, bad)
    assert.doesNotMatch(reply.text, /acme|Ada|Grace/, 'nothing is disclosed')
  }
})

test('a link is gone once its customer is deleted, or the portal is closed to the customer', async (t) => {
  const shop = await openShop(t)
  const [one, other] = [await customerOf(shop), await customerOf(shop, grace)]
  const links = [await linkOf(shop, one), await linkOf(shop, other)]
  const [first, second] = [await enter(shop, links[0]!), await enter(shop, links[1]!)]
  await shop.ask(`DELETE /customers/${one}.json?cascade=true`)
  await shop.ask(`DELETE /portal/customers/${other}/invitations/revoke.json`)
  for (const visitor of [first, second]) {
    const reply = await visitor.get('/account')
    assert.equal(reply.status, 403)
    assert.match(wordsOf(reply), /Please open your link again/)
    assert.equal(visitor.cookie, '', 'the cookie is taken back')
  }
  for (const link of links) assert.equal((await visitorOf(shop).get(pathOf(link))).status, 410)
})

test('sessions end after eight hours of wall time, and on logging out', async (t) => {
  let now = Temporal.Instant.from(openedAt)
  const shop = await openShop(t, { clock: { now: () => now } })
  const url = await linkOf(shop, await customerOf(shop))
  const [leaving, staying] = [await enter(shop, url), await enter(shop, url)]
  const { cookie } = leaving
  const out = await leaving.post('/account/log_out')
  assert.equal(out.status, 200)
  assert.match(wordsOf(out), /You are logged out/)
  assert.equal(leaving.cookie, '')
  assert.equal((await visitorOf(shop, cookie).get('/account')).status, 403, 'the old cookie opens nothing')
  now = now.add({ seconds: 8 * 3600 - 1 })
  assert.equal((await staying.get('/account')).status, 200)
  now = now.add({ seconds: 1 })
  assert.equal((await staying.get('/account')).status, 403)
})

test('each opening makes a session of its own: a cookie that somebody else has set is never taken up', async (t) => {
  const shop = await openShop(t)
  const [one, other] = [await customerOf(shop), await customerOf(shop, grace)]
  const attacker = await enter(shop, await linkOf(shop, one))
  const planted = attacker.cookie
  const victim = visitorOf(shop, planted)
  await victim.get(pathOf(await linkOf(shop, other)))
  assert.notEqual(victim.cookie, planted)
  assert.match(wordsOf(await victim.get('/account')), /Hello Grace/)
  assert.equal((await visitorOf(shop, planted).get('/account')).status, 403, 'and the planted one is over')
  const invented = visitorOf(shop, `__Host-portal=${shop.siteId}.${'A'.repeat(43)}`)
  assert.equal((await invented.get('/account')).status, 403)
})

test('an invitation is accepted by its link, for 48 hours, and makes the address a verified one', async (t) => {
  const shop = await openShop(t)
  const id = await customerOf(shop)
  await shop.ask(`POST /portal/customers/${id}/enable.json?auto_invite=1`)
  const url = await letterLink(shop, id, 'invitation')
  await shop.moveClock(after(47 * 3600))
  await enter(shop, url)
  const { customer } = (await shop.ask(`GET /customers/${id}.json`)).json
  assert.equal(customer.verified, true)
  assert.equal(customer.portal_invite_last_accepted_at, '2027-01-17T11:00:00+00:00')
  await shop.moveClock(after(48 * 3600))
  assert.equal((await visitorOf(shop).get(pathOf(url))).status, 410)
})

test('the link of a letter lets in until the merchant closes the portal; after it is opened again, newer ones do', async (t) => {
  const shop = await openShop(t)
  const id = await customerOf(shop)
  const old = await letterLink(shop, id, 'letter')
  await enter(shop, old)
  await shop.ask(`POST /portal/customers/${id}/enable.json`)
  await enter(shop, old)
  await shop.ask(`DELETE /portal/customers/${id}/invitations/revoke.json`)
  assert.equal((await visitorOf(shop).get(pathOf(old))).status, 410)
  await shop.moveClock(after(60))
  await shop.ask(`POST /portal/customers/${id}/enable.json`)
  assert.equal((await visitorOf(shop).get(pathOf(old))).status, 410)
  await enter(shop, await letterLink(shop, id, 'letter', 60))
})

/** The link in a letter that was written so many seconds after the shop opened. */
function letterLink(
  { app, siteId, port }: Shop,
  customerId: number,
  purpose: LinkPurpose,
  seconds = 0,
): Promise<string> {
  const at = Temporal.Instant.from(after(seconds))
  const address = `https://localhost:${port}`
  return app.db.transaction((tx) => letterUrl(app, tx, siteId, { purpose, customerId, at, address }))
}

test('who tries out links is stopped for a while, and a true link from the same address opens all the same', async (t) => {
  let now = stoppedClock(openedAt).now()
  const shop = await openShop(t, { clock: { now: () => now } })
  const path = pathOf(await linkOf(shop, await customerOf(shop)))
  const [, , , time, signature = ''] = path.split('/')
  const guess = (number: number) => visitorOf(shop).get(`/manage/${600_000 + number}/${time}/${signature}`)
  const statuses = new Set<number>()
  for (let number = 0; number < 20; number++) statuses.add((await guess(number)).status)
  assert.deepEqual([...statuses], [404])
  const stopped = await guess(20)
  assert.equal(stopped.status, 429)
  assert.ok(Number(stopped.headers['retry-after']) > 0)
  await enter(shop, pathOfLink(shop, path))
  now = now.add({ minutes: 10 })
  assert.equal((await guess(21)).status, 404)
})

test('links with a key that does not exist count too, and keep no true link out', async (t) => {
  let now = stoppedClock(openedAt).now()
  const shop = await openShop(t, { clock: { now: () => now } })
  const path = pathOf(await linkOf(shop, await customerOf(shop)))
  const forge = (number: number) => visitorOf(shop).get(path.replace(/.$/, `${(9_000_000 + number).toString(16)}`))
  const statuses = new Set<number>()
  for (let number = 0; number < 20; number++) statuses.add((await forge(number)).status)
  assert.deepEqual([...statuses], [404])
  assert.equal((await forge(20)).status, 429)
  await enter(shop, pathOfLink(shop, path))
  now = now.add({ minutes: 10 })
  assert.equal((await forge(21)).status, 404)
})

const pathOfLink = ({ port }: Shop, path: string): string => `https://localhost:${port}${path}`
