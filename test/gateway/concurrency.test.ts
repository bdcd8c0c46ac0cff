/** A gateway is never asked for more at once than it bears, however many sets of payments are under way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assessDueSubscriptions } from '../../src/actions/assess-due-subscriptions.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { made, openOtherSite, openShop, signup } from '../api/shop.ts'
import { subscribe } from '../support/post-office.ts'
import { turnableClock } from '../support/turnable-clock.ts'

test('two lanes that collect ten payments share the three places of a gateway', async (t) => {
  const clock = turnableClock('2027-01-15T12:00:00Z')
  const shop = await openShop(t, { clock })
  const { app, siteId } = shop
  for (let count = 0; count < 10; count++) await subscribe(shop)
  const [name, bogus] = [...app.gateways].at(0)!
  let [underWay, most, asked] = [0, 0, 0]
  const narrow: Gateway = {
    name,
    concurrencyMax: 3,
    callSecondsMax: 60,
    keySecondsMax: null,
    purchase: async (request) => {
      most = Math.max(most, ++underWay)
      asked += 1
      await pause(5)
      underWay -= 1
      return bogus.purchase(request)
    },
    store: (card, reference) => bogus.store(card, reference),
    refund: (request) => bogus.refund(request),
    void: (reference) => bogus.void(reference),
    find: (reference) => bogus.find(reference),
    findRefund: (reference) => bogus.findRefund(reference),
    close: () => bogus.close(),
  }
  app.gateways = new Map([[name, narrow]])
  clock.turn(31 * 24 * 60)
  const round = () => assessDueSubscriptions(app, siteId, { limit: 5, asDue: false })
  await Promise.all([round(), round()])
  assert.deepEqual([asked, most], [10, 3])
})

test('a site whose calls hang leaves places of the gateway to other sites', async (t) => {
  const clock = turnableClock('2027-01-15T12:00:00Z')
  const shop = await openShop(t, { clock })
  const { app, siteId } = shop
  for (let count = 0; count < 10; count++) await subscribe(shop)
  const other = await openOtherSite(shop)
  const asOther = { ask: (line: string, asked = {}) => shop.ask(line, { ...asked, key: other.apiKey }) }
  const { product_family: family } = await made(asOther, 'POST /product_families.json', {
    product_family: { name: 'A' },
  })
  const product = { name: 'Monthly', handle: 'monthly', price_in_cents: 100, interval: 1, interval_unit: 'month' }
  await made(asOther, `POST /product_families/${family.id}/products.json`, { product })
  await made(asOther, 'POST /subscriptions.json', signup())
  const [name, bogus] = [...app.gateways].at(0)!
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const purchase = bogus.purchase.bind(bogus)
  const half: Gateway = Object.create(bogus, {
    concurrencyMax: { value: 8 },
    purchase: {
      value: async (request: Parameters<Gateway['purchase']>[0]) => {
        if (request.siteId === siteId) {
          asked.resolve()
          await released.promise
        }
        return purchase(request)
      },
    },
  })
  app.gateways = new Map([[name, half]])
  clock.turn(32 * 24 * 60)
  const hanging = assessDueSubscriptions(app, siteId, { limit: 500, asDue: false })
  await asked.promise
  const answered = assessDueSubscriptions(app, other.siteId, { limit: 500, asDue: false })
  const late = new AbortController()
  const first = await Promise.race([answered, pause(10_000, 'late', { signal: late.signal })])
  late.abort()
  released.resolve()
  assert.equal(first, 1)
  assert.equal(await hanging, 10)
})
