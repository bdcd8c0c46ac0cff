/** A gateway that fails itself is not the customer's fault: the merchant hears of it twice, the customer and the ledger never. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findStanding } from '../../src/actions/find-standing.ts'
import { verify } from '../../src/actions/verify.ts'
import { sql } from '../../src/store/sql.ts'
import type { Reply } from '../support/test-app.ts'
import { dealings } from './dealings.ts'
import { grace, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

for (const format of formats) {
  describe(`a gateway that fails, in ${format}`, async () => {
    const shop = await openShop()
    const { buy, rowsOf, lateKeysOf } = dealings(shop)
    const say = speaker(shop, format)
    const behave = (error_rate: number) =>
      shop.ask('PUT /bogus_gateway/behaviour.json', { body: { behaviour: { error_rate } } })
    const paymentsOf = async (id: number) => (await rowsOf(id)).filter(({ type }) => type === 'Payment')
    const gatewayEvents = async (): Promise<unknown[]> =>
      (await say('GET /events?filter=gateway_failing,gateway_recovered&direction=asc')).tree.map(
        (event: Reply['json']) => [event.key, event.message, event.event_specific_data.gateway, event.subscription_id],
      )
    const letterKinds = async (): Promise<string[]> =>
      (await say('GET /letters?per_page=200')).tree.map(({ kind }: Reply['json']) => kind).toSorted()
    const ids: number[] = []

    test('leaves no failed payment, no event and no letter to the customer by the hour, and is told of once', async () => {
      await say('PUT /letters/settings', { letter_settings: { receipt: false, cancellation: false } })
      for (const customer_attributes of [undefined, grace])
        ids.push((await buy(customer_attributes && { customer_attributes })).id)
      await behave(1)
      await shop.moveClock('2027-02-16T13:00:00Z')
      for (const id of ids) {
        assert.equal((await paymentsOf(id)).length, 1, 'that of the sign-up')
        assert.deepEqual(await lateKeysOf(id), ['renewal_failure', 'subscription_state_change', 'statement_closed'])
        assert.equal((await say(`GET /subscriptions/${id}`)).tree.subscription.state, 'soft_failure')
      }
      assert.deepEqual(await gatewayEvents(), [
        ['gateway_failing', 'Payments through bogus fail: Bogus Gateway: Forced error', 'bogus', null],
      ])
      assert.deepEqual(await letterKinds(), ['gateway_failing'])
      const attempts = await shop.app.db.arrays(sql`
        select outcome, outcome_message, count(*)::int from payment_attempts
        where site_id = ${shop.siteId} and reason <> 'signup' group by 1, 2`)
      assert.deepEqual(attempts, [['error', 'Bogus Gateway: Forced error', 52]], 'every attempt is on record')
      const failing = (await findStanding(shop.app))?.gatewaysFailing.map(({ site, gateway }) => [site, gateway])
      assert.deepEqual(failing, [['acme', 'bogus']])
    })

    test('answers acts in its own words, which leave nothing in the ledger either', async () => {
      const [id] = ids
      const before = await rowsOf(id!)
      const words = ['Bogus Gateway: Forced error']
      const retried = await say(`PUT /subscriptions/${id}/retry`)
      assert.deepEqual([retried.status, retried.errors], [422, words])
      const charged = await say(`POST /subscriptions/${id}/charges`, { charge: { amount: '1.00', memo: 'Help' } })
      assert.deepEqual([charged.status, charged.errors], [422, words])
      assert.deepEqual(await rowsOf(id!), before)
      assert.equal((await gatewayEvents()).length, 1)
      assert.deepEqual(await letterKinds(), ['gateway_failing'])
    })

    test('is told of once more when it is back, and everybody is charged', async () => {
      await behave(0)
      await shop.moveClock('2027-02-16T15:00:00Z')
      for (const id of ids) {
        assert.deepEqual(
          (await paymentsOf(id)).map(({ success }) => success),
          [true, true],
        )
        assert.deepEqual((await lateKeysOf(id)).slice(3), [
          'subscription_state_change',
          'payment_success',
          'statement_settled',
        ])
      }
      assert.deepEqual((await gatewayEvents())[1], [
        'gateway_recovered',
        'Payments through bogus go through again',
        'bogus',
        null,
      ])
      assert.deepEqual(await letterKinds(), ['gateway_failing', 'gateway_recovered'])
      assert.deepEqual((await findStanding(shop.app))?.gatewaysFailing, [])
      assert.deepEqual(await shop.app.db.arrays(sql`select * from gateway_health where site_id = ${shop.siteId}`), [])
      assert.equal((await verify(shop.app)).differences, 0)
    })

    test('a reactivation and a sign-up that meet one are refused and told as such', async () => {
      const [id] = ids
      await say(`DELETE /subscriptions/${id}`)
      const rows = await rowsOf(id!)
      await behave(1)
      assert.equal((await say(`PUT /subscriptions/${id}/reactivate`)).status, 422)
      assert.equal((await say('POST /subscriptions', signup())).status, 422)
      assert.deepEqual(await rowsOf(id!), rows)
      assert.equal((await verify(shop.app)).differences, 0)
    })
  })
}
