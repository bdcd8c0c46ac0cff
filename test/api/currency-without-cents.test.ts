/** A site in yen: amounts are hundredths as everywhere, and each that is given or computed is whole. In JSON and in XML. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { goodCard, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const words = (label: string) => `${label}: must be whole, since JPY has no cents.`

for (const format of formats) {
  const shop = await openShop()
  const say = speaker(shop, format)
  const currency = (name: string) => say('PUT /site', { site: { currency: name } })

  describe(`without cents, in ${format}`, () => {
    test('is a currency only of a site whose prices have none', async () => {
      const line = `PUT /products/${shop.productIds.monthly}`
      assert.equal((await say(line, { product: { price_in_cents: 5050 } })).status, 200)
      const refused = await currency('JPY')
      assert.deepEqual(refused.errors, ['Currency: JPY has no cents, but prices of products or coupons have.'])
      assert.equal((await currency('EUR')).status, 200)
      assert.equal((await say(line, { product: { price_in_cents: 100_000 } })).status, 200)
      const off = { name: 'Off', code: 'OFF', amount_in_cents: 150 }
      const { tree } = await say('POST /coupons', { coupon: off })
      assert.equal((await currency('JPY')).status, 422)
      assert.equal((await say(`PUT /coupons/${tree.coupon.id}`, { coupon: { amount_in_cents: 200 } })).status, 200)
      assert.equal((await currency('JPY')).tree.site.currency, 'JPY')
    })

    test('prices and discounts are refused with cents', async () => {
      const product = {
        name: 'Odd',
        price_in_cents: 101,
        interval: 1,
        interval_unit: 'month',
        initial_charge_in_cents: 50,
      }
      const trial = { trial_price_in_cents: 10, trial_interval: 1, trial_interval_unit: 'month' }
      const made = await say(`POST /product_families/${shop.familyId}/products`, { product: { ...product, ...trial } })
      assert.deepEqual([made.status, made.errors], [422, ['Price', 'Initial charge', 'Trial Price'].map(words)])
      const changed = await say(`PUT /products/${shop.productIds.monthly}`, { product: { price_in_cents: 101 } })
      assert.deepEqual([changed.status, changed.errors], [422, [words('Price')]])
      const coupon = await say('POST /coupons', { coupon: { name: 'Odd', code: 'ODD', amount: '1.50' } })
      assert.deepEqual([coupon.status, coupon.errors], [422, [words('Amount')]])
      assert.equal((await say('GET /coupons/lookup?code=ODD')).status, 404)
    })

    test('a price of one subscription alone is refused with cents', async () => {
      const { subscription } = (await say('POST /subscriptions', signup())).tree
      const price = { price_in_cents: 150, interval: 1, interval_unit: 'month' }
      for (const [line, tree] of [
        ['POST /subscriptions', signup({ custom_price: price })],
        [`PUT /subscriptions/${subscription.id}`, { subscription: { custom_price: price } }],
      ] as const) {
        const refused = await say(line, tree)
        assert.deepEqual([refused.status, refused.errors], [422, [words('Custom price')]])
      }
    })

    test('money by hand is refused with cents and leaves no row', async () => {
      const { subscription } = (await say('POST /subscriptions', signup())).tree
      const path = `/subscriptions/${subscription.id}`
      const before = (await say(`GET ${path}/transactions`)).tree
      for (const kind of ['charge', 'adjustment', 'credit', 'payment', 'refund']) {
        for (const given of [{ amount_in_cents: 67_569 }, { amount: '675.69' }]) {
          const sent = { [kind]: { ...given, memo: 'Odd', payment_id: subscription.signup_payment_id } }
          const refused = await say(`POST ${path}/${kind}s`, sent)
          assert.deepEqual([refused.status, refused.errors], [422, [words('Amount')]], kind)
        }
      }
      assert.deepEqual((await say(`GET ${path}/transactions`)).tree, before)
      const charged = await say(`POST ${path}/charges`, { charge: { amount: '675', memo: 'Whole' } })
      assert.equal(charged.tree.charge.amount_in_cents, 67_500)
    })

    test('what a migration in the middle of a period captures is whole, as promised, and told without cents', async () => {
      const { subscription } = (await say('POST /subscriptions', signup({ payment_profile_attributes: goodCard }))).tree
      const path = `/subscriptions/${subscription.id}`
      await shop.moveClock(format === 'json' ? '2027-01-25T07:13:11Z' : '2027-01-26T05:11:17Z')
      const dear = shop.productIds['card-optional']
      assert.equal((await say(`PUT /products/${dear}`, { product: { price_in_cents: 298_000 } })).status, 200)
      const migration = { product_id: dear, preserve_period: true }
      const promised = (await say(`POST ${path}/migrations/preview`, { migration })).tree.migration
      assert.equal((await say(`POST ${path}/migrations`, { migration })).status, 200)
      const rows = (await say(`GET ${path}/transactions?direction=asc`)).tree.slice(2)
      const amounts = rows.map((row: { amount_in_cents: number }) => row.amount_in_cents)
      assert.deepEqual(amounts, [
        Number(promised.prorated_adjustment_in_cents),
        Number(promised.charge_in_cents),
        Number(promised.payment_due_in_cents),
      ])
      for (const amount of amounts) assert.ok(amount !== 0 && amount % 100 === 0, amounts.join())
      const events = (await say(`GET ${path}/events`)).tree
      const told = events.map(({ message }: { message: string }) => message)
      const paid = promised.payment_due_in_cents / 100
      assert.ok(
        told.some((one: string) => one.startsWith(`Successful payment of JPY ${paid} for `)),
        told.join('\n'),
      )
    })
  })
}
