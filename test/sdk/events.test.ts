/** The official SDK reads every page of events, whatever happened; what only this service knows is listed where it is asked for. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ComponentAllocationChange, MeteredUsage, PaymentRelatedEvents } from '@maxio-com/advanced-billing-sdk'
import { tellEvents } from '../../src/actions/tell-webhooks.ts'
import { ownEventKeys } from '../../src/billing/event.ts'
import { decliningCard, grace, made, signup } from '../api/shop.ts'
import { openStockedShop } from '../api/stocked-shop.ts'
import { formats, speaker } from '../api/two-formats.ts'
import { testTls } from '../support/tls.ts'
import { openMerchant } from './merchant.ts'

const shop = await openStockedShop()
const merchant = openMerchant({ ...shop, subdomain: 'acme', certificate: testTls.cert })
after(() => merchant.leave())
const { users, calls } = shop.components
const bought = async (changes: object): Promise<number> =>
  (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription.id
const at = (now: string) => shop.ask('PUT /test_clock.json', { body: { test_clock: { now } } })
const behave = (rates: object) => shop.ask('PUT /bogus_gateway/behaviour.json', { body: { behaviour: rates } })

const nothingDue = [
  await bought({ product_handle: 'free' }),
  await bought({ product_handle: 'card-trial', customer_attributes: grace }),
  await bought({ payment_collection_method: 'invoice' }),
]
const paid = await bought({ components: [{ component_id: users, allocated_quantity: 1 }] })
const path = `/subscriptions/${paid}`
const leaving = await bought({})
await shop.ask('POST /subscriptions.json', { body: signup({ payment_profile_attributes: decliningCard }) })
const { component: hours } = await made(shop, `POST /product_families/${shop.familyId}/metered_components.json`, {
  metered_component: {
    name: 'Hours',
    unit_name: 'hour',
    pricing_scheme: 'per_unit',
    unit_price: '1',
    allow_fractional_quantities: true,
  },
})
await made(shop, `POST ${path}/components/${users}/allocations.json`, { allocation: { quantity: 3 } })
for (const [component, quantity] of [
  [calls, 7],
  [hours.id, 2],
  [hours.id, '0.5'],
  [hours.id, '0.5'],
]) {
  await shop.ask(`POST ${path}/components/${component}/usages.json`, { body: { usage: { quantity } } })
}
await shop.ask(`PUT /subscriptions/${leaving}.json`, { body: { subscription: { cancel_at_end_of_period: true } } })
await shop.ask(`PUT ${path}.json`, { body: { subscription: { payment_collection_method: 'invoice' } } })
await shop.ask(`PUT ${path}.json`, { body: { subscription: { payment_collection_method: 'automatic' } } })
const { subscription } = (await shop.ask(`GET ${path}.json`)).json
await made(shop, `POST ${path}/refunds.json`, {
  refund: { payment_id: subscription.signup_payment_id, amount: '20.00', memo: 'Half' },
})
await at('2027-02-15T12:00:00Z')
await behave({ error_rate: 1 })
await at('2027-03-15T12:00:00Z')
await behave({ decline_rate: 1, error_rate: 0 })
await at('2027-03-17T12:00:00Z')
await behave({ decline_rate: 0 })

type Read = { key: string; data: Record<string, unknown> | null }
const ofSdk = async (subscriptionId: number): Promise<Read[]> =>
  (await merchant.events.listSubscriptionEvents({ subscriptionId, perPage: 200 })).result.map(({ event }) => ({
    key: event.key,
    data: event.eventSpecificData as Read['data'],
  }))

test('no page of events is refused', async () => {
  const seen = new Set<string>()
  for (let page = 1; ; page++) {
    const { result } = await merchant.events.listEvents({ page, perPage: 10 })
    for (const { event } of result) seen.add(event.key)
    if (result.length === 0) break
  }
  const hard = [
    'signup_failure',
    'refund_success',
    'dunning_step_reached',
    'renewal_failure',
    'pending_cancellation_change',
  ]
  for (const key of hard) assert.ok(seen.has(key), key)
})

test('signups and renewals that no payment paid name the charge for their period', async () => {
  let named = 0
  for (const id of [...nothingDue, paid]) {
    const { json } = await shop.ask(`GET /subscriptions/${id}/transactions.json?per_page=200`)
    const rows = new Map(json.map(({ transaction: row }: { transaction: { id: number } }) => [row.id, row]))
    for (const { key, data } of await ofSdk(id)) {
      if (!/^(signup|renewal)_/.test(key)) continue
      const row = rows.get((data as PaymentRelatedEvents).accountTransactionId) as { kind: string; type: string }
      assert.ok(row.type === 'Payment' || ['baseline', 'trial'].includes(row.kind), `${key} names ${row.kind}`)
      named += row.type === 'Payment' ? 0 : 1
    }
  }
  assert.ok(named >= nothingDue.length + 3, `${named} named a charge`)
})

test('the refund of a payment whose number at the gateway is a number names it as one', async () => {
  const { json } = await shop.ask('GET /events.json?filter=refund_success')
  assert.equal(typeof json[0].event.event_specific_data.gateway_transaction_id, 'number')
})

test('quantities that are whole are numbers, and what was not said is empty', async () => {
  const told = await ofSdk(paid)
  const change = told.find(({ key }) => key === 'component_allocation_change')?.data as ComponentAllocationChange
  assert.deepEqual([change.previousAllocation, change.newAllocation, change.memo], [1, 3, ''])
  const usages = told.filter(({ key }) => key === 'metered_usage').map(({ data }) => data as MeteredUsage)
  assert.deepEqual(
    usages.map(({ newUnitBalance, memo, componentHandle }) => [newUnitBalance, memo, componentHandle]).toReversed(),
    [
      [7, '', 'calls'],
      [2, '', ''],
      [2.5, '', ''],
      [3, '', ''],
    ],
  )
})

for (const format of formats) {
  const say = speaker(shop, format)

  test(`a cancellation that was called off names the moment at which it would have come, in ${format}`, async () => {
    const { id, current_period_ends_at } = (await made(shop, 'POST /subscriptions.json', signup())).subscription
    const endsAt = current_period_ends_at.replace('+00:00', 'Z')
    for (const cancel_at_end_of_period of [true, false]) {
      await say(`PUT /subscriptions/${id}`, { subscription: { cancel_at_end_of_period } })
    }
    const { tree } = await say(`GET /subscriptions/${id}/events?filter=pending_cancellation_change&direction=asc`)
    assert.deepEqual(
      tree.map((event: { event_specific_data: object }) => event.event_specific_data),
      ['start', 'stop'].map((cancellation_state) => ({ cancellation_state, cancels_at: endsAt })),
    )
  })

  test(`kinds of our own are listed and counted where a filter names them, in ${format}`, async () => {
    const { app, siteId } = shop
    const count = async (query = '') => Number((await say(`GET /events/count${query}`)).tree.count)
    const before = await count()
    const listed = (await say(`GET /events?per_page=200&since_id=1`)).tree.length
    const event = { siteId, message: 'Ours', subscriptionId: paid, customerId: null, eventSpecificData: null }
    const now = app.clock.now()
    const ours = ownEventKeys.map((key) => ({ ...event, key, createdAt: now }))
    await app.db.transaction((tx) => tellEvents(tx, siteId, ours, now))
    const keysOf = async (line: string): Promise<string[]> =>
      (await say(line)).tree.map(({ key }: { key: string }) => key)
    for (const list of ['/events', `${path}/events`]) {
      for (const query of ['per_page=200', 'per_page=200&start_date=2020-01-01', 'per_page=200&since_id=1']) {
        const all = await keysOf(`GET ${list}?${query}`)
        assert.deepEqual(
          all.filter((key) => (ownEventKeys as readonly string[]).includes(key)),
          [],
          query,
        )
      }
      const asked = await keysOf(`GET ${list}?filter=${ownEventKeys.join(',')}&per_page=8&direction=desc`)
      assert.deepEqual(asked.toReversed(), ownEventKeys)
    }
    assert.equal((await say(`GET /events?per_page=200&since_id=1`)).tree.length, listed)
    assert.equal(await count(), before)
    assert.ok((await count(`?filter=${ownEventKeys.join(',')}`)) >= ownEventKeys.length)
  })
}
