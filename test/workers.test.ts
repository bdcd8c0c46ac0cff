/** What falls due is found by the workers by themselves: nobody has to ask, and nothing else has to be due. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Gateway, gatewayTerms } from '../src/gateway/gateway.ts'
import { assessmentsOf, startWorkers } from '../src/workers/workers.ts'
import { made, openOtherSite, openShop, signup } from './api/shop.ts'
import { keepingPost, office } from './support/post-office.ts'
import { HandClock } from './webhooks/post-office.ts'

test('a hold that ends by itself is ended on a site where nothing else is due', async (t) => {
  const clock = new HandClock('2027-01-15T12:00:00Z')
  const { app, ask } = await openShop(t, { clock })
  const customer = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com' }
  const card = { full_number: '1', expiration_month: 1, expiration_year: 2040 }
  const body = {
    subscription: { product_handle: 'monthly', customer_attributes: customer, credit_card_attributes: card },
  }
  const { id } = (await ask('POST /subscriptions.json', { body })).json.subscription
  const state = async () => (await ask(`GET /subscriptions/${id}.json`)).json.subscription.state
  const hold = { automatically_resume_at: '2027-01-20T12:00:00Z' }
  const held = await ask(`POST /subscriptions/${id}/hold.json`, { body: { hold } })
  assert.equal(held.status, 200, held.text)
  clock.pass(5 * 86_400 - 1)
  await assessmentsOf(app).untilNothingIsLeft()
  assert.equal(await state(), 'on_hold')
  clock.pass(1)
  await assessmentsOf(app).untilNothingIsLeft()
  assert.equal(await state(), 'active')
})

test('sites whose gateway hangs keep no other site waiting, neither with renewals nor with recovery', async (t) => {
  const clock = new HandClock('2027-01-15T12:00:00Z')
  const shop = await openShop(t, { clock })
  const { app } = shop
  const hanging = new Set<number>()
  const subscribeOn = async (key: string): Promise<string> => {
    const ask = { ask: (line: string, asked = {}) => shop.ask(line, { ...asked, key }) }
    const { product_family: family } = await made(ask, 'POST /product_families.json', { product_family: { name: 'A' } })
    const product = { name: 'Monthly', handle: 'monthly', price_in_cents: 100, interval: 1, interval_unit: 'month' }
    await made(ask, `POST /product_families/${family.id}/products.json`, { product })
    const { subscription } = await made(ask, 'POST /subscriptions.json', signup())
    return `/subscriptions/${subscription.id}.json`
  }
  for (let count = 0; count < 6; count++) {
    const site = await openOtherSite(shop, `hangs-${count}`)
    await subscribeOn(site.apiKey)
    hanging.add(site.siteId)
  }
  const other = await openOtherSite(shop, 'answers')
  const path = await subscribeOn(other.apiKey)
  const [name, bogus] = [...app.gateways].at(0)!
  const released = Promise.withResolvers<void>()
  const hangs = async <Result>(siteId: number, asked: () => Promise<Result>): Promise<Result> => {
    if (hanging.has(siteId)) await released.promise
    return asked()
  }
  const half: Gateway = {
    ...gatewayTerms(bogus),
    concurrencyMax: 64,
    purchase: (request) => hangs(request.siteId, () => bogus.purchase(request)),
    find: (reference) => hangs(reference.siteId, () => bogus.find(reference)),
    store: (card, reference) => bogus.store(card, reference),
    refund: (request) => bogus.refund(request),
    void: (reference) => bogus.void(reference),
    findRefund: (reference) => bogus.findRefund(reference),
    close: () => bogus.close(),
  }
  app.gateways = new Map([[name, half]])
  clock.pass(32 * 86_400)
  const workers = startWorkers(app, office(keepingPost()), 90)
  const renewals = async () =>
    (await shop.ask(`GET ${path.replace('.json', '/transactions.json?kinds[]=payment')}`, { key: other.apiKey })).json
      .length
  const end = performance.now() + 10_000
  try {
    while ((await renewals()) < 2 && performance.now() < end) await pause(50)
    assert.equal(await renewals(), 2)
  } finally {
    released.resolve()
    await workers.stop()
  }
})
