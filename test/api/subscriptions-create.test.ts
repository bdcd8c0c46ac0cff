/** POST /subscriptions, 201: every way to name a product, a customer and a card, and what each kind of product begins with. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decliningCard, goodCard, grace, made, openShop, type ProductHandle, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const openedAt = '2027-01-15T12:00:00+00:00'

/** A customer with a stored card, as the other forms of a sign-up need them. */
const [customer, otherCustomer] = await Promise.all(
  ['ada-1', 'grace-1'].map(async (reference) => {
    const { customer } = await made(shop, 'POST /customers.json', { customer: { ...grace, reference } })
    const { payment_profile: card } = await made(shop, 'POST /payment_profiles.json', {
      payment_profile: { customer_id: customer.id, ...goodCard },
    })
    return { id: customer.id, reference, cardId: card.id }
  }),
)
assert(customer && otherCustomer)

for (const format of formats) {
  const say = speaker(shop, format)
  const create = async (changes: object = {}) => {
    const said = await say('POST /subscriptions', signup(changes))
    assert.equal(said.status, 201, said.text)
    assert.match(String(said.headers.location), new RegExp(`/subscriptions/${said.tree.subscription.id}$`))
    return said.tree.subscription
  }
  const transactionsOf = async ({ id }: { id: number }) => (await say(`GET /subscriptions/${id}/transactions`)).tree
  const eventsOf = async ({ id }: { id: number }): Promise<{ key: string }[]> =>
    (await say(`GET /subscriptions/${id}/events?direction=asc`)).tree

  describe(`201 in ${format}: whose it is`, () => {
    test('a product is named by handle or by id', async () => {
      assert.equal((await create()).product.id, shop.productIds.monthly)
      const byId = { product_handle: undefined, product_id: shop.productIds.free }
      assert.equal((await create(byId)).product.handle, 'free')
    })

    test('where a handle and an id are both given the handle counts', async () => {
      assert.equal((await create({ product_id: shop.productIds.free })).product.handle, 'monthly')
    })

    test('a customer is named by id, by reference, or described and made', async () => {
      const known = { customer_attributes: undefined }
      assert.equal((await create({ ...known, customer_id: customer.id })).customer.id, customer.id)
      assert.equal((await create({ ...known, customer_reference: customer.reference })).customer.id, customer.id)
      const described = {
        ...grace,
        organization: 'Navy',
        reference: `grace-in-${format}`,
        city: 'Arlington',
        zip: '02120',
      }
      const { customer: mine } = await create({ customer_attributes: described, vat_number: 'GB999 9999 73' })
      for (const [name, value] of Object.entries(described)) assert.equal(mine[name], value)
      assert.equal(mine.vat_number, 'GB999 9999 73')
      assert.equal((await say(`GET /customers/${mine.id}`)).tree.customer.reference, described.reference)
    })

    test('a card is described under either of its names, or named by its id', async () => {
      const described = { ...goodCard, first_name: 'A.', last_name: 'L.', billing_zip: '02120', billing_country: 'US' }
      const none = { payment_profile_attributes: undefined }
      for (const name of ['payment_profile_attributes', 'credit_card_attributes']) {
        const { credit_card: card, payment_type: paymentType } = await create({ ...none, [name]: described })
        assert.equal(card.masked_card_number, 'XXXX-XXXX-XXXX-1')
        assert.deepEqual(
          [card.first_name, card.last_name, card.card_type, card.current_vault, card.vault_token, card.billing_zip],
          ['A.', 'L.', 'bogus', 'bogus', '1', '02120'],
        )
        assert.equal(paymentType, 'credit_card')
      }
      const known = { ...none, customer_attributes: undefined, customer_id: customer.id }
      assert.equal((await create({ ...known, payment_profile_id: customer.cardId })).credit_card.id, customer.cardId)
    })

    test("a card without names takes the customer's, and month and year may be text", async () => {
      const card = { full_number: '4111 1111 1111 1111', expiration_month: '7', expiration_year: '2031' }
      const { credit_card: stored } = await create({ payment_profile_attributes: card })
      assert.deepEqual(
        [stored.first_name, stored.last_name, stored.card_type, stored.masked_card_number],
        ['Ada', 'Lovelace', 'visa', 'XXXX-XXXX-XXXX-1111'],
      )
      assert.deepEqual([stored.expiration_month, stored.expiration_year], [7, 2031])
    })

    test('a card without names for a customer who is known takes the names on file, a missing one at a time', async () => {
      const known = { customer_attributes: undefined, customer_id: customer.id }
      const names = async (card: object, whose: object = known) => {
        const { credit_card: stored } = await create({ ...whose, payment_profile_attributes: card })
        return [stored.first_name, stored.last_name]
      }
      assert.deepEqual(await names(goodCard), ['Grace', 'Hopper'])
      assert.deepEqual(await names({ ...goodCard, first_name: 'G.' }), ['G.', 'Hopper'])
      const byReference = { customer_attributes: undefined, customer_reference: customer.reference }
      assert.deepEqual(await names({ vault_token: '1', current_vault: 'bogus' }, byReference), ['Grace', 'Hopper'])
    })

    test('a card that a vault keeps already is imported by its token, shown or not', async () => {
      const token = { vault_token: 'tok_1', current_vault: 'bogus' }
      const shown = { ...token, last_four: '4242', card_type: 'visa', expiration_month: 3, expiration_year: 2030 }
      const { credit_card: card } = await create({ payment_profile_attributes: shown })
      assert.deepEqual(
        [card.masked_card_number, card.card_type, card.expiration_month, card.vault_token],
        ['XXXX-XXXX-XXXX-4242', 'visa', 3, 'tok_1'],
      )
      const { credit_card: masked } = await create({ payment_profile_attributes: token })
      assert.deepEqual(
        [masked.masked_card_number, masked.card_type, masked.expiration_month, masked.expiration_year],
        [null, null, null, null],
      )
    })

    test('no card is needed where the product permits it and nothing is due', async () => {
      for (const handle of ['free', 'free-trial']) {
        const subscription = await create({ product_handle: handle, payment_profile_attributes: undefined })
        assert.equal('credit_card' in subscription, false)
        assert.equal(subscription.payment_type, null)
      }
    })

    test('who is billed by invoice needs no card and owes the first period', async () => {
      const billed = { payment_collection_method: 'invoice', payment_profile_attributes: undefined }
      const subscription = await create(billed)
      assert.deepEqual(
        [subscription.state, subscription.balance_in_cents, subscription.signup_revenue],
        ['active', 5000, '0.00'],
      )
    })
  })

  describe(`201 in ${format}: what it begins with`, () => {
    const begins = async (handle: ProductHandle, changes: object = {}) => {
      const subscription = await create({ product_handle: handle, ...changes })
      const rows = await transactionsOf(subscription)
      const money = rows.reverse().map((row: Record<string, unknown>) => [row.type, row.kind, row.amount_in_cents])
      return { subscription, money }
    }

    test('a paid product is active at once, with its first period paid', async () => {
      const { subscription, money } = await begins('monthly')
      assert.deepEqual(money, [
        ['Charge', 'baseline', 5000],
        ['Payment', null, 5000],
      ])
      assert.deepEqual(
        [subscription.state, subscription.balance_in_cents, subscription.signup_revenue, subscription.trial_started_at],
        ['active', 0, '50.00', null],
      )
      assert.deepEqual([subscription.created_at, subscription.activated_at], [openedAt, openedAt])
      assert.equal(subscription.current_period_ends_at, '2027-02-15T12:00:00+00:00')
      assert.equal(subscription.next_assessment_at, subscription.current_period_ends_at)
      const [payment] = await transactionsOf(subscription)
      assert.equal(subscription.signup_payment_id, payment.id)
      assert.equal(payment.memo, 'Ada Lovelace - Monthly: Signup payment')
      const keys = (await eventsOf(subscription)).map(({ key }) => key)
      assert.deepEqual(keys, ['signup_success', 'payment_success', 'statement_settled'])
    })

    test('a setup fee is paid with the first period', async () => {
      const { subscription, money } = await begins('with-setup-fee')
      assert.deepEqual(money, [
        ['Charge', 'baseline', 5000],
        ['Charge', 'initial', 2500],
        ['Payment', null, 7500],
      ])
      assert.equal(subscription.signup_revenue, '75.00')
    })

    test('a free trial writes a row of 0 cents and takes nothing', async () => {
      const { subscription, money } = await begins('card-trial')
      assert.deepEqual(money, [['Charge', 'trial', 0]])
      const [charge] = await transactionsOf(subscription)
      assert.deepEqual(
        [subscription.state, subscription.activated_at, subscription.signup_revenue, subscription.signup_payment_id],
        ['trialing', null, '0.00', charge.id],
      )
      assert.equal(subscription.trial_started_at, openedAt)
      assert.equal(subscription.trial_ended_at, '2027-02-15T12:00:00+00:00')
      assert.equal(subscription.current_period_ends_at, subscription.trial_ended_at)
    })

    test('a paid trial takes its price and the setup fee, or leaves the fee for later', async () => {
      assert.deepEqual((await begins('paid-trial')).money, [
        ['Charge', 'trial', 100],
        ['Charge', 'initial', 2500],
        ['Payment', null, 2600],
      ])
      const { subscription, money } = await begins('late-setup-fee')
      assert.deepEqual(money, [
        ['Charge', 'trial', 100],
        ['Payment', null, 100],
      ])
      assert.equal(subscription.trial_ended_at, '2027-01-22T12:00:00+00:00')
    })

    test('a card that will decline is stored where nothing is due', async () => {
      const { subscription } = await begins('card-trial', { payment_profile_attributes: decliningCard })
      assert.equal(subscription.credit_card.vault_token, '2')
    })

    test('a product that expires says when', async () => {
      const { subscription } = await begins('expiring')
      assert.equal(subscription.expires_at, '2027-11-15T12:00:00+00:00')
    })

    test("a date of expiration of its own comes before the product's, and blank is none", async () => {
      const dates = []
      for (const sent of ['2028-02-01', '2028-02-01T09:00:00-05:00', '']) {
        dates.push((await begins('expiring', { expires_at: sent })).subscription.expires_at)
      }
      dates.push(
        (await begins('monthly', { expires_at: '2028-02-01', next_billing_at: '2028-01-01' })).subscription.expires_at,
      )
      assert.deepEqual(dates, [
        '2028-02-01T00:00:00+00:00',
        '2028-02-01T14:00:00+00:00',
        '2027-11-15T12:00:00+00:00',
        '2028-02-01T00:00:00+00:00',
      ])
      const refused = await say('POST /subscriptions', signup({ expires_at: 'some day', product_handle: 'none' }))
      assert.deepEqual(
        [refused.status, refused.errors],
        [
          422,
          [
            "Product with API Handle 'none' does not exist for this merchant.",
            'Expires at: is not a date that can be read.',
          ],
        ],
      )
    })

    test('an import is active with its own next billing date, and nothing is taken, trial or not', async () => {
      for (const handle of ['monthly', 'paid-trial'] as const) {
        const { subscription, money } = await begins(handle, { next_billing_at: '2027-08-29T12:00:00-04:00' })
        assert.deepEqual(money, [])
        assert.deepEqual(
          [
            subscription.state,
            subscription.signup_revenue,
            subscription.signup_payment_id,
            subscription.trial_started_at,
          ],
          ['active', '0.00', 0, null],
        )
        assert.equal(subscription.current_period_started_at, openedAt)
        assert.equal(subscription.current_period_ends_at, '2027-08-29T16:00:00+00:00')
        assert.equal(subscription.next_assessment_at, subscription.current_period_ends_at)
        const keys = (await eventsOf(subscription)).map(({ key }) => key)
        assert.deepEqual(keys, ['signup_success', 'billing_date_change'])
      }
    })

    test('every form of date that the specification lists is read as the same instant', async () => {
      const equal = [
        'Aug 06 11:34:00 -0400 2030',
        'Aug 06 11:34 -0400 2030',
        '2030-08-06T11:34:00-04:00',
        '8/6/2030 11:34:00 EDT',
        '8/6/2030 8:34:00 PDT',
        '2030-08-06T15:34:00Z',
        'Tue, 06 Aug 2030 11:34:00 -0400',
      ]
      for (const text of equal) {
        const { subscription } = await begins('monthly', { next_billing_at: text })
        assert.equal(subscription.next_assessment_at, '2030-08-06T15:34:00+00:00', text)
      }
      const { subscription } = await begins('monthly', { next_billing_at: '2030-08-06' })
      assert.equal(subscription.next_assessment_at, '2030-08-06T00:00:00+00:00')
    })

    test('a note that comes with the sign-up is kept, and the delayed cancel cannot be set by it', async () => {
      const noted = { cancellation_message: 'Imported <with care>', cancel_at_end_of_period: true }
      const { subscription } = await begins('free', noted)
      assert.equal(subscription.cancellation_message, noted.cancellation_message)
      assert.equal(subscription.cancel_at_end_of_period, false)
    })
  })
}
