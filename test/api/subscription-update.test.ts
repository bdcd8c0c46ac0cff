/** PUT /subscriptions/<id>: customer, card, product, dates and flags; and what changes nothing. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dealings } from './dealings.ts'
import { ada, decliningCard, goodCard, made, openShop, signup, unpriced } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()

const { buy, keysOf } = dealings(shop)
const atSignup = ['signup_success', 'payment_success', 'statement_settled']

for (const format of formats) {
  const say = speaker(shop, format)
  const put = (id: number, fields: object) => say(`PUT /subscriptions/${id}`, { subscription: fields })

  describe(`200 in ${format}`, () => {
    test('the customer is corrected, and told', async () => {
      const { id, customer } = await buy()
      const said = await put(id, {
        customer_attributes: { first_name: 'Augusta', organization: '' },
        vat_number: 'DE1',
      })
      assert.equal(said.status, 200, said.text)
      assert.deepEqual(
        [said.tree.subscription.customer.first_name, said.tree.subscription.customer.last_name],
        ['Augusta', 'Lovelace'],
      )
      assert.equal((await say(`GET /customers/${customer.id}`)).tree.customer.vat_number, 'DE1')
    })

    test('a new card pays from now on, under either name', async () => {
      for (const name of ['payment_profile_attributes', 'credit_card_attributes']) {
        const { id, credit_card: old } = await buy()
        const said = await put(id, { [name]: { ...goodCard, full_number: '4111111111111111', first_name: 'A.' } })
        assert.equal(said.status, 200, said.text)
        const { credit_card: card } = said.tree.subscription
        assert.notEqual(card.id, old.id)
        assert.deepEqual(
          [card.masked_card_number, card.card_type, card.first_name, card.last_name],
          ['XXXX-XXXX-XXXX-1111', 'visa', 'A.', 'Lovelace'],
        )
        assert.deepEqual(await keysOf(id), [...atSignup, 'subscription_card_update'])
      }
    })

    test('a new card without names bears those that the customer has from now on', async () => {
      const { id } = await buy()
      const said = await put(id, { customer_attributes: { first_name: 'Augusta' }, credit_card_attributes: goodCard })
      const { customer, credit_card: card } = said.tree.subscription
      assert.deepEqual([customer.first_name, card.first_name, card.last_name], ['Augusta', 'Augusta', 'Lovelace'])
    })

    test('an expiry alone corrects the card that there is', async () => {
      const { id, credit_card: old } = await buy()
      const said = await put(id, { credit_card_attributes: { expiration_month: '3', expiration_year: '2033' } })
      assert.equal(said.status, 200, said.text)
      const { credit_card: card } = said.tree.subscription
      assert.deepEqual([card.id, card.expiration_month, card.expiration_year], [old.id, 3, 2033])
      assert.equal(card.masked_card_number, old.masked_card_number)
      assert.equal((await keysOf(id)).at(-1), 'subscription_card_update')
    })

    test('another stored card of the customer', async () => {
      const { id, customer } = await buy()
      const profile = { customer_id: customer.id, ...goodCard }
      const { payment_profile: other } = await made(shop, 'POST /payment_profiles.json', { payment_profile: profile })
      const said = await put(id, { payment_profile_id: other.id })
      assert.equal(said.tree.subscription.credit_card.id, other.id)
    })

    test('a product by handle or id: no charge, the period stays, the new price comes with the next one', async () => {
      for (const by of [{ product_handle: 'with-setup-fee' }, { product_id: shop.productIds['with-setup-fee'] }]) {
        const bought = await buy()
        const said = await put(bought.id, by)
        assert.equal(said.status, 200, said.text)
        const { subscription } = said.tree
        assert.equal(subscription.product.handle, 'with-setup-fee')
        assert.equal(subscription.current_period_ends_at, bought.current_period_ends_at)
        assert.equal(subscription.balance_in_cents, 0)
        const { tree: events } = await say(`GET /subscriptions/${bought.id}/events`)
        assert.deepEqual(events[0].event_specific_data, {
          new_product_id: shop.productIds['with-setup-fee'],
          previous_product_id: shop.productIds.monthly,
        })
        assert.equal(
          events[0].message,
          "Product changed on Ada Lovelace's subscription from 'Monthly' to 'With Setup Fee'",
        )
      }
    })

    test('out of a trial into a product without one: active at once, without a charge', async () => {
      const bought = await buy({ product_handle: 'free-trial' })
      const { subscription } = (await put(bought.id, { product_handle: 'monthly' })).tree
      const now = subscription.updated_at
      assert.deepEqual(
        [subscription.state, subscription.trial_ended_at, subscription.activated_at, subscription.next_assessment_at],
        ['active', now, now, bought.next_assessment_at],
      )
      assert.deepEqual((await keysOf(bought.id)).slice(-2), [
        'subscription_state_change',
        'subscription_product_change',
      ])
    })

    test('a delayed change waits, an empty next_product_id calls it off', async () => {
      const { id } = await buy()
      const said = await put(id, { product_handle: 'free', product_change_delayed: true })
      assert.equal(said.tree.subscription.product.handle, 'monthly')
      assert.equal(said.tree.subscription.next_product_id, shop.productIds.free)
      const off = await put(id, { next_product_id: '' })
      assert.equal(off.tree.subscription.next_product_id, null)
      assert.deepEqual(await keysOf(id), atSignup)
    })

    test('the billing date, in every form', async () => {
      const forms = [
        '8/6/2027 11:34:00 EDT',
        '2027-08-06T15:34:00Z',
        'Aug 06 11:34:00 -0400 2027',
        '2027-08-06T11:34:00-04:00',
      ]
      for (const next_billing_at of forms) {
        const { id } = await buy()
        const { subscription } = (await put(id, { next_billing_at })).tree
        const moved = '2027-08-06T15:34:00+00:00'
        assert.deepEqual([subscription.current_period_ends_at, subscription.next_assessment_at], [moved, moved])
        assert.equal((await keysOf(id)).at(-1), 'billing_date_change')
      }
      const { id } = await buy({ product_handle: 'free-trial' })
      const { subscription } = (await put(id, { next_billing_at: '2027-02-01' })).tree
      assert.equal(subscription.trial_ended_at, '2027-02-01T00:00:00+00:00')
    })

    test('the expiration, alone or along with the billing date', async () => {
      const { id, expires_at: before } = await buy({ product_handle: 'expiring' })
      assert.equal(before, '2027-11-15T12:00:00+00:00')
      const tracking = { next_billing_at: '2027-02-16T12:00:00Z', expiration_tracks_next_billing_change: true }
      assert.equal((await put(id, tracking)).tree.subscription.expires_at, '2027-11-16T12:00:00+00:00')
      assert.equal(
        (await put(id, { expires_at: '2028-01-01' })).tree.subscription.expires_at,
        '2028-01-01T00:00:00+00:00',
      )
      assert.equal((await put(id, { expires_at: null })).tree.subscription.expires_at, null)
      const dates = [
        'billing_date_change',
        'expiration_date_change',
        'expiration_date_change',
        'expiration_date_change',
      ]
      assert.deepEqual(await keysOf(id), [...atSignup, ...dates])
    })

    test('cancel at the end of the period, with a message, and not after all', async () => {
      const { id, current_period_ends_at: end } = await buy()
      for (const yes of [true, 1, 'true']) {
        const { subscription } = (await put(id, { cancel_at_end_of_period: yes, cancellation_message: 'Enough' })).tree
        assert.deepEqual(
          [subscription.cancel_at_end_of_period, subscription.delayed_cancel_at, subscription.cancellation_message],
          [true, end, 'Enough'],
        )
      }
      const { subscription } = (await put(id, { cancel_at_end_of_period: 0 })).tree
      assert.deepEqual([subscription.cancel_at_end_of_period, subscription.delayed_cancel_at], [false, null])
      assert.deepEqual(await keysOf(id), [...atSignup, 'pending_cancellation_change', 'pending_cancellation_change'])
    })

    test('who collects', async () => {
      const { id } = await buy()
      assert.equal(
        (await put(id, { payment_collection_method: 'invoice' })).tree.subscription.payment_collection_method,
        'invoice',
      )
      assert.equal((await keysOf(id)).at(-1), 'payment_collection_method_changed')
    })

    test('a whole object sent back, with zeros and empty strings, changes nothing', async () => {
      const { id } = await buy({ product_handle: 'expiring' })
      const before = (await say(`GET /subscriptions/${id}`)).tree
      const blanks = { product_id: 0, product_handle: '', next_billing_at: '', payment_profile_id: 0, reason_code: '' }
      const card = { expiration_month: 0, expiration_year: 0, full_number: '', first_name: '', vault_token: '' }
      const said = await put(id, {
        ...before.subscription,
        ...blanks,
        id: 0,
        created_at: '',
        customer_attributes: { ...before.subscription.customer, organization: '', id: 0 },
        credit_card_attributes: { ...before.subscription.credit_card, ...card },
        product_id: before.subscription.product.id,
        payment_profile_id: before.subscription.credit_card.id,
        cancel_at_end_of_period: false,
      })
      assert.equal(said.status, 200, said.text)
      assert.deepEqual(said.tree.subscription, unpriced(before.subscription))
      assert.deepEqual(await keysOf(id), atSignup)
    })
  })
}

describe('a new card on a subscription that is past due', () => {
  const pastDue = async (t: Parameters<typeof openShop>[0]) => {
    const other = await openShop(t)
    const { subscription } = await made(
      other,
      'POST /subscriptions.json',
      signup({ product_handle: 'free-trial', payment_profile_attributes: decliningCard, customer_attributes: ada }),
    )
    await other.ask(`PUT /subscriptions/${subscription.id}.json`, {
      body: { subscription: { product_handle: 'monthly' } },
    })
    await other.moveClock('2027-02-15T12:00:00Z')
    const { json } = await other.ask(`GET /subscriptions/${subscription.id}.json`)
    assert.deepEqual([json.subscription.state, json.subscription.balance_in_cents], ['past_due', 5000])
    const put = async (fields: object) =>
      other.ask(`PUT /subscriptions/${subscription.id}.json`, { body: { subscription: fields } })
    const keys = async (): Promise<string[]> =>
      (await other.ask(`GET /subscriptions/${subscription.id}/events.json`)).json.map(
        (item: { event: { key: string } }) => item.event.key,
      )
    return { before: json.subscription, put, keys }
  }

  test('pays the balance at once', async (t) => {
    const { put, keys } = await pastDue(t)
    const { status, json } = await put({ credit_card_attributes: goodCard })
    assert.deepEqual([status, json.subscription.state, json.subscription.balance_in_cents], [200, 'active', 0])
    const told = ['statement_settled', 'payment_success', 'subscription_state_change', 'subscription_card_update']
    assert.deepEqual((await keys()).slice(0, 4), told)
  })

  test('that is declined is stored all the same, and leaves the schedule alone', async (t) => {
    const { before, put, keys } = await pastDue(t)
    const { status, json } = await put({ credit_card_attributes: { ...decliningCard, first_name: 'Second' } })
    assert.deepEqual([status, json.subscription.state], [200, 'past_due'])
    assert.equal(json.subscription.credit_card.first_name, 'Second')
    assert.equal(json.subscription.next_assessment_at, before.next_assessment_at)
    assert.deepEqual((await keys()).slice(0, 2), ['payment_failure', 'subscription_card_update'])
  })

  test('cannot be canceled at the end of the period', async (t) => {
    const { put } = await pastDue(t)
    const { status, json } = await put({ cancel_at_end_of_period: true })
    assert.deepEqual(
      [status, json.errors],
      [422, ['Cancel at end of period: cannot be set on a subscription that is past_due.']],
    )
  })
})
