/** The coupon of a subscription: at the sign-up, put on later, and taken off, in JSON and in XML. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSubscription } from '../../src/actions/create-subscription.ts'
import { recoverPaymentsOf } from '../../src/actions/recover-payments.ts'
import { verify } from '../../src/actions/verify.ts'
import { readSignup } from '../../src/api/signup-input.ts'
import { findSite } from '../../src/store/sites.ts'
import { sql } from '../../src/store/sql.ts'
import { countLeftovers, decliningCard, made, openShop, type Shop, signup, unpriced } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const half = { name: 'Half', code: 'HALF', description: 'Half off', percentage: '50' }

const open = async (t?: Parameters<typeof openShop>[0]): Promise<Shop> => {
  const shop = await openShop(t)
  for (const coupon of [
    half,
    { ...half, code: 'TWICE', recurring: true, duration_period_count: 2 },
    { ...half, code: 'ALWAYS', percentage: '10', recurring: true },
    { name: 'Gift', code: 'GIFT', amount: '120.00', allow_negative_balance: true },
    { ...half, code: 'LATER', start_date: '2027-02-01' },
    { ...half, code: 'ENDING', end_date: '2027-01-15' },
  ]) {
    await made(shop, 'POST /coupons.json', { coupon })
  }
  const { product_family: other } = await made(shop, 'POST /product_families.json', {
    product_family: { name: 'Other' },
  })
  await made(shop, 'POST /coupons.json', { coupon: { ...half, code: 'FOREIGN', product_family_id: other.id } })
  const { coupon: gone } = await made(shop, 'POST /coupons.json', { coupon: { ...half, code: 'GONE' } })
  await shop.ask(`DELETE /coupons/${gone.id}.json`)
  const { coupon: main } = await made(shop, 'POST /coupons.json', {
    coupon: { ...half, code: 'MAIN', conversion_limit: 1 },
  })
  await shop.ask(`POST /coupons/${main.id}/codes.json`, { body: { codes: ['SUB1', 'SUB2'] } })
  return shop
}

const shops = { json: await open(), xml: await open() }

const couponOf = (tree: { subscription: Record<string, unknown> }) => {
  const { coupon_code: code, coupon_use_count: count, coupon_uses_allowed: allowed } = tree.subscription
  return [code, count, allowed]
}

type Row = { kind: string | null; amount_in_cents: number; memo: string; discount_amount_in_cents: number | null }

const rowsOf = async (shop: Shop, id: number): Promise<Row[]> =>
  (await shop.ask(`GET /subscriptions/${id}/transactions.json?direction=asc&per_page=200`)).json.map(
    (row: { transaction: Row }) => row.transaction,
  )

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)

  describe(`a coupon, in ${format}`, () => {
    test('discounts the sign-up, in whatever case its code is asked for', async () => {
      const { status, tree } = await say('POST /subscriptions', signup({ coupon_code: ' half ' }))
      assert.equal(status, 201)
      assert.deepEqual(couponOf(tree), ['HALF', 1, 1])
      assert.equal(tree.subscription.signup_revenue, '25.00')
      const rows = await rowsOf(shop, tree.subscription.id)
      assert.deepEqual(
        rows.map((row) => [row.kind, row.amount_in_cents, row.discount_amount_in_cents]),
        [
          ['baseline', 5000, 2500],
          ['coupon', -2500, null],
          [null, 2500, null],
        ],
      )
      assert.equal(rows[1]!.memo, 'Coupon: HALF - Half off')
    })

    test('is told as none where there is none', async () => {
      const { tree } = await say('POST /subscriptions', signup())
      assert.deepEqual(couponOf(tree), [null, null, null])
    })

    test('by its subcode is shown under it, and each code has its own limit', async () => {
      for (const code of ['SUB1', 'SUB2', 'MAIN']) {
        const { tree } = await say('POST /subscriptions', signup({ coupon_code: code.toLowerCase() }))
        assert.equal(tree.subscription.coupon_code, code)
        assert.equal((await rowsOf(shop, tree.subscription.id))[1]!.memo, `Coupon: ${code} - Half off`)
      }
      const refused = await say('POST /subscriptions', signup({ coupon_code: 'SUB1' }))
      assert.deepEqual([refused.status, refused.errors], [422, ['Coupon Code: is invalid']])
    })

    test('that nobody may use leaves nothing of the sign-up', async () => {
      const before = await countLeftovers(shop)
      for (const code of ['NONE', 'LATER', 'FOREIGN', 'GONE', 'x y', "'; --"]) {
        const refused = await say('POST /subscriptions', signup({ coupon_code: code }))
        assert.deepEqual([refused.status, refused.errors], [422, ['Coupon Code: is invalid']], code)
      }
      const both = await say('POST /subscriptions', signup({ coupon_code: 'NONE', customer_attributes: null }))
      assert.deepEqual(both.errors, [
        'A Customer must be specified for the subscription to be valid.',
        'Coupon Code: is invalid',
      ])
      const long = await say('POST /subscriptions', signup({ coupon_code: 'X'.repeat(256) }))
      assert.deepEqual(long.errors, ['Coupon code: is too long (maximum is 255 characters).'])
      assert.deepEqual(await countLeftovers(shop), before)
    })

    test('is put on by the query or the body, starts at 0, and takes the place of another', async () => {
      const { subscription } = (await say('POST /subscriptions', signup({ coupon_code: 'ALWAYS' }))).tree
      const path = `/subscriptions/${subscription.id}`
      assert.deepEqual(couponOf({ subscription }), ['ALWAYS', 1, null])
      const added = await say(`POST ${path}/add_coupon?code=twice`)
      assert.equal(added.status, 200)
      assert.deepEqual(couponOf(added.tree), ['TWICE', 0, 2])
      assert.deepEqual(unpriced((await say(`GET ${path}`)).tree.subscription), added.tree.subscription)
      const body = { code: 'always' }
      assert.deepEqual(couponOf((await say(`POST ${path}/add_coupon`, body)).tree), ['ALWAYS', 0, null])
    })

    test('is refused with a sentence, and the one that is on stays', async () => {
      const { subscription } = (await say('POST /subscriptions', signup({ coupon_code: 'ALWAYS' }))).tree
      const path = `/subscriptions/${subscription.id}`
      for (const code of ['NONE', 'LATER', 'FOREIGN', 'GONE', 'SUB1']) {
        const refused = await say(`POST ${path}/add_coupon?code=${code}`)
        assert.deepEqual([refused.status, refused.errors], [422, ['Coupon is invalid']], code)
      }
      if (format === 'json') {
        const told = ['Coupon is invalid']
        const { tree } = await say(`POST ${path}/add_coupon?code=NONE`)
        assert.deepEqual(tree, { errors: told, codes: told, coupon_code: told, coupon_codes: told, subscription: told })
      }
      for (const blank of ['', '?code=']) {
        const refused = await say(`POST ${path}/add_coupon${blank}`)
        assert.deepEqual([refused.status, refused.errors], [422, ['A valid coupon code is required.']])
      }
      assert.deepEqual(couponOf((await say(`GET ${path}`)).tree), ['ALWAYS', 1, null])
      assert.equal((await say('POST /subscriptions/1/add_coupon?code=HALF')).status, 404)
      assert.equal((await say('POST /subscriptions/1/add_coupon')).status, 404)
      await say(`DELETE ${path}`)
      const late = await say(`POST ${path}/add_coupon?code=HALF`)
      assert.deepEqual(late.errors, ['A coupon cannot be added to a subscription that is canceled.'])
    })

    test('is taken off with a sentence, and what is not there is not', async () => {
      const { subscription } = (await say('POST /subscriptions', signup({ coupon_code: 'ALWAYS' }))).tree
      const path = `/subscriptions/${subscription.id}/remove_coupon`
      const other = await say(`DELETE ${path}?coupon_code=HALF`)
      assert.equal(other.status, 422)
      const removed = await say(`DELETE ${path}?coupon_code=always`)
      assert.deepEqual([removed.status, removed.text], [200, 'Coupon removed.'])
      assert.match(String(removed.headers['content-type']), /^text\/plain/)
      assert.deepEqual(couponOf((await say(`GET /subscriptions/${subscription.id}`)).tree), [null, null, null])
      const again = await say(`DELETE ${path}`)
      assert.equal(again.status, 422)
      if (format === 'json')
        assert.equal(again.text, `{"subscription":["There's no coupon applied to this subscription"]}`)
      else assert.match(again.text, /There's no coupon applied to this subscription/)
      assert.equal((await say('DELETE /subscriptions/1/remove_coupon')).status, 404)
    })
  })
}

test('a coupon that ends today is taken, and goes on after its end', async (t) => {
  const shop = await open(t)
  const { coupon } = (await shop.ask('GET /coupons/find.json?code=ENDING')).json
  await shop.ask(`PUT /coupons/${coupon.id}.json`, { body: { coupon: { recurring: true } } })
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup({ coupon_code: 'ENDING' }))
  await shop.moveClock('2027-02-15T12:00:00Z')
  assert.deepEqual(
    (await rowsOf(shop, subscription.id)).filter(({ kind }) => kind === 'coupon').map((row) => row.amount_in_cents),
    [-2500, -2500],
  )
  const refused = await shop.ask('POST /subscriptions.json', { body: signup({ coupon_code: 'ENDING' }) })
  assert.deepEqual(refused.json.errors, ['Coupon Code: is invalid'])
})

test('a credit that a coupon leaves pays for the next period; a declined sign-up gives its use back', async (t) => {
  const shop = await open(t)
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup({ coupon_code: 'GIFT' }))
  assert.deepEqual([subscription.balance_in_cents, subscription.signup_revenue], [-7000, '0.00'])
  await shop.moveClock('2027-02-15T12:00:00Z')
  assert.equal((await shop.ask(`GET /subscriptions/${subscription.id}.json`)).json.subscription.balance_in_cents, -2000)
  const declined = await shop.ask('POST /subscriptions.json', {
    body: signup({ coupon_code: 'SUB2', payment_profile_attributes: decliningCard }),
  })
  assert.deepEqual([declined.status, declined.json.errors], [422, ['Bogus Gateway: Forced failure']])
  assert.equal((await shop.ask('POST /subscriptions.json', { body: signup({ coupon_code: 'SUB2' }) })).status, 201)
  assert.equal((await shop.ask('POST /subscriptions.json', { body: signup({ coupon_code: 'SUB2' }) })).status, 422)
  const { text, differences } = await verify(shop.app)
  assert.equal(differences, 0, text)
})

test('of 50 sign-ups at once that want the last use one gets it, and nothing is taken from the others', async (t) => {
  const shop = await open(t)
  for (const product_handle of ['monthly', 'free']) {
    const code = product_handle === 'free' ? 'SUB2' : 'SUB1'
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        shop.ask('POST /subscriptions.json', { body: signup({ coupon_code: code, product_handle }) }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 1, product_handle)
    for (const { json } of answers.filter(({ status }) => status !== 201)) {
      assert.deepEqual(json.errors, ['Coupon Code: is invalid'])
    }
  }
  const { customers, subscriptions } = await countLeftovers(shop)
  assert.deepEqual([customers, subscriptions], [2, 2])
  assert.equal(
    (await shop.ask('GET /bogus_gateway/calls.json?per_page=200')).json.filter(
      ({ call }: { call: { kind: string } }) => call.kind === 'purchase',
    ).length,
    1,
  )
})

test('of 20 subscriptions at once that want the last use one gets it', async (t) => {
  const shop = await open(t)
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => (await made(shop, 'POST /subscriptions.json', signup())).subscription.id),
  )
  const answers = await Promise.all(ids.map((id) => shop.ask(`POST /subscriptions/${id}/add_coupon.json?code=MAIN`)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ status }) => status === 422).length, 19)
})

test('a sign-up that stops half way holds its use of a coupon until it is undone', async (t) => {
  const shop = await open(t)
  const { app, siteId } = shop
  const reach = (point: string): void => {
    if (point === 'signup: attempt on record') throw new Error('stopped')
  }
  const command = readSignup(signup({ coupon_code: 'MAIN' }), (await findSite(app.db, siteId))!)
  await assert.rejects(createSubscription({ ...app, reach }, siteId, command), /stopped/)
  const isFree = async () => (await shop.ask('GET /coupons/validate.json?code=MAIN')).status === 200
  assert.equal(await isFree(), false)
  await app.db.run(sql`update payment_attempts set next_check_at = now() where site_id = ${siteId}`)
  await recoverPaymentsOf(app, siteId)
  assert.equal(await isFree(), true)
  assert.equal((await shop.ask('POST /subscriptions.json', { body: signup({ coupon_code: 'MAIN' }) })).status, 201)
})
