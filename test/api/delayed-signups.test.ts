/** A sign-up that begins later charges nothing before its day, and every act meanwhile knows it or refuses it in words. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { dealings } from './dealings.ts'
import { decliningCard, openedAt, type Shop, signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openStockedShop()
const { keysOf } = dealings(shop)
const later = '2027-03-01T09:00:00Z'
const shown = '2027-03-01T09:00:00+00:00'
const now = '2027-01-15T12:00:00+00:00'

const agrees = async ({ app }: Pick<Shop, 'app'>): Promise<void> => {
  const { text, differences } = await verify(app)
  assert.equal(differences, 0, text)
}

for (const format of formats) {
  const say = speaker(shop, format)
  const sign = async (changes: object = {}) => {
    const said = await say('POST /subscriptions', signup({ initial_billing_at: later, ...changes }))
    assert.equal(said.status, 201, said.text)
    return said.tree.subscription
  }
  const read = async (id: number) => (await say(`GET /subscriptions/${id}`)).tree.subscription
  const refused = async (line: string, tree?: object) => {
    const said = await say(line, tree)
    assert.equal(said.status, 422, said.text)
    return said.errors
  }

  describe(`a sign-up that waits, in ${format}`, () => {
    test('stores the card and charges nothing', async () => {
      const waiting = await sign()
      assert.deepEqual(
        [waiting.state, waiting.next_assessment_at, waiting.current_period_started_at, waiting.current_period_ends_at],
        ['awaiting_signup', shown, null, null],
      )
      assert.deepEqual(
        [waiting.activated_at, waiting.trial_started_at, waiting.signup_payment_id, waiting.signup_revenue],
        [null, null, 0, '0.00'],
      )
      assert.equal(waiting.created_at, now)
      assert.equal(waiting.credit_card.masked_card_number, 'XXXX-XXXX-XXXX-1')
      assert.deepEqual((await say(`GET /subscriptions/${waiting.id}/transactions`)).tree, [])
      assert.deepEqual(await keysOf(waiting.id), ['delayed_signup_creation_success'])
      const { current_billing_amount_in_cents: amount, ...again } = await read(waiting.id)
      assert.equal(amount, 5000)
      assert.deepEqual(again, waiting)
    })

    test('without a date nothing is ever due, until an update gives one', async () => {
      const waiting = await sign({ initial_billing_at: null, defer_signup: true })
      assert.deepEqual([waiting.state, waiting.next_assessment_at], ['awaiting_signup', null])
      assert.match((await refused(`POST /subscriptions/${waiting.id}/renewals/preview`))[0]!, /no date/)
      const put = (fields: object) => say(`PUT /subscriptions/${waiting.id}`, { subscription: fields })
      assert.equal((await put({ initial_billing_at: later })).tree.subscription.next_assessment_at, shown)
      assert.equal(
        (await put({ next_billing_at: '2027-03-02T00:00:00Z' })).tree.subscription.next_assessment_at,
        '2027-03-02T00:00:00+00:00',
      )
      assert.equal((await put({ defer_signup: true })).tree.subscription.next_assessment_at, null)
      assert.equal((await put({ defer_signup: false })).tree.subscription.next_assessment_at, null)
      const told = await keysOf(waiting.id)
      assert.deepEqual(told, ['delayed_signup_creation_success', ...Array(3).fill('billing_date_change')])
    })

    test('a date and its deferral together begin on the date', async () => {
      assert.equal((await sign({ defer_signup: true })).next_assessment_at, shown)
    })

    test('is refused in words where the dates have passed or do not go together', async () => {
      const past = await refused('POST /subscriptions', signup({ initial_billing_at: openedAt }))
      assert.deepEqual(past, ['Initial billing at: must be in the future.'])
      const both = await refused('POST /subscriptions', signup({ initial_billing_at: later, next_billing_at: later }))
      assert.deepEqual(both, ['Next billing: does not go with initial_billing_at or defer_signup.'])
      const calendar = { initial_billing_at: later, calendar_billing: { snap_day: '1' } }
      const snapped = await refused('POST /subscriptions', signup(calendar))
      assert.deepEqual(snapped, ['Calendar billing: does not go with initial_billing_at or defer_signup.'])
      assert.match(
        (await refused('POST /subscriptions', signup({ initial_billing_at: 'soon' })))[0]!,
        /^Initial billing at/,
      )
      const active = (await say('POST /subscriptions', signup())).tree.subscription
      for (const fields of [{ initial_billing_at: later }, { defer_signup: true }]) {
        const told = await refused(`PUT /subscriptions/${active.id}`, { subscription: fields })
        assert.deepEqual(told, ['Initial billing at: cannot be set on a subscription that is active.'])
      }
      const waiting = await sign()
      const moved = await refused(`PUT /subscriptions/${waiting.id}`, {
        subscription: { initial_billing_at: openedAt },
      })
      assert.deepEqual(moved, ['Initial billing at: must be in the future.'])
    })

    test('previews show what the day will bring', async () => {
      const terms = { initial_billing_at: later, product_handle: 'paid-trial' }
      const { subscription_preview: preview } = (await say('POST /subscriptions/preview', signup(terms))).tree
      const { current_billing_manifest: current, next_billing_manifest: next } = preview
      assert.deepEqual([current.total_in_cents, current.start_date, current.period_type], [2600, later, 'trial'])
      assert.deepEqual([next.total_in_cents, next.start_date], [5000, '2027-03-08T09:00:00Z'])
      const waiting = await sign({ product_handle: 'paid-trial' })
      const { renewal_preview: first } = (await say(`POST /subscriptions/${waiting.id}/renewals/preview`)).tree
      assert.deepEqual([first.total_amount_due_in_cents, first.next_assessment_at], [2600, shown])
      assert.deepEqual(
        first.line_items.map((line: { memo: string }) => line.memo),
        current.line_items.map((line: { memo: string }) => line.memo),
      )
    })

    test('every act knows the state or refuses it in words', async () => {
      const { id } = await sign()
      const { users, calls } = shop.components
      const listed = (await say('GET /subscriptions?state=awaiting_signup&per_page=200')).tree as {
        id: number
        state: string
      }[]
      assert.ok(listed.some((one) => one.id === id) && listed.every(({ state }) => state === 'awaiting_signup'))
      const refusals: [line: string, tree?: object][] = [
        [`POST /subscriptions/${id}/hold`],
        [`POST /subscriptions/${id}/resume`],
        [`PUT /subscriptions/${id}/reactivate`],
        [`POST /subscriptions/${id}/cancel_dunning`],
        [`POST /subscriptions/${id}/delayed_cancel`],
        [`PUT /subscriptions/${id}`, { subscription: { cancel_at_end_of_period: true } }],
        [`PUT /subscriptions/${id}`, { subscription: { snap_day: '3' } }],
        [`PUT /subscriptions/${id}`, { subscription: { product_handle: 'free', product_change_delayed: true } }],
        [`POST /subscriptions/${id}/migrations`, { migration: { product_handle: 'free' } }],
        [`POST /subscriptions/${id}/charges`, { charge: { amount: '5.00', memo: 'Extra' } }],
        [`POST /subscriptions/${id}/adjustments`, { adjustment: { amount: '5.00', memo: 'Extra' } }],
        [`POST /subscriptions/${id}/components/${calls}/usages`, { usage: { quantity: 1 } }],
      ]
      for (const [line, tree] of refusals) assert.ok((await refused(line, tree))[0]!.length > 0, line)
      const allocated = await say(`POST /subscriptions/${id}/components/${users}/allocations`, {
        allocation: { quantity: 2, proration_upgrade_scheme: 'prorate-attempt-capture' },
      })
      assert.equal(allocated.status, 201, allocated.text)
      const changed = await say(`PUT /subscriptions/${id}`, { subscription: { product_handle: 'with-setup-fee' } })
      assert.equal(changed.tree.subscription.product.handle, 'with-setup-fee')
      assert.equal(changed.tree.subscription.balance_in_cents, 0)
      const { renewal_preview: first } = (await say(`POST /subscriptions/${id}/renewals/preview`)).tree
      assert.equal(first.total_in_cents, 2500 + 5000 + 2 * 1500)
    })

    test('canceled it never begins, and brought back it begins anew', async () => {
      const { id } = await sign()
      const canceled = (await say(`DELETE /subscriptions/${id}`)).tree.subscription
      assert.deepEqual([canceled.state, canceled.next_assessment_at], ['canceled', null])
      assert.equal((await say(`PUT /subscriptions/${id}/reactivate?resume=true`)).tree.subscription.state, 'active')
      const back = await read(id)
      assert.deepEqual([back.current_period_started_at, back.total_revenue_in_cents], [now, 5000])
      const other = await sign()
      await say(`DELETE /subscriptions/${other.id}`)
      assert.match(
        (await refused(`PUT /subscriptions/${other.id}/reactivate?resume[require_resume]=true`))[0]!,
        /resume/,
      )
    })

    test('can be begun at once', async () => {
      const { id } = await sign()
      const begun = (await say(`PUT /subscriptions/${id}/activate`)).tree.subscription
      assert.deepEqual(
        [begun.state, begun.activated_at, begun.current_period_ends_at, begun.signup_revenue],
        ['active', now, '2027-02-15T12:00:00+00:00', '50.00'],
      )
      const told = await refused(`PUT /subscriptions/${id}/activate`)
      assert.deepEqual(told, [
        'Only subscriptions that await their signup or are in a trial can be activated, and this one is active.',
      ])
    })

    test('a declined card leaves it waiting, or ends it where that is asked for', async () => {
      const { id } = await sign({ payment_profile_attributes: decliningCard })
      assert.equal((await refused(`PUT /subscriptions/${id}/activate`)).length, 1)
      const waiting = await read(id)
      assert.deepEqual(
        [waiting.state, waiting.next_assessment_at, waiting.balance_in_cents],
        ['awaiting_signup', shown, 0],
      )
      assert.equal(
        (await refused(`PUT /subscriptions/${id}/activate`, { activation: { revert_on_failure: false } })).length,
        1,
      )
      const over = await read(id)
      assert.deepEqual([over.state, over.canceled_at, over.cancellation_method], ['canceled', now, 'dunning'])
    })

    test('the books agree', () => agrees(shop))
  })
}
