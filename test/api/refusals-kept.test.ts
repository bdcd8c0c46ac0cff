/** What a gateway was asked for is asked once under a key: a decline is the first answer, for as long as it is kept. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recoverPayments } from '../../src/actions/recover-payments.ts'
import { verify } from '../../src/actions/verify.ts'
import { sql } from '../../src/store/sql.ts'
import { brokenCard, countLeftovers, decliningCard, goodCard, made, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const { app, siteId } = shop
const usedOtherwise = ['Idempotency-Key: was used for another request.']

const countCalls = async (): Promise<number> =>
  (await app.db.arrays(sql`select count(*)::int from bogus_gateway.calls where site_id = ${siteId}`))[0]![0] as number

const behave = (behaviour: object) => shop.ask('PUT /bogus_gateway/behaviour.json', { body: { behaviour } })

for (const format of formats) {
  const say = speaker(shop, format)
  const keyed = (key: string) => ({ headers: { 'Idempotency-Key': `${key}-in-${format}` } })

  /** One that pays nothing yet, with a card that will be declined. */
  const declined = async (handle = 'card-trial'): Promise<number> => {
    const card = { payment_profile_attributes: decliningCard }
    return (await made(shop, 'POST /subscriptions.json', signup({ product_handle: handle, ...card }))).subscription.id
  }

  const acts: Record<string, () => Promise<[line: string, tree?: object]>> = {
    'a sign-up': async () => ['POST /subscriptions', signup({ payment_profile_attributes: decliningCard })],
    'a sign-up whose gateway failed': async () => [
      'POST /subscriptions',
      signup({ payment_profile_attributes: brokenCard }),
    ],
    'a card to be stored': async () => {
      const { customer } = await made(shop, 'POST /customers.json', {
        customer: { first_name: 'A', last_name: 'B', email: 'a@example.com' },
      })
      return ['POST /payment_profiles', { payment_profile: { ...brokenCard, customer_id: customer.id } }]
    },
    'a charge': async () => [
      `POST /subscriptions/${await declined()}/charges`,
      { charge: { amount_in_cents: 700, memo: 'Help' } },
    ],
    'a migration': async () => [
      `POST /subscriptions/${await declined('free')}/migrations`,
      { migration: { product_handle: 'monthly' } },
    ],
    'a reactivation': async () => {
      const id = await declined()
      await shop.ask(`DELETE /subscriptions/${id}.json`)
      return [`PUT /subscriptions/${id}/reactivate`]
    },
    'a refund': async () => {
      const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
      await behave({ decline_rate: 1 })
      const refund = { payment_id: subscription.signup_payment_id, amount_in_cents: 700, memo: 'Sorry' }
      return [`POST /subscriptions/${subscription.id}/refunds`, { refund }]
    },
  }

  describe(`a refusal kept in ${format}`, () => {
    for (const [name, prepare] of Object.entries(acts)) {
      test(`of ${name} is given again, also to those that wait, and asks nobody twice`, async () => {
        const [line, tree] = await prepare()
        const before = await countCalls()
        const key = keyed(name)
        const answers = await Promise.all(Array.from({ length: 6 }, () => say(line, tree, key)))
        await behave({ decline_rate: 0 })
        answers.push(await say(line, tree, key))
        assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([422]), answers[0]!.text)
        assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
        const asked = (await countCalls()) - before
        assert.ok(asked === 1 || (asked === 2 && line.includes('POST /subscriptions')), `${asked} calls`)
        assert.deepEqual(await countCalls(), before + asked)
      })
    }

    test('refuses another request under its key, also one that is only corrected', async () => {
      const tree = signup({ payment_profile_attributes: decliningCard })
      const before = await countLeftovers(shop)
      const first = await say('POST /subscriptions', tree, keyed('corrected'))
      const corrected = await say('POST /subscriptions', signup(), keyed('corrected'))
      assert.deepEqual([corrected.status, corrected.errors], [422, usedOtherwise])
      assert.equal((await say('POST /subscriptions', tree, keyed('corrected'))).text, first.text)
      assert.deepEqual(await countLeftovers(shop), before)
      assert.equal((await say('POST /subscriptions', signup(), keyed('corrected, a new key'))).status, 201)
    })

    test('is over after a day', async () => {
      const tree = signup({ payment_profile_attributes: decliningCard })
      await say('POST /subscriptions', tree, keyed('a day'))
      await app.db.run(sql`
        update idempotency_keys set started_at = started_at - interval '25 hours' where site_id = ${siteId}`)
      assert.equal((await say('POST /subscriptions', signup(), keyed('a day'))).status, 201)
    })

    test('is none while the gateway has not said what became of it: who asks again is told how it stands', async () => {
      const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
      const line = `POST /subscriptions/${subscription.id}/charges`
      const tree = { charge: { amount_in_cents: 700, memo: 'Help' } }
      const gateway = app.gateways.get('bogus')!
      const silent = Object.assign(Object.create(gateway), {
        purchase: async (request: Parameters<typeof gateway.purchase>[0]) => {
          await gateway.purchase(request)
          throw new Error('the line is dead')
        },
        find: () => Promise.reject(new Error('the line is dead')),
      })
      const gateways = app.gateways as Map<string, typeof gateway>
      gateways.set('bogus', silent)
      const before = await countCalls()
      const answers = await Promise.all([1, 2, 3].map(() => say(line, tree, keyed('silent'))))
      for (const { status, errors } of answers) {
        assert.equal(status, 422)
        assert.match(errors[0]!, /is being verified/)
      }
      const other = { charge: { ...tree.charge, amount_in_cents: 800 } }
      assert.deepEqual((await say(line, other, keyed('silent'))).errors, usedOtherwise)
      gateways.set('bogus', gateway)
      await app.db.run(sql`
        update payment_attempts set next_check_at = now() where site_id = ${siteId} and settled_at is null`)
      await recoverPayments(app)
      const done = await say(line, tree, keyed('silent'))
      assert.equal(done.status, 201, done.text)
      assert.equal((await say(line, tree, keyed('silent'))).text, done.text)
      assert.equal((await countCalls()) - before, 1)
    })

    test('is none where the answer about a card was lost: nothing was taken, and who asks again is served', async () => {
      const before = await countLeftovers(shop)
      await behave({ lose_answer_rate: 1 })
      const lost = await say('POST /subscriptions', signup(), keyed('lost'))
      await behave({ lose_answer_rate: 0 })
      assert.deepEqual([lost.status, lost.errors], [422, ['The gateway broke the connection before it answered.']])
      assert.deepEqual(await countLeftovers(shop), before)
      const served = await say('POST /subscriptions', signup(), keyed('lost'))
      assert.equal(served.status, 201, served.text)
      assert.equal((await say('POST /subscriptions', signup(), keyed('lost'))).text, served.text)
      assert.equal((await countLeftovers(shop)).subscriptions, before.subscriptions + 1)
    })
  })
}

test('a card that is corrected in its code alone is the same request; another number is another one', async () => {
  const headers = { 'Idempotency-Key': 'code' }
  const send = (card: object) =>
    shop.ask('POST /subscriptions.json', {
      body: signup({ payment_profile_attributes: { ...goodCard, ...card } }),
      headers,
    })
  const number = '4111111111111111'
  const first = await send({ full_number: number })
  const again = await send({ full_number: '4111 1111-1111 1111', cvv: '999' })
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  assert.deepEqual((await send({ full_number: '4242424242424242' })).json.errors, usedOtherwise)
})

test('the audit finds nothing in all this', async () => {
  const { text, differences } = await verify(app)
  assert.equal(differences, 0, text)
})
