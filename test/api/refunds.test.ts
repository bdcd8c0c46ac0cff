/** POST /subscriptions/<id>/refunds: in parts, in a crowd, refused and failed, and never more than was paid. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import type { Reply } from '../support/test-app.ts'
import { dealings } from './dealings.ts'
import { made, openShop, signup } from './shop.ts'
import { formats, type Said, speaker } from './two-formats.ts'

const shop = await openShop()

const { buy, rowsOf } = dealings(shop)

const read = async (id: number): Promise<Reply['json']> =>
  (await shop.ask(`GET /subscriptions/${id}.json`)).json.subscription

for (const format of formats) {
  const say = speaker(shop, format)
  const post = (id: number | string, kind: string, sent: object): Promise<Said> =>
    say(`POST /subscriptions/${id}/${kind}s`, { [kind]: sent })

  describe(`refunds in ${format}`, () => {
    const refused = async (id: number, kind: string, sent: object): Promise<string[]> => {
      const before = (await rowsOf(id)).length
      const said = await post(id, kind, sent)
      assert.equal(said.status, 422, said.text)
      assert.equal((await rowsOf(id)).length, before, `nothing is written by ${JSON.stringify(sent)}`)
      return said.errors
    }

    test('refunds in parts show on the payment, and the revenue goes down while the balance stays', async () => {
      const { id, signup_payment_id: paymentId } = await buy()
      const first = await post(id, 'refund', { payment_id: paymentId, amount: '20.00', memo: 'First' })
      assert.equal(first.status, 201, first.text)
      const { refund } = first.tree
      assert.deepEqual(
        [refund.success, refund.amount_in_cents, refund.memo, refund.payment_id, refund.gateway_used, refund.kind],
        [true, 2000, 'First', paymentId, 'bogus', null],
      )
      await post(id, 'refund', { payment_id: String(paymentId), amount_in_cents: '500', memo: 'Second' })
      const { refund: cash } = (await post(id, 'refund', { external: 1, amount: '1', memo: 'Cash' })).tree
      assert.deepEqual([cash.kind, cash.payment_id, cash.gateway_used], ['manual', null, null])
      const rows = await rowsOf(id)
      assert.deepEqual(
        rows.map((row) => [row.type, row.refunded_amount_in_cents]),
        [
          ['Charge', null],
          ['Payment', 2500],
          ['Refund', null],
          ['Refund', null],
          ['Refund', null],
        ],
      )
      const { subscription } = (await shop.ask(`GET /subscriptions/${id}.json`)).json
      assert.deepEqual([subscription.total_revenue_in_cents, subscription.balance_in_cents], [2400, 0])
    })

    test('a refund names a payment of this subscription that brought money by the gateway, and asks for no more than is left of it', async () => {
      const { id, signup_payment_id: paymentId } = await buy()
      const stranger = await buy()
      const { payment: manual } = (await post(id, 'payment', { amount: '5', memo: 'Cash' })).tree
      const [charge] = await rowsOf(id)
      const sent = { amount: '1', memo: 'x' }
      assert.deepEqual(await refused(id, 'refund', sent), ['Payment: cannot be blank.'])
      assert.deepEqual(await refused(id, 'refund', { ...sent, payment_id: 0 }), ['Payment: cannot be blank.'])
      assert.deepEqual(await refused(id, 'refund', { ...sent, payment_id: 'x' }), ['Payment: is not a number.'])
      for (const wrong of [1, charge.id, stranger.signup_payment_id]) {
        assert.deepEqual(await refused(id, 'refund', { ...sent, payment_id: wrong }), ['Payment: could not be found.'])
      }
      assert.deepEqual(await refused(id, 'refund', { ...sent, payment_id: manual.id }), [
        'Payment: was not taken by a gateway, so that its refund must be external.',
      ])
      assert.deepEqual(await refused(id, 'refund', { memo: 'x', payment_id: paymentId, amount: '50.01' }), [
        'Amount: must be less than or equal to $50.00, which is what is left to refund.',
      ])
      assert.deepEqual(await refused(id, 'refund', { memo: 'x', external: true, amount: '55.01' }), [
        'Amount: must be less than or equal to $55.00, which is what is left to refund.',
      ])
    })

    test('twenty refunds at once, of which ten fit: ten are made, and the gateway gave back what was paid and no more', async () => {
      const { id, signup_payment_id: paymentId } = await buy()
      const sent = { payment_id: paymentId, amount: '5.00', memo: 'Crowd' }
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(id, 'refund', sent)))
      const statuses = answers.map(({ status }) => status).toSorted()
      assert.deepEqual(statuses, [...Array(10).fill(201), ...Array(10).fill(422)])
      const rows = await rowsOf(id)
      const refunds = rows.filter(({ type }) => type === 'Refund')
      assert.equal(refunds.length, 10)
      assert.equal(rows.find((row) => row.id === paymentId).refunded_amount_in_cents, 5000)
      const { total_revenue_in_cents: revenue, balance_in_cents: balance } = await read(id)
      assert.deepEqual([revenue, balance], [0, 0])
      const { json: calls } = await shop.ask('GET /bogus_gateway/calls.json?per_page=200')
      const given = calls
        .map(({ call }: Reply['json']) => call)
        .filter((call: Reply['json']) => call.kind === 'refund' && call.subscription_id === id)
      assert.deepEqual(
        given.map((call: Reply['json']) => [call.outcome, call.amount_in_cents]),
        Array(10).fill(['approved', 500]),
      )
    })

    test('twenty refunds from elsewhere and by the gateway at once give back no more than was paid', async () => {
      const { id, signup_payment_id: paymentId } = await buy()
      const sent = { payment_id: paymentId, amount: '7.00', memo: 'Crowd' }
      await Promise.all(
        Array.from({ length: 20 }, (_, place) =>
          post(id, 'refund', place % 2 ? sent : { ...sent, payment_id: null, external: true }),
        ),
      )
      assert.equal((await read(id)).total_revenue_in_cents, 100)
    })
  })
}

test('a refund that the gateway does not make says so with its memo, and stays on record as failed', async (t) => {
  const own = await openShop(t)
  const { subscription } = await made(own, 'POST /subscriptions.json', signup())
  const behave = (rates: object) => own.ask('PUT /bogus_gateway/behaviour.json', { body: { behaviour: rates } })
  await behave({ decline_rate: 1 })
  const path = `/subscriptions/${subscription.id}`
  const body = { refund: { payment_id: subscription.signup_payment_id, amount: '50', memo: 'Sorry' } }
  const reply = await own.ask(`POST ${path}/refunds.json`, { body })
  assert.deepEqual([reply.status, reply.json], [422, { errors: ['Bogus Gateway: Forced failure [Sorry]'] }])
  const [{ transaction: failed }] = (await own.ask(`GET ${path}/transactions.json`)).json
  assert.deepEqual([failed.type, failed.success, failed.payment_id], ['Refund', false, subscription.signup_payment_id])
  await behave({ decline_rate: 0 })
  assert.equal((await own.ask(`POST ${path}/refunds.json`, { body })).status, 201, 'nothing of it was used up')
})

test('the audit finds nothing in all this', async () => {
  const { text, differences } = await verify(shop.app)
  assert.equal(differences, 0, text)
})
