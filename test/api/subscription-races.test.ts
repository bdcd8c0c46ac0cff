/** Many acts on one subscription at the same time: each takes effect once or is refused, and some serial order explains what came. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { goodCard, made, openShop, signup } from './shop.ts'

const commands: readonly [string, object?][] = [
  ['DELETE ', { subscription: { cancellation_message: 'Race' } }],
  ['PUT /reactivate'],
  ['PUT /reactivate?preserve_balance=1'],
  ['PUT /reactivate?resume=true'],
  ['PUT ', { subscription: { product_handle: 'with-setup-fee' } }],
  ['PUT ', { subscription: { product_handle: 'monthly' } }],
  ['PUT ', { subscription: { product_handle: 'free', product_change_delayed: true } }],
  ['PUT ', { subscription: { next_billing_at: '2027-03-03' } }],
  ['PUT ', { subscription: { cancel_at_end_of_period: true } }],
  ['PUT ', { subscription: { cancel_at_end_of_period: false } }],
  ['PUT ', { subscription: { payment_profile_attributes: goodCard } }],
  ['PUT ', { subscription: { customer_attributes: { last_name: 'King' } } }],
  ['PUT /reset_balance'],
  ['PUT /retry'],
  ['PUT /override', { subscription: { expires_at: '2030-01-01' } }],
  ['POST /hold'],
  ['POST /resume'],
  ['POST /delayed_cancel'],
  ['DELETE /delayed_cancel'],
  ['POST /adjustments', { adjustment: { amount: '3.00', memo: 'Race' } }],
  ['POST /charges', { charge: { amount: '2.00', memo: 'Race' } }],
]

const asked = 50

test('50 parallel acts on one subscription end as some serial order would', async (t) => {
  const shop = await openShop(t)
  const behaviour = { latency_in_ms: 3, decline_rate: 0.2, error_rate: 0, lose_answer_rate: 0 }
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
  await shop.ask('PUT /bogus_gateway/behaviour.json', { body: { behaviour } })
  const path = `/subscriptions/${subscription.id}`
  for (let round = 0; round < 3; round++) {
    const replies = await Promise.all(
      Array.from({ length: asked }, async (_, place) => {
        const [line, body] = commands[(place * 7 + round) % commands.length]!
        const [method, rest = ''] = line.split(' ')
        const [act, query] = rest.split('?')
        const reply = await shop.ask(`${method} ${path}${act}.json${query ? `?${query}` : ''}`, {
          ...(body && { body }),
        })
        return { line, reply }
      }),
    )
    for (const { line, reply } of replies) {
      assert.ok([200, 201, 204, 422].includes(reply.status), `${line}: ${reply.status} ${reply.text}`)
    }
    const done = (line: string) => replies.filter((one) => one.line.startsWith(line) && one.reply.status < 300).length
    const { text, differences } = await verify(shop.app)
    assert.equal(differences, 0, text)
    const events = (await shop.ask(`GET ${path}/events.json?per_page=200`)).json
    const changes: string[] = events
      .map((item: { event: { key: string; event_specific_data: Record<string, string> } }) => item.event)
      .filter(({ key }: { key: string }) => key === 'subscription_state_change')
      .map(
        ({ event_specific_data: data }: { event_specific_data: Record<string, string> }) =>
          `${data.previous_subscription_state} ${data.new_subscription_state}`,
      )
    const count = (pattern: RegExp) => changes.filter((change) => pattern.test(change)).length
    totals.hold += done('POST /hold')
    totals.resume += done('POST /resume')
    totals.reactivate += done('PUT /reactivate')
    assert.deepEqual(
      { hold: count(/ on_hold$/), resume: count(/^on_hold active$/), reactivate: count(/^canceled active$/) },
      totals,
      'each act that was answered with success happened once',
    )
  }
  const { balance_in_cents: balance } = (await shop.ask(`GET ${path}.json`)).json.subscription
  assert.ok(Number.isSafeInteger(balance))
})

const totals = { hold: 0, resume: 0, reactivate: 0 }
