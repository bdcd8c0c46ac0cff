/** Documented fields of a subscription are always there, typed in XML, and null where nothing is known. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ada, decliningCard, made, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const subscribe = async (changes: object = {}) =>
  (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription

const unknown = {
  reference: null,
  next_product_handle: null,
  next_product_price_point_id: null,
  net_terms: null,
  receives_invoice_emails: null,
  locale: null,
  scheduled_cancellation_at: null,
}

for (const format of formats) {
  const say = speaker(shop, format)
  const read = async (id: number) => (await say(`GET /subscriptions/${id}`)).tree.subscription
  const promised = async (id: number) =>
    (await say(`POST /subscriptions/${id}/renewals/preview`)).tree.renewal_preview.total_amount_due_in_cents

  describe(`documented fields in ${format}`, () => {
    test('are there where nothing is known, at the sign-up and in the list too', async () => {
      const created = (await say('POST /subscriptions', signup())).tree.subscription
      const [listed] = (await say('GET /subscriptions?per_page=1')).tree
      for (const shown of [created, listed, await read(created.id)]) {
        const known = { currency: 'USD', credit_balance_in_cents: 0, payer_id: created.customer.id }
        for (const [name, value] of Object.entries({ ...unknown, ...known })) assert.equal(shown[name], value, name)
      }
    })

    test('name the product of the next period, what is in credit, and when it is set to cancel', async () => {
      const { id, current_period_ends_at: end } = await subscribe()
      const change = { next_product_id: shop.productIds.expiring, cancel_at_end_of_period: true }
      const updated = (await say(`PUT /subscriptions/${id}`, { subscription: change })).tree.subscription
      assert.equal(updated.next_product_handle, 'expiring')
      assert.equal(updated.scheduled_cancellation_at, end)
      await made(shop, `POST /subscriptions/${id}/credits.json`, { credit: { amount: '7.50', memo: 'Sorry' } })
      assert.deepEqual([(await read(id)).balance_in_cents, (await read(id)).credit_balance_in_cents], [-750, 750])
    })
  })

  describe(`current_billing_amount_in_cents in ${format}`, () => {
    test('is the balance with the renewal that the preview promises', async () => {
      const { id } = await subscribe()
      assert.equal((await read(id)).current_billing_amount_in_cents, 5000)
      await made(shop, `POST /subscriptions/${id}/credits.json`, { credit: { amount: '7.50', memo: 'Sorry' } })
      assert.equal((await read(id)).current_billing_amount_in_cents, 4250)
      assert.equal(await promised(id), 4250)
    })

    test('of one that has ended is what it owes', async () => {
      const { id } = await subscribe()
      await shop.ask(`DELETE /subscriptions/${id}.json`)
      assert.equal((await read(id)).current_billing_amount_in_cents, 0)
    })

    test('stands in the reading of one subscription alone', async () => {
      const { id } = await subscribe()
      const updated = (await say(`PUT /subscriptions/${id}`, { subscription: { cancellation_message: 'Hm' } })).tree
      const [listed] = (await say('GET /subscriptions?per_page=1')).tree
      for (const shown of [updated.subscription, listed])
        assert.equal('current_billing_amount_in_cents' in shown, false)
    })
  })
}

test('what is past due counts towards the current billing amount', async (t) => {
  const late = await openShop(t)
  const { subscription } = await made(
    late,
    'POST /subscriptions.json',
    signup({ product_handle: 'card-trial', payment_profile_attributes: decliningCard }),
  )
  await late.moveClock('2027-02-20T00:00:00Z')
  const { json } = await late.ask(`GET /subscriptions/${subscription.id}.json`)
  assert.deepEqual([json.subscription.state, json.subscription.current_billing_amount_in_cents], ['past_due', 10_000])
})

test('the language is that of the customer, also after it was changed', async () => {
  const { id, locale } = await subscribe({
    customer_attributes: { ...ada, locale: 'es-MX', state: 'MA', country: 'US' },
  })
  assert.equal(locale, 'es-MX')
  const body = { subscription: { customer_attributes: { locale: 'de' } } }
  const { subscription } = (await shop.ask(`PUT /subscriptions/${id}.json`, { body })).json
  const { customer } = subscription
  assert.deepEqual([subscription.locale, customer.locale], ['de', 'de'])
  assert.deepEqual([customer.country_name, customer.state_name], ['United States', 'Massachusetts'])
})

test('XML types each field, also where it is null', async () => {
  const { id } = await subscribe()
  const { text } = await shop.ask(`GET /subscriptions/${id}.xml`)
  for (const element of [
    '<currency>USD</currency>',
    '<reference nil="true"/>',
    '<net_terms type="integer" nil="true"/>',
    '<receives_invoice_emails type="boolean" nil="true"/>',
    '<scheduled_cancellation_at type="datetime" nil="true"/>',
    '<credit_balance_in_cents type="integer">0</credit_balance_in_cents>',
    '<current_billing_amount_in_cents type="integer">5000</current_billing_amount_in_cents>',
  ]) {
    assert.ok(text.includes(element), element)
  }
})
