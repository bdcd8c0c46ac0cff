/** How a subscription comes back, and what becomes of a balance that is past due: paid, declined, forgiven, left for later. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { dealings } from './dealings.ts'
import { ada, decliningCard, goodCard, made, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const now = '2027-01-15T12:00:00+00:00'

const { buy, inState, keysOf, lateKeysOf } = dealings(shop)

for (const format of formats) {
  const say = speaker(shop, format)
  const shows = async (id: number) => (await say(`GET /subscriptions/${id}`)).tree.subscription

  describe(`reactivate in ${format}`, () => {
    const canceled = async (changes: object = {}) => {
      const bought = await buy(changes)
      await say(`DELETE /subscriptions/${bought.id}`, {
        subscription: { cancellation_message: 'Bye', reason_code: 'X' },
      })
      return bought
    }

    test('charges a full period at once, without a setup fee, and forgets the cancellation', async () => {
      const { id } = await canceled({ product_handle: 'with-setup-fee' })
      const said = await say(`PUT /subscriptions/${id}/reactivate`)
      assert.equal(said.status, 200, said.text)
      const { subscription: back } = said.tree
      assert.deepEqual(
        [back.state, back.canceled_at, back.cancellation_message, back.cancellation_method, back.reason_code],
        ['active', null, null, null, null],
      )
      assert.deepEqual([back.cancel_at_end_of_period, back.delayed_cancel_at], [false, null])
      assert.deepEqual([back.current_period_started_at, back.total_revenue_in_cents], [now, 12_500])
      const told = ['subscription_state_change', 'subscription_state_change', 'payment_success', 'statement_settled']
      assert.deepEqual(await lateKeysOf(id), told)
    })

    test('with a trial that the query asks for', async () => {
      const { id } = await canceled({ product_handle: 'free-trial' })
      const { subscription } = (await say(`PUT /subscriptions/${id}/reactivate?include_trial=1`)).tree
      assert.deepEqual(
        [subscription.state, subscription.trial_started_at, subscription.trial_ended_at, subscription.activated_at],
        ['trialing', now, '2027-02-15T12:00:00+00:00', null],
      )
    })

    test('a document asks for no trial, and what leads into active is an activation', async () => {
      for (const tree of [{ subscription: { include_trial: true } }, { include_trial: true }]) {
        const bought = await canceled({ product_handle: 'free-trial' })
        assert.equal(bought.activated_at, null)
        const { subscription } = (await say(`PUT /subscriptions/${bought.id}/reactivate`, tree)).tree
        assert.deepEqual([subscription.state, subscription.activated_at], ['active', now])
      }
    })

    test('a new period is activated when it begins; an old one that goes on was', async () => {
      const activated = async (query: string) => {
        const { id } = await canceled()
        const old = { subscription: { activated_at: '2020-01-01T00:00:00Z' } }
        assert.equal((await say(`PUT /subscriptions/${id}/override`, old)).status, 204)
        return (await say(`PUT /subscriptions/${id}/reactivate${query}`)).tree.subscription.activated_at
      }
      assert.equal(await activated(''), now)
      assert.equal(await activated('?resume=true'), '2020-01-01T00:00:00+00:00')
    })

    test('resuming keeps the dates and charges nothing', async () => {
      for (const query of ['resume=true', 'resume[require_resume]=true']) {
        const bought = await canceled()
        const { subscription } = (await say(`PUT /subscriptions/${bought.id}/reactivate?${query}`)).tree
        assert.deepEqual(
          [subscription.state, subscription.current_period_ends_at, subscription.total_revenue_in_cents],
          ['active', bought.current_period_ends_at, 5000],
        )
        assert.deepEqual(await lateKeysOf(bought.id), ['subscription_state_change', 'subscription_state_change'])
      }
    })

    test('a card that is declined leaves nothing but the failed payment', async () => {
      const { id } = await canceled({ product_handle: 'free-trial', payment_profile_attributes: decliningCard })
      const { updated_at: _, ...before } = await shows(id)
      const said = await say(`PUT /subscriptions/${id}/reactivate`)
      assert.deepEqual([said.status, said.errors], [422, ['The credit card on file could not be charged.']])
      const { updated_at: __, ...after } = await shows(id)
      assert.deepEqual(after, before)
      assert.equal((await keysOf(id)).at(-1), 'payment_failure')
    })

    test('is refused in every other state', async () => {
      const words = 'Cannot reactivate a subscription that is not marked "Canceled", "Unpaid", or "Trial Ended".'
      const { id } = await buy()
      for (const state of ['active', 'trialing', 'past_due', 'soft_failure', 'expired', 'on_hold']) {
        await inState(id, state)
        assert.deepEqual((await say(`PUT /subscriptions/${id}/reactivate`)).errors, [words], state)
      }
      await inState(id, 'active')
    })

    test('bad flags and codes are named, nothing is charged', async () => {
      const { id } = await canceled()
      const bad = await say(`PUT /subscriptions/${id}/reactivate?include_trial=perhaps&preserve_balance=x`)
      assert.deepEqual(bad.errors, [
        'Include trial: must be true or false.',
        'Preserve balance: must be true or false.',
      ])
      const code = await say(`PUT /subscriptions/${id}/reactivate?coupon_code=NONE`)
      assert.deepEqual([code.status, code.errors], [422, ['Coupon Code: is invalid']])
      assert.equal((await shows(id)).total_revenue_in_cents, 5000)
    })
  })
}

describe('a balance that is past due', () => {
  const pastDue = async (t: Parameters<typeof openShop>[0]) => {
    const other = await openShop(t)
    const bought = signup({
      product_handle: 'card-trial',
      payment_profile_attributes: decliningCard,
      customer_attributes: ada,
    })
    const { subscription } = await made(other, 'POST /subscriptions.json', bought)
    await other.moveClock('2027-02-15T12:00:00Z')
    const path = `/subscriptions/${subscription.id}`
    const keys = async (): Promise<string[]> =>
      (await other.ask(`GET ${path}/events.json`)).json.map((item: { event: { key: string } }) => item.event.key)
    const show = async () => (await other.ask(`GET ${path}.json`)).json.subscription
    const clean = async () => {
      const { text, differences } = await verify(other.app)
      assert.equal(differences, 0, text)
    }
    return { ...other, path, keys, show, clean }
  }

  test('is retried outside the schedule: declined in the words of the gateway, paid with a good card', async (t) => {
    const { ask, path, keys, show, clean } = await pastDue(t)
    const before = await show()
    assert.equal(before.state, 'past_due')
    const declined = await ask(`PUT ${path}/retry.json`)
    assert.deepEqual([declined.status, declined.json.errors], [422, ['Bogus Gateway: Forced failure']])
    const after = await show()
    assert.deepEqual([after.state, after.next_assessment_at], ['past_due', before.next_assessment_at])
    assert.equal((await keys())[0], 'payment_failure')
    const profile = { payment_profile: { customer_id: before.customer.id, ...goodCard } }
    const { payment_profile: card } = await made({ ask }, 'POST /payment_profiles.json', profile)
    await ask(`POST ${path}/payment_profiles/${card.id}/change_payment_profile.json`)
    const paid = await ask(`PUT ${path}/retry.json`)
    assert.deepEqual(
      [paid.status, paid.json.subscription.state, paid.json.subscription.balance_in_cents],
      [200, 'active', 0],
    )
    assert.deepEqual((await keys()).slice(0, 3), ['statement_settled', 'payment_success', 'subscription_state_change'])
    await clean()
  })

  test('is forgiven by reset_balance, which makes it active', async (t) => {
    const { ask, path, keys, clean } = await pastDue(t)
    const { subscription } = (await ask(`PUT ${path}/reset_balance.json`)).json
    assert.deepEqual([subscription.state, subscription.balance_in_cents], ['active', 0])
    assert.equal(subscription.next_assessment_at, subscription.current_period_ends_at)
    assert.deepEqual((await keys()).slice(0, 2), ['statement_settled', 'subscription_state_change'])
    const [{ transaction }] = (await ask(`GET ${path}/transactions.json`)).json
    assert.deepEqual([transaction.type, transaction.kind, transaction.amount_in_cents], ['Adjustment', null, -5000])
    await clean()
  })

  test('waits for the renewal when the dunning is canceled', async (t) => {
    const { ask, path, keys, clean } = await pastDue(t)
    const { subscription } = (await ask(`POST ${path}/cancel_dunning.json`)).json
    assert.deepEqual([subscription.state, subscription.balance_in_cents], ['active', 5000])
    assert.equal(subscription.next_assessment_at, subscription.current_period_ends_at)
    assert.equal((await keys())[0], 'subscription_state_change')
    await clean()
  })
})
