/** custom_price: the price of one subscription alone, from its sign-up or from an update on, and what ends it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/store/sql.ts'
import { dealings } from './dealings.ts'
import { decliningCard, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const { buy, rowsOf, keysOf } = dealings(shop)

const third = { price_in_cents: 1500, interval: 1, interval_unit: 'month' }
const whole = {
  name: 'For Ada',
  handle: 'for-ada',
  ...third,
  interval: 30,
  interval_unit: 'day',
  trial_price_in_cents: 100,
  trial_interval: 2,
  trial_interval_unit: 'month',
  initial_charge_in_cents: 700,
  initial_charge_after_trial: true,
  expiration_interval: 9,
  expiration_interval_unit: 'month',
  tax_included: false,
}

const amountsOf = async (id: number): Promise<unknown[]> =>
  (await rowsOf(id)).map(({ kind, type, amount_in_cents: amount }) => [kind ?? type, amount])

for (const format of formats) {
  const say = speaker(shop, format)
  const put = (id: number, fields: object) => say(`PUT /subscriptions/${id}`, { subscription: fields })
  const renewalOf = async (id: number): Promise<unknown> =>
    (await say(`POST /subscriptions/${id}/renewals/preview`)).tree.renewal_preview.total_amount_due_in_cents

  describe(`at the sign-up, in ${format}`, () => {
    test('it is charged, previewed, renewed and shown; the product goes on as it is', async () => {
      const path = `GET /products/${shop.productIds.monthly}`
      const version = (await say(path)).tree.product.version_number
      const asked = signup({ custom_price: third })
      const preview = await say('POST /subscriptions/preview', asked)
      assert.equal(preview.tree.subscription_preview.current_billing_manifest.total_in_cents, 1500)
      const { status, text, tree } = await say('POST /subscriptions', asked)
      assert.equal(status, 201, text)
      const { subscription } = tree
      assert.deepEqual(await amountsOf(subscription.id), [
        ['baseline', 1500],
        ['Payment', 1500],
      ])
      assert.equal(await renewalOf(subscription.id), 1500)
      assert.deepEqual(
        [
          subscription.product_price_in_cents,
          subscription.product_price_point_type,
          subscription.product.price_in_cents,
        ],
        [1500, 'custom', 1500],
      )
      assert.equal(subscription.product.product_price_point_name, 'Custom price')
      const sold = await say(path)
      assert.deepEqual([sold.tree.product.price_in_cents, sold.tree.product.version_number], [5000, version])
      assert.equal((await buy()).product_price_point_type, 'default')
    })

    test('each of its terms holds, and is read back', async () => {
      const { tree, text } = await say('POST /subscriptions', signup({ custom_price: whole }))
      const { subscription } = tree
      assert.ok(subscription, text)
      const { name, handle, tax_included: _, ...terms } = whole
      const { product } = (await say(`GET /subscriptions/${subscription.id}`)).tree.subscription
      for (const [field, value] of Object.entries(terms)) assert.equal(product[field], value, field)
      assert.deepEqual([product.product_price_point_name, product.product_price_point_handle], [name, handle])
      assert.deepEqual(
        [subscription.state, subscription.trial_ended_at, subscription.expires_at].map((at) => at.slice(0, 10)),
        ['trialing', '2027-03-15', '2027-10-15'],
      )
      assert.equal(await renewalOf(subscription.id), 2200)
    })

    test('it waits with a sign-up that begins later, and can be changed whole until then', async () => {
      const later = { initial_billing_at: '2027-03-01T09:00:00Z' }
      const { tree } = await say('POST /subscriptions', signup({ ...later, custom_price: third }))
      const { id, state } = tree.subscription
      assert.deepEqual([state, await renewalOf(id)], ['awaiting_signup', 1500])
      const changed = { ...third, price_in_cents: 1700, initial_charge_in_cents: 300, expiration_interval: 5 }
      const said = await put(id, { custom_price: { ...changed, expiration_interval_unit: 'month' } })
      assert.equal(said.status, 200, said.text)
      assert.deepEqual([said.tree.subscription.product_price_in_cents, await renewalOf(id)], [1700, 2000])
      const read = (await say(`GET /subscriptions/${id}`)).tree.subscription
      assert.deepEqual([read.product.expiration_interval, read.current_billing_amount_in_cents], [5, 2000])
    })

    test('what was sent empty is no price', async () => {
      for (const nothing of [null, '', {}, { price_in_cents: null, interval: '' }]) {
        const { tree } = await say('POST /subscriptions', signup({ custom_price: nothing }))
        assert.equal(tree.subscription.product_price_in_cents, 5000)
      }
    })

    test('a price of nothing is one, and needs no money', async () => {
      const { tree } = await say('POST /subscriptions', signup({ custom_price: { ...third, price_in_cents: 0 } }))
      assert.deepEqual(await amountsOf(tree.subscription.id), [['baseline', 0]])
    })
  })

  describe(`by an update, in ${format}`, () => {
    test('the next period costs it, nothing is charged now, and it is told', async () => {
      const { id, current_period_ends_at: ends } = await buy()
      const { status, text, tree } = await put(id, { custom_price: third })
      assert.equal(status, 200, text)
      assert.deepEqual(
        [tree.subscription.product_price_in_cents, tree.subscription.product_price_point_type],
        [1500, 'custom'],
      )
      assert.equal(tree.subscription.current_period_ends_at, ends)
      assert.equal((await rowsOf(id)).length, 2)
      assert.equal(await renewalOf(id), 1500)
      assert.equal((await keysOf(id)).at(-1), 'subscription_product_change')
      const [{ event }] = (await shop.ask(`GET /subscriptions/${id}/events.json`)).json
      assert.equal(event.message, "Price changed on Ada Lovelace's subscription to Monthly from $50.00 to $15.00")
    })

    test('the same price again changes nothing; another one does', async () => {
      const { id } = await buy({ custom_price: third })
      const before = (await keysOf(id)).length
      await put(id, { custom_price: third })
      assert.equal((await keysOf(id)).length, before)
      const { tree } = await put(id, { custom_price: { ...third, price_in_cents: 1600 } })
      assert.equal(tree.subscription.product_price_in_cents, 1600)
      assert.equal(await renewalOf(id), 1600)
    })

    test('with a product it is the price of that product', async () => {
      const { id } = await buy()
      const { tree } = await put(id, { product_handle: 'free', custom_price: third })
      assert.deepEqual([tree.subscription.product.handle, tree.subscription.product_price_in_cents], ['free', 1500])
    })

    test('a trial that runs goes on as it was', async () => {
      const bought = await buy({ product_handle: 'card-trial' })
      const { tree } = await put(bought.id, { custom_price: third })
      const { subscription } = tree
      assert.deepEqual(
        [subscription.state, subscription.trial_ended_at, subscription.product.trial_interval],
        ['trialing', bought.trial_ended_at, 1],
      )
      assert.equal(await renewalOf(bought.id), 1500)
    })

    test('what only a sign-up could make use of is refused by name', async () => {
      const { id } = await buy()
      const cases: [object, string][] = [
        [
          { expiration_interval: 3 },
          'Custom price expiration interval: counts from the sign-up; give expires_at instead.',
        ],
        [{ initial_charge_in_cents: 100 }, 'Custom price initial charge: is charged at the sign-up only.'],
      ]
      for (const [fields, message] of cases) {
        const { status, errors } = await put(id, { custom_price: { ...third, ...fields } })
        assert.deepEqual([status, errors], [422, [message]])
      }
      const { errors } = await put(id, { product_handle: 'free', product_change_delayed: true, custom_price: third })
      assert.deepEqual(errors, ['Custom price: does not go with product_change_delayed.'])
    })
  })

  describe(`ends, in ${format}`, () => {
    test('with a change of product, now or later, and with a migration, which credits what was paid', async () => {
      const { id } = await buy({ custom_price: third })
      const changed = await put(id, { product_handle: 'free' })
      assert.deepEqual(
        [changed.tree.subscription.product_price_point_type, changed.tree.subscription.product_price_in_cents],
        ['default', 0],
      )
      assert.equal((await put(id, { product_handle: 'monthly' })).tree.subscription.product_price_in_cents, 5000)

      const { id: later } = await buy({ custom_price: third })
      await put(later, { product_handle: 'free', product_change_delayed: true })
      assert.equal(await renewalOf(later), 0)

      const { id: migrated } = await buy({ custom_price: third })
      const said = await say(`POST /subscriptions/${migrated}/migrations`, {
        migration: { product_handle: 'with-setup-fee' },
      })
      assert.equal(said.status, 200, said.text)
      assert.equal(said.tree.subscription.product_price_point_type, 'default')
      const credit = (await rowsOf(migrated)).find(({ amount_in_cents: amount }) => amount < 0)
      assert.ok([-1500, -1499].includes(credit.amount_in_cents), String(credit.amount_in_cents))
    })

    test('a trial of its own comes again with a reactivation that asks for it', async () => {
      const trial = { trial_price_in_cents: 100, trial_interval: 7, trial_interval_unit: 'day' }
      const { id } = await buy({ custom_price: { ...third, ...trial } })
      await say(`DELETE /subscriptions/${id}`)
      const { tree } = await say(`PUT /subscriptions/${id}/reactivate?include_trial=1`)
      assert.deepEqual(
        [tree.subscription.state, tree.subscription.trial_ended_at?.slice(0, 10)],
        ['trialing', '2027-01-22'],
      )
      assert.equal(await renewalOf(id), 1500)
    })

    test('it outlives new prices of the product, a cancellation and a reactivation', async () => {
      const { tree } = await say('POST /subscriptions', signup({ custom_price: third }))
      const { id } = tree.subscription
      const { monthly } = shop.productIds
      await shop.ask(`PUT /products/${monthly}.json`, { body: { product: { price_in_cents: 6000 } } })
      await shop.ask(`PUT /products/${monthly}.json`, { body: { product: { price_in_cents: 5000 } } })
      assert.equal(await renewalOf(id), 1500)
      await say(`DELETE /subscriptions/${id}`)
      const { tree: back } = await say(`PUT /subscriptions/${id}/reactivate`)
      assert.deepEqual(
        [back.subscription.state, back.subscription.product_price_in_cents, back.subscription.product_price_point_type],
        ['active', 1500, 'custom'],
      )
      assert.deepEqual((await amountsOf(id)).at(-2), ['baseline', 1500])
    })
  })

  test(`${format}: what is missing or wrong is told by name`, async () => {
    const cases: [unknown, string[]][] = [
      [{ name: 'X' }, ['Custom price: cannot be blank.', 'Custom price interval: cannot be blank.']],
      [{ ...third, price_in_cents: -1 }, ['Custom price: must be greater than or equal to 0.']],
      [{ ...third, interval: 0 }, ['Custom price interval: must be greater than or equal to 1.']],
      [{ ...third, interval_unit: 'week' }, ['Custom price interval unit: must be one of day, month.']],
      [{ ...third, tax_included: true }, ['Custom price tax included: is not supported; taxes come on top of prices.']],
      [{ ...third, trial_interval: 1 }, ['Trial Price: must be given if a trial interval (duration) is provided.']],
      ['cheap', ['Custom price: must be an object.']],
    ]
    const { id } = await buy()
    for (const [price, messages] of cases) {
      for (const said of [
        await say('POST /subscriptions', signup({ custom_price: price })),
        await put(id, { custom_price: price }),
      ]) {
        assert.deepEqual([said.status, said.errors], [422, messages])
      }
    }
  })

  test(`${format}: a sign-up that is declined leaves no price behind`, async () => {
    const count = async () =>
      (
        await shop.app.db.arrays(sql`
          select count(*)::int from product_versions where site_id = ${shop.siteId} and subscription_id is not null`)
      )[0]
    const before = await count()
    const { status } = await say(
      'POST /subscriptions',
      signup({ custom_price: third, payment_profile_attributes: decliningCard }),
    )
    assert.equal(status, 422)
    assert.deepEqual(await count(), before)
  })
}

test('prices of their own go with the customers when a site is cleared, the catalog stays', async (t) => {
  const other = await openShop(t)
  await dealings(other).buy({ custom_price: third })
  assert.equal((await other.ask('POST /sites/clear_data.json?cleanup_scope=customers')).status, 200)
  const [row] = await other.app.db.arrays(sql`
    select count(*) filter (where subscription_id is not null)::int, count(*)::int
    from product_versions where site_id = ${other.siteId}`)
  assert.deepEqual(row, [0, Object.keys(other.productIds).length])
})
