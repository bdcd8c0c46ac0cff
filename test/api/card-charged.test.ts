/** A payment names the card that was charged, whatever card the subscription has by the time the gateway answers. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { sql } from '../../src/store/sql.ts'
import { dealings } from './dealings.ts'
import { decliningCard, goodCard, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const { buy, rowsOf } = dealings(shop)
const gateways = shop.app.gateways as Map<string, Gateway>
const bogus = gateways.get('bogus')!

const firstCard = { ...goodCard, full_number: '4111111111111111' }
const secondCard = { ...goodCard, full_number: '5555555555554444', expiration_month: 3, expiration_year: 2033 }
const first = ['XXXX-XXXX-XXXX-1111', '12/2031', 'visa']
const second = ['XXXX-XXXX-XXXX-4444', '03/2033', 'master']

/** Done once, while a gateway is being asked for money. */
let meanwhile: () => Promise<unknown> = async () => {}
gateways.set(
  'bogus',
  new Proxy(bogus, {
    get: (gateway, name) => {
      const member = Reflect.get(gateway, name, gateway)
      if (typeof member !== 'function') return member
      return async (...given: unknown[]) => {
        const act = meanwhile
        if (name === 'purchase') meanwhile = async () => {}
        if (name === 'purchase') await act()
        return member.apply(gateway, given)
      }
    },
  }),
)
beforeEach(() => {
  meanwhile = async () => {}
})

const cardsOf = async (id: number): Promise<unknown[][]> =>
  (await rowsOf(id))
    .filter(({ type }) => type === 'Payment')
    .map((row) => [row.card_number, row.card_expiration, row.card_type])

for (const format of formats) {
  const say = speaker(shop, format)
  const giveCard = async (id: number, credit_card_attributes: object) => {
    const said = await say(`PUT /subscriptions/${id}`, { subscription: { credit_card_attributes } })
    assert.equal(said.status, 200, said.text)
  }

  describe(`in ${format}`, () => {
    test('a charge that is asked for while the card changes', async () => {
      const { id } = await buy({ payment_profile_attributes: firstCard })
      meanwhile = () => giveCard(id, secondCard)
      const said = await say(`POST /subscriptions/${id}/charges`, { charge: { amount: '1.00', memo: 'Help' } })
      assert.equal(said.status, 201, said.text)
      assert.deepEqual(await cardsOf(id), [first, first])
      await say(`POST /subscriptions/${id}/charges`, { charge: { amount: '1.00', memo: 'Help' } })
      assert.deepEqual(await cardsOf(id), [first, first, second])
    })

    test('a renewal that is asked for while the same profile gets another number', async () => {
      const { id, credit_card: card, next_assessment_at: due } = await buy({ payment_profile_attributes: firstCard })
      meanwhile = async () => {
        const said = await say(`PUT /payment_profiles/${card.id}`, { payment_profile: secondCard })
        assert.equal(said.status, 200, said.text)
      }
      await shop.moveClock(due)
      assert.deepEqual(await cardsOf(id), [first, first])
      await say(`DELETE /subscriptions/${id}`)
    })

    test('a new card that pays what is past due is the one that is named', async () => {
      const { id, next_assessment_at: due } = await buy({ payment_profile_attributes: firstCard })
      await giveCard(id, decliningCard)
      await shop.moveClock(due)
      await giveCard(id, secondCard)
      const declined = ['XXXX-XXXX-XXXX-2', '12/2031', 'bogus']
      assert.deepEqual(await cardsOf(id), [first, declined, second])
      await say(`DELETE /subscriptions/${id}`)
    })

    test('the attempt of a sign-up keeps the card that it asks, and that of a refund the card that had paid', async () => {
      const { id } = await buy({ payment_profile_attributes: firstCard })
      await giveCard(id, secondCard)
      const refund = { amount: '1.00', memo: 'Sorry', payment_id: (await rowsOf(id)).at(-1).id }
      const said = await say(`POST /subscriptions/${id}/refunds`, { refund })
      assert.equal(said.status, 201, said.text)
      const kept = await shop.app.db.arrays(sql`
        select reason, card_number, card_expiration, card_type from payment_attempts
        where site_id = ${shop.siteId} and subscription_id = ${id} order by id`)
      assert.deepEqual(kept, [
        ['signup', ...first],
        ['refund', ...first],
      ])
    })
  })
}
