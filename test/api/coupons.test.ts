/** Coupons: made, read, found, validated, changed and archived, in JSON and in XML. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { made, openedAt, openOtherSite, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const tenPercent = {
  name: 'Ten percent',
  code: 'SAVE10',
  description: 'Ten percent off',
  percentage: '10',
  recurring: true,
  duration_period_count: 3,
}

const shops = { json: await openShop(), xml: await openShop() }
const at = openedAt.replace('Z', '+00:00')
for (const format of formats) {
  const shop = shops[format]
  const { familyId } = shop
  const say = speaker(shop, format)

  describe(`a coupon, in ${format}`, () => {
    test('is made in its family, shown with every field, changed and archived', async () => {
      const { status, tree, headers } = await say(`POST /product_families/${familyId}/coupons`, { coupon: tenPercent })
      assert.equal(status, 201)
      const { id, ...shown } = tree.coupon
      assert.deepEqual(shown, {
        ...tenPercent,
        discount_type: 'percent',
        recurring_scheme: 'recur_with_duration',
        amount: null,
        amount_in_cents: null,
        product_family_id: familyId,
        product_family_name: 'Almanacs',
        ...{ duration_interval: null, duration_interval_unit: null, duration_interval_span: null },
        ...{ allow_negative_balance: false, stackable: true, compounding_strategy: 'compound' },
        start_date: null,
        end_date: null,
        conversion_limit: null,
        exclude_mid_period_allocations: false,
        apply_on_cancel_at_end_of_period: false,
        apply_on_subscription_expiration: false,
        coupon_restrictions: [],
        archived_at: null,
        created_at: at,
        updated_at: at,
      })
      assert.equal(headers.location, `/coupons/${id}`)
      for (const path of [`/coupons/${id}`, `/product_families/${familyId}/coupons/${id}`]) {
        assert.deepEqual((await say(`GET ${path}`)).tree, tree)
      }
      for (const path of ['/coupons', `/product_families/${familyId}/coupons`]) {
        assert.deepEqual((await say(`GET ${path}`)).tree, [tree.coupon])
      }
      const path = `/product_families/${familyId}/coupons/${id}`
      assert.deepEqual((await say(`PUT ${path}`, tree)).tree, tree)
      const sent = { amount: '12.50', recurring: '0', description: null }
      const changed = await say(`PUT /coupons/${id}`, { coupon: sent })
      const { amount, amount_in_cents: inCents, percentage, recurring, description, name } = changed.tree.coupon
      const sum = format === 'json' ? 12.5 : '12.5'
      const rest = [amount, inCents, percentage, recurring, name, description]
      assert.deepEqual(rest, [sum, 1250, null, false, 'Ten percent', ''])
      const spaced = { coupon: { description: '  two lines\n and a tab\t' } }
      assert.equal((await say(`PUT /coupons/${id}`, spaced)).tree.coupon.description, spaced.coupon.description)
      assert.deepEqual((await say(`PUT /coupons/${id}`, changed.tree)).tree, changed.tree)
      const archived = await say(`DELETE /coupons/${id}`)
      assert.deepEqual([archived.status, archived.tree.coupon.archived_at], [200, at])
      assert.deepEqual((await say(`DELETE ${path}`)).errors, ['Coupon: is archived already.'])
      assert.deepEqual((await say('GET /coupons')).tree, [])
      assert.equal((await say('GET /coupons?include_archived=1')).tree.length, 1)
    })

    test('without a family belongs to the first one, with the id of another to that one', async () => {
      const { product_family: other } = (
        await say('POST /product_families', { product_family: { name: `Other ${format}` } })
      ).tree
      const first = (await say('POST /coupons', { coupon: { ...tenPercent, code: 'first' } })).tree.coupon
      const second = (
        await say('POST /coupons', { coupon: { ...tenPercent, code: 'FIRST', product_family_id: other.id } })
      ).tree.coupon
      assert.deepEqual([first.product_family_id, second.product_family_id], [familyId, other.id])
      assert.deepEqual([first.code, second.code], ['FIRST', 'FIRST'])
      const foundId = async (query: string) => (await say(`GET /coupons/find?code=first${query}`)).tree.coupon.id
      assert.equal(await foundId(''), first.id)
      assert.equal(await foundId(`&product_family_id=${other.id}`), second.id)
      assert.equal(
        (await say(`GET /product_families/${other.id}/coupons/validate?coupon_code=first`)).tree.coupon.id,
        second.id,
      )
      assert.equal((await say(`GET /product_families/${familyId}/coupons/${second.id}`)).status, 404)
      assert.equal((await say(`PUT /product_families/${familyId}/coupons/${second.id}`, { coupon: {} })).status, 404)
      const nowhere = await say('POST /coupons', { coupon: { ...tenPercent, code: 'X', product_family_id: 1 } })
      assert.deepEqual([nowhere.status, nowhere.errors], [422, ['Product family: must be one of the site.']])
      assert.equal((await say('POST /product_families/1/coupons', { coupon: tenPercent })).status, 404)
    })

    test('keeps the decimals of its percentage, and is good to the last second of its end', async () => {
      const { tree } = await say('POST /coupons', {
        coupon: {
          name: 'N',
          code: 'Dated',
          percentage: 15.2,
          start_date: '2027-01-15',
          end_date: '2027-01-20T08:00:00Z',
        },
      })
      const { percentage, start_date: start, end_date: end } = tree.coupon
      assert.deepEqual([percentage, start, end], ['15.2', '2027-01-15T00:00:00+00:00', '2027-01-20T23:59:59+00:00'])
      assert.equal((await say('GET /coupons/validate?code=DATED')).status, 200)
      await shop.moveClock('2027-01-20T23:59:59Z')
      assert.equal((await say('GET /coupons/validate?code=DATED')).status, 200)
      await shop.moveClock('2027-01-21T00:00:00Z')
      const late = await say('GET /coupons/validate?code=DATED')
      assert.deepEqual([late.status, told(late.tree)], [404, 'Coupon expired'])
      assert.equal((await say(`PUT /coupons/${tree.coupon.id}`, tree)).status, 200)
    })

    const either = 'Either a Discount Percentage or Amount must be specified, but not both'
    const bad: [string, object, string[]][] = [
      ['nothing', {}, ['Name: cannot be blank.', 'Code: cannot be blank.', either]],
      [
        'blanks',
        { name: '', code: ' ', percentage: '', amount: null },
        ['Name: cannot be blank.', 'Code: cannot be blank.', either],
      ],
      ['both', { ...tenPercent, amount: '10.00' }, [either]],
      ['too much', { ...tenPercent, percentage: '100.5' }, ['Percentage: must be less than or equal to 100.']],
      ['too little', { ...tenPercent, percentage: '-0.5' }, ['Percentage: must be greater than 0.']],
      ['a percentage in words', { ...tenPercent, percentage: 'ten' }, ['Percentage: is not a number.']],
      [
        'less than nothing',
        { name: 'N', code: 'N', amount: '-1.00' },
        ['Amount: must be greater than or equal to $0.00.'],
      ],
      ['a third of a cent', { name: 'N', code: 'N', amount: '1.003' }, ['Amount: must have at most two decimals.']],
      ['half a cent', { name: 'N', code: 'N', amount_in_cents: '1.5' }, ['Amount: is not a number.']],
      ['a day that has passed', { ...tenPercent, end_date: '2027-01-14' }, ['Expiration Date cannot be in the past']],
      ['no date', { ...tenPercent, start_date: 'soon' }, ['Start date: is not a date that can be read.']],
      [
        'a start after the end',
        { ...tenPercent, start_date: '2027-03-02', end_date: '2027-03-01' },
        ['Start date: must be before the end date.'],
      ],
      [
        'an end beyond all dates',
        { ...tenPercent, end_date: '9999-12-31T23:59:59-14:00' },
        ['End date: is not a date that can be read.'],
      ],
      ['no uses', { ...tenPercent, conversion_limit: 0 }, ['Conversion limit: must be greater than or equal to 1.']],
      [
        'no periods',
        { ...tenPercent, duration_period_count: -1 },
        ['Duration period count: must be greater than or equal to 1.'],
      ],
      ['a maybe', { ...tenPercent, recurring: 'maybe' }, ['Recurring: must be true or false.']],
      [
        'a space in its code',
        { ...tenPercent, code: 'SAVE 10' },
        ["Code: may only contain letters, numbers and the characters '%', '@', '+', '-', '_' and '.'."],
      ],
      ['a long code', { ...tenPercent, code: 'X'.repeat(256) }, ['Code: is too long (maximum is 255 characters).']],
      ['a code that is taken', { ...tenPercent, code: 'first' }, ['Code: must be unique - that value has been taken.']],
    ]
    for (const [what, coupon, errors] of bad) {
      test(`is refused with ${what}`, async () => {
        const before = (await say('GET /coupons')).tree.length
        const refused = await say('POST /coupons', { coupon })
        assert.deepEqual([refused.status, refused.errors], [422, errors])
        assert.equal((await say('GET /coupons')).tree.length, before)
      })
    }

    test('is refused a change to what is taken or makes no sense', async () => {
      const { id } = (await say('POST /coupons', { coupon: { ...tenPercent, code: 'CHANGING' } })).tree.coupon
      for (const [coupon, error] of [
        [{ code: 'FIRST' }, 'Code: must be unique - that value has been taken.'],
        [{ name: null }, 'Name: cannot be blank.'],
        [{ percentage: null }, either],
        [{ percentage: 10, amount_in_cents: 5 }, either],
      ] as const) {
        const refused = await say(`PUT /coupons/${id}`, { coupon })
        assert.deepEqual([refused.status, refused.errors], [422, [error]])
      }
      assert.equal((await say(`PUT /coupons/${id}`, { coupon: { code: 'changed' } })).tree.coupon.code, 'CHANGED')
      assert.equal((await say('GET /coupons/find?code=CHANGING')).status, 404)
      assert.equal((await say('GET /coupons/find?code=Changed')).tree.coupon.id, id)
    })

    test('that cannot be used says why, in one sentence', async () => {
      const { coupon } = (await say('POST /coupons', { coupon: { ...tenPercent, code: 'ONCE', conversion_limit: 1 } }))
        .tree
      const later = { ...tenPercent, code: 'LATER', start_date: '2028-01-01' }
      assert.equal((await say('POST /coupons', { coupon: later })).status, 201)
      await made(shop, 'POST /subscriptions.json', signup({ coupon_code: 'once' }))
      for (const [code, sentence] of [
        ['NONE', 'Coupon code could not be found.'],
        ['', 'Coupon code could not be found.'],
        ['LATER', 'Coupon is invalid'],
        ['ONCE', 'Coupon is invalid'],
        ['SAVE10', 'That coupon is no longer active.'],
      ]) {
        const refused = await say(`GET /coupons/validate?code=${code}`)
        assert.deepEqual([refused.status, told(refused.tree)], [404, sentence])
      }
      const lost = await say('GET /coupons/find?code=NONE')
      assert.deepEqual([lost.status, lost.text], [404, ''])
      assert.equal((await say('GET /coupons/find?code=ONCE')).tree.coupon.id, coupon.id)
      assert.equal((await say('GET /coupons/validate?code=FIRST&product_family_id=x')).status, 404)
    })

    test('tells what it did for each product of its family', async () => {
      const { coupon } = (await say('POST /coupons', { coupon: { ...tenPercent, code: 'USED' } })).tree
      for (let times = 0; times < 2; times += 1) {
        await made(shop, 'POST /subscriptions.json', signup({ coupon_code: 'used' }))
      }
      const { status, tree } = await say(`GET /product_families/${familyId}/coupons/${coupon.id}/usage`)
      assert.equal(status, 200)
      const unwrapped = await shop.ask(`GET /coupons/${coupon.id}/usage.json`)
      const [monthly, other] = format === 'json' ? unwrapped.json : tree
      assert.deepEqual(
        { ...monthly, savings: +monthly.savings, revenue: +monthly.revenue },
        {
          id: shop.productIds.monthly,
          name: 'Monthly',
          signups: 2,
          savings: 10,
          savings_in_cents: 1000,
          revenue: 90,
          revenue_in_cents: 9000,
        },
      )
      assert.deepEqual([other.signups, +other.savings, other.revenue_in_cents], [0, 0, 0])
      assert.equal((await say(`GET /coupons/1/usage`)).status, 404)
    })
  })
}

/** One sentence, wherever the format puts it. */
const told = (tree: { errors: string | string[] }): string | undefined => [tree.errors].flat()[0]

test('of another site does not exist', async () => {
  const { app, ask } = shops.json
  const { coupon } = await made(shops.json, 'POST /coupons.json', { coupon: { ...tenPercent, code: 'OURS' } })
  const { apiKey: key } = await openOtherSite({ ...shops.json, app })
  const { id } = coupon
  const lines = [
    `GET /coupons/${id}.json`,
    `PUT /coupons/${id}.json`,
    `DELETE /coupons/${id}.json`,
    `GET /coupons/${id}/usage.json`,
    `GET /coupons/${id}/codes.json`,
    `POST /coupons/${id}/codes.json`,
    `PUT /coupons/${id}/codes.json`,
    'GET /coupons/find.json?code=OURS',
    `GET /coupons/validate.json?code=OURS&product_family_id=${shops.json.familyId}`,
  ]
  for (const line of lines) assert.equal((await ask(line, { key, body: { coupon: {} } })).status, 404, line)
  const refused = await ask('POST /coupons.json', { key, body: { coupon: tenPercent } })
  assert.deepEqual([refused.status, refused.json.errors], [422, ['Product family: must be one of the site.']])
})
