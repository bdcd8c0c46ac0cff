/** A live site takes no money through the test gateway: cards are refused, payment by invoice works, and a gateway of its own serves it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assessDueSubscriptions } from '../../src/actions/assess-due-subscriptions.ts'
import { createSite } from '../../src/actions/create-site.ts'
import { forTestSites, liveNeedsGateway } from '../../src/gateway/test-sites-only.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { sql } from '../../src/store/sql.ts'
import { ada, goodCard, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const { app } = shop
const gateway = app.gateways.get('bogus')!
/** A stranger's gateway, as a merchant with a contract has one. */
const stranger: typeof gateway = { ...forTestSites(gateway, async () => false), isForTests: false }
const use = (one: typeof gateway) => (app.gateways as Map<string, typeof gateway>).set('bogus', one)

for (const format of formats) {
  describe(`a live site in ${format}`, async () => {
    const live = { subdomain: `live-${format}`, live: true, timeZone: 'UTC', currency: 'USD', apiKey: undefined }
    const { siteId, apiKey: key } = await createSite(app, live)
    const speak = speaker(shop, format)
    const say = (line: string, tree?: object) => speak(line, tree, { key })
    const { product_family: family } = (await say('POST /product_families', { product_family: { name: 'Almanacs' } }))
      .tree
    const plain = { name: 'Monthly', handle: 'monthly', price_in_cents: 5000, interval: 1, interval_unit: 'month' }
    await say(`POST /product_families/${family.id}/products`, { product: plain })
    const signup = (changes: object) => ({
      subscription: { product_handle: 'monthly', customer_attributes: ada, ...changes },
    })
    const countCalls = async () =>
      (await app.db.arrays(sql`select count(*)::int from bogus_gateway.calls where site_id = ${siteId}`))[0]![0]

    test('refuses cards for the test gateway wherever they come from, and asks it for nothing', async () => {
      const { id: customerId } = (await say('POST /customers', { customer: ada })).tree.customer
      const byInvoice = await say('POST /subscriptions', signup({ payment_collection_method: 'invoice' }))
      assert.equal(byInvoice.status, 201, byInvoice.text)
      const imported = { vault_token: '1', current_vault: 'bogus', customer_vault_token: '1' }
      const refused: [string, object][] = [
        ['POST /subscriptions', signup({ payment_profile_attributes: goodCard })],
        ['POST /subscriptions', signup({ credit_card_attributes: imported })],
        ['POST /subscriptions/preview', signup({ payment_profile_attributes: goodCard })],
        ['POST /payment_profiles', { payment_profile: { ...goodCard, customer_id: customerId } }],
        ['POST /payment_profiles', { payment_profile: { ...imported, customer_id: customerId } }],
        [
          `PUT /subscriptions/${byInvoice.tree.subscription.id}`,
          { subscription: { credit_card_attributes: goodCard } },
        ],
      ]
      for (const [line, tree] of refused) {
        const said = await say(line, tree)
        assert.deepEqual([said.status, said.errors], [422, [liveNeedsGateway]], line)
      }
      assert.equal(await countCalls(), 0)
      assert.equal((await say('GET /subscriptions')).tree.length, 1)
    })

    test('is served by a gateway that takes money, and charges none of its cards without it', async () => {
      use(stranger)
      const bought = await say('POST /subscriptions', signup({ payment_profile_attributes: goodCard }))
      use(gateway)
      assert.equal(bought.status, 201, bought.text)
      const { id, signup_payment_id: paymentId } = bought.tree.subscription
      const before = await countCalls()
      const charge = await say(`POST /subscriptions/${id}/charges`, { charge: { amount_in_cents: 700, memo: 'Help' } })
      assert.deepEqual([charge.status, charge.errors], [422, [liveNeedsGateway]])
      const refund = { refund: { payment_id: paymentId, amount_in_cents: 700, memo: 'Sorry' } }
      assert.equal((await say(`POST /subscriptions/${id}/refunds`, refund)).status, 422)
      const later = { ...app, clock: stoppedClock('2027-02-16T00:00:00Z') }
      await assessDueSubscriptions(later, siteId, { limit: 10, asDue: false })
      assert.equal((await say(`GET /subscriptions/${id}`)).tree.subscription.state, 'soft_failure')
      assert.equal(await countCalls(), before)
    })
  })
}
