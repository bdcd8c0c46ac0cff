/** Cards that a vault keeps already are imported only where that vault's gateway can be asked for money. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noAccount } from '../../src/actions/live-sites.ts'
import { ada, made, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const { customer } = await made(shop, 'POST /customers.json', { customer: ada })
const { subscription } = await made(shop, 'POST /subscriptions.json', signup())

for (const format of formats) {
  const say = speaker(shop, format)

  test(`${format}: a card of a gateway that is not there is refused, however it comes`, async () => {
    const card = { vault_token: 'token', current_vault: 'vault_id_1', expiration_month: 12, expiration_year: 2040 }
    const imported = signup({ payment_profile_attributes: card, next_billing_at: '2028-01-01' })
    const cards: [string, object][] = [
      ['POST /subscriptions', imported],
      ['POST /subscriptions/preview', imported],
      ['POST /payment_profiles', { payment_profile: { ...card, customer_id: customer.id } }],
      [`PUT /subscriptions/${subscription.id}`, { subscription: { credit_card_attributes: card } }],
    ]
    for (const [line, tree] of cards) {
      const refused = await say(line, tree)
      assert.deepEqual([refused.status, refused.errors], [422, [noAccount]], line)
    }
    assert.deepEqual((await say(`GET /payment_profiles?customer_id=${customer.id}`)).tree, [])
    const here = { ...imported.subscription, payment_profile_attributes: { ...card, current_vault: 'bogus' } }
    assert.equal((await say('POST /subscriptions', { subscription: here })).status, 201)
  })
}
