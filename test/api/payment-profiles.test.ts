/** Stored cards: made, listed, read, changed, deleted, and put on a subscription, in JSON and in XML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/store/sql.ts'
import { ada, brokenCard, decliningCard, goodCard, grace, openShop, signup } from './shop.ts'
import { formats, type Say, speaker } from './two-formats.ts'

const address = {
  billing_address: '12 St James’s Square',
  billing_address_2: 'Second floor',
  billing_city: 'London',
  billing_state: 'LND',
  billing_zip: '02120',
  billing_country: 'GB',
}

const customerOf = async (say: Say, customer: object = ada): Promise<number> =>
  (await say('POST /customers', { customer })).tree.customer.id

const make = async (say: Say, payment_profile: object): Promise<number> => {
  const { status, text, tree } = await say('POST /payment_profiles', { payment_profile })
  assert.equal(status, 201, text)
  return tree.payment_profile.id
}

const shops = { json: await openShop(), xml: await openShop() }

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)
  const customerId = await customerOf(say)

  test(`${format}: payment profiles are made for a customer, under the card’s own names or the customer’s`, async () => {
    const card = { ...goodCard, full_number: '4111 1111 1111 1111', ...address }
    const made = await say('POST /payment_profiles', { payment_profile: { customer_id: customerId, ...card } })
    assert.equal(made.status, 201)
    const { id, vault_token: vaultToken, ...profile } = made.tree.payment_profile
    assert.match(vaultToken, /^bogus_/)
    assert.equal(made.headers.location, `/payment_profiles/${id}`)
    assert.deepEqual(profile, {
      first_name: 'Ada',
      last_name: 'Lovelace',
      masked_card_number: 'XXXX-XXXX-XXXX-1111',
      card_type: 'visa',
      expiration_month: 12,
      expiration_year: 2031,
      customer_id: customerId,
      current_vault: 'bogus',
      ...address,
      customer_vault_token: null,
      payment_type: 'credit_card',
      created_at: '2027-01-15T12:00:00+00:00',
      updated_at: '2027-01-15T12:00:00+00:00',
    })
    assert.deepEqual((await say(`GET /payment_profiles/${id}`)).tree, made.tree)
    const named = { customer_id: customerId, ...goodCard, first_name: 'Augusta', last_name: 'King' }
    const { tree } = await say('POST /payment_profiles', { payment_profile: named })
    assert.deepEqual([tree.payment_profile.first_name, tree.payment_profile.last_name], ['Augusta', 'King'])
    assert.deepEqual(
      [tree.payment_profile.card_type, tree.payment_profile.masked_card_number],
      ['bogus', 'XXXX-XXXX-XXXX-1'],
    )
  })

  test(`${format}: payment profiles are refused with every problem at once, and in the gateway’s words`, async () => {
    const nothing = await say('POST /payment_profiles', { payment_profile: {} })
    assert.equal(nothing.status, 422)
    assert.deepEqual(nothing.errors, [
      'Customer: cannot be blank.',
      'Credit card number: cannot be blank.',
      'Credit card expiration month: cannot be blank.',
      'Credit card expiration year: cannot be blank.',
    ])
    const refusals: [object, string][] = [
      [{ customer_id: 999, ...goodCard }, 'Customer: could not be found.'],
      [
        { customer_id: customerId, ...goodCard, full_number: '4111111111111112' },
        'Credit card number: must be a valid credit card number.',
      ],
      [{ customer_id: customerId, ...goodCard, expiration_year: 2020 }, 'Credit card: cannot be expired.'],
      [{ customer_id: customerId, ...brokenCard }, 'Bogus Gateway: Forced error'],
    ]
    for (const [payment_profile, message] of refusals) {
      const refused = await say('POST /payment_profiles', { payment_profile })
      assert.equal(refused.status, 422)
      assert.deepEqual(refused.errors, [message])
    }
  })

  test(`${format}: payment profiles are listed for one customer or for all, oldest first`, async () => {
    const graceId = await customerOf(say, grace)
    const ids = [
      await make(say, { customer_id: graceId, ...goodCard }),
      await make(say, { customer_id: graceId, ...decliningCard }),
    ]
    const listed = await say(`GET /payment_profiles?customer_id=${graceId}`)
    assert.equal(listed.status, 200)
    assert.deepEqual(
      listed.tree.map((profile: { id: number }) => profile.id),
      ids,
    )
    assert.equal((await say('GET /payment_profiles')).tree.length, 4)
    assert.equal((await say('GET /payment_profiles?per_page=3&page=2')).tree.length, 1)
    for (const nobody of ['999', 'x']) {
      assert.deepEqual((await say(`GET /payment_profiles?customer_id=${nobody}`)).tree, [])
    }
  })

  test(`${format}: payment profiles are changed in part; a new number is stored anew under the same id`, async () => {
    const id = await make(say, { customer_id: customerId, ...goodCard, ...address })
    for (const tree of [undefined, { other: { first_name: 'X' } }]) {
      const nothing = await say(`PUT /payment_profiles/${id}`, tree)
      assert.deepEqual([nothing.status, nothing.errors], [422, ['Payment profile: cannot be blank.']])
    }
    const moved = await say(`PUT /payment_profiles/${id}`, {
      payment_profile: {
        billing_city: 'Ockham',
        billing_state: null,
        expiration_month: '5',
        vault_token: 'mine',
        id: 0,
      },
    })
    assert.equal(moved.status, 200)
    const { payment_profile: profile } = moved.tree
    assert.deepEqual(
      [
        profile.id,
        profile.billing_city,
        profile.billing_state,
        profile.billing_zip,
        profile.expiration_month,
        profile.vault_token,
      ],
      [id, 'Ockham', null, '02120', 5, '1'],
    )
    assert.deepEqual((await say(`PUT /payment_profiles/${id}`, moved.tree)).tree, moved.tree)
    const replaced = await say(`PUT /payment_profiles/${id}`, {
      payment_profile: { full_number: '5424000000000015', cvv: '123' },
    })
    assert.equal(replaced.status, 200)
    const { payment_profile: card } = replaced.tree
    assert.deepEqual(
      [card.id, card.card_type, card.masked_card_number, card.expiration_month, card.billing_city],
      [id, 'master', 'XXXX-XXXX-XXXX-0015', 5, 'Ockham'],
    )
    const refusals: [object, string][] = [
      [{ expiration_year: 2026 }, 'Credit card: cannot be expired.'],
      [{ expiration_month: 13 }, 'Credit card expiration month: must be less than or equal to 12.'],
      [{ full_number: '41' }, 'Credit card number: must be a valid credit card number.'],
      [{ full_number: '3' }, 'Bogus Gateway: Forced error'],
    ]
    for (const [payment_profile, message] of refusals) {
      const refused = await say(`PUT /payment_profiles/${id}`, { payment_profile })
      assert.equal(refused.status, 422)
      assert.deepEqual(refused.errors, [message])
    }
    assert.deepEqual((await say(`GET /payment_profiles/${id}`)).tree, replaced.tree)
  })

  test(`${format}: payment profiles are deleted when no subscription has them`, async () => {
    const id = await make(say, { customer_id: customerId, ...goodCard })
    const deleted = await say(`DELETE /payment_profiles/${id}`)
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    assert.equal((await say(`GET /payment_profiles/${id}`)).status, 404)
    const { tree } = await say('POST /subscriptions', signup())
    const used = await say(`DELETE /payment_profiles/${tree.subscription.credit_card.id}`)
    assert.equal(used.status, 422)
    assert.deepEqual(used.errors, ['The payment profile is in use by one or more subscriptions and cannot be deleted'])
  })

  test(`${format}: payment profiles that pay a subscription are shown there as they are shown on their own`, async () => {
    const { tree } = await say(
      'POST /subscriptions',
      signup({ payment_profile_attributes: { ...goodCard, ...address } }),
    )
    const { credit_card: card } = tree.subscription
    const { tree: alone } = await say(`GET /payment_profiles/${card.id}`)
    assert.deepEqual(alone.payment_profile, card)
  })

  test(`${format}: payment profiles are put on a subscription and taken off it`, async () => {
    const { tree } = await say('POST /subscriptions', signup({ customer_attributes: grace }))
    const { id, customer, credit_card: old } = tree.subscription
    const fresh = await make(say, { customer_id: customer.id, ...goodCard, full_number: '4242424242424242' })
    const path = `/subscriptions/${id}/payment_profiles`
    const current = await say(`POST ${path}/${old.id}/change_payment_profile`)
    assert.equal(current.status, 422)
    assert.deepEqual(current.errors, ['This is already the current payment profile'])
    const changed = await say(`POST ${path}/${fresh}/change_payment_profile`)
    assert.equal(changed.status, 201)
    assert.equal(changed.tree.payment_profile.masked_card_number, 'XXXX-XXXX-XXXX-4242')
    assert.equal((await say(`GET /subscriptions/${id}`)).tree.subscription.credit_card.id, fresh)
    assert.equal((await say(`DELETE ${path}/${fresh}`)).status, 204)
    const { subscription: bare } = (await say(`GET /subscriptions/${id}`)).tree
    assert.deepEqual([bare.payment_type, bare.credit_card], [null, undefined])
    assert.equal((await say(`GET /payment_profiles/${fresh}`)).status, 404)

    const strangers = await make(say, { customer_id: customerId, ...goodCard })
    for (const line of [
      `POST ${path}/${strangers}/change_payment_profile`,
      `POST ${path}/999/change_payment_profile`,
      `POST /subscriptions/999/payment_profiles/${old.id}/change_payment_profile`,
      `DELETE ${path}/${strangers}`,
      `DELETE /subscriptions/999/payment_profiles/${old.id}`,
    ]) {
      assert.equal((await say(line)).status, 404, line)
    }
  })

  test(`${format}: payment profiles that do not exist are a 404, before anything is said about the request`, async () => {
    assert.equal((await say('GET /payment_profiles/999')).status, 404)
    assert.equal((await say('DELETE /payment_profiles/999')).status, 404)
    assert.equal((await say('PUT /payment_profiles/999', { payment_profile: { full_number: '41' } })).status, 404)
  })
}

test('changing a card collects nothing; the next renewal asks for the new one', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const { tree } = await say('POST /subscriptions', signup())
  const { id, credit_card: card } = tree.subscription
  await say(`PUT /payment_profiles/${card.id}`, { payment_profile: { full_number: '2' } })
  const rows = async () => (await say(`GET /subscriptions/${id}/transactions?direction=asc`)).tree
  assert.equal((await rows()).length, 2)
  await shop.moveClock('2027-02-16T00:00:00Z')
  assert.equal((await say(`GET /subscriptions/${id}`)).tree.subscription.state, 'past_due')
  assert.equal((await rows()).at(-1).card_number, 'XXXX-XXXX-XXXX-2')
})

test('no number is kept: neither in a row nor in the gateway’s record', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const customer_id = await customerOf(say)
  const number = '4539578763621486'
  const options = { headers: { 'Idempotency-Key': 'k' } }
  const payment_profile = { customer_id, ...goodCard, full_number: number }
  assert.equal((await say('POST /payment_profiles', { payment_profile }, options)).status, 201)
  const rows = await shop.app.db.arrays(sql`
    select 'card', r::text from payment_profiles r where r.site_id = ${shop.siteId}
    union all select 'event', r::text from events r where r.site_id = ${shop.siteId}
    union all select 'key', r::text from idempotency_keys r where r.site_id = ${shop.siteId}
    union all select 'call', r::text from bogus_gateway.calls r where r.site_id = ${shop.siteId}`)
  assert.deepEqual(
    rows.map(([table]) => table),
    ['card', 'event', 'key', 'call'],
  )
  assert.ok(!JSON.stringify(rows).includes(number))
})
