/** Lists of the catalog and of customers, narrowed by ids, codes, and windows of creation or last change; 422 for what is not here. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ada, grace, made, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

/** In January there is one of each, in March another, and the first is changed. */
async function openInTwoSeasons() {
  const shop = await openShop()
  const inFamily = `/product_families/${shop.familyId}`
  const family = async (name: string) =>
    (await made(shop, 'POST /product_families.json', { product_family: { name } })).product_family.id as number
  const product = async (name: string) =>
    (
      await made(shop, `POST ${inFamily}/products.json`, {
        product: { name, price_in_cents: 100, interval: 1, interval_unit: 'month' },
      })
    ).product.id as number
  const component = async (name: string) =>
    (await made(shop, `POST ${inFamily}/on_off_components.json`, { on_off_component: { name, unit_price: '5.00' } }))
      .component.id as number
  const coupon = async (code: string) =>
    (await made(shop, `POST ${inFamily}/coupons.json`, { coupon: { name: code, code, percentage: 10 } })).coupon
      .id as number
  const customer = async (person: object) =>
    (await made(shop, 'POST /customers.json', { customer: person })).customer.id as number
  const season = async (name: string, person: object) => ({
    product_families: await family(name),
    products: await product(name),
    components: await component(name),
    coupons: await coupon(name.toUpperCase()),
    customers: await customer(person),
  })
  const winter = await season('Winter', ada)
  await shop.moveClock('2027-03-20T12:00:00Z')
  const spring = await season('Spring', grace)
  await shop.moveClock('2027-03-25T12:00:00Z')
  for (const [path, body] of [
    [`/products/${winter.products}`, { product: { name: 'Late winter' } }],
    [`${inFamily}/coupons/${winter.coupons}`, { coupon: { name: 'Late winter' } }],
    [`/customers/${winter.customers}`, { customer: { first_name: 'Augusta Ada' } }],
  ] as const) {
    assert.equal((await shop.ask(`PUT ${path}.json`, { body })).status, 200)
  }
  await shop.ask(`POST /coupons/${spring.coupons}/codes.json`, { body: { codes: ['TULIP'] } })
  return { shop, inFamily, winter, spring }
}

const { shop, inFamily, winter, spring } = await openInTwoSeasons()

for (const format of formats) {
  const say = speaker(shop, format)
  const listed = async (path: string): Promise<number[]> => {
    const said = await say(`GET ${path}`)
    assert.equal(said.status, 200, said.text)
    return said.tree.map(({ id }: { id: number }) => id)
  }
  const refused = async (path: string): Promise<string[]> => {
    const said = await say(`GET ${path}`)
    assert.equal(said.status, 422, said.text)
    return said.errors
  }
  const dated = [
    ['product_families', '/product_families'],
    ['products', '/products'],
    ['products', `${inFamily}/products`],
    ['components', '/components'],
    ['components', `${inFamily}/components`],
    ['coupons', '/coupons'],
    ['coupons', `${inFamily}/coupons`],
    ['customers', '/customers'],
  ] as const

  describe(`in ${format}`, () => {
    for (const [what, path] of dated) {
      test(`${path.replaceAll(/\d+/g, ':id')} is narrowed by dates, whose last day belongs to it`, async () => {
        const wrap = (name: string) => (what === 'coupons' ? `filter[${name}]` : name)
        assert.deepEqual(await listed(`${path}?${wrap('start_date')}=2027-03-01`), [spring[what]])
        assert.deepEqual(await listed(`${path}?${wrap('start_date')}=2027-03-20&${wrap('end_date')}=2027-03-20`), [
          spring[what],
        ])
        assert.ok((await listed(`${path}?${wrap('end_datetime')}=2027-02-01T00:00:00Z`)).includes(winter[what]))
        assert.deepEqual(await listed(`${path}?${wrap('start_date')}=2028-01-01`), [])
        const errors = await refused(`${path}?${wrap('date_field')}=birthday&${wrap('start_date')}=soon`)
        assert.equal(errors.length, 2, String(errors))
      })
    }

    for (const [what, path] of dated.filter(([what]) => !['product_families', 'components'].includes(what))) {
      test(`${path.replaceAll(/\d+/g, ':id')} tells what was changed since`, async () => {
        const wrap = (name: string) => (what === 'coupons' ? `filter[${name}]` : name)
        assert.deepEqual(await listed(`${path}?${wrap('date_field')}=updated_at&${wrap('start_date')}=2027-03-25`), [
          winter[what],
        ])
      })
    }

    for (const [what, path] of dated.filter(([what]) => ['products', 'components', 'coupons'].includes(what))) {
      test(`${path.replaceAll(/\d+/g, ':id')} shows only those whose ids are named`, async () => {
        assert.deepEqual(await listed(`${path}?filter[ids]=${winter[what]},${spring[what]}`), [
          winter[what],
          spring[what],
        ])
        assert.deepEqual(await listed(`${path}?filter%5Bids%5D%5B%5D=${spring[what]}`), [spring[what]])
        assert.deepEqual(await listed(`${path}?filter[ids]=1`), [])
        assert.deepEqual(await refused(`${path}?filter[ids]=1,x&filter[use_site_exchange_rate]=true`), [
          'filter[ids]: is not a number.',
          'filter[use_site_exchange_rate]: is no filter of this list.',
        ])
      })
    }

    test('coupons are found by their codes and subcodes', async () => {
      assert.deepEqual(await listed('/coupons?filter[codes]=spring,NONE'), [spring.coupons])
      assert.deepEqual(await listed(`${inFamily}/coupons?filter[codes]=TULIP,WINTER`), [winter.coupons, spring.coupons])
      assert.deepEqual(await listed('/coupons?filter[codes]=NONE'), [])
    })

    test('customers are found by words and dates together', async () => {
      assert.deepEqual(await listed('/customers?q=hopper&start_date=2027-03-01'), [spring.customers])
      assert.deepEqual(await listed('/customers?q=hopper&end_date=2027-03-01'), [])
    })

    test('a price point that is prepaid is no filter of products', async () => {
      const name = 'filter[prepaid_product_price_point][product_price_point_id]'
      assert.deepEqual(await refused(`/products?${name}=not_null`), [`${name}: is no filter of this list.`])
    })
  })
}
