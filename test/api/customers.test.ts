/** Customers: made, listed, searched, read, looked up, changed and deleted, in JSON and in XML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSite } from '../../src/actions/create-site.ts'
import { sql } from '../../src/store/sql.ts'
import { ada, grace, made, openShop, type Shop, signup } from './shop.ts'
import { formats, type Say, speaker } from './two-formats.ts'

const everything = {
  ...ada,
  cc_emails: 'byron@example.com, babbage@example.com',
  organization: 'Engines & Co',
  reference: 'ada-1',
  address: '12 St James’s Square',
  address_2: 'Second floor',
  city: 'London',
  state: 'LND',
  zip: '02120',
  country: 'GB',
  phone: '+44 20 7946 0000',
  vat_number: 'GB123',
  tax_exempt: true,
  tax_exempt_reason: 'Charity',
  locale: 'en-GB',
  salesforce_id: '0031',
  verified: true,
}

const eventsOf = async ({ app, siteId }: Shop, customerId: number): Promise<[string, string][]> =>
  (await app.db.arrays(sql`
    select key, message from events where site_id = ${siteId} and customer_id = ${customerId} order by id`)) as [
    string,
    string,
  ][]

const firstNames = (customers: { first_name: string }[]): string[] => customers.map((customer) => customer.first_name)

async function make(say: Say, customer: object): Promise<number> {
  const { status, text, tree } = await say('POST /customers', { customer })
  assert.equal(status, 201, text)
  return tree.customer.id
}

const shops = {
  json: await openShop(undefined, { timeZone: 'America/New_York' }),
  xml: await openShop(undefined, { timeZone: 'America/New_York' }),
}

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)

  test(`${format}: customers are made with every field, and found by id and by reference`, async () => {
    const made = await say('POST /customers', { customer: { ...everything, emailzzz: 'ignored' } })
    assert.equal(made.status, 201)
    const { id, ...customer } = made.tree.customer
    assert.equal(made.headers.location, `/customers/${id}`)
    assert.deepEqual(customer, {
      ...everything,
      created_at: '2027-01-15T07:00:00-05:00',
      updated_at: '2027-01-15T07:00:00-05:00',
      country_name: 'United Kingdom',
      state_name: null,
      parent_id: null,
      portal_customer_created_at: null,
      portal_invite_last_sent_at: null,
      portal_invite_last_accepted_at: null,
    })
    for (const path of [`/customers/${id}`, '/customers/lookup?reference=ada-1', '/customers?reference=ada-1']) {
      const read = await say(`GET ${path}`)
      assert.equal(read.status, 200)
      assert.deepEqual(read.tree, made.tree, path)
    }
    assert.deepEqual(await eventsOf(shop, id), [['customer_create', 'Customer Ada Lovelace created']])
  })

  test(`${format}: customers are refused with a sentence for each missing field, and under a reference that is taken`, async () => {
    const missing = await say('POST /customers', { customer: { organization: 'X' } })
    assert.equal(missing.status, 422)
    assert.deepEqual(missing.errors, [
      'First name: cannot be blank.',
      'Last name: cannot be blank.',
      'Email address: cannot be blank.',
    ])
    const taken = await say('POST /customers', { customer: { ...grace, reference: 'ada-1' } })
    assert.equal(taken.status, 422)
    assert.deepEqual(taken.errors, ['Reference: must be unique - that value has been taken.'])
  })

  test(`${format}: customers are changed in part: what is not sent stays, null clears, nothing changed is no event`, async () => {
    const id = await make(say, { ...grace, organization: 'Navy', reference: 'grace-1', tax_exempt: true })
    const changed = await say(`PUT /customers/${id}`, { customer: { organization: null, city: 'Arlington' } })
    assert.equal(changed.status, 200)
    const { customer } = changed.tree
    assert.deepEqual(
      [customer.organization, customer.city, customer.reference, customer.tax_exempt, customer.first_name],
      [null, 'Arlington', 'grace-1', true, 'Grace'],
    )
    assert.deepEqual((await say(`PUT /customers/${id}`, changed.tree)).tree, changed.tree)
    assert.deepEqual(await eventsOf(shop, id), [
      ['customer_create', 'Customer Grace Hopper created'],
      ['customer_update', 'Customer information changed for Grace Hopper'],
    ])
    for (const tree of [undefined, { other: { first_name: 'X' } }]) {
      const nothing = await say(`PUT /customers/${id}`, tree)
      assert.deepEqual([nothing.status, nothing.errors], [422, ['Customer: cannot be blank.']])
    }
    assert.equal((await say('PUT /customers/999')).status, 404)
    const blank = await say(`PUT /customers/${id}`, { customer: { first_name: '', email: 'nobody' } })
    assert.equal(blank.status, 422)
    assert.deepEqual(blank.errors.length, 2)
    assert.equal(blank.errors[0], 'First name: cannot be blank.')
    assert.match(blank.errors[1] ?? '', /^Email address: must be a valid email/)
    const taken = await say(`PUT /customers/${id}`, { customer: { reference: 'ada-1' } })
    assert.deepEqual(taken.errors, ['Reference: must be unique - that value has been taken.'])
  })

  test(`${format}: customers without a reference do not collide`, async () => {
    await make(say, { ...ada, reference: '' })
    await make(say, { ...ada, reference: '' })
  })

  test(`${format}: customers that do not exist are a 404, before anything is said about the request`, async () => {
    for (const line of [
      'GET /customers/999',
      'GET /customers/lookup',
      'GET /customers/lookup?reference=nobody',
      'GET /customers?reference=nobody',
      'DELETE /customers/999',
    ]) {
      assert.equal((await say(line)).status, 404, line)
    }
    assert.equal((await say('PUT /customers/999', { customer: { first_name: '' } })).status, 404)
  })
}

test('customers are listed oldest first in pages, and found by parts of their words or by id', async (t) => {
  const say = speaker(await openShop(t), 'json')
  const names = [
    ['Ada', 'Lovelace', 'ada@engines.example', 'Analytical Engines'],
    ['Åse', "O'Hopper-Hansen", 'aase.hansen@skip.example', 'Skip & Sønner'],
    ['Grace', 'Hopper', 'grace@navy.example', 'Navy'],
  ] as const
  const ids: number[] = []
  for (const [first_name, last_name, email, organization] of names) {
    ids.push(await make(say, { first_name, last_name, email, organization, reference: `ref_${first_name}` }))
  }
  const found = async (query: string) => firstNames((await say(`GET /customers?${query}`)).tree)
  assert.deepEqual(await found(''), ['Ada', 'Åse', 'Grace'])
  assert.deepEqual(await found('direction=desc&per_page=2'), ['Grace', 'Åse'])
  assert.deepEqual(await found('per_page=2&page=2'), ['Grace'])
  assert.deepEqual(await found('page=9'), [])
  assert.deepEqual(await found('q=hop'), ['Åse', 'Grace'])
  assert.deepEqual(await found('q=hop&direction=desc&per_page=1'), ['Grace'])
  assert.deepEqual(await found('q=GRACE%20hopper'), ['Grace'])
  assert.deepEqual(await found(`q=${encodeURIComponent("O'Hop")}`), ['Åse'])
  assert.deepEqual(await found(`q=${encodeURIComponent('åse')}`), ['Åse'])
  assert.deepEqual(await found('q=aase.hansen@skip'), ['Åse'])
  assert.deepEqual(await found('q=ref_gra'), ['Grace'])
  assert.deepEqual(await found('q=analyt'), ['Ada'])
  assert.deepEqual(await found(`q=${ids[2]}`), ['Grace'])
  assert.deepEqual(await found('q=ovelac'), ['Ada'])
  assert.deepEqual(await found('q=opper%20gin'), [])
  assert.deepEqual(await found('q=gines%20lov'), ['Ada'])
  assert.deepEqual(await found('q=ho%20nav'), ['Grace'])
  assert.deepEqual(await found('q=sk'), ['Åse'])
  for (const nothing of ['op', '%27%3A*%20%26%20!', '%5C', "')%3B--", '%F0%9F%8E%82', '1'.repeat(40)]) {
    assert.deepEqual(await found(`q=${nothing}`), [], nothing)
  }
  assert.equal((await say('GET /customers?page=0')).status, 422)
})

test('of two requests for one reference at the same time, one makes a customer and the other is refused', async (t) => {
  const say = speaker(await openShop(t), 'json')
  const replies = await Promise.all(
    [ada, grace, ada].map((who) => say('POST /customers', { customer: { ...who, reference: 'r' } })),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 422, 422])
  const refused = replies.find(({ status }) => status === 422)
  assert.deepEqual(refused?.errors, ['Reference: must be unique - that value has been taken.'])
})

test('a deleted customer vanishes with cards and subscriptions and is billed no more; the ledger stays', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const { tree } = await say('POST /subscriptions', signup({ customer_attributes: { ...ada, reference: 'ada-1' } }))
  const { id: subscriptionId, customer, credit_card: card } = tree.subscription
  const other = await say('POST /subscriptions', signup({ customer_attributes: grace }))

  const deleted = await say(`DELETE /customers/${customer.id}?cascade=true`)
  assert.equal(deleted.status, 204)
  assert.equal(deleted.text, '')
  for (const path of [
    `/customers/${customer.id}`,
    '/customers/lookup?reference=ada-1',
    `/subscriptions/${subscriptionId}`,
    `/payment_profiles/${card.id}`,
  ]) {
    assert.equal((await say(`GET ${path}`)).status, 404, path)
  }
  assert.deepEqual(firstNames((await say('GET /customers')).tree), ['Grace'])
  assert.deepEqual((await say('GET /customers?q=ada')).tree, [])
  assert.deepEqual((await say(`GET /customers?q=${customer.id}`)).tree, [])
  assert.deepEqual((await say(`GET /payment_profiles?customer_id=${customer.id}`)).tree, [])
  assert.equal((await say('GET /subscriptions')).tree.length, 1)
  assert.equal((await say(`DELETE /customers/${customer.id}`)).status, 404)
  assert.deepEqual((await eventsOf(shop, customer.id)).slice(-2), [
    ['subscription_deletion', 'Subscription for Ada Lovelace (Monthly/ada@example.com) was deleted'],
    ['customer_delete', 'Customer Ada Lovelace deleted'],
  ])

  await shop.moveClock('2027-03-01T00:00:00Z')
  const rows = await shop.app.db.arrays(sql`
    select subscription_id, count(*)::int from transactions where site_id = ${shop.siteId} group by 1 order by 1`)
  assert.deepEqual(rows, [
    [subscriptionId, 2],
    [other.tree.subscription.id, 4],
  ])
  assert.equal((await say('POST /customers', { customer: { ...ada, reference: 'ada-1' } })).status, 201)
})

test('a customer is not deleted while a payment is under way', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const { tree } = await say('POST /subscriptions', signup())
  const { id, customer } = tree.subscription
  const collecting = (attempt: number | null) =>
    shop.app.db.run(
      sql`update subscriptions set collecting_attempt_id = ${attempt} where site_id = ${shop.siteId} and id = ${id}`,
    )
  await collecting(1)
  const refused = await say(`DELETE /customers/${customer.id}?cascade=true`)
  assert.equal(refused.status, 422)
  assert.deepEqual(refused.errors, ['Customer: cannot be deleted while a payment is under way.'])
  assert.equal((await say(`GET /customers/${customer.id}`)).status, 200)
  await collecting(null)
  assert.equal((await say(`DELETE /customers/${customer.id}?cascade=true`)).status, 204)
})

for (const format of formats) {
  test(`a customer with live subscriptions, or who owes, is deleted only when that is asked for, in ${format}`, async (t) => {
    const shop = await openShop(t)
    const say = speaker(shop, format)
    const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
    const { id, customer } = subscription
    const removal = 'To delete all the same, ask for it with cascade=true.'
    const remove = async (query = '') => {
      const { status, errors } = await say(`DELETE /customers/${customer.id}${query}`)
      return status === 204 ? status : errors
    }
    const live = [`Customer: cannot be deleted while subscriptions are live (${id}).`, removal]
    assert.deepEqual(await remove(), live)
    assert.deepEqual(await remove('?cascade=false'), live)
    assert.deepEqual(await remove('?cascade=maybe'), ['Cascade: must be true or false.'])
    assert.equal((await say(`GET /subscriptions/${id}`)).status, 200)
    const adjustment = { adjustment: { amount_in_cents: 300, memo: 'Owed' } }
    assert.equal((await say(`POST /subscriptions/${id}/adjustments`, adjustment)).status, 201)
    await say(`DELETE /subscriptions/${id}`)
    assert.deepEqual(await remove(), [`Customer: cannot be deleted while something is owed (${id}).`, removal])
    await say(`PUT /subscriptions/${id}/reset_balance`)
    assert.equal(await remove(), 204)

    const owing = await made(shop, 'POST /subscriptions.json', signup())
    await say(`POST /subscriptions/${owing.subscription.id}/adjustments`, adjustment)
    assert.equal((await say(`DELETE /customers/${owing.subscription.customer.id}?cascade=true`)).status, 204)
    assert.equal((await say(`DELETE /customers/${owing.subscription.customer.id}?cascade=maybe`)).status, 404)
  })
}

test('a repeated request with the same Idempotency-Key makes one customer and deletes one', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'xml')
  const options = { headers: { 'Idempotency-Key': 'once' } }
  const first = await say('POST /customers', { customer: ada }, options)
  const again = await say('POST /customers', { customer: ada }, options)
  assert.deepEqual([again.status, again.text, again.headers.location], [201, first.text, first.headers.location])
  assert.equal((await say('GET /customers')).tree.length, 1)
  const remove = () =>
    say(`DELETE /customers/${first.tree.customer.id}`, undefined, { headers: { 'Idempotency-Key': 'gone' } })
  assert.deepEqual([(await remove()).status, (await remove()).status], [204, 204])
})

test("another site's customer does not exist, and takes no reference from this one", async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const { apiKey: key } = await createSite(shop.app, {
    subdomain: 'beta',
    live: false,
    timeZone: 'UTC',
    currency: 'USD',
    apiKey: undefined,
  })
  const id = await make(say, { ...ada, reference: 'r' })
  for (const line of [`GET /customers/${id}`, `DELETE /customers/${id}`, 'GET /customers/lookup?reference=r']) {
    assert.equal((await say(line, undefined, { key })).status, 404, line)
  }
  assert.equal((await say(`PUT /customers/${id}`, { customer: { city: 'X' } }, { key })).status, 404)
  assert.deepEqual((await say('GET /customers?q=ada', undefined, { key })).tree, [])
  assert.equal((await say('POST /customers', { customer: { ...ada, reference: 'r' } }, { key })).status, 201)
})
