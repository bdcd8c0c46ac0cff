/** What clients in the field send and need, habit by habit: strange to read, and none of them may break. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dealings } from './dealings.ts'
import { ada, goodCard, made, openShop, signup } from './shop.ts'
import { asXml, formats, readDocument, speaker } from './two-formats.ts'

const shop = await openShop()
const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
const path = `/subscriptions/${subscription.id}`
const json = speaker(shop, 'json')

const typeOf = (reply: { headers: Record<string, unknown> }) => String(reply.headers['content-type']).split(';')[0]
const { buy } = dealings(shop)

describe('which format', () => {
  const asked = async (line: string, headers: Record<string, string>) => {
    const reply = await shop.ask(line, { headers })
    assert.equal(reply.status, 200, reply.text)
    return typeOf(reply)
  }

  test('a path without a suffix is answered as Accept says', async () => {
    assert.equal(await asked(`GET ${path}`, { Accept: 'application/xml' }), 'application/xml')
    assert.equal(await asked(`GET ${path}`, { Accept: 'application/json' }), 'application/json')
    assert.equal(await asked(`GET ${path}`, { Accept: 'text/xml, application/json;q=0.5' }), 'application/xml')
    assert.equal(await asked(`GET ${path}`, {}), 'application/json')
  })

  test('the suffix wins over an Accept that says otherwise', async () => {
    assert.equal(await asked(`GET ${path}.xml`, { Accept: 'application/json' }), 'application/xml')
    assert.equal(await asked(`GET ${path}.json`, { Accept: 'application/xml' }), 'application/json')
    assert.equal(await asked(`GET ${path}.json`, { Accept: 'text/html' }), 'application/json')
  })

  test('a document in XML with Accept */* is answered in XML', async () => {
    const headers = { Accept: '*/*' }
    const reply = await shop.ask('POST /subscriptions', { body: asXml(signup()), headers })
    assert.deepEqual([reply.status, typeOf(reply)], [201, 'application/xml'])
    const told = await shop.ask('POST /subscriptions', { body: asXml({ subscription: {} }), headers })
    assert.deepEqual([told.status, typeOf(told)], [422, 'application/xml'])
  })

  test('an empty document is welcome with any content type, also on GET', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    assert.equal(await asked(`GET ${path}.json`, headers), 'application/json')
    const { id } = await buy()
    assert.equal((await shop.ask(`DELETE /subscriptions/${id}.json`, { headers })).status, 200)
  })
})

describe('addresses', () => {
  test('empty pairs in a query are skipped', async () => {
    const reply = await shop.ask('GET /subscriptions.json?&page=&&per_page=1&=x&direction=&unknown&')
    assert.deepEqual([reply.status, reply.json.length], [200, 1])
  })

  test('an empty id is not found', async () => {
    for (const empty of [
      '/invoices/.json',
      '/subscriptions/.json',
      '/subscriptions/.xml',
      '/customers//subscriptions.json',
      '/subscriptions//events.json',
    ]) {
      assert.equal((await shop.ask(`GET ${empty}`)).status, 404, empty)
    }
    assert.equal((await shop.ask('DELETE /subscriptions/.json')).status, 404)
    assert.equal((await json(`GET ${path}`)).tree.subscription.state, 'active')
  })

  test('401 comes before 404, and 404 before 422', async () => {
    const hopeless = { body: { subscription: { cancellation_message: 'x'.repeat(70_000) } } }
    assert.equal((await shop.ask('DELETE /subscriptions/1.json', { ...hopeless, key: null })).status, 401)
    assert.equal((await shop.ask('DELETE /subscriptions/1.json', hopeless)).status, 404)
    assert.equal((await shop.ask(`DELETE ${path}.json`, hopeless)).status, 422)
    const long = 'x'.repeat(300)
    const bad: [line: string, id: number, body: object][] = [
      ['PUT /customers/ID.json', subscription.customer.id, { customer: { first_name: long, email: 'none' } }],
      ['PUT /products/ID.json', subscription.product.id, { product: { name: '', interval: 'often' } }],
      ['PUT /payment_profiles/ID.json', subscription.credit_card.id, { payment_profile: { first_name: long } }],
      ['POST /product_families/ID/products.json', shop.familyId, { product: { interval: 0 } }],
    ]
    for (const [line, id, body] of bad) {
      assert.equal((await shop.ask(line.replace('ID', '1'), { body, key: null })).status, 401, line)
      assert.equal((await shop.ask(line.replace('ID', '1'), { body })).status, 404, line)
      assert.equal((await shop.ask(line.replace('ID', String(id)), { body })).status, 422, line)
    }
  })
})

describe('documents', () => {
  /** What typed clients make of a record that they never filled: every field, at its type's zero. */
  const zeros = {
    id: 0,
    state: '',
    created_at: '',
    updated_at: null,
    balance_in_cents: 0,
    product_id: 0,
    customer_id: 0,
    customer_reference: '',
    payment_profile_id: 0,
    credit_card_attributes: null,
    next_billing_at: '',
    coupon_code: '',
    vat_number: '',
    payment_collection_method: '',
    cancel_at_end_of_period: false,
    customer: null,
    components: [],
  }

  for (const format of formats) {
    const say = speaker(shop, format)

    test(`zeros, blanks and nulls of fields that were never set change nothing, in ${format}`, async () => {
      const customer = { ...ada, id: 0, reference: '', organization: null, created_at: '', verified: false }
      const said = await say('POST /subscriptions', signup({ ...zeros, customer_attributes: customer }))
      assert.equal(said.status, 201, said.text)
      const { subscription: made } = said.tree
      assert.equal(made.product.handle, 'monthly')
      assert.notEqual(made.id, 0)
      assert.equal(made.customer.reference, null)
      const again = await say('POST /subscriptions', signup({ ...zeros, customer_attributes: customer }))
      assert.equal(again.status, 201, 'two blank references are not the same reference')
    })

    test(`whole records are sent back, read-only fields and all, in ${format}`, async () => {
      const {
        customer,
        product,
        credit_card: card,
      } = await buy({
        customer_attributes: { ...ada, reference: `whole-${format}`, organization: 'Engines' },
      })
      const places = {
        customer: `/customers/${customer.id}`,
        product: `/products/${product.id}`,
        payment_profile: `/payment_profiles/${card.id}`,
      }
      for (const [name, place] of Object.entries(places)) {
        const record = (await say(`GET ${place}`)).tree[name]
        const spoilt = { ...record, id: 0, created_at: '', updated_at: '' }
        const said = await say(`PUT ${place}`, { [name]: spoilt })
        assert.equal(said.status, 200, said.text)
        assert.deepEqual(said.tree[name], record)
      }
    })

    test(`ids may be text, in ${format}`, async () => {
      const { customer, product, credit_card: card } = await buy()
      const ids = {
        product_id: String(product.id),
        customer_id: String(customer.id),
        payment_profile_id: ` ${card.id} `,
      }
      const blank = { product_handle: undefined, customer_attributes: undefined, payment_profile_attributes: undefined }
      const said = await say('POST /subscriptions', signup({ ...blank, ...ids }))
      assert.equal(said.status, 201, said.text)
      assert.deepEqual(said.tree.subscription.credit_card.id, card.id)
    })

    test(`what has no value is there all the same, in ${format}`, async () => {
      const { subscription: shown } = (await say(`GET ${path}`)).tree
      for (const name of ['reason_code', 'coupon_code', 'cancellation_message', 'canceled_at', 'expires_at']) {
        assert.equal(shown[name], null, name)
      }
    })

    test(`the card of a subscription is the payment profile, field by field, in ${format}`, async () => {
      const { credit_card: card } = (await say(`GET ${path}`)).tree.subscription
      assert.equal(card.payment_type, 'credit_card')
      assert.deepEqual((await say(`GET /payment_profiles/${card.id}`)).tree, { payment_profile: card })
    })

    test(`errors of fields come in the order of the specification, whatever the order they were sent in, in ${format}`, async () => {
      const backwards = {
        credit_card_attributes: { expiration_year: '', expiration_month: '', full_number: '' },
        customer_attributes: { email: '', last_name: '', first_name: '' },
        payment_profile_attributes: undefined,
      }
      assert.deepEqual((await say('POST /subscriptions', signup(backwards))).errors, [
        'First name: cannot be blank.',
        'Last name: cannot be blank.',
        'Email address: cannot be blank.',
        'Credit card number: cannot be blank.',
        'Credit card expiration month: cannot be blank.',
        'Credit card expiration year: cannot be blank.',
      ])
    })

    test(`cancelling takes a document, by DELETE or by an overridden POST, and succeeds twice, in ${format}`, async () => {
      const { id } = await buy()
      const because = { subscription: { cancellation_message: 'Moved', reason_code: 'M' } }
      for (const [line, headers] of [
        [`DELETE /subscriptions/${id}`, {}],
        [`POST /subscriptions/${id}`, { 'X-Http-Method-Override': 'DELETE' }],
      ] as const) {
        const said = await say(line, because, { headers })
        assert.deepEqual(
          [said.status, said.tree.subscription.state, said.tree.subscription.reason_code],
          [200, 'canceled', 'M'],
        )
      }
    })
  }

  test('XML as other languages write it: dashes, dateTime, namespaces, a byte order mark', async () => {
    const text = `\ufeff<?xml version="1.0" encoding="utf-8"?>
<subscription xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <!-- from a typed client -->
  <id type="integer">0</id>
  <created-at type="dateTime"></created-at>
  <product-handle>monthly</product-handle>
  <coupon-code xsi:nil="true" />
  <next-billing-at type="dateTime">2027-08-29T12:00:00-04:00</next-billing-at>
  <customer-attributes>
    <first-name><![CDATA[Ada & Co]]></first-name>
    <last-name>Lovelace</last-name>
    <email>ada@example.com</email>
    <zip>02120</zip>
  </customer-attributes>
  <credit-card-attributes>
    <full-number>1</full-number>
    <expiration-month type="integer">${goodCard.expiration_month}</expiration-month>
    <expiration-year>${goodCard.expiration_year}</expiration-year>
  </credit-card-attributes>
  <components type="array"/>
</subscription>`
    const reply = await shop.ask('POST /subscriptions.xml', {
      body: text,
      headers: { 'Content-Type': 'application/xml' },
    })
    assert.equal(reply.status, 201, reply.text)
    const { subscription: shown } = readDocument(reply.text) as { subscription: typeof subscription }
    assert.deepEqual([shown.customer.first_name, shown.customer.zip], ['Ada & Co', '02120'])
    assert.equal(shown.next_assessment_at, '2027-08-29T16:00:00+00:00')
  })

  test('PATCH is a PUT', async () => {
    const patch = { method: 'PATCH', body: { customer: { city: 'London' } } }
    const reply = await shop.ask(`PATCH /customers/${subscription.customer.id}.json`, patch)
    assert.deepEqual([reply.status, reply.json.customer?.city], [200, 'London'])
  })
})
