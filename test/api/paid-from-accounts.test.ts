/** Subscriptions that are paid from bank accounts: signed up, changed, charged, verified, in JSON and in XML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, eventsOf, make, numbered, signUp } from './account-holders.ts'
import { goodCard, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

for (const format of formats) {
  test(`${format}: a subscription is signed up with a bank account, renews and is refunded from it`, async (t) => {
    const shop = await openShop(t)
    const say = speaker(shop, format)
    for (const attributes of [
      { bank_account_attributes: account },
      { payment_profile_attributes: { ...account, payment_type: 'bank_account' } },
    ]) {
      const subscription = await signUp(say, attributes)
      const { id, bank_account: shown, payment_type: type } = subscription
      assert.deepEqual(
        [type, subscription.credit_card, shown.masked_bank_account_number],
        ['bank_account', null, 'XXXX3344'],
      )
      assert.deepEqual((await say(`GET /payment_profiles/${shown.id}`)).tree.payment_profile, shown)
      assert.deepEqual((await say(`GET /subscriptions/${id}`)).tree.subscription.bank_account, shown)
    }
    const withCard = await signUp(say, { payment_profile_attributes: goodCard })
    assert.deepEqual([withCard.payment_type, withCard.bank_account], ['credit_card', null])
    const [newest] = (await say('GET /subscriptions?direction=asc')).tree
    await shop.moveClock('2027-02-16T00:00:00Z')
    const { subscription } = (await say(`GET /subscriptions/${newest.id}`)).tree
    assert.deepEqual([subscription.state, subscription.total_revenue_in_cents], ['active', 10_000])
    const payment = (await say(`GET /subscriptions/${newest.id}/transactions?direction=desc`)).tree.find(
      (row: { transaction_type: string }) => row.transaction_type === 'payment',
    )
    assert.deepEqual(
      [payment.card_number, payment.card_type, payment.card_expiration, payment.success],
      ['XXXX3344', 'bank_account', null, true],
    )
    const statements = (await say(`GET /subscriptions/${newest.id}/statements`)).tree
    const told = statements.map(({ text_view: text }: { text_view: string }) => text).join()
    assert.match(told, /BankPay/)
    assert.match(told, /XXXX3344 bank account/)
    const refund = { payment_id: payment.id, amount: '10.00', memo: 'Sorry' }
    const refunded = await say(`POST /subscriptions/${newest.id}/refunds`, { refund })
    assert.deepEqual([refunded.status, refunded.tree.refund.success], [201, true])
  })

  test(`${format}: sign-ups and updates refuse two ways to pay at once, and accounts that the gateway refuses`, async (t) => {
    const say = speaker(await openShop(t), format)
    const alone = 'Payment profile: give bank_account_attributes without attributes of another name.'
    const cases: [object, string][] = [
      [{ bank_account_attributes: account, payment_profile_attributes: goodCard }, alone],
      [{ bank_account_attributes: { ...account, bank_name: ' ' } }, 'Bank name: cannot be blank.'],
      [
        { bank_account_attributes: { bank_name: 'Hoare', payment_type: 'paypal_account' } },
        'Payment type: only credit cards and bank accounts can be stored.',
      ],
      [{ bank_account_attributes: numbered('2') }, 'Bogus Gateway: Forced failure'],
      [{ bank_account_attributes: numbered('000111111116') }, 'Bogus Gateway: Forced failure'],
      [{ bank_account_attributes: { bank_iban: 'DE62370400440532013001' } }, 'Bogus Gateway: Forced failure'],
      [{ bank_account_attributes: numbered('3') }, 'Bogus Gateway: Forced error'],
      [{ bank_account_attributes: numbered('4') }, 'Bogus Gateway: The bank account is not verified'],
    ]
    for (const [changes, message] of cases) {
      const refused = await say('POST /subscriptions', signup({ payment_profile_attributes: undefined, ...changes }))
      assert.deepEqual([refused.status, refused.errors], [422, [message]])
    }
    const { id } = await signUp(say, { payment_profile_attributes: goodCard })
    const twice = { subscription: { bank_account_attributes: account, credit_card_attributes: goodCard } }
    assert.deepEqual((await say(`PUT /subscriptions/${id}`, twice)).errors, [alone])
    const partly = { subscription: { bank_account_attributes: { bank_name: 'Hoare' } } }
    assert.deepEqual((await say(`PUT /subscriptions/${id}`, partly)).errors, [
      'Bank routing number: cannot be blank.',
      'Bank account number: cannot be blank.',
    ])
  })

  test(`${format}: a subscription changes between card and bank account by update and by profile`, async (t) => {
    const say = speaker(await openShop(t), format)
    const { id, credit_card: card } = await signUp(say, { payment_profile_attributes: goodCard })
    const put = async (subscription: object) =>
      (await say(`PUT /subscriptions/${id}`, { subscription })).tree.subscription
    const onAccount = await put({ bank_account_attributes: account })
    assert.deepEqual([onAccount.payment_type, onAccount.credit_card], ['bank_account', null])
    const corrected = await put({ bank_account_attributes: { bank_name: 'Hoare' } })
    assert.deepEqual(corrected.bank_account, { ...onAccount.bank_account, bank_name: 'Hoare' })
    const { bank_account: shown } = corrected
    assert.deepEqual((await put({ bank_account_attributes: shown })).bank_account, shown)
    assert.equal((await put({ payment_profile_id: card.id })).credit_card.id, card.id)
    const path = `/subscriptions/${id}/payment_profiles/${shown.id}`
    const changed = await say(`POST ${path}/change_payment_profile`)
    assert.deepEqual([changed.status, changed.tree.payment_profile], [201, shown])
    assert.equal((await say(`POST ${path}/change_payment_profile`)).status, 422)
    assert.equal((await say(`DELETE /payment_profiles/${shown.id}`)).status, 422)
    assert.equal((await say(`DELETE ${path}`)).status, 204)
    const { subscription: bare } = (await say(`GET /subscriptions/${id}`)).tree
    assert.deepEqual([bare.payment_type, bare.bank_account, bare.credit_card], [null, null, undefined])
    assert.equal((await say(`DELETE /payment_profiles/${card.id}`)).status, 204)
    assert.deepEqual(
      (await eventsOf(say, id)).map(([key]) => key).filter((key) => key.startsWith('subscription_')),
      [
        'subscription_bank_account_update',
        'subscription_bank_account_update',
        'subscription_card_update',
        'subscription_bank_account_update',
        'subscription_bank_account_update',
      ],
    )
  })

  test(`${format}: an account that is not verified pays once its customer has told the two deposits`, async (t) => {
    const shop = await openShop(t)
    const say = speaker(shop, format)
    const waiting = { product_handle: 'card-trial', bank_account_attributes: numbered('4') }
    const { id, bank_account: before } = await signUp(say, waiting)
    assert.equal(before.verified, false)
    const tell = (first: unknown, second: unknown, accountId = before.id) =>
      say(`PUT /bank_accounts/${accountId}/verification`, {
        bank_account_verification: { deposit_1_in_cents: first, deposit_2_in_cents: second },
      })
    await shop.moveClock('2027-02-16T00:00:00Z')
    assert.equal((await say(`GET /subscriptions/${id}`)).tree.subscription.state, 'past_due')
    const wrong = await tell(1, 2)
    assert.deepEqual([wrong.status, wrong.errors], [422, ['Bogus Gateway: These are not the deposits that were made']])
    const nothing = await tell(null, 0)
    assert.deepEqual(nothing.errors, ['Deposit 1: cannot be blank.', 'Deposit 2: must be greater than or equal to 1.'])
    const verified = await tell(45, 32)
    assert.deepEqual([verified.status, verified.tree.payment_profile.verified], [200, true])
    assert.deepEqual((await tell(32, 45)).errors, ['Bank account: is verified already.'])
    assert.equal((await tell(32, 45, 999)).status, 404)
    const card = await make(say, { customer_id: before.customer_id, ...goodCard })
    assert.equal((await tell(32, 45, card.id)).status, 404)
    assert.equal((await say(`PUT /subscriptions/${id}/retry`)).tree.subscription.state, 'active')
    const kinds = (await say('GET /bogus_gateway/calls')).tree.map((call: { kind: string }) => call.kind)
    assert.deepEqual(kinds.filter((kind: string) => kind === 'verify').length, 2)
  })
}

test('an account does not expire: it is in no list of expired cards and no notice is given of it', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  await signUp(say, { bank_account_attributes: account })
  await shop.moveClock('2032-02-01T00:00:00Z')
  assert.deepEqual((await say('GET /subscriptions?state=expired_cards')).tree, [])
  assert.deepEqual((await say('GET /events?filter=expiring_card')).tree, [])
})
