/** A trial that is activated ends now: the first paid period is charged and begins, or everything stays as it was. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { dealings } from './dealings.ts'
import { decliningCard, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

for (const format of formats) {
  test(`trials end at once, in ${format}`, async (t) => {
    const shop = await openShop(t)
    const say = speaker(shop, format)
    const { buy, keysOf } = dealings(shop)
    const begin = (changes: object): Promise<number> => buy(changes).then(({ id }) => id)
    const paid = await begin({ product_handle: 'late-setup-fee' })
    const declined = await begin({ product_handle: 'card-trial', payment_profile_attributes: decliningCard })
    const cardless = await begin({ product_handle: 'free-trial', payment_profile_attributes: undefined })
    const leaving = await begin({ product_handle: 'card-trial' })
    await say(`POST /subscriptions/${leaving}/delayed_cancel`)
    const activate = (id: number, tree?: object) => say(`PUT /subscriptions/${id}/activate`, tree)
    const read = async (id: number) => (await say(`GET /subscriptions/${id}`)).tree.subscription
    const early = await activate(paid)
    assert.deepEqual([early.status, early.errors], [422, ['This trial has only just begun.']])
    await shop.moveClock('2027-01-20T08:00:00Z')
    const moment = '2027-01-20T08:00:00+00:00'

    const said = await activate(paid)
    assert.equal(said.status, 200, said.text)
    const active = said.tree.subscription
    assert.deepEqual(
      [active.state, active.activated_at, active.trial_ended_at, active.current_period_started_at],
      ['active', moment, moment, moment],
    )
    assert.deepEqual(
      [active.current_period_ends_at, active.total_revenue_in_cents, active.balance_in_cents],
      ['2027-02-20T08:00:00+00:00', 100 + 2500 + 5000, 0],
    )
    assert.deepEqual((await keysOf(paid)).slice(3), [
      'renewal_success',
      'payment_success',
      'subscription_state_change',
      'statement_settled',
    ])

    const before = await read(declined)
    assert.equal((await activate(declined)).status, 422)
    const after = await read(declined)
    assert.deepEqual(
      [after.state, after.balance_in_cents, after.current_period_ends_at, after.trial_ended_at],
      ['trialing', 0, before.current_period_ends_at, before.trial_ended_at],
    )
    assert.equal((await activate(declined, { activation: { revert_on_failure: false } })).status, 422)
    const due = await read(declined)
    assert.deepEqual([due.state, due.balance_in_cents, due.trial_ended_at], ['past_due', 5000, moment])

    assert.equal((await activate(cardless)).status, 422)
    const over = await activate(cardless, { activation: { revert_on_failure: false } })
    assert.equal(over.tree.subscription.state, 'trial_ended')
    assert.deepEqual((await activate(leaving)).errors, ['This subscription is canceled at the end of its trial.'])

    await shop.moveClock('2027-04-01T00:00:00Z')
    assert.equal((await read(paid)).total_revenue_in_cents, 7600 + 2 * 5000)
    const { text, differences } = await verify(shop.app)
    assert.equal(differences, 0, text)
  })
}
