/** What gateways were asked for, and payments of which only a human can say what became, in JSON and in XML. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recoverPayments } from '../../src/actions/recover-payments.ts'
import { type Gateway, gatewayTerms } from '../../src/gateway/gateway.ts'
import { sql } from '../../src/store/sql.ts'
import { made, openOtherSite, openShop, type Shop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

/** A gateway that falls silent, forgets keys within an hour, and knows of nothing. */
function silence({ app }: Shop): void {
  const [name, bogus] = [...app.gateways].at(0)!
  const silent = async () => ({ result: 'unknown', message: 'Silence.' }) as const
  const forgetful = async () => ({ result: 'not_found' }) as const
  const gateway: Gateway = {
    ...gatewayTerms(bogus),
    keySecondsMax: 3600,
    store: (card, reference) => bogus.store(card, reference),
    purchase: silent,
    refund: silent,
    find: forgetful,
    findRefund: forgetful,
    void: (reference) => bogus.void(reference),
    close: async () => {},
  }
  app.gateways = new Map([[name, gateway]])
}

for (const format of formats) {
  describe(`payment attempts, in ${format}`, async () => {
    const shop = await openShop()
    const say = speaker(shop, format)
    const buy = async (): Promise<number> => (await made(shop, 'POST /subscriptions.json', signup())).subscription.id
    const bought = [await buy(), await buy()]

    test('are listed newest first, by subscription and by how they stand, and read one by one', async () => {
      const listed = (await say('GET /payment_attempts')).tree
      assert.deepEqual(
        listed.map((one: { subscription_id: number }) => one.subscription_id),
        bought.toReversed(),
      )
      const [newest] = listed
      assert.deepEqual((await say(`GET /payment_attempts/${newest.id}`)).tree.payment_attempt, newest)
      assert.equal(newest.outcome, 'approved')
      assert.equal(newest.card_number, 'XXXX-XXXX-XXXX-1')
      assert.equal(newest.unresolved_since, null)
      assert.deepEqual((await say(`GET /payment_attempts?subscription_id=${bought[0]}`)).tree, [listed[1]])
      assert.deepEqual((await say('GET /payment_attempts?status=settled&per_page=1')).tree, [newest])
      assert.deepEqual((await say('GET /payment_attempts?status=unsettled')).tree, [])
      const wrong = await say('GET /payment_attempts?status=lost')
      assert.equal(wrong.status, 422)
      assert.match(wrong.errors.join(), /Status: must be one of unresolved, unsettled, settled/)
      assert.equal((await say('GET /payment_attempts?subscription_id=x')).status, 422)
      const { apiKey } = await openOtherSite(shop)
      assert.equal((await say(`GET /payment_attempts/${newest.id}`, undefined, { key: apiKey })).status, 404)
      const settled = await say(`PUT /payment_attempts/${newest.id}/resolution`, { resolution: { captured: false } })
      assert.equal(settled.status, 422)
      assert.match(settled.errors.join(), /only a human/)
    })

    test('that nobody can look up are ended by whoever found out', async () => {
      silence(shop)
      for (const id of bought) {
        const body = { charge: { amount_in_cents: 700, memo: 'Help' } }
        assert.equal((await say(`POST /subscriptions/${id}/charges`, body)).status, 422)
      }
      await shop.app.db.run(sql`
        update payment_attempts set asked_at = asked_at - interval '2 hours', last_call_at = last_call_at - interval '2 hours',
          next_check_at = now() where site_id = ${shop.siteId} and settled_at is null`)
      await recoverPayments(shop.app)
      const open = (await say('GET /payment_attempts?status=unresolved')).tree
      assert.equal(open.length, 2)
      const [unpaid, paid] = open
      assert.equal(typeof paid.unresolved_since, 'string')
      const put = (id: number, resolution: object) => say(`PUT /payment_attempts/${id}/resolution`, { resolution })
      assert.equal((await put(1, { captured: true })).status, 404)
      for (const wrong of [
        {},
        { captured: 'perhaps' },
        { captured: true },
        { captured: true, gateway_transaction_id: ' ' },
      ]) {
        const refused = await put(paid.id, wrong)
        assert.equal(refused.status, 422, JSON.stringify(wrong))
        assert.ok(refused.errors.length > 0)
      }
      const said = await put(paid.id, { captured: true, gateway_transaction_id: 'T-1' })
      assert.equal(said.status, 200)
      assert.deepEqual(
        [said.tree.payment_attempt.outcome, said.tree.payment_attempt.gateway_transaction_id],
        ['approved', 'T-1'],
      )
      assert.equal((await put(unpaid.id, { captured: false })).tree.payment_attempt.outcome, 'error')
      assert.equal((await put(paid.id, { captured: false })).status, 422, 'what is settled stays so')
      const rows = (await say(`GET /subscriptions/${paid.subscription_id}/transactions?direction=asc`)).tree
      assert.deepEqual(
        rows.slice(-2).map((row: { type: string; amount_in_cents: number }) => [row.type, row.amount_in_cents]),
        [
          ['Charge', 700],
          ['Payment', 700],
        ],
      )
    })
  })
}
