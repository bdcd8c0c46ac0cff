/** Each command over HTTP tells exactly its events, in their order; and each event reaches a webhook with all that its kind tells. */
import assert from 'node:assert/strict'
import { parse as parseQuery } from 'node:querystring'
import { test } from 'node:test'
import qs from 'qs'
import { tellOf } from '../../src/actions/resolve-late-approvals.ts'
import { verify } from '../../src/actions/verify.ts'
import { eventKeys } from '../../src/billing/event.ts'
import { findAttempt } from '../../src/store/payment-attempts.ts'
import { sql, texts } from '../../src/store/sql.ts'
import type { Reply } from '../support/test-app.ts'
import { assertGolden } from './golden.ts'
import { decliningCard, goodCard, grace, made, signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { tellings } from './webhook-tellings.ts'

const shop = await openStockedShop()
const { app, siteId } = shop
const { users, calls } = shop.components
await app.db.run(sql`
  insert into webhook_endpoints (site_id, id, url, event_keys, sealed_secret, created_at, updated_at)
  values (${siteId}, 1, 'https://example.com/', ${texts(eventKeys)}, 'sealed', now(), now())`)

let told = 0
/** The keys of the events since the last look. */
async function news(): Promise<string[]> {
  const rows = await app.db.arrays(sql`
    select e.id, e.key from events e where e.site_id = ${siteId} and e.id > ${told} order by e.id`)
  told = Number(rows.at(-1)?.[0] ?? told)
  return rows.map((row) => row[1] as string)
}

type Step = { line: string; body?: object; status?: number; tells: string[] }
async function step({ line, body, status = line.startsWith('POST') ? 201 : 200, tells }: Step): Promise<Reply> {
  const reply = await shop.ask(line, body === undefined ? {} : { body })
  assert.equal(reply.status, status, `${line}: ${reply.text}`)
  assert.deepEqual(await news(), tells, line)
  return reply
}
const buy = async (changes: object = {}): Promise<number> => {
  const { subscription } = await made(
    shop,
    'POST /subscriptions.json',
    signup({ components: [{ component_id: users, allocated_quantity: 1 }], ...changes }),
  )
  await news()
  return subscription.id
}
const put = (id: number, subscription: object, tells: string[]): Promise<Reply> =>
  step({ line: `PUT /subscriptions/${id}.json`, body: { subscription }, tells })
const behave = (rates: object) => shop.ask('PUT /bogus_gateway/behaviour.json', { body: { behaviour: rates } })

/** The first webhook of each key, as it is sent. */
const bodies = new Map<string, string>()
async function keepBodies(): Promise<void> {
  const rows = await app.db.arrays(sql`
    select w.event, w.body from webhooks w where w.site_id = ${siteId} order by w.id`)
  for (const [key, body] of rows) if (!bodies.has(key as string)) bodies.set(key as string, body as string)
}

test('customers', async () => {
  await news()
  const { json } = await step({ line: 'POST /customers.json', body: { customer: grace }, tells: ['customer_create'] })
  const path = `/customers/${json.customer.id}`
  await step({ line: `PUT ${path}.json`, body: { customer: { city: 'New York' } }, tells: ['customer_update'] })
  await step({ line: `PUT ${path}.json`, body: { customer: { city: 'New York' } }, tells: [] })
  await step({
    line: `POST ${path}/metadata.json`,
    body: { metadata: [{ name: 'color', value: 'red' }] },
    status: 200,
    tells: ['custom_field_value_change'],
  })
  const customer = { customer_id: json.customer.id, customer_attributes: undefined }
  await step({
    line: 'POST /subscriptions.json',
    body: signup(customer),
    tells: ['signup_success', 'payment_success', 'statement_settled'],
  })
  await step({
    line: `DELETE ${path}.json?cascade=true`,
    status: 204,
    tells: ['subscription_deletion', 'customer_delete'],
  })
})

test('sign-ups', async () => {
  const paid = ['customer_create', 'signup_success', 'payment_success', 'statement_settled']
  await step({ line: 'POST /subscriptions.json', body: signup(), tells: paid })
  await step({
    line: 'POST /subscriptions.json',
    body: signup({ product_handle: 'card-trial' }),
    tells: ['customer_create', 'signup_success', 'statement_settled'],
  })
  await step({
    line: 'POST /subscriptions.json',
    body: signup({ payment_collection_method: 'invoice' }),
    tells: ['customer_create', 'signup_success', 'statement_closed', 'invoice_issued'],
  })
  await step({
    line: 'POST /subscriptions.json',
    body: signup({ next_billing_at: '2027-03-01' }),
    tells: ['customer_create', 'signup_success', 'billing_date_change'],
  })
  await step({
    line: 'POST /subscriptions.json',
    body: signup({ initial_billing_at: '2029-03-01' }),
    tells: ['customer_create', 'delayed_signup_creation_success'],
  })
  await step({
    line: 'POST /subscriptions.json',
    body: signup({ payment_profile_attributes: decliningCard }),
    status: 422,
    tells: ['signup_failure'],
  })
  await step({ line: 'POST /subscriptions.json', body: signup({ product_handle: 'none' }), status: 422, tells: [] })
})

test('what a merchant changes about a subscription', async () => {
  const id = await buy()
  await put(id, { next_billing_at: '2027-02-20T12:00:00Z' }, ['billing_date_change'])
  await put(id, { next_billing_at: '2027-02-20T12:00:00Z' }, [])
  await put(id, { expires_at: '2028-01-15T12:00:00Z' }, ['expiration_date_change'])
  await put(id, { payment_collection_method: 'invoice' }, ['payment_collection_method_changed'])
  await put(id, { payment_collection_method: 'automatic' }, ['payment_collection_method_changed'])
  await put(id, { cancel_at_end_of_period: true }, ['pending_cancellation_change'])
  await put(id, { cancel_at_end_of_period: false }, ['pending_cancellation_change'])
  await put(id, { product_handle: 'with-setup-fee' }, ['subscription_product_change'])
  await put(id, { payment_profile_attributes: goodCard }, ['subscription_card_update'])
  await put(id, { customer_attributes: { city: 'London' } }, ['customer_update'])
  const { json } = await shop.ask(`GET /subscriptions/${id}.json`)
  const cardId = json.subscription.credit_card.id
  const card = { payment_profile: { billing_city: 'London' } }
  await step({ line: `PUT /payment_profiles/${cardId}.json`, body: card, tells: ['subscription_card_update'] })
  await step({ line: `PUT /payment_profiles/${cardId}.json`, body: card, tells: [] })
  await step({
    line: `DELETE /subscriptions/${id}/payment_profiles/${cardId}.json`,
    status: 204,
    tells: ['subscription_card_update'],
  })
  const account = { bank_name: 'Hoare', bank_routing_number: '021000089', bank_account_number: '1' }
  await put(id, { bank_account_attributes: account }, ['subscription_bank_account_update'])
})

test('components', async () => {
  const id = await buy()
  await step({
    line: `POST /subscriptions/${id}/components/${users}/allocations.json`,
    body: { allocation: { quantity: 3, memo: 'More' } },
    tells: ['component_allocation_change'],
  })
  await step({
    line: `POST /subscriptions/${id}/components/${users}/allocations.json`,
    body: { allocation: { quantity: 5, proration_upgrade_scheme: 'full-price-attempt-capture' } },
    tells: ['component_allocation_change', 'payment_success'],
  })
  await step({
    line: `POST /subscriptions/${id}/components/${calls}/usages.json`,
    body: { usage: { quantity: 7, memo: 'Morning' } },
    status: 200,
    tells: ['metered_usage'],
  })
})

test('money by hand', async () => {
  const id = await buy()
  const post = (kind: string, body: object, tells: string[], status = 201) =>
    step({ line: `POST /subscriptions/${id}/${kind}s.json`, body: { [kind]: body }, status, tells })
  await post('charge', { amount: '3.00', memo: 'Paper' }, ['payment_success'])
  await post('charge', { amount: '3.00', memo: 'Paper', delay_capture: true }, [])
  await post('adjustment', { amount: '1.00', memo: 'Oops' }, [])
  await post('credit', { amount: '1.00', memo: 'Sorry' }, [])
  await post('payment', { amount: '2.00', memo: 'Check' }, ['payment_success'])
  const { json } = await shop.ask(`GET /subscriptions/${id}.json`)
  const payment_id = json.subscription.signup_payment_id
  await post('refund', { payment_id, amount: '20.00', memo: 'Half' }, ['refund_success'])
  await behave({ error_rate: 1 })
  await post('refund', { payment_id, amount: '5.00', memo: 'Rest' }, ['refund_failure'], 422)
  await post('charge', { amount: '3.00', memo: 'Paper' }, [], 422)
  await behave({ error_rate: 0, decline_rate: 1 })
  await post('charge', { amount: '3.00', memo: 'Paper' }, ['payment_failure'], 422)
  await behave({ decline_rate: 0 })
})

test('migrations', async () => {
  const id = await buy()
  const migration = { product_handle: 'with-setup-fee', include_initial_charge: true }
  await behave({ decline_rate: 1 })
  await step({
    line: `POST /subscriptions/${id}/migrations.json`,
    body: { migration },
    status: 422,
    tells: ['payment_failure', 'upgrade_downgrade_failure'],
  })
  await behave({ decline_rate: 0 })
  await step({
    line: `POST /subscriptions/${id}/migrations.json`,
    body: { migration },
    status: 200,
    tells: ['upgrade_downgrade_success', 'subscription_product_change', 'payment_success', 'statement_settled'],
  })
})

test('the life of a subscription', async () => {
  const id = await buy()
  await step({ line: `POST /subscriptions/${id}/hold.json`, status: 200, tells: ['subscription_state_change'] })
  await step({ line: `POST /subscriptions/${id}/resume.json`, status: 200, tells: ['subscription_state_change'] })
  await step({ line: `DELETE /subscriptions/${id}.json`, tells: ['subscription_state_change'] })
  await step({ line: `DELETE /subscriptions/${id}.json`, tells: [] })
  await step({
    line: `PUT /subscriptions/${id}/reactivate.json`,
    tells: ['subscription_state_change', 'payment_success', 'statement_settled'],
  })
})

test('time: notices, a renewal, a declined one and one without a gateway, and their retries', async () => {
  await keepBodies()
  await shop.ask('POST /sites/clear_data.json?cleanup_scope=customers')
  const card = { ...goodCard, expiration_month: 3, expiration_year: 2027 }
  await made(shop, 'POST /subscriptions.json', signup({ payment_profile_attributes: card }))
  await made(shop, 'POST /subscriptions.json', signup({ product_handle: 'card-trial', customer_attributes: grace }))
  await news()
  const notices = { upcoming_renewal_notice_days: 3, trial_end_notice_days: 3, expiring_card_notices: true }
  await shop.ask('PUT /site.json', { body: { site: notices } })
  const at = (now: string, tells: string[]) =>
    step({ line: 'PUT /test_clock.json', body: { test_clock: { now } }, tells })
  await at('2027-02-01T00:00:00Z', ['expiring_card'])
  await at('2027-02-12T12:00:00Z', ['upcoming_renewal_notice', 'trial_end_notice'])
  await at('2027-02-15T11:00:00Z', ['expiring_card'])
  await at('2027-02-15T12:00:00Z', [
    'renewal_success',
    'payment_success',
    'statement_settled',
    'renewal_success',
    'payment_success',
    'subscription_state_change',
    'statement_settled',
  ])
  await shop.ask('PUT /site.json', {
    body: { site: { upcoming_renewal_notice_days: 0, expiring_card_notices: false } },
  })
  await behave({ decline_rate: 1 })
  const declined = ['payment_failure', 'renewal_failure', 'subscription_state_change', 'statement_closed']
  await at('2027-03-15T12:00:00Z', [...declined, ...declined])
  const declinedAgain = ['payment_failure', 'dunning_step_reached']
  await at('2027-03-16T12:00:00Z', [...declinedAgain, ...declinedAgain])
  await behave({ decline_rate: 0 })
  const retried = ['subscription_state_change', 'payment_success', 'statement_settled']
  await at('2027-03-17T12:00:00Z', [...retried, ...retried])
  await behave({ error_rate: 1 })
  const untried = ['renewal_failure', 'subscription_state_change', 'statement_closed']
  await at('2027-04-15T12:00:00Z', [...untried, ...untried, 'gateway_failing'])
  await at('2027-04-16T12:00:00Z', [])
  await behave({ error_rate: 0 })
  await at('2027-04-16T13:00:00Z', [...retried, ...retried, 'gateway_recovered'])
  assert.equal((await verify(app)).differences, 0)
  // Dates that no act of ours writes stop whoever counts periods from them.
  await app.db.run(
    sql`update subscriptions set anchor_at = anchor_at + interval '0.5 seconds' where site_id = ${siteId}`,
  )
  await at('2027-05-15T12:00:00Z', ['subscription_parked', 'subscription_parked'])
})

test('money that gateways take late or hide is told of', async () => {
  const [row] = await app.db.arrays(sql`
    select max(a.id) from payment_attempts a where a.site_id = ${siteId} and a.reason = 'renewal'`)
  const attempt = await findAttempt(app.db, siteId, row![0] as number)
  const keys = ['late_payment_recorded', 'late_payment_given_back', 'payment_unresolved'] as const
  for (const key of keys) await app.db.transaction((tx) => tellOf(app, tx, attempt!, key))
  assert.deepEqual(await news(), [...keys])
})

/** Endpoints that fail and recover are told by deliveries, which are tested with them. */
const ours = eventKeys.filter((key) => !key.startsWith('webhook_endpoint_'))

type Decoded = { id: string; event: string; payload: Record<string, Record<string, unknown> | undefined> }
const decoded = (body: string): Decoded => qs.parse(body, { parameterLimit: 10_000, depth: 9 }) as unknown as Decoded

test('a webhook of every key tells what its kind tells, the id of its event last, and decoders read the same', async () => {
  await keepBodies()
  assert.deepEqual([...bodies.keys()].toSorted(), ours.toSorted())
  for (const [key, body] of bodies) {
    const { id, event, payload } = decoded(body)
    assert.match(body, /^id=\d+&event=[a-z_]+&payload\[/)
    assert.match(id, /^\d+$/)
    assert.equal(event, key)
    assert.deepEqual(Object.keys(payload), [...tellings[key]!, 'event_id'], key)
    const flat = parseQuery(body, '&', '=', { maxKeys: 0 })
    assert.equal(flat['payload[event_id]'], payload.event_id, key)
    for (const name of ['id', 'state', 'previous_state']) {
      assert.equal(flat[`payload[subscription][${name}]`], payload.subscription?.[name], key)
    }
    assert.doesNotMatch(body, /undefined|NaN|%5Bobject|\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d[+-]/, key)
  }
})

test('the bodies are those on file, field by field', () => {
  const trees = ours.map((key) => [key, decoded(bodies.get(key) ?? '').payload])
  assertGolden('webhook-payloads.json', JSON.stringify(Object.fromEntries(trees)))
})
