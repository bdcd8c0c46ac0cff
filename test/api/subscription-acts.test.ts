/** The acts on a subscription, each in both formats: what it answers, what it leaves behind, and in which states it is refused. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dealings } from './dealings.ts'
import { openShop, unpriced } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const now = '2027-01-15T12:00:00+00:00'

const { buy, inState, lateKeysOf } = dealings(shop)

for (const format of formats) {
  const say = speaker(shop, format)
  const shows = async (id: number) => unpriced((await say(`GET /subscriptions/${id}`)).tree.subscription)

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
          { cancellation_state: 'stop', cancels_at: '2027-02-15T12:00:00Z' },
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

    test('names what stands outside its element, and changes nothing', async () => {
      const { id } = await buy()
      const before = await shows(id)
      for (const [sent, named] of [
        [{ activated_at: '1999-12-01' }, 'activated_at'],
        [{ override: { expires_at: '2020-01-01', state: 'x' } }, 'expires_at, state'],
      ] as const) {
        const said = await say(`PUT /subscriptions/${id}/override`, sent)
        assert.deepEqual([said.status, said.text], [400, `Unpermitted paramters in request: ${named}`])
      }
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
        ['on_hold', now, until, end],
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

    test('a retry of what owes nothing by its state is refused in words', async () => {
      const { id } = await buy()
      for (const state of ['canceled', 'expired', 'trial_ended', 'on_hold']) {
        await inState(id, state)
        const said = await say(`PUT /subscriptions/${id}/retry`)
        const words = `Only subscriptions that are past due or unpaid can be retried, and this one is ${state}.`
        assert.deepEqual([said.status, said.errors], [422, [words]], state)
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
