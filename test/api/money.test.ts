/** POST charges, adjustments, credits, payments and refunds of a subscription: 201 with the row that was written; 404; 422. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { dealings } from './dealings.ts'
import { decliningCard, openOtherSite, openShop } from './shop.ts'
import { formats, type Said, speaker } from './two-formats.ts'

const shop = await openShop()
const other = await openOtherSite(shop)
const kinds = ['charge', 'adjustment', 'credit', 'payment', 'refund'] as const

const { buy, rowsOf } = dealings(shop)

const balanceOf = async (id: number): Promise<number> =>
  (await shop.ask(`GET /subscriptions/${id}.json`)).json.subscription.balance_in_cents

for (const format of formats) {
  const say = speaker(shop, format)
  const post = (id: number | string, kind: string, sent: object): Promise<Said> =>
    say(`POST /subscriptions/${id}/${kind}s`, { [kind]: sent })

  describe(`201 in ${format}`, () => {
    test('a charge answers with its row, and its payment can be found by it', async () => {
      const { id, product } = await buy()
      const said = await post(id, 'charge', { amount: '1.00', memo: 'Setup & help' })
      assert.equal(said.status, 201, said.text)
      const { charge } = said.tree
      const { id: chargeId, payment_id: paymentId, statement_id: _, customer_id: __, ...shown } = charge
      assert.deepEqual(shown, {
        success: true,
        memo: 'Setup & help',
        amount_in_cents: 100,
        starting_balance_in_cents: 0,
        ending_balance_in_cents: 100,
        type: 'Charge',
        kind: 'one_time',
        transaction_type: 'charge',
        subscription_id: id,
        product_id: product.id,
        created_at: '2027-01-15T12:00:00+00:00',
        tax_id: null,
        component_id: null,
        gateway_used: null,
        gateway_transaction_id: null,
        gateway_order_id: null,
      })
      const [, , listed, payment] = await rowsOf(id)
      assert.deepEqual([listed.id, listed.payment_id, payment.id], [chargeId, paymentId, paymentId])
      assert.deepEqual(
        [payment.kind, payment.memo, payment.amount_in_cents, payment.success],
        ['one_time', 'Payment for: Setup & help', 100, true],
      )
    })

    test('a charge that waits for the renewal, that takes credit first, and that is for somebody else to collect', async () => {
      const { id } = await buy()
      const later = await post(id, 'charge', { amount_in_cents: 300, memo: 'Later', delay_capture: true })
      assert.deepEqual([later.tree.charge.kind, later.tree.charge.payment_id], ['delay_capture', null])
      await post(id, 'adjustment', { amount: '-10.00', memo: 'Sorry', adjustment_method: 'target' })
      const credited = await post(id, 'charge', { amount: 10.5, memo: 'Credit first', use_negative_balance: 1 })
      assert.deepEqual([credited.status, credited.tree.charge.ending_balance_in_cents], [201, 50])
      const billed = await post(id, 'charge', { amount: '2', memo: 'Billed', payment_collection_method: 'invoice' })
      assert.deepEqual([billed.tree.charge.kind, billed.tree.charge.payment_id], ['one_time', null])
      const amounts = (await rowsOf(id)).slice(2).map((row) => [row.type, row.amount_in_cents])
      assert.deepEqual(amounts, [
        ['Charge', 300],
        ['Adjustment', -1300],
        ['Charge', 1050],
        ['Payment', 50],
        ['Charge', 200],
      ])
    })

    test('an adjustment, by dollars or cents, of which cents win; its memo may be missing', async () => {
      const { id, customer } = await buy()
      const said = await post(id, 'adjustment', { amount: '9.99', amount_in_cents: -500 })
      assert.equal(said.status, 201, said.text)
      const { adjustment } = said.tree
      assert.deepEqual(
        [
          adjustment.type,
          adjustment.kind,
          adjustment.amount_in_cents,
          adjustment.ending_balance_in_cents,
          adjustment.memo,
        ],
        ['Adjustment', null, -500, -500, ''],
      )
      assert.deepEqual([adjustment.payment_id, adjustment.customer_id], [null, customer.id])
      const target = await post(id, 'adjustment', { amount: '0', memo: 'Even', adjustment_method: 'target' })
      assert.deepEqual([target.tree.adjustment.amount_in_cents, await balanceOf(id)], [500, 0])
    })

    test('a credit is an adjustment the other way', async () => {
      const { id } = await buy()
      const { credit } = (await post(id, 'credit', { amount: '10.00', memo: 'Sorry' })).tree
      assert.deepEqual(
        [credit.type, credit.amount_in_cents, credit.ending_balance_in_cents],
        ['Adjustment', -1000, -1000],
      )
    })

    test('a payment from elsewhere is manual and leaves credit', async () => {
      const { id } = await buy()
      const { payment } = (await post(id, 'payment', { amount: '10.00', memo: 'Cheque 7' })).tree
      assert.deepEqual(
        [payment.type, payment.kind, payment.amount_in_cents, payment.gateway_used, await balanceOf(id)],
        ['Payment', 'manual', 1000, null, -1000],
      )
    })
  })

  describe(`404 in ${format}`, () => {
    test('there is no such subscription on this site, whatever the document says', async () => {
      const { id } = await buy()
      for (const kind of kinds) {
        for (const sent of [{}, { amount: '1', memo: 'x', external: 1 }]) {
          assert.equal((await post(1, kind, sent)).status, 404, kind)
          assert.equal((await post('none', kind, sent)).status, 404, kind)
          const foreign = await say(`POST /subscriptions/${id}/${kind}s`, { [kind]: sent }, { key: other.apiKey })
          assert.equal(foreign.status, 404, kind)
        }
      }
      assert.equal((await rowsOf(id)).length, 2)
    })
  })

  describe(`422 in ${format}`, () => {
    const refused = async (id: number, kind: string, sent: object): Promise<string[]> => {
      const before = (await rowsOf(id)).length
      const said = await post(id, kind, sent)
      assert.equal(said.status, 422, said.text)
      assert.equal((await rowsOf(id)).length, before, `nothing is written by ${JSON.stringify(sent)}`)
      return said.errors
    }

    test('nothing sent: every missing field is named', async () => {
      const { id } = await buy()
      const expected: [kind: string, errors: string[]][] = [
        ['charge', ['Memo: cannot be blank.', 'Amount: is not a number.']],
        ['adjustment', ['Amount: is not a number.']],
        ['credit', ['Amount: is not a number.']],
        ['payment', ['Amount: is not a number.']],
        ['refund', ['Memo: cannot be blank.', 'Amount: is not a number.']],
      ]
      for (const [kind, errors] of expected) {
        assert.deepEqual(await refused(id, kind, {}), errors)
        assert.deepEqual(await refused(id, kind, { memo: null, amount: null, amount_in_cents: '' }), errors)
        const said = await say(`POST /subscriptions/${id}/${kind}s`)
        assert.deepEqual([said.status, said.errors], [422, errors])
      }
    })

    test('amounts that are none, too small, too large or too fine', async () => {
      const { id, signup_payment_id: paymentId } = await buy()
      const given = { memo: 'x', payment_id: paymentId }
      for (const kind of ['charge', 'payment', 'adjustment', 'refund']) {
        const amount = async (sent: object) => refused(id, kind, { ...given, ...sent })
        assert.deepEqual(await amount({ amount: 'a lot' }), ['Amount: is not a number.'])
        assert.deepEqual(await amount({ amount_in_cents: '1.5' }), ['Amount: is not a number.'])
        assert.deepEqual(await amount({ amount: '1.005' }), ['Amount: must have at most two decimals.'])
        assert.deepEqual(await amount({ amount: '1', amount_in_cents: 'x' }), ['Amount: is not a number.'])
        assert.equal((await amount({ amount_in_cents: 1_000_000_000_001 })).length, 1)
      }
      for (const kind of ['charge', 'payment']) {
        assert.deepEqual(await refused(id, kind, { ...given, amount: '-0.01' }), [
          'Amount: must be greater than or equal to 0.',
        ])
      }
      assert.deepEqual(await refused(id, 'credit', { amount: '-1' }), ['Amount: must be greater than or equal to 0.'])
      assert.deepEqual(await refused(id, 'refund', { ...given, amount: 0 }), ['Amount: must be greater than 0.'])
    })

    test('words that are too long, and choices that are none', async () => {
      const { id } = await buy()
      const tooLong = 'Memo: is too long (maximum is 65535 characters).'
      for (const kind of kinds) {
        assert.deepEqual(await refused(id, kind, { amount: '1', memo: 'x'.repeat(65_536), external: 1 }), [tooLong])
      }
      const choices = { use_negative_balance: 'perhaps', delay_capture: 'x', accrue_on_failure: 'x', taxable: 'x' }
      assert.deepEqual(
        await refused(id, 'charge', { amount: '1', memo: 'x', ...choices, payment_collection_method: 'cash' }),
        [
          'Use negative balance: must be true or false.',
          'Delay capture: must be true or false.',
          'Accrue on failure: must be true or false.',
          'Taxable: must be true or false.',
          'Payment collection method: must be one of automatic, invoice, remittance.',
        ],
      )
      assert.deepEqual(await refused(id, 'adjustment', { amount: '1', adjustment_method: 'guess' }), [
        'Adjustment method: must be one of default, target.',
      ])
    })

    test('a declined charge says what the gateway said, and leaves its failed payment', async () => {
      const { id } = await buy({ product_handle: 'free-trial', payment_profile_attributes: decliningCard })
      const said = await post(id, 'charge', { amount: '1.00', memo: 'Help' })
      assert.deepEqual([said.status, said.errors], [422, ['Bogus Gateway: Forced failure']])
      const failed = (await rowsOf(id)).at(-1)
      assert.deepEqual(
        [failed.type, failed.success, failed.amount_in_cents, failed.memo, await balanceOf(id)],
        ['Payment', false, 100, 'Bogus Gateway: Forced failure', 0],
      )
      const accrued = await post(id, 'charge', { amount: '1.00', memo: 'Help', accrue_on_failure: true })
      assert.deepEqual([accrued.status, accrued.tree.charge.success, accrued.tree.charge.payment_id], [201, true, null])
      assert.equal(await balanceOf(id), 100)
    })

    test('without a card a charge is refused', async () => {
      const { id } = await buy({ product_handle: 'free', payment_profile_attributes: undefined })
      assert.deepEqual(await refused(id, 'charge', { amount: '1', memo: 'x' }), [
        'No credit card is on file for this subscription.',
      ])
    })

    test('a canceled subscription accepts neither charges nor adjustments, but payments and refunds', async () => {
      const { id, signup_payment_id: paymentId } = await buy()
      await say(`DELETE /subscriptions/${id}`)
      const sent = { amount: '1', memo: 'x', payment_id: paymentId }
      assert.deepEqual(await refused(id, 'charge', sent), ['This subscription is not eligible to accept charges.'])
      for (const kind of ['adjustment', 'credit']) {
        assert.deepEqual(await refused(id, kind, sent), ['This subscription is not eligible to accept adjustments.'])
      }
      assert.equal((await post(id, 'payment', sent)).status, 201)
      assert.equal((await post(id, 'refund', sent)).status, 201)
    })
  })
}

test('charges at once: each is captured or refused, and what was captured is what is on the ledger', async () => {
  const { id } = await buy()
  const body = { charge: { amount: '1', memo: 'Crowd' } }
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => shop.ask(`POST /subscriptions/${id}/charges.json`, { body })),
  )
  const refused = replies.filter(({ status }) => status !== 201)
  const underWay = { errors: ['A payment for this subscription is being processed.'] }
  for (const reply of refused) assert.deepEqual([reply.status, reply.json], [422, underWay])
  const made = replies.length - refused.length
  assert.ok(made >= 1)
  assert.equal((await rowsOf(id)).length, 2 + 2 * made)
})

test('what is repeated under one key is done once, and all get its answer', async () => {
  const { id, signup_payment_id: paymentId } = await buy()
  const sent = { amount: '2', memo: 'Once', payment_id: paymentId }
  for (const kind of kinds) {
    const headers = { 'Idempotency-Key': `${kind} of ${id}` }
    const ask = () => shop.ask(`POST /subscriptions/${id}/${kind}s.json`, { headers, body: { [kind]: sent } })
    const replies = await Promise.all(Array.from({ length: 10 }, ask))
    assert.deepEqual(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1, replies[0]!.text)
    assert.equal(replies[0]!.status, 201)
  }
  const written = (await rowsOf(id)).slice(2).map(({ type }) => type)
  assert.deepEqual(written, ['Charge', 'Payment', 'Adjustment', 'Adjustment', 'Payment', 'Refund'])
})

test('the audit finds nothing in all this', async () => {
  const { text, differences } = await verify(shop.app)
  assert.equal(differences, 0, text)
})
