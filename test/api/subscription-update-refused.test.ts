/** PUT /subscriptions/<id>: what is refused, by the name of its field or by the state, with nothing written. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dealings } from './dealings.ts'
import { goodCard, grace, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()

const { buy } = dealings(shop)

for (const format of formats) {
  const say = speaker(shop, format)
  const put = (id: number, fields: object) => say(`PUT /subscriptions/${id}`, { subscription: fields })

  describe(`422 in ${format}`, () => {
    const refusals: [string, object, string[]][] = [
      [
        'an unknown product',
        { product_handle: 'gold' },
        ["Product with API Handle 'gold' does not exist for this merchant."],
      ],
      [
        'an unknown product id',
        { product_id: 1 },
        ['Product must be specified and be a valid product provided by the seller.'],
      ],
      [
        'an unknown next product',
        { next_product_id: 1 },
        ['Next product: must be a valid product provided by the seller.'],
      ],
      ['a product of a wrong type', { product_id: 'x' }, ['Product: is not a number.']],
      [
        'a billing date that has passed',
        { next_billing_at: '2020-01-01' },
        ["Provided 'Next Billing' date must be in the future"],
      ],
      ['a billing date that is none', { next_billing_at: 'soon' }, ['Next billing: is not a date that can be read.']],
      ['an expiration that is none', { expires_at: 'never' }, ['Expires at: is not a date that can be read.']],
      [
        'a flag that is none',
        { cancel_at_end_of_period: 'maybe' },
        ['Cancel at end of period: must be true or false.'],
      ],
      [
        'a collection method that is none',
        { payment_collection_method: 'barter' },
        ['Payment collection method: must be one of automatic, invoice, remittance.'],
      ],
      [
        'a message that is too long',
        { cancellation_message: 'x'.repeat(65_536) },
        ['Cancellation message: is too long (maximum is 65535 characters).'],
      ],
      [
        'several things that the site does not have, told together',
        {
          payment_profile_id: 1,
          product_handle: 'gold',
          components: [{ component_id: 7, allocated_quantity: 1 }],
          coupon_codes: ['NOPE'],
        },
        [
          'Payment profile: must belong to the customer.',
          "Product with API Handle 'gold' does not exist for this merchant.",
          'Component: 7 could not be found.',
          "Coupon Code: 'NOPE' - Coupon code could not be found.",
        ],
      ],
      ['a foreign card', { payment_profile_id: 1 }, ['Payment profile: must belong to the customer.']],
      [
        'two cards',
        { credit_card_attributes: goodCard, payment_profile_attributes: goodCard },
        ['Payment profile: give either payment_profile_attributes or credit_card_attributes, not both.'],
      ],
      [
        'a card without expiry',
        { credit_card_attributes: { full_number: '1' } },
        ['Credit card expiration month: cannot be blank.', 'Credit card expiration year: cannot be blank.'],
      ],
      [
        'a card number that is none',
        { credit_card_attributes: { ...goodCard, full_number: '4111111111111112' } },
        ['Credit card number: must be a valid credit card number.'],
      ],
      [
        'an expired card',
        { credit_card_attributes: { ...goodCard, expiration_year: 2020 } },
        ['Credit card: cannot be expired.'],
      ],
      [
        'an expiry that has passed',
        { credit_card_attributes: { expiration_month: 1, expiration_year: 2020 } },
        ['Credit card: cannot be expired.'],
      ],
      [
        'an e-mail address that is none',
        { customer_attributes: { email: 'nobody' } },
        ['Email address: must be a valid email format.'],
      ],
    ]
    for (const [title, fields, errors] of refusals) {
      test(`${title}; nothing is written`, async () => {
        const bought = await buy()
        const before = (await say(`GET /subscriptions/${bought.id}`)).tree
        const said = await put(bought.id, { ...fields, cancellation_message: 'x', ...fields })
        assert.deepEqual([said.status, said.errors], [422, errors], said.text)
        assert.deepEqual((await say(`GET /subscriptions/${bought.id}`)).tree, before)
      })
    }

    test('a reference that another customer has', async () => {
      const reference = `taken-${format}`
      await buy({ customer_attributes: { ...grace, reference } })
      const { id } = await buy()
      const said = await put(id, { customer_attributes: { reference }, cancel_at_end_of_period: true })
      assert.deepEqual([said.status, said.errors], [422, ['Reference: must be unique - that value has been taken.']])
      assert.equal((await say(`GET /subscriptions/${id}`)).tree.subscription.cancel_at_end_of_period, false)
    })

    test('what a canceled subscription forbids', async () => {
      const { id } = await buy()
      await say(`DELETE /subscriptions/${id}`)
      const said = await put(id, { next_billing_at: '2027-05-05' })
      assert.deepEqual(said.errors, ["Provided 'Next Billing' date cannot be set on a subscription that is canceled."])
      assert.deepEqual((await put(id, { cancel_at_end_of_period: true })).errors, [
        'The subscription is already canceled',
      ])
      const later = await put(id, { product_handle: 'free', product_change_delayed: true })
      assert.deepEqual(later.errors, ['Product: cannot be changed at the renewal of a subscription that is canceled.'])
    })
  })

  test(`404 in ${format} comes before whatever is wrong`, async () => {
    assert.equal((await put(1, { product_handle: 'gold' })).status, 404)
  })
}
