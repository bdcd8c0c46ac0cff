/** Taxes, and what falls of them on sign-ups and renewals, in JSON and in XML. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ada, goodCard, made, openOtherSite, openShop, type Shop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const pennsylvania = { name: 'PA Sales Tax', rate: '6.0', country: 'US', state: 'PA' }

const shops = { json: await openShop(), xml: await openShop() }

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)

  describe(`a tax, in ${format}`, () => {
    test('is made, read, listed, changed and deleted', async () => {
      const { status, tree, headers } = await say('POST /taxes', {
        tax: { ...pennsylvania, country: 'us', state: ' pa ' },
      })
      assert.equal(status, 201)
      const { id, ...made } = tree.tax
      const at = '2027-01-15T12:00:00+00:00'
      assert.deepEqual(made, { ...pennsylvania, created_at: at, updated_at: at })
      assert.equal(headers.location, `/taxes/${id}`)
      assert.deepEqual((await say(`GET /taxes/${id}`)).tree, tree)
      assert.deepEqual((await say('GET /taxes')).tree, [tree.tax])
      const changed = await say(`PUT /taxes/${id}`, { tax: { rate: '6.250', state: '' } })
      assert.deepEqual([changed.status, changed.tree.tax.rate, changed.tree.tax.state], [200, '6.25', null])
      assert.deepEqual((await say(`PUT /taxes/${id}`, changed.tree)).tree, changed.tree)
      assert.equal((await say(`DELETE /taxes/${id}`)).status, 200)
      for (const line of [`GET /taxes/${id}`, `PUT /taxes/${id}`, `DELETE /taxes/${id}`]) {
        assert.equal((await say(line)).status, 404, line)
      }
      assert.deepEqual((await say('GET /taxes')).tree, [])
    })

    const blank = ['Name: cannot be blank.', 'Rate: cannot be blank.', 'Country: cannot be blank.']
    const bad: [string, object, string[]][] = [
      ['nothing', {}, blank],
      ['nulls', { name: null, rate: null, country: null }, blank],
      ['words for a rate', { ...pennsylvania, rate: 'six' }, ['Rate: is not a number.']],
      ['a negative rate', { ...pennsylvania, rate: '-1' }, ['Rate: must be greater than or equal to 0.']],
      ['a rate above the whole', { ...pennsylvania, rate: '100.1' }, ['Rate: must be less than or equal to 100.']],
      ['too many decimals', { ...pennsylvania, rate: '6.123456789' }, ['Rate: must have at most 8 decimals.']],
      [
        'a country in words',
        { ...pennsylvania, country: 'Germany' },
        ['Country: must be a country code of two letters.'],
      ],
      ['a list for a name', { ...pennsylvania, name: ['a', 'b'] }, ['Name: must be a string.']],
      [
        'a long state',
        { ...pennsylvania, state: 'x'.repeat(256) },
        ['State: is too long (maximum is 255 characters).'],
      ],
    ]
    for (const [what, tax, errors] of bad) {
      test(`is refused with ${what}`, async () => {
        const refused = await say('POST /taxes', { tax })
        assert.deepEqual([refused.status, refused.errors], [422, errors])
        assert.deepEqual((await say('GET /taxes')).tree, [])
      })
    }

    test('of another site does not exist', async () => {
      const { tree } = await say('POST /taxes', { tax: pennsylvania })
      const { id } = tree.tax
      const { apiKey: key } = await openOtherSite(shop)
      for (const line of [`GET /taxes/${id}`, `DELETE /taxes/${id}`]) {
        assert.equal((await say(line, undefined, { key })).status, 404, line)
      }
      assert.equal((await say(`PUT /taxes/${id}`, { tax: { name: '' } }, { key })).status, 404)
      assert.equal((await say(`DELETE /taxes/${id}`)).status, 200)
    })
  })
}

describe('what falls of taxes', () => {
  const there = { ...ada, country: 'US', state: 'PA' }

  const shopWithTaxes = async (t: Parameters<typeof openShop>[0]): Promise<Shop> => {
    const shop = await openShop(t)
    for (const handle of ['monthly', 'with-setup-fee'] as const) {
      await shop.ask(`PUT /products/${shop.productIds[handle]}.json`, { body: { product: { taxable: true } } })
    }
    await made(shop, 'POST /taxes.json', { tax: pennsylvania })
    await made(shop, 'POST /taxes.json', { tax: { name: 'VAT', rate: '19', country: 'DE' } })
    return shop
  }

  const rowsOf = async (shop: Shop, id: number) =>
    (await shop.ask(`GET /subscriptions/${id}/transactions.json?direction=asc`)).json.map(
      (row: { transaction: { kind: string; amount_in_cents: number } }) => [
        row.transaction.kind,
        row.transaction.amount_in_cents,
      ],
    )

  const dueNext = async (shop: Shop, id: number): Promise<number> =>
    (await shop.ask(`POST /subscriptions/${id}/renewals/preview.json`)).json.renewal_preview.total_in_cents

  test('a sign-up pays the tax of its customer’s address, and the rows say which', async (t) => {
    const shop = await shopWithTaxes(t)
    const { subscription } = await made(
      shop,
      'POST /subscriptions.json',
      signup({ customer_attributes: there, product_handle: 'with-setup-fee' }),
    )
    assert.equal(subscription.signup_revenue, '79.50')
    const rows = (await shop.ask(`GET /subscriptions/${subscription.id}/transactions.json?direction=asc`)).json.map(
      (row: { transaction: object }) => row.transaction,
    )
    const [tax] = (await shop.ask('GET /taxes.json')).json
    const told = rows.map((row: Record<string, unknown>) => [row.kind, row.amount_in_cents, row.memo, row.tax_id])
    assert.deepEqual(told.slice(0, 3), [
      ['baseline', 5000, 'With Setup Fee (01/15/2027 - 02/15/2027)', null],
      ['initial', 2500, 'Initial/Startup fees', null],
      ['tax', 450, 'PA Sales Tax (6.0%)', tax.tax.id],
    ])
    assert.deepEqual([rows[0].taxable_amount_in_cents, rows[2].taxable_amount_in_cents], [5000, 0])
  })

  test('a renewal pays the rate of its day, also when the tax was made after the sign-up', async (t) => {
    const shop = await openShop(t)
    const { subscription } = await made(shop, 'POST /subscriptions.json', signup({ customer_attributes: there }))
    await shop.ask(`PUT /products/${shop.productIds.monthly}.json`, { body: { product: { taxable: true } } })
    const { tax } = await made(shop, 'POST /taxes.json', { tax: pennsylvania })
    await shop.moveClock('2027-02-16T00:00:00Z')
    await shop.ask(`PUT /taxes/${tax.id}.json`, { body: { tax: { rate: '7' } } })
    await shop.moveClock('2027-03-16T00:00:00Z')
    await shop.ask(`DELETE /taxes/${tax.id}.json`)
    await shop.moveClock('2027-04-16T00:00:00Z')
    assert.deepEqual(
      (await rowsOf(shop, subscription.id)).filter(([kind]: string[]) => kind === 'tax'),
      [
        ['tax', 300],
        ['tax', 350],
      ],
    )
  })

  const cases: [string, object, string, string | null][] = [
    [
      'the card’s address where the customer has none',
      {
        customer_attributes: ada,
        payment_profile_attributes: { ...goodCard, billing_country: 'US', billing_state: 'PA' },
      },
      '53.00',
      null,
    ],
    [
      'the card’s address before the customer’s',
      {
        customer_attributes: { ...ada, country: 'DE' },
        payment_profile_attributes: { ...goodCard, billing_country: 'US', billing_state: 'PA' },
      },
      '53.00',
      null,
    ],
    [
      'the customer’s address where the card says a state and no country',
      { customer_attributes: there, payment_profile_attributes: { ...goodCard, billing_state: 'NJ' } },
      '53.00',
      null,
    ],
    [
      'none with a VAT number that is billed in another member country',
      {
        customer_attributes: { ...ada, country: 'FR' },
        payment_profile_attributes: { ...goodCard, billing_country: 'DE' },
        vat_number: 'DE123456789',
      },
      '50.00',
      'FR',
    ],
    [
      'value added tax with a VAT number that is billed in the merchant’s own country',
      {
        customer_attributes: { ...ada, country: 'FR' },
        payment_profile_attributes: { ...goodCard, billing_country: 'DE' },
        vat_number: 'FR12345678901',
      },
      '59.50',
      'DE',
    ],
    ['nothing for the exempt', { customer_attributes: { ...there, tax_exempt: true } }, '50.00', null],
    ['nothing for what is not taxable', { customer_attributes: there, product_handle: 'card-optional' }, '50.00', null],
    ['value added tax', { customer_attributes: { ...ada, country: 'DE' } }, '59.50', 'DE'],
    [
      'none with a VAT number from another member country',
      { customer_attributes: { ...ada, country: 'DE' }, vat_number: 'DE123456789' },
      '50.00',
      'FR',
    ],
    [
      'value added tax with a VAT number from the merchant’s own country',
      { customer_attributes: { ...ada, country: 'DE' }, vat_number: 'DE123456789' },
      '59.50',
      'DE',
    ],
    [
      'value added tax with what is no VAT number',
      { customer_attributes: { ...ada, country: 'DE' }, vat_number: 'none' },
      '59.50',
      'FR',
    ],
  ]
  test('depends on the customer and on the merchant', async (t) => {
    const shop = await shopWithTaxes(t)
    for (const [what, changes, revenue, country] of cases) {
      assert.equal((await shop.ask('PUT /site.json', { body: { site: { country } } })).json.site.country, country)
      const { json: preview } = await shop.ask('POST /subscriptions/preview.json', { body: signup(changes) })
      const promised = preview.subscription_preview.current_billing_manifest.total_in_cents
      assert.equal(promised, Number(revenue) * 100, `preview: ${what}`)
      const { subscription } = await made(shop, 'POST /subscriptions.json', signup(changes))
      assert.equal(subscription.signup_revenue, revenue, what)
      assert.equal(await dueNext(shop, subscription.id), Number(revenue) * 100, `renewal: ${what}`)
      const { vat_number: vatNumber = null } = changes as { vat_number?: string }
      assert.equal(subscription.customer.vat_number, vatNumber, what)
    }
  })

  test('moves with the card that is billed', async (t) => {
    const shop = await shopWithTaxes(t)
    const { subscription } = await made(shop, 'POST /subscriptions.json', signup({ customer_attributes: there }))
    assert.equal(await dueNext(shop, subscription.id), 5300)
    const { payment_profile } = await made(shop, 'POST /payment_profiles.json', {
      payment_profile: { ...goodCard, customer_id: subscription.customer.id, billing_country: 'DE' },
    })
    const change = `/subscriptions/${subscription.id}/payment_profiles/${payment_profile.id}/change_payment_profile.json`
    assert.equal((await shop.ask(`POST ${change}`, { body: {} })).status, 201)
    assert.equal(await dueNext(shop, subscription.id), 5950)
    await shop.moveClock('2027-02-16T00:00:00Z')
    assert.deepEqual((await rowsOf(shop, subscription.id)).at(-2), ['tax', 950])
  })

  test('goes when the site is emptied, and the taxes and coupons only with everything', async (t) => {
    const shop = await shopWithTaxes(t)
    await made(shop, 'POST /coupons.json', { coupon: { name: 'Half', code: 'HALF', percentage: '50' } })
    await made(shop, 'POST /subscriptions.json', signup({ customer_attributes: there, coupon_code: 'HALF' }))
    const left = async (scope: string) => {
      assert.equal((await shop.ask(`POST /sites/clear_data.json?cleanup_scope=${scope}`)).status, 200)
      return Promise.all(['taxes', 'coupons'].map(async (what) => (await shop.ask(`GET /${what}.json`)).json.length))
    }
    assert.deepEqual(await left('customers'), [2, 1])
    assert.deepEqual(await left('all'), [0, 0])
  })

  test('a VAT number at the sign-up of an existing customer becomes the customer’s', async (t) => {
    const shop = await shopWithTaxes(t)
    const { customer } = await made(shop, 'POST /customers.json', { customer: { ...ada, country: 'DE' } })
    const body = signup({ customer_attributes: null, customer_id: customer.id, vat_number: 'DE123456789' })
    const { subscription } = await made(shop, 'POST /subscriptions.json', body)
    assert.equal(subscription.signup_revenue, '50.00')
    assert.equal((await shop.ask(`GET /customers/${customer.id}.json`)).json.customer.vat_number, 'DE123456789')
  })
})

test('the country of the site is two letters or none', async () => {
  const { ask } = shops.json
  const put = (country: unknown) => ask('PUT /site.json', { body: { site: { country } } })
  assert.equal((await put(' de ')).json.site.country, 'DE')
  assert.equal((await ask('PUT /site.json', { body: { site: { name: 'Same' } } })).json.site.country, 'DE')
  const refused = await put('Germany')
  assert.deepEqual([refused.status, refused.json.errors], [422, ['Country: must be a country code of two letters.']])
  for (const none of ['', null]) assert.equal((await put(none)).json.site.country, null)
})
