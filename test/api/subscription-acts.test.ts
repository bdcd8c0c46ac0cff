/** The acts on a subscription, each in both formats: what it answers, what it leaves behind, and in which states it is refused. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { sql } from '../../src/store/sql.ts'
import { ada, decliningCard, goodCard, made, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const now = '2027-01-15T12:00:00+00:00'

const buy = async (changes: object = {}) => (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription
const keysOf = async (id: number): Promise<string[]> =>
  (await shop.ask(`GET /subscriptions/${id}/events.json?direction=asc&per_page=200`)).json.map(
    (item: { event: { key: string } }) => item.event.key,
  )
/** What came after the sign-up. */
const lateKeysOf = async (id: number): Promise<string[]> => (await keysOf(id)).slice(3)

/** The state is set where its history does not matter. */
const inState = async (id: number, state: string): Promise<void> => {
  await shop.app.db.run(sql`update subscriptions set state = ${state} where site_id = ${shop.siteId} and id = ${id}`)
}

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

    test('with a trial, from the query or from the document', async () => {
      for (const [query, tree] of [
        ['?include_trial=1', undefined],
        ['', { subscription: { include_trial: true } }],
      ] as const) {
        const { id } = await canceled({ product_handle: 'free-trial' })
        const { subscription } = (await say(`PUT /subscriptions/${id}/reactivate${query}`, tree)).tree
        assert.deepEqual(
          [subscription.state, subscription.trial_started_at, subscription.trial_ended_at],
          ['trialing', now, '2027-02-15T12:00:00+00:00'],
        )
      }
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

  describe(`delayed_cancel in ${format}`, () => {
    const scheduled = 'This subscription is scheduled to be canceled at the end of the current period'
    const calledOff = 'This subscription will no longer cancel at the end of the period'

    test('schedules with notes, calls off, and both may be said again', async () => {
      const { id, current_period_ends_at: end } = await buy()
      const path = `/subscriptions/${id}/delayed_cancel`
      const notes = { subscription: { cancellation_message: 'Later', reason_code: 'R' } }
      for (const tree of [notes, undefined]) {
        const said = await say(`POST ${path}`, tree)
        assert.deepEqual(
          [
            said.status,
            Object.values(said.tree).flatMap((v) => (typeof v === 'string' ? v : Object.values(v as object))),
          ],
          [200, [scheduled]],
        )
      }
      const subscription = await shows(id)
      assert.deepEqual(
        [subscription.delayed_cancel_at, subscription.cancellation_message, subscription.reason_code],
        [end, 'Later', 'R'],
      )
      for (let time = 0; time < 2; time++) {
        const said = await say(`DELETE ${path}`)
        assert.ok(said.status === 200 && said.text.includes(calledOff), said.text)
      }
      const { tree: events } = await say(`GET /subscriptions/${id}/events`)
      assert.deepEqual(
        events.slice(0, 2).map((event: { event_specific_data: object }) => event.event_specific_data),
        [
          { cancellation_state: 'stop', cancels_at: null },
          { cancellation_state: 'start', cancels_at: '2027-02-15T12:00:00Z' },
        ],
      )
      assert.equal((await lateKeysOf(id)).length, 2)
    })

    test('is refused where nothing is left to cancel, or too much is owed', async () => {
      const { id } = await buy()
      await inState(id, 'past_due')
      const words = 'Cancel at end of period: cannot be set on a subscription that is past_due.'
      assert.deepEqual((await say(`POST /subscriptions/${id}/delayed_cancel`)).errors, [words])
      await inState(id, 'canceled')
      const again = await say(`POST /subscriptions/${id}/delayed_cancel`)
      assert.deepEqual([again.status, again.errors], [422, ['The subscription is already canceled']])
      assert.equal((await say(`DELETE /subscriptions/${id}/delayed_cancel`)).status, 200)
      await inState(id, 'active')
    })
  })

  describe(`override in ${format}`, () => {
    test('rewrites the four fields and nothing else, without an event', async () => {
      const { id } = await buy({ product_handle: 'expiring' })
      const before = await shows(id)
      const fields = {
        activated_at: '1999-12-01',
        canceled_at: '2000-01-02T03:04:05Z',
        cancellation_message: 'Elsewhere',
        expires_at: '2001-07-15T00:00:00-04:00',
      }
      const said = await say(`PUT /subscriptions/${id}/override`, { subscription: fields })
      assert.deepEqual([said.status, said.text], [204, ''])
      const rewritten = {
        activated_at: '1999-12-01T00:00:00+00:00',
        canceled_at: '2000-01-02T03:04:05+00:00',
        cancellation_message: 'Elsewhere',
        expires_at: '2001-07-15T04:00:00+00:00',
      }
      assert.deepEqual(await shows(id), { ...before, ...rewritten })
      const cleared = { activated_at: null, canceled_at: null, cancellation_message: null, expires_at: null }
      assert.equal((await say(`PUT /subscriptions/${id}/override`, { subscription: cleared })).status, 204)
      assert.deepEqual(await shows(id), { ...before, ...cleared })
      assert.deepEqual(await lateKeysOf(id), [])
    })

    test('names in plain text what is not permitted, and changes nothing', async () => {
      const { id } = await buy()
      const before = await shows(id)
      const sent = { subscription: { created_at: '2020-01-01', expires_at: '2020-01-01', state: 'x' } }
      const said = await say(`PUT /subscriptions/${id}/override`, sent)
      assert.deepEqual([said.status, said.text], [400, 'Unpermitted paramters in request: created_at, state'])
      assert.match(String(said.headers['content-type']), /^text\/plain/)
      assert.deepEqual(await shows(id), before)
    })

    test('dates that are none', async () => {
      const { id } = await buy()
      const sent = { subscription: { activated_at: 'once', canceled_at: 'twice', expires_at: 'x' } }
      const said = await say(`PUT /subscriptions/${id}/override`, sent)
      const none = (label: string) => `${label}: is not a date that can be read.`
      assert.deepEqual([said.status, said.errors], [422, ['Activated at', 'Canceled at', 'Expires at'].map(none)])
    })
  })

  describe(`hold and resume in ${format}`, () => {
    const hold = (at?: unknown) => (at === undefined ? undefined : { hold: { automatically_resume_at: at } })

    test('on hold, until a day that may change, and back with the same dates', async () => {
      const { id, current_period_ends_at: end } = await buy()
      const held = (await say(`POST /subscriptions/${id}/hold`, hold('2027-01-20'))).tree.subscription
      const until = '2027-01-20T00:00:00+00:00'
      assert.deepEqual(
        [held.state, held.on_hold_at, held.automatically_resume_at, held.next_assessment_at],
        ['on_hold', now, until, until],
      )
      const open = (await say(`PUT /subscriptions/${id}/hold`, hold(null))).tree.subscription
      assert.deepEqual([open.automatically_resume_at, open.next_assessment_at], [null, end])
      const back = (await say(`POST /subscriptions/${id}/resume`)).tree.subscription
      assert.deepEqual([back.state, back.on_hold_at, back.next_assessment_at], ['active', null, end])
      assert.deepEqual(await lateKeysOf(id), ['subscription_state_change', 'subscription_state_change'])
    })

    test('a trial goes on as a trial', async () => {
      const { id } = await buy({ product_handle: 'free-trial' })
      await say(`POST /subscriptions/${id}/hold`)
      assert.equal((await say(`POST /subscriptions/${id}/resume`)).tree.subscription.state, 'trialing')
    })

    test('refusals', async () => {
      const { id } = await buy()
      const refused = async (line: string, tree: object | undefined, words: string) => {
        const said = await say(line, tree)
        assert.deepEqual([said.status, said.errors], [422, [words]], line)
      }
      const path = `/subscriptions/${id}`
      await refused(`POST ${path}/resume`, undefined, 'Only subscriptions that are on hold can be resumed.')
      await refused(`PUT ${path}/hold`, hold('2027-03-01'), 'Subscription is not currently on hold.')
      await refused(
        `POST ${path}/hold`,
        hold('2027-01-16'),
        'Automatic resume date: must be at least 24 hours in the future.',
      )
      await refused(`POST ${path}/hold`, hold('never'), 'Automatic resume date: is not a date that can be read.')
      const words = 'This subscription is not eligible to be put on hold.'
      for (const state of ['past_due', 'soft_failure', 'unpaid', 'canceled', 'expired', 'trial_ended', 'on_hold']) {
        await inState(id, state)
        await refused(`POST ${path}/hold`, undefined, words)
      }
      await inState(id, 'active')
      await say(`PUT ${path}`, { subscription: { next_billing_at: '2027-01-16T11:59:59Z' } })
      await refused(`POST ${path}/hold`, undefined, words)
    })
  })

  describe(`retry, reset_balance and cancel_dunning in ${format}`, () => {
    test('leave an active subscription alone, or refuse it', async () => {
      const { id } = await buy()
      const before = await shows(id)
      assert.deepEqual((await say(`PUT /subscriptions/${id}/retry`)).tree.subscription, before)
      assert.deepEqual((await say(`PUT /subscriptions/${id}/reset_balance`)).tree.subscription, before)
      const said = await say(`POST /subscriptions/${id}/cancel_dunning`)
      assert.deepEqual(said.errors, ['This subscription is not eligible to have its dunning canceled.'])
      assert.deepEqual(await shows(id), before)
    })

    test('a retry of what has ended is refused without a word', async () => {
      const { id } = await buy()
      for (const state of ['canceled', 'expired', 'trial_ended', 'on_hold']) {
        await inState(id, state)
        const said = await say(`PUT /subscriptions/${id}/retry`)
        assert.deepEqual([said.status, said.errors], [422, []], state)
      }
      await inState(id, 'active')
    })
  })

  test(`404 in ${format}: no act knows a subscription that is not there, whatever is said`, async () => {
    const lines = [
      'PUT reactivate?include_trial=x',
      'PUT reset_balance',
      'PUT retry',
      'PUT override',
      'POST hold',
      'PUT hold',
    ]
    const more = ['POST resume', 'POST cancel_dunning', 'POST delayed_cancel', 'DELETE delayed_cancel']
    for (const line of [...lines, ...more]) {
      const [method, act] = line.split(' ')
      for (const id of ['1', 'none']) {
        const said = await say(`${method} /subscriptions/${id}/${act}`, { subscription: { nonsense: 'x' } })
        assert.equal(said.status, 404, `${line} ${said.text}`)
      }
    }
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
