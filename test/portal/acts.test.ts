/** What a customer does in the portal is what the API would have done: the same rows, the same events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/store/sql.ts'
import type { Reply } from '../support/test-app.ts'
import { linkOf, openWorld, type World } from './people.ts'
import { enter, type Visitor, wordsOf } from './visitor.ts'

const goodNumber = '5424000000000015'
const card = { number: goodNumber, month: '11', year: '2032', cvv: '123', first_name: 'Ada', last_name: 'King' }

type Opened = { world: World; visitor: Visitor }
const open = async (): Promise<Opened> => {
  const world = await openWorld()
  return { world, visitor: await enter(world, await linkOf(world, world.customerId)) }
}
const { world, visitor } = await open()

const at = (id: number, rest = ''): string => `/account/subscriptions/${id}${rest}`
const read = async (id: number): Promise<Reply['json']> =>
  (await world.ask(`GET /subscriptions/${id}.json`)).json.subscription

/** Posts a form that must go well, and gives the words of the page that it leads to. */
async function done(path: string, fields: Record<string, string> = {}): Promise<string> {
  const reply = await visitor.post(path, fields)
  assert.equal(reply.status, 303, wordsOf(reply))
  return wordsOf(await visitor.get(String(reply.headers.location)))
}

const newestEvents = async (id: number, count: number): Promise<string[]> =>
  (
    await world.app.db.arrays(sql`
      select key from events where site_id = ${world.siteId} and subscription_id = ${id} order by id desc limit ${count}`)
  ).map(([key]) => String(key))

test('a card is changed, and its number is on no page that follows', async () => {
  const form = wordsOf(await visitor.get(at(world.active, '/card')))
  assert.match(form, /Now: Visa ending in 1111/)
  assert.match(form, /Nothing is charged now/)
  const said = await done(at(world.active, '/card'), card)
  assert.match(said, /Your card was changed\./)
  assert.match(said, /Mastercard ending in 0015, expires 11\/2032/)
  assert.deepEqual(await newestEvents(world.active, 1), ['subscription_card_update'])
  const { credit_card } = await read(world.active)
  assert.deepEqual([credit_card.last_name, credit_card.masked_card_number], ['King', 'XXXX-XXXX-XXXX-0015'])
})

test('the next payment tells each coupon in a line of its own', async () => {
  for (const [code, percentage] of [
    ['FRIEND', '10'],
    ['EARLY', '50'],
  ]) {
    const coupon = { name: code, code, description: `for ${code?.toLowerCase()}s`, percentage, recurring: true }
    await world.ask('POST /coupons.json', { body: { coupon } })
  }
  const path = `/subscriptions/${world.active}`
  await world.ask(`POST ${path}/add_coupon.json`, { body: { codes: ['FRIEND', 'EARLY'] } })
  const shown = wordsOf(await visitor.get(at(world.active)))
  assert.match(shown, /Coupon: FRIEND - for friends -\$5\.00 Coupon: EARLY - for earlys -\$22\.50 .*Total \$22\.50/)
  await world.ask(`DELETE ${path}/remove_coupon.json`)
})

test('what is wrong with a card is told, what was typed stays, and the number and its code do not', async () => {
  const wrong = { ...card, number: '4111111111111112', cvv: 'x', last_name: 'Byron' }
  const reply = await visitor.post(at(world.active, '/card'), wrong)
  assert.equal(reply.status, 422)
  assert.match(wordsOf(reply), /There is a problem .*please check the number.*must be three or four digits/)
  assert.match(reply.text, /<title>Problem: Change card/)
  assert.ok(reply.text.includes('value="Byron"') && reply.text.includes('value="11"'))
  assert.ok(!reply.text.includes('4111111111111112'))
  const expired = await visitor.post(at(world.active, '/card'), { ...card, year: '26' })
  assert.match(wordsOf(expired), /cannot be expired/)
  const empty = await visitor.post(at(world.active, '/card'))
  for (const name of ['First name', 'Last name', 'Card number', 'Month', 'Year']) {
    assert.match(wordsOf(empty), new RegExp(`${name}: cannot be blank`))
  }
  const broken = await visitor.post(at(world.active, '/card'), { ...card, number: '3' })
  assert.equal(broken.status, 422)
  assert.equal((await read(world.active)).credit_card.masked_card_number, 'XXXX-XXXX-XXXX-0015')
})

test('a declining card on an overdue subscription is told to be declined; a good one pays', async () => {
  assert.match(wordsOf(await visitor.get(at(world.overdue, '/card'))), /will be charged \$50\.00/)
  const declined = await visitor.post(at(world.overdue, '/card'), { ...card, number: '2' })
  assert.equal(declined.status, 422)
  assert.match(wordsOf(declined), /The card was saved, but the payment of \$50\.00 was declined/)
  assert.equal((await read(world.overdue)).state, 'past_due')

  const unpaid = await visitor.post(at(world.overdue, '/pay'))
  assert.equal(unpaid.status, 422)
  assert.match(wordsOf(unpaid), /The payment did not go through: Bogus Gateway: Forced failure/)

  const said = await done(at(world.overdue, '/card'), card)
  assert.match(said, /the outstanding amount was paid/)
  const { state, balance_in_cents } = await read(world.overdue)
  assert.deepEqual([state, balance_in_cents], ['active', 0])
  assert.ok((await newestEvents(world.overdue, 3)).includes('payment_success'))
})

test('one card can be put on all subscriptions at once', async () => {
  await done(at(world.active, '/card'), { ...card, number: '4242424242424242', all: '1' })
  for (const id of [world.active, world.overdue, world.trial, world.canceled]) {
    assert.equal((await read(id)).credit_card.masked_card_number, 'XXXX-XXXX-XXXX-4242')
  }
})

test('a subscription is canceled at the end of its period, and kept after all', async () => {
  const said = await done(at(world.active, '/cancel'), { when: 'period_end', reason: 'Too many stars' })
  assert.match(said, /will end with the current period/)
  assert.match(said, /This subscription ends on March 15, 2027/)
  const leaving = await read(world.active)
  assert.deepEqual([leaving.cancel_at_end_of_period, leaving.cancellation_message], [true, 'Too many stars'])
  assert.deepEqual(await newestEvents(world.active, 1), ['pending_cancellation_change'])
  assert.match(wordsOf(await visitor.get('/account')), /Next payment None\. Ends on March 15, 2027/)
  assert.match(await done(at(world.active, '/keep')), /goes on as before/)
  assert.equal((await read(world.active)).cancel_at_end_of_period, false)
  const unsaid = await visitor.post(at(world.active, '/cancel'), {})
  assert.equal(unsaid.status, 422)
  assert.match(wordsOf(unsaid), /choose when it should end/)
})

test('a product is changed at the renewal, at the price that was shown, and the change is called off', async () => {
  const to = world.productIds['with-setup-fee']
  const shown = wordsOf(await visitor.get(`${at(world.active, '/product')}?to=${to}`))
  assert.match(shown, /From March 15, 2027 on you pay \$50\.00/)
  assert.match(await done(at(world.active, '/product'), { product: String(to) }), /will change at the next renewal/)
  assert.equal((await read(world.active)).next_product_id, to)
  assert.match(wordsOf(await visitor.get(at(world.active, '/product'))), /this changes to Tide Tables/)
  assert.match(await done(at(world.active, '/product'), { product: 'none' }), /keeps its product/)
  assert.equal((await read(world.active)).next_product_id, null)
  const unknown = await visitor.post(at(world.active, '/product'), { product: '1' })
  assert.equal(unknown.status, 422)
})

test('where a site changes products at once, the payment that was shown is taken', async () => {
  const put = (product_change: string) =>
    world.ask('PUT /portal/settings.json', { body: { portal_settings: { product_change } } })
  await put('now')
  const to = world.productIds.free
  const shown = wordsOf(await visitor.get(`${at(world.active, '/product')}?to=${to}`))
  assert.match(shown, /Due now \$0\.00/)
  assert.match(await done(at(world.active, '/product'), { product: String(to) }), /Your subscription was changed/)
  assert.equal((await read(world.active)).product.id, to)
  assert.ok((await newestEvents(world.active, 4)).includes('subscription_product_change'))
  await put('at_renewal')
})

test('a subscription is canceled at once, by the portal, and comes back', async () => {
  assert.match(await done(at(world.overdue, '/cancel'), { when: 'now' }), /was canceled/)
  const gone = await read(world.overdue)
  assert.deepEqual([gone.state, gone.cancellation_method], ['canceled', 'billing_portal'])
  assert.match(
    wordsOf(await visitor.get(at(world.overdue, '/reactivate'))),
    /Nothing is charged now/,
    'the period lasts',
  )
  assert.match(await done(at(world.overdue, '/reactivate')), /active again/)
  assert.equal((await read(world.overdue)).state, 'active')
  assert.deepEqual(await newestEvents(world.overdue, 1), ['subscription_state_change'])
})

test('details are changed, as the API would have changed them', async () => {
  const said = await done('/account/details', {
    organization: ' ',
    city: 'Paris',
    country: 'FR',
    vat_number: 'FR123',
    email: 'x@y.z',
  })
  assert.match(said, /Your details were saved/)
  const { customer } = (await world.ask(`GET /customers/${world.customerId}.json`)).json
  assert.deepEqual(
    [customer.organization, customer.city, customer.country, customer.vat_number, customer.email, customer.zip],
    [null, 'Paris', 'FR', 'FR123', 'ada@example.com', 'SW1Y 4LB'],
  )
  const [[key] = []] = await world.app.db.arrays(sql`
    select key from events where site_id = ${world.siteId} and customer_id = ${world.customerId} order by id desc limit 1`)
  assert.equal(key, 'customer_update')
})

test('the history lists payments, declined ones too, and statements', async () => {
  const words = wordsOf(await visitor.get('/account/history'))
  assert.match(words, /Payments .* Declined .* Statements/)
  assert.match(
    wordsOf(await visitor.get('/account/history?show=payments&page=1')),
    /Signup payment, card ending in 1111/,
  )
  assert.match(wordsOf(await visitor.get('/account/history?show=statements&page=999999999999')), /No statements yet/)
})

test('a bank account is told as one wherever the card would stand, and a card can take its place', async () => {
  const account = { bank_name: 'Hoare', bank_routing_number: '021000089', bank_account_number: '0011223344' }
  const body = { subscription: { bank_account_attributes: account } }
  await world.ask(`PUT /subscriptions/${world.active}.json`, { body })
  assert.match(wordsOf(await visitor.get('/account')), /Bank account Bank account ending in 3344/)
  assert.match(wordsOf(await visitor.get(at(world.active))), /Bank account Bank account ending in 3344 Pay by card/)
  assert.match(wordsOf(await visitor.get(at(world.active, '/card'))), /Now: Bank account ending in 3344\./)
  await done(at(world.active, '/card'), card)
  const { payment_type, bank_account } = await read(world.active)
  assert.deepEqual([payment_type, bank_account], ['credit_card', null])
})
