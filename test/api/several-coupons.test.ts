/** Several coupons on one subscription: at the sign-up, in previews, put on later, and at renewals, in JSON and in XML. */
import assert from 'node:assert/strict'
import { parse } from 'node:querystring'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { sql } from '../../src/store/sql.ts'
import { both, couponsOf, discountsOf, openCouponShop, refusedCode } from './coupon-shop.ts'
import { countLeftovers, decliningCard, made, signup, unpriced } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shops = { json: await openCouponShop(), xml: await openCouponShop() }

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)

  describe(`several coupons, in ${format}`, () => {
    test('are read as a list or as one text, with the single code before them', async () => {
      for (const codes of [
        { coupon_codes: ['tenth', ' FIVER '] },
        { coupon_codes: 'tenth,fiver' },
        { coupon_codes: ['TENTH, FIVER', 'TENTH'] },
        { coupon_code: 'TENTH', coupon_codes: 'FIVER' },
        { coupon_code: 'TENTH', coupon_codes: both },
        { coupon_code: 'FIVER', coupon_codes: both },
      ]) {
        const { status, tree } = await say('POST /subscriptions', signup(codes))
        assert.equal(status, 201, JSON.stringify(codes))
        const { subscription } = tree
        assert.deepEqual(subscription.coupon_codes, both, JSON.stringify(codes))
        assert.deepEqual([subscription.coupon_code, subscription.coupon_use_count], ['TENTH', 1])
        assert.equal(subscription.signup_revenue, '40.00')
        assert.deepEqual(await discountsOf(shop, subscription.id), [
          ['TENTH', -500],
          ['FIVER', -500],
        ])
      }
    })

    test('are shown with their uses and terms, and none is an empty list', async () => {
      const { tree } = await say('POST /subscriptions', signup({ coupon_codes: 'FIVER' }))
      assert.deepEqual(tree.subscription.coupons, [
        {
          code: 'FIVER',
          use_count: 1,
          uses_allowed: 2,
          expires_at: null,
          recurring: true,
          amount_in_cents: 500,
          percentage: null,
        },
      ])
      for (const asked of ['', '?include[]=coupons', '?include[]=coupons&include[]=self_service_page_token']) {
        const read = await say(`GET /subscriptions/${tree.subscription.id}${asked}`)
        assert.deepEqual(read.tree.subscription.coupons, tree.subscription.coupons)
        const [listed] = (await say(`GET /subscriptions${asked}`)).tree
        assert.deepEqual(listed.coupons, tree.subscription.coupons)
      }
      const plain = (await say('POST /subscriptions', signup({ coupon_codes: [] }))).tree.subscription
      assert.deepEqual([plain.coupons, plain.coupon_codes, plain.coupon_code], [[], [], null])
    })

    test('compound in their order, or take off of the full price', async () => {
      for (const [codes, discounts] of [
        ['FIVER,TENTH', [500, 450]],
        ['TENTH,QUARTER', [500, 1250]],
      ] as const) {
        const { tree } = await say('POST /subscriptions', signup({ coupon_codes: codes }))
        const written = (await discountsOf(shop, tree.subscription.id)).map(([, amount]) => -amount)
        assert.deepEqual(written, discounts, codes)
      }
    })

    test('take off parts of a percent, each rounded once, and show them as they were sent', async () => {
      for (const [code, percentage, shown] of [
        ['PART', 15.2, '15.2'],
        ['SMALL', '0.5', '0.5'],
        ['LONG', '33.33333333', '33.33333333'],
      ] as const) {
        const { tree } = await say('POST /coupons', { coupon: { name: 'Part', code, percentage } })
        assert.equal(tree.coupon.percentage, shown)
        assert.equal((await say(`GET /coupons/${tree.coupon.id}`)).tree.coupon.percentage, shown)
      }
      const { subscription } = (await say('POST /subscriptions', signup({ coupon_codes: 'PART,SMALL,LONG' }))).tree
      assert.deepEqual(await discountsOf(shop, subscription.id), [
        ['PART', -760],
        ['SMALL', -21],
        ['LONG', -1406],
      ])
      const shown = subscription.coupons.map(({ percentage }: { percentage: string }) => percentage)
      assert.deepEqual(shown, ['15.2', '0.5', '33.33333333'])
    })

    test('are previewed as they will be billed, now and at the renewal', async () => {
      const { tree } = await say('POST /subscriptions/preview', signup({ coupon_codes: both }))
      const { current_billing_manifest: now, next_billing_manifest: next } = tree.subscription_preview
      assert.deepEqual([now.total_discount_in_cents, now.total_in_cents], [1000, 4000])
      assert.deepEqual([next.total_discount_in_cents, next.total_in_cents], [1000, 4000])
      const { subscription } = (await say('POST /subscriptions', signup({ coupon_codes: both }))).tree
      const renewal = await say(`POST /subscriptions/${subscription.id}/renewals/preview`)
      const lines = renewal.tree.renewal_preview.line_items as { kind: string; memo: string; amount_in_cents: number }[]
      assert.deepEqual(
        lines.filter(({ kind }) => kind === 'coupon').map(({ memo, amount_in_cents }) => [memo, amount_in_cents]),
        [
          ['Coupon: TENTH', -500],
          ['Coupon: FIVER', -500],
        ],
      )
    })

    test('that nobody may use are refused each by its code, and nothing is left of the sign-up', async () => {
      const before = await countLeftovers(shop)
      const refused = await say('POST /subscriptions', signup({ coupon_codes: 'NONE,TENTH,gone,LATER' }))
      assert.equal(refused.status, 422)
      assert.deepEqual(refused.errors, [
        refusedCode('NONE', 'Coupon code could not be found.'),
        refusedCode('GONE', 'That coupon is no longer active.'),
        refusedCode('LATER', 'Coupon is not valid yet.'),
      ])
      for (const [codes, sentence] of [
        ['TENTH,ALONE', refusedCode('ALONE', 'Coupon cannot be combined with others.')],
        ['SUB1,TENTH,SUB2', refusedCode('SUB2', 'Coupon is given twice.')],
      ] as const) {
        for (const path of ['/subscriptions', '/subscriptions/preview']) {
          assert.deepEqual((await say(`POST ${path}`, signup({ coupon_codes: codes }))).errors, [sentence])
        }
      }
      const single = await say('POST /subscriptions', signup({ coupon_code: 'NONE', coupon_codes: both }))
      assert.deepEqual(single.errors, ['Coupon Code: is invalid'])
      assert.deepEqual(await countLeftovers(shop), before)
      assert.equal((await say('POST /subscriptions', signup({ coupon_codes: 'ALONE' }))).status, 201)
    })

    test('come beside those that are on by a list of codes, and one that is on begins anew', async () => {
      const { subscription } = (await say('POST /subscriptions', signup({ coupon_code: 'TENTH' }))).tree
      const path = `/subscriptions/${subscription.id}`
      const added = await say(`POST ${path}/add_coupon`, { codes: ['fiver', 'SUB1'] })
      assert.equal(added.status, 200)
      assert.deepEqual(couponsOf(added.tree), [
        ['TENTH', 1, null],
        ['FIVER', 0, 2],
        ['SUB1', 0, null],
      ])
      assert.deepEqual(unpriced((await say(`GET ${path}`)).tree.subscription), added.tree.subscription)
      const again = await say(`POST ${path}/add_coupon`, { codes: 'TENTH' })
      assert.deepEqual(couponsOf(again.tree)[0], ['TENTH', 0, null])
      const alone = await say(`POST ${path}/add_coupon`, { codes: ['ALONE'] })
      assert.deepEqual(alone.errors, [refusedCode('ALONE', 'Coupon cannot be combined with others.')])
      const unknown = await say(`POST ${path}/add_coupon`, { codes: ['QUARTER', 'NONE'] })
      assert.deepEqual(unknown.errors, [refusedCode('NONE', 'Coupon code could not be found.')])
      const mixed = { body: { code: 'FIVER', codes: ['TENTH'] } }
      const neither = (await shop.ask(`POST ${path}/add_coupon.json`, mixed)).json
      assert.deepEqual(neither.errors, ['Codes: give one code, or a list, not both.'])
      assert.deepEqual(unpriced((await say(`GET ${path}`)).tree.subscription), again.tree.subscription)
      const replaced = await say(`POST ${path}/add_coupon?code=ALONE`)
      assert.deepEqual(couponsOf(replaced.tree), [['ALONE', 0, null]])
    })

    test('are taken off one by one by their codes, and all by none', async () => {
      const { subscription } = (await say('POST /subscriptions', signup({ coupon_codes: 'TENTH,FIVER,MAIN' }))).tree
      const path = `/subscriptions/${subscription.id}`
      assert.equal((await say(`DELETE ${path}/remove_coupon?coupon_code=tenth`)).status, 200)
      const left = (await say(`GET ${path}`)).tree
      assert.deepEqual([left.subscription.coupon_code, left.subscription.coupon_codes], ['FIVER', ['FIVER', 'MAIN']])
      assert.equal((await say(`DELETE ${path}/remove_coupon?coupon_code=TENTH`)).status, 422)
      assert.equal((await say(`DELETE ${path}/remove_coupon`)).status, 200)
      assert.deepEqual((await say(`GET ${path}`)).tree.subscription.coupon_codes, [])
    })

    test('are set by an update: those that stay keep their counts, and what is not said stays', async () => {
      const { subscription } = (await say('POST /subscriptions', signup({ coupon_codes: both }))).tree
      const path = `/subscriptions/${subscription.id}`
      const put = (fields: object) => say(`PUT ${path}`, { subscription: fields })
      assert.deepEqual(couponsOf((await put({ coupon_codes: 'QUARTER,TENTH' })).tree), [
        ['QUARTER', 0, null],
        ['TENTH', 1, null],
      ])
      const whole = (await say(`GET ${path}`)).tree
      const kept = unpriced(whole.subscription)
      assert.deepEqual((await put(whole.subscription)).tree.subscription, kept)
      assert.deepEqual((await put({ coupon_codes: null, reason_code: null })).tree.subscription, kept)
      const refused = await put({ coupon_codes: ['TENTH', 'NONE', 'GONE'] })
      assert.deepEqual(refused.errors, [
        refusedCode('NONE', 'Coupon code could not be found.'),
        refusedCode('GONE', 'That coupon is no longer active.'),
      ])
      assert.deepEqual((await put({ coupon_codes: ['TENTH', 'ALONE'] })).errors, [
        refusedCode('ALONE', 'Coupon cannot be combined with others.'),
      ])
      assert.deepEqual((await say(`GET ${path}`)).tree, whole)
      assert.deepEqual(couponsOf((await put({ coupon_codes: [] })).tree), [])
    })

    test('are found by the list of subscriptions, whichever place they have', async () => {
      const { subscription } = (await say('POST /subscriptions', signup({ coupon_codes: 'FIVER,MAIN' }))).tree
      const { coupon } = (await say('GET /coupons/find?code=MAIN')).tree
      const listed = await say(`GET /subscriptions?coupon=${coupon.id}`)
      assert.ok(listed.tree.some(({ id }: { id: number }) => id === subscription.id))
    })
  })
}

test('each has uses of its own at renewals, and a reactivation puts one in place of all', async (t) => {
  const shop = await openCouponShop(t)
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup({ coupon_codes: both }))
  await shop.moveClock('2027-03-20T12:00:00Z')
  assert.deepEqual(
    (await discountsOf(shop, subscription.id)).map(([code]) => code),
    ['TENTH', 'FIVER', 'TENTH', 'FIVER', 'TENTH'],
  )
  const path = `/subscriptions/${subscription.id}`
  const { json } = await shop.ask(`GET ${path}.json`)
  assert.deepEqual(couponsOf(json), [
    ['TENTH', 3, null],
    ['FIVER', 2, 2],
  ])
  assert.equal(json.subscription.total_revenue_in_cents, 4000 + 4000 + 4500)
  await shop.ask(`DELETE ${path}.json`)
  const back = await shop.ask(`PUT ${path}/reactivate.json?coupon_code=QUARTER`)
  assert.deepEqual([back.status, couponsOf(back.json)], [200, [['QUARTER', 1, null]]])
  assert.deepEqual((await discountsOf(shop, subscription.id)).at(-1), ['QUARTER', -1250])
  const { text, differences } = await verify(shop.app)
  assert.equal(differences, 0, text)
})

test('webhooks tell them all, also of a sign-up that failed, and nothing of none', async (t) => {
  const shop = await openCouponShop(t)
  const { db } = shop.app
  await db.run(sql`
    insert into webhook_endpoints (site_id, id, url, event_keys, sealed_secret, created_at, updated_at)
    values (${shop.siteId}, 1, 'https://example.com/', array['signup_success', 'signup_failure'], 'sealed', now(), now())`)
  await made(shop, 'POST /subscriptions.json', signup({ coupon_codes: both }))
  await made(shop, 'POST /subscriptions.json', signup())
  const declined = { coupon_codes: both, payment_profile_attributes: decliningCard }
  await shop.ask('POST /subscriptions.json', { body: signup(declined) })
  const rows = await db.arrays(sql`select w.body from webhooks w where w.site_id = ${shop.siteId} order by w.id`)
  const told = rows.map(([body]) => {
    const form = parse(body as string)
    const codes = Object.keys(form).filter((name) => name.startsWith('payload[subscription][coupon'))
    return codes.filter((name) => form[name] !== '').map((name) => [name.slice(21), form[name]])
  })
  const ofCoupon = (place: number, code: string, uses: string[][]) =>
    [['code', code], ...uses].map(([name, value]) => [`[coupons][${place}][${name}]`, value])
  const all = (count: string) => [
    ['[coupon_code]', 'TENTH'],
    ['[coupon_codes][0]', 'TENTH'],
    ['[coupon_codes][1]', 'FIVER'],
    ['[coupon_use_count]', count],
    ...ofCoupon(0, 'TENTH', [
      ['percentage', '10'],
      ['recurring', 'true'],
      ['use_count', count],
    ]),
    ...ofCoupon(1, 'FIVER', [
      ['recurring', 'true'],
      ['use_count', count],
      ['uses_allowed', '2'],
    ]),
  ]
  const fixed = ['[coupons][1][amount_in_cents]', '500']
  const withAmount = (count: string) => all(count).toSpliced(8, 0, fixed).toSorted()
  assert.deepEqual(
    told.map((one) => one.toSorted()),
    [withAmount('1'), [], withAmount('0')],
  )
})
