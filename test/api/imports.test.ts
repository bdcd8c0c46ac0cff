/** An import keeps what it says of the time before it: when its period began, and since when it is active. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openStockedShop()
const now = '2027-01-15T12:00:00+00:00'
const next = '2027-01-30T12:00:00Z'
const previous = '2026-12-31T12:00:00Z'

for (const format of formats) {
  const say = speaker(shop, format)
  const sign = async (changes: object) => {
    const said = await say('POST /subscriptions', signup({ next_billing_at: next, ...changes }))
    assert.equal(said.status, 201, said.text)
    return said.tree.subscription
  }

  describe(`an import in ${format}`, () => {
    test('begins its period where the last one was billed, and is active since then', async () => {
      const one = await sign({ previous_billing_at: previous })
      assert.deepEqual(
        [one.state, one.current_period_started_at, one.activated_at, one.created_at, one.total_revenue_in_cents],
        ['active', '2026-12-31T12:00:00+00:00', '2026-12-31T12:00:00+00:00', now, 0],
      )
      assert.equal(one.next_assessment_at, '2027-01-30T12:00:00+00:00')
    })

    test('is active since the day that is given, and without any since now', async () => {
      const old = await sign({ previous_billing_at: previous, activated_at: '2020-02-29' })
      assert.deepEqual(
        [old.activated_at, old.current_period_started_at],
        ['2020-02-29T00:00:00+00:00', '2026-12-31T12:00:00+00:00'],
      )
      const young = await sign({ activated_at: '2020-02-29', previous_billing_at: '' })
      assert.deepEqual([young.activated_at, young.current_period_started_at], ['2020-02-29T00:00:00+00:00', now])
      const plain = await sign({ previous_billing_at: null, activated_at: null })
      assert.deepEqual([plain.activated_at, plain.current_period_started_at], [now, now])
    })

    test('prorates what is allocated within that period', async () => {
      const { id } = await sign({ previous_billing_at: '2026-11-16T12:00:00Z' })
      const { users } = shop.components
      const said = await say(`POST /subscriptions/${id}/components/${users}/allocations`, {
        allocation: { quantity: 1, proration_upgrade_scheme: 'prorate-delay-capture' },
      })
      assert.equal(said.status, 201, said.text)
      // 15 of 75 days are left.
      assert.equal((await say(`GET /subscriptions/${id}`)).tree.subscription.balance_in_cents, 300)
    })

    test('is corrected by an override until its first renewal', async () => {
      const { id } = await sign({})
      const override = (starts: string, of = id) =>
        say(`PUT /subscriptions/${of}/override`, { subscription: { current_period_starts_at: starts } })
      assert.equal((await override(previous)).status, 204)
      const { current_period_started_at: started } = (await say(`GET /subscriptions/${id}`)).tree.subscription
      assert.equal(started, '2026-12-31T12:00:00+00:00')
      const late = await override(now)
      const words = 'Current period starts at: must be before current date and time'
      assert.deepEqual([late.status, late.errors], [422, [words]])
      const billed = (await say('POST /subscriptions', signup())).tree.subscription
      const said = await override(previous, billed.id)
      assert.deepEqual([said.status, said.text], [400, 'Unpermitted paramters in request: current_period_starts_at'])
    })

    test('is refused in words where its past does not fit', async () => {
      const refused = async (fields: object) => {
        for (const line of ['POST /subscriptions', 'POST /subscriptions/preview']) {
          const said = await say(line, signup(fields))
          assert.equal(said.status, 422, said.text)
          if (line.endsWith('preview')) return said.errors
        }
      }
      const alone = 'can only be set together with next_billing_at.'
      assert.deepEqual(await refused({ previous_billing_at: previous }), [`Previous billing at: ${alone}`])
      assert.deepEqual(await refused({ activated_at: previous }), [`Activated at: ${alone}`])
      for (const late of [now, next]) {
        const told = await refused({ next_billing_at: next, previous_billing_at: late })
        assert.deepEqual(told, ['Previous billing at: must be in the past.'])
        const active = await refused({ next_billing_at: next, activated_at: late })
        assert.deepEqual(active, ['Activated at: must be in the past.'])
      }
      assert.match((await refused({ next_billing_at: next, currency: 'EUR' }))![0]!, /^Currency: must be USD/)
    })

    test('the books agree', async () => {
      const { text, differences } = await verify(shop.app)
      assert.equal(differences, 0, text)
    })
  })
}
