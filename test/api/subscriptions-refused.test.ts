/** POST /subscriptions, 422: what is missing or wrong, told all at once; and sign-ups that a gateway refuses, which leave nothing behind. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Gateway, gatewayTerms, type PurchaseRequest } from '../../src/gateway/gateway.ts'
import { sql } from '../../src/store/sql.ts'
import { ada, brokenCard, countLeftovers, decliningCard, goodCard, grace, made, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const noCustomer = 'A Customer must be specified for the subscription to be valid.'
const noProduct = 'Product must be specified and be a valid product provided by the seller.'
const noCard = 'Payment profile: cannot be blank.'
const refusedByGateway = 'Bogus Gateway: Forced failure'

const { customer } = await made(shop, 'POST /customers.json', { customer: { ...ada, reference: 'taken' } })
const { customer: stranger } = await made(shop, 'POST /customers.json', { customer: grace })
const { payment_profile: strangersCard } = await made(shop, 'POST /payment_profiles.json', {
  payment_profile: { customer_id: stranger.id, ...goodCard },
})
const before = await countLeftovers(shop)

/** The gateway's methods as plain functions, so that one of them can be replaced. */
const methodsOf = (gateway: Gateway): Gateway => ({
  ...gatewayTerms(gateway),
  store: (card, reference) => gateway.store(card, reference),
  purchase: (request) => gateway.purchase(request),
  find: (reference) => gateway.find(reference),
  refund: (request) => gateway.refund(request),
  findRefund: (reference) => gateway.findRefund(reference),
  void: (reference) => gateway.void(reference),
  close: () => gateway.close(),
})

/** The newest event that tells of a failed sign-up. */
const failuresTold = async (): Promise<unknown[][]> =>
  shop.app.db.arrays(sql`
    select customer_id, subscription_id, message from events
    where site_id = ${shop.siteId} and key = 'signup_failure' order by id desc`)

for (const format of formats) {
  const say = speaker(shop, format)
  const refused = async (tree: object): Promise<string[]> => {
    const said = await say('POST /subscriptions', tree)
    assert.equal(said.status, 422, said.text)
    assert.deepEqual(await countLeftovers(shop), before)
    return said.errors
  }
  const refusedSignup = (changes: object) => refused(signup(changes))

  describe(`422 in ${format}: what is missing`, () => {
    test('nothing usable gives the two sentences', async () => {
      for (const nothing of [
        { subscription: {} },
        { subscription: null },
        { something: { product_handle: 'monthly' } },
      ]) {
        assert.deepEqual(await refused(nothing), [noProduct, noCustomer])
      }
    })

    test('no document at all is the same as an empty one', async () => {
      const said = await say('POST /subscriptions')
      assert.deepEqual([said.status, said.errors], [422, [noProduct, noCustomer]])
    })

    test('every missing attribute is told at once, customer before card', async () => {
      const incomplete = {
        customer_attributes: { first_name: 'Ada' },
        payment_profile_attributes: { full_number: '1' },
      }
      assert.deepEqual(await refusedSignup(incomplete), [
        'Last name: cannot be blank.',
        'Email address: cannot be blank.',
        'Credit card expiration month: cannot be blank.',
        'Credit card expiration year: cannot be blank.',
      ])
      const blank = {
        customer_attributes: { first_name: ' ', last_name: '', email: null },
        payment_profile_attributes: { full_number: '', expiration_month: '', expiration_year: null },
      }
      assert.deepEqual(await refusedSignup(blank), [
        'First name: cannot be blank.',
        'Last name: cannot be blank.',
        'Email address: cannot be blank.',
        'Credit card number: cannot be blank.',
        'Credit card expiration month: cannot be blank.',
        'Credit card expiration year: cannot be blank.',
      ])
    })

    test('an unknown product handle is named, beside everything else that is wrong', async () => {
      const unknown = "Product with API Handle 'no <such> thing' does not exist for this merchant."
      assert.deepEqual(await refusedSignup({ product_handle: 'no <such> thing' }), [unknown])
      const nobody = { product_handle: 'no <such> thing', customer_attributes: undefined }
      assert.deepEqual(await refusedSignup(nobody), [unknown, noCustomer])
      const half = { product_handle: 'no <such> thing', customer_attributes: { ...ada, email: undefined } }
      assert.deepEqual(await refusedSignup(half), [unknown, 'Email address: cannot be blank.'])
    })

    test('an unknown product id, and a product of another site, are no product', async () => {
      assert.deepEqual(await refusedSignup({ product_handle: undefined, product_id: 1 }), [noProduct])
    })

    test('an unknown customer is no customer', async () => {
      for (const unknown of [{ customer_id: 1 }, { customer_reference: 'nobody' }, { customer_attributes: {} }]) {
        assert.deepEqual(await refusedSignup({ customer_attributes: undefined, ...unknown }), [noCustomer])
      }
    })

    test('a card is asked for where the product requires one or money is due, together with all else', async () => {
      for (const handle of ['monthly', 'card-optional', 'card-trial', 'paid-trial']) {
        const without = { product_handle: handle, payment_profile_attributes: undefined }
        assert.deepEqual(await refusedSignup(without), [noCard], handle)
        assert.deepEqual(await refusedSignup({ ...without, customer_attributes: undefined }), [noCustomer, noCard])
      }
    })
  })

  describe(`422 in ${format}: what is wrong`, () => {
    test('a field that cannot be read hides none of the others', async () => {
      assert.deepEqual(await refusedSignup({ payment_collection_method: 'barter' }), [
        'Payment collection method: must be one of automatic, invoice, remittance.',
      ])
      assert.deepEqual(await refusedSignup({ product_handle: 'x'.repeat(256), next_billing_at: 'soon' }), [
        noProduct,
        'Product handle: is too long (maximum is 255 characters).',
        'Next billing: is not a date that can be read.',
      ])
      assert.deepEqual(await refusedSignup({ product_handle: undefined, product_id: 'x', customer_attributes: null }), [
        noProduct,
        'Product: is not a number.',
        noCustomer,
      ])
    })

    test('an expired card is told alone', async () => {
      for (const date of [{ expiration_year: 2000 }, { expiration_month: 12, expiration_year: 2026 }]) {
        const expired = { payment_profile_attributes: { ...goodCard, ...date } }
        assert.deepEqual(await refusedSignup(expired), ['Credit card: cannot be expired.'])
      }
    })

    test('a card is described once, under one of its two names', async () => {
      assert.deepEqual(await refusedSignup({ credit_card_attributes: goodCard }), [
        'Payment profile: give either payment_profile_attributes or credit_card_attributes, not both.',
      ])
    })

    test('a stored card must be that of the customer', async () => {
      const mine = 'Payment profile: must belong to the customer.'
      const withStored = { payment_profile_attributes: undefined, payment_profile_id: strangersCard.id }
      const known = { ...withStored, customer_attributes: undefined }
      assert.deepEqual(await refusedSignup({ ...known, customer_id: customer.id }), [mine])
      assert.deepEqual(await refusedSignup({ ...known, customer_id: stranger.id, payment_profile_id: 1 }), [mine])
      assert.deepEqual(await refusedSignup(withStored), [mine])
      assert.deepEqual(await refusedSignup(known), [noCustomer, mine])
    })

    test('a reference that is taken is refused, beside everything else', async () => {
      const taken = 'Reference: must be unique - that value has been taken.'
      assert.deepEqual(await refusedSignup({ customer_attributes: { ...grace, reference: 'taken' } }), [taken])
    })

    test('wrong values of a customer and a card are named by their labels', async () => {
      const wrong = {
        customer_attributes: { ...ada, email: 'ada' },
        payment_profile_attributes: {
          full_number: '4111111111111112',
          expiration_month: 13,
          expiration_year: '27',
          cvv: '12',
        },
      }
      assert.deepEqual(await refusedSignup(wrong), [
        'Email address: must be a valid email format.',
        'Credit card number: must be a valid credit card number.',
        'Credit card expiration month: must be less than or equal to 12.',
        'Credit card expiration year: must be greater than or equal to 1970.',
        'CVV: must be three or four digits.',
      ])
      const half = { payment_profile_attributes: { full_number: '5', expiration_month: 'May' } }
      assert.deepEqual(await refusedSignup(half), [
        'Credit card number: must be a valid credit card number.',
        'Credit card expiration month: is not a number.',
        'Credit card expiration year: cannot be blank.',
      ])
      const token = { vault_token: 't', last_four: '42', current_vault: 'mattress', card_type: 'gold' }
      const [vault, lastFour, type] = await refusedSignup({ payment_profile_attributes: token })
      assert.match(vault ?? '', /^Current vault: must be one of bogus, /)
      assert.equal(lastFour, 'Last four: must be four digits.')
      assert.match(type ?? '', /^Card type: must be one of bogus, visa, /)
    })

    test('an import must lie in the future and be a date', async () => {
      const past = "Provided 'Next Billing' date must be in the future"
      assert.deepEqual(await refusedSignup({ next_billing_at: '2027-01-15T11:59:59Z' }), [past])
      assert.deepEqual(await refusedSignup({ next_billing_at: '2027-02-30' }), [
        'Next billing: is not a date that can be read.',
      ])
    })
  })

  describe(`422 in ${format}: the gateway refuses`, () => {
    test("a decline is told in the gateway's words and leaves nothing behind but its event", async () => {
      const told = (await failuresTold()).length
      assert.deepEqual(await refusedSignup({ payment_profile_attributes: decliningCard }), [refusedByGateway])
      const failures = await failuresTold()
      assert.equal(failures.length, told + 1)
      assert.deepEqual(failures[0], [null, null, "Failed signup for Ada Lovelace's subscription to Monthly"])
    })

    test('a decline leaves a customer who was there before, and the event names him', async () => {
      const known = { customer_attributes: undefined, customer_id: customer.id }
      assert.deepEqual(await refusedSignup({ ...known, payment_profile_attributes: decliningCard }), [refusedByGateway])
      assert.deepEqual((await failuresTold())[0]?.slice(0, 2), [customer.id, null])
    })

    test('a gateway error is told likewise, whether money was due or not', async () => {
      for (const handle of ['monthly', 'card-trial', 'free']) {
        const told = (await failuresTold()).length
        const broken = { product_handle: handle, payment_profile_attributes: brokenCard }
        assert.deepEqual(await refusedSignup(broken), ['Bogus Gateway: Forced error'])
        assert.equal((await failuresTold()).length, told + 1, handle)
      }
    })

    test('a gateway that breaks off in the middle is told of, and what it may have captured is given back', async () => {
      const bogus = shop.app.gateways.get('bogus')
      assert(bogus)
      const told = (await failuresTold()).length
      const silent = async () => Promise.reject(new Error('connection reset'))
      const breaking = {
        ...methodsOf(bogus),
        find: silent,
        purchase: (request: PurchaseRequest) => bogus.purchase(request).then(silent),
      }
      ;(shop.app.gateways as Map<string, Gateway>).set('bogus', breaking)
      const [message = ''] = await refusedSignup({}).finally(() => {
        ;(shop.app.gateways as Map<string, Gateway>).set('bogus', bogus)
      })
      assert.match(message, /The sign-up was not completed; if money moved, it will be given back\.$/)
      assert.equal((await failuresTold()).length, told + 1)
    })

    test('a reference that a failed sign-up wanted is free again', async () => {
      const described = { ...ada, reference: `wanted-in-${format}` }
      await refusedSignup({ customer_attributes: described, payment_profile_attributes: decliningCard })
      const again = await say('POST /subscriptions', signup({ customer_attributes: described }))
      assert.equal(again.status, 201, again.text)
      const { id, customer: mine } = again.tree.subscription
      assert.equal((await say(`DELETE /customers/${mine.id}?cascade=true`)).status, 204)
      assert.equal((await say(`GET /subscriptions/${id}`)).status, 404)
      Object.assign(before, await countLeftovers(shop))
    })

    test('what is wrong with the request itself is no event', async () => {
      const told = (await failuresTold()).length
      await refusedSignup({ payment_profile_attributes: { ...goodCard, expiration_year: 2000 } })
      assert.equal((await failuresTold()).length, told)
    })
  })
}
