/** Bank accounts: made, imported, shown and changed, in JSON and in XML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/store/sql.ts'
import { account, address, customerOf, eventsOf, make, signUp } from './account-holders.ts'
import { goodCard, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

for (const format of formats) {
  test(`${format}: a bank account is stored under masks and read back with all that was said of it`, async (t) => {
    const say = speaker(await openShop(t), format)
    const customer_id = await customerOf(say)
    const made = await say('POST /payment_profiles', {
      payment_profile: { customer_id, payment_type: 'bank_account', ...account, ...address },
    })
    assert.equal(made.status, 201, made.text)
    const { id, vault_token: token, ...profile } = made.tree.payment_profile
    assert.match(token, /^bogus_[0-9a-f]+_1$/)
    assert.equal(made.headers.location, `/payment_profiles/${id}`)
    assert.deepEqual(profile, {
      first_name: 'Ada',
      last_name: 'Lovelace',
      customer_id,
      current_vault: 'bogus',
      customer_vault_token: null,
      ...address,
      billing_address_2: null,
      billing_state: null,
      billing_zip: null,
      bank_name: 'Bank of Kansas City',
      masked_bank_routing_number: 'XXXX0089',
      masked_bank_account_number: 'XXXX3344',
      bank_account_type: 'savings',
      bank_account_holder_type: 'business',
      payment_type: 'bank_account',
      verified: true,
      created_at: '2027-01-15T12:00:00+00:00',
      updated_at: '2027-01-15T12:00:00+00:00',
    })
    assert.deepEqual((await say(`GET /payment_profiles/${id}`)).tree, made.tree)
    const plain = await make(say, { customer_id, bank_iban: 'GB82 WEST 1234 5698 7654 32', first_name: 'Augusta' })
    assert.deepEqual(
      [plain.first_name, plain.bank_name, plain.masked_bank_account_number, plain.masked_bank_routing_number],
      ['Augusta', null, 'XXXX5432', null],
    )
    assert.deepEqual([plain.bank_account_type, plain.bank_account_holder_type], ['checking', 'personal'])
    const branch = { ...account, bank_routing_number: null, bank_branch_code: '40-40-40' }
    assert.equal((await make(say, { customer_id, ...branch })).masked_bank_routing_number, 'XXXX4040')
    const card = await make(say, { customer_id, ...goodCard, payment_type: 'credit_card', bank_name: '' })
    const listed = (await say(`GET /payment_profiles?customer_id=${customer_id}`)).tree
    assert.deepEqual(
      listed.map((one: { payment_type: string }) => one.payment_type),
      ['bank_account', 'bank_account', 'bank_account', 'credit_card'],
    )
    assert.deepEqual([listed[0], listed[3]], [made.tree.payment_profile, card])
    assert.ok(!('bank_name' in card) && !('card_type' in plain))
  })

  test(`${format}: a bank account that a vault keeps is imported by its token`, async (t) => {
    const say = speaker(await openShop(t), format)
    const customer_id = await customerOf(say)
    const imported = { customer_id, payment_type: 'bank_account', current_vault: 'bogus', vault_token: 'acct_1' }
    const known = await make(say, { ...imported, ...address, bank_name: 'Hoare', last_four: '6789', verified: false })
    assert.deepEqual(
      [known.vault_token, known.bank_name, known.masked_bank_account_number, known.verified, known.billing_city],
      ['acct_1', 'Hoare', 'XXXX6789', false, 'Boulder'],
    )
    const unknown = await make(say, { ...imported, customer_vault_token: 'cus_1' })
    assert.deepEqual(
      [unknown.masked_bank_account_number, unknown.masked_bank_routing_number, unknown.customer_vault_token],
      ['XXXX', null, 'cus_1'],
    )
    assert.equal(unknown.verified, true)
    const elsewhere = { ...imported, current_vault: 'vault_id_1' }
    const refused = await say('POST /payment_profiles', { payment_profile: elsewhere })
    assert.equal(refused.status, 422)
    assert.match(refused.errors[0]!, /^Current vault: /)
  })

  test(`${format}: a bank account is refused with every problem at once, and never as half a card`, async (t) => {
    const say = speaker(await openShop(t), format)
    const customer_id = await customerOf(say)
    const both = 'Payment profile: give the details of either a card or a bank account, not of both.'
    const refusals: [object, string[]][] = [
      [
        { payment_type: 'bank_account' },
        [
          'Bank name: cannot be blank.',
          'Bank routing number: cannot be blank.',
          'Bank account number: cannot be blank.',
        ],
      ],
      [
        { ...account, bank_account_number: '1234', bank_routing_number: '1', bank_account_type: 'current' },
        [
          'Bank routing number: must be 3 to 12 digits or letters.',
          'Bank account number: must be 5 to 20 digits.',
          'Bank account type: must be one of checking, savings.',
        ],
      ],
      [{ bank_iban: 'GB82WEST12345698765433' }, ['Bank IBAN: must be a valid IBAN.']],
      [
        { ...account, bank_iban: 'GB82WEST12345698765432' },
        ['Bank IBAN: cannot be given together with the account number.'],
      ],
      [{ ...account, ...goodCard }, [both]],
      [{ ...account, ...goodCard, payment_type: 'credit_card' }, [both]],
      [
        { ...account, vault_token: 'acct_1' },
        ['Vault token: cannot be given together with the number of the bank account.'],
      ],
      [
        { ...account, verified: true },
        ['Verified: can be said of an account with a vault token; of others the gateway says it.'],
      ],
      [
        { ...account, chargify_token: 'tok_1' },
        ['Chargify token: is not supported; no provider of such tokens is connected.'],
      ],
      [{ ...goodCard, verified: true }, ['Verified: can be said of a bank account, not of a card.']],
      [{ payment_type: 'paypal_account' }, ['Payment type: only credit cards and bank accounts can be stored.']],
      [{ ...account, bank_account_number: '3' }, ['Bogus Gateway: Forced error']],
    ]
    for (const [payment_profile, messages] of refusals) {
      const refused = await say('POST /payment_profiles', { payment_profile: { customer_id, ...payment_profile } })
      assert.deepEqual([refused.status, refused.errors], [422, messages])
    }
    assert.deepEqual((await say('GET /payment_profiles')).tree, [])
  })

  test(`${format}: a bank account is changed in part, its number under the same id, and stays one`, async (t) => {
    const say = speaker(await openShop(t), format)
    const { id, bank_account: before } = await signUp(say, { bank_account_attributes: account })
    const line = `PUT /payment_profiles/${before.id}`
    const put = async (payment_profile: object) => (await say(line, { payment_profile })).tree.payment_profile
    assert.deepEqual(await put(before), before)
    const moved = await put({ ...address, first_name: 'Augusta', bank_name: 'Hoare', bank_account_type: 'checking' })
    assert.deepEqual(moved, {
      ...before,
      ...address,
      ...{ first_name: 'Augusta', bank_name: 'Hoare', bank_account_type: 'checking' },
    })
    const renumbered = await put({ bank_account_number: '9988776655', bank_routing_number: '111000025' })
    assert.deepEqual(
      [renumbered.masked_bank_account_number, renumbered.masked_bank_routing_number, renumbered.bank_name],
      ['XXXX6655', 'XXXX0025', 'Hoare'],
    )
    assert.notEqual(renumbered.vault_token, before.vault_token)
    const stays = 'Payment type: cannot be changed; store a new payment profile.'
    const refusals: [object, string][] = [
      [{ payment_type: 'credit_card', first_name: 'X' }, stays],
      [goodCard, 'Payment profile: give the details of either a card or a bank account, not of both.'],
      [{ bank_account_number: '9988776655' }, 'Bank routing number: cannot be blank.'],
      [{ bank_routing_number: '111000025' }, 'Bank account number: cannot be blank.'],
      [
        { verified: false },
        'Verified: is told by the deposits that the customer found, at /bank_accounts/<id>/verification.',
      ],
    ]
    for (const [payment_profile, message] of refusals) {
      const refused = await say(line, { payment_profile })
      assert.deepEqual([refused.status, refused.errors], [422, [message]], JSON.stringify(payment_profile))
    }
    const card = await make(say, { customer_id: before.customer_id, ...goodCard })
    const turned = await say(`PUT /payment_profiles/${card.id}`, { payment_profile: account })
    assert.deepEqual([turned.status, turned.errors], [422, [stays]])
    const told = "Bank account updated on Ada Lovelace's subscription to Monthly"
    assert.deepEqual((await eventsOf(say, id)).slice(-2), [
      ['subscription_bank_account_update', told],
      ['subscription_bank_account_update', told],
    ])
  })
}

test('no number of an account is kept: neither in a row nor in the gateway’s record', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const customer_id = await customerOf(say)
  const secrets = ['72649185', '91857264', 'GB82WEST12345698765432', 'WEST']
  const options = (key: string) => ({ headers: { 'Idempotency-Key': key } })
  const [account_number, routing_number, iban] = secrets
  const local = { ...account, bank_account_number: `55${account_number}1`, bank_routing_number: `${routing_number}7` }
  for (const [key, payment_profile] of Object.entries({ local, iban: { bank_iban: iban } })) {
    const sent = { payment_profile: { customer_id, ...payment_profile } }
    assert.equal((await say('POST /payment_profiles', sent, options(key))).status, 201)
    assert.equal((await say('POST /payment_profiles', sent, options(key))).status, 201)
  }
  const rows = await shop.app.db.arrays(sql`
    select 'profile', r::text from payment_profiles r where r.site_id = ${shop.siteId}
    union all select 'event', r::text from events r where r.site_id = ${shop.siteId}
    union all select 'key', r::text from idempotency_keys r where r.site_id = ${shop.siteId}
    union all select 'call', r::text from bogus_gateway.calls r where r.site_id = ${shop.siteId}`)
  assert.equal(rows.filter(([table]) => table === 'profile').length, 2)
  for (const secret of secrets) assert.ok(!JSON.stringify(rows).includes(secret), secret)
})
