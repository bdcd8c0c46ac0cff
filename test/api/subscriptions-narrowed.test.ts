/** GET /subscriptions narrowed by whose they are and what they have: customer, words, code, method, metadata; 422 for the rest. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dealings } from './dealings.ts'
import { grace, made, openOtherSite, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const { buy } = dealings(shop)
const free = { product_handle: 'free', payment_profile_attributes: undefined }
for (const code of ['TENTH', 'FIFTH']) {
  await made(shop, 'POST /coupons.json', {
    coupon: { name: code, code, percentage: 10, product_family_id: shop.familyId, recurring: true },
  })
}

const { id: plain, customer: ada } = await buy(free)
const { id: tenth } = await buy({ ...free, customer_id: ada.id, customer_attributes: undefined, coupon_code: 'TENTH' })
const { id: fifth, customer: hopper } = await buy({ ...free, customer_attributes: grace, coupon_code: 'FIFTH' })
const { id: invoiced } = await buy({
  ...free,
  customer_attributes: { ...grace, first_name: 'Emmy', last_name: 'Noether', email: 'emmy@example.org' },
  payment_collection_method: 'invoice',
})
const everyone = [invoiced, fifth, tenth, plain]

const note = (id: number, ...metadata: object[]) =>
  shop.ask(`POST /subscriptions/${id}/metadata.json`, { body: { metadata } })
await note(plain, { name: 'color', value: 'blue' }, { name: 'ship to', value: 'Rome & Oslo' })
await note(fifth, { name: 'color', value: 'blue' })
await note(tenth, { name: 'color', value: 'red' })
await shop.ask(`POST /customers/${hopper.id}/metadata.json`, { body: { metadata: [{ name: 'tier', value: 'gold' }] } })

for (const format of formats) {
  const say = speaker(shop, format)
  const listed = async (query: string): Promise<number[]> => {
    const said = await say(`GET /subscriptions?${query}`)
    assert.equal(said.status, 200, said.text)
    return said.tree.map(({ id }: { id: number }) => id)
  }

  describe(`200 in ${format}`, () => {
    test('only those of a customer are shown, and nobody of a customer who is not there', async () => {
      assert.deepEqual(await listed(`customer_id=${ada.id}`), [tenth, plain])
      assert.deepEqual(await listed(`customer_id=${hopper.id}&state=active`), [fifth])
      assert.deepEqual(await listed('customer_id=1'), [])
    })

    test('only those with a code on them, in any case', async () => {
      assert.deepEqual(await listed('coupon_code=TENTH'), [tenth])
      assert.deepEqual(await listed('coupon_code=fifth'), [fifth])
      assert.deepEqual(await listed('coupon_code=NONE'), [])
    })

    test('only those that are paid by a method, whose later name is remittance', async () => {
      assert.deepEqual(await listed('collection_method=invoice'), [invoiced])
      assert.deepEqual(await listed('payment_collection_method=remittance'), [invoiced])
      assert.deepEqual(await listed('collection_method=automatic'), [fifth, tenth, plain])
    })

    test('only those whose customer is found by words, or whose id it is', async () => {
      assert.deepEqual(await listed('q=lovelace'), [tenth, plain])
      assert.deepEqual(await listed('q=emmy%20noe'), [invoiced])
      assert.deepEqual(await listed(`q=${fifth}`), [fifth])
      assert.deepEqual(await listed(`q=${ada.id}&direction=asc`), [plain, tenth])
      assert.deepEqual(await listed('q=nobody'), [])
    })

    test('only those with all of the metadata, by their own fields', async () => {
      assert.deepEqual(await listed('metadata[color]=blue'), [fifth, plain])
      assert.deepEqual(await listed('metadata%5Bcolor%5D=blue&metadata%5Bship%20to%5D=Rome%20%26%20Oslo'), [plain])
      assert.deepEqual(await listed('metadata[color]=blu'), [])
      assert.deepEqual(await listed('metadata[tier]=gold'), [])
      assert.deepEqual(await listed('metadata[weight]=heavy'), [])
    })

    test('the currency of the site is that of all, and the first terms of a product are version 1', async () => {
      assert.deepEqual(await listed('currencies=EUR,usd'), everyone)
      assert.deepEqual(await listed('currencies[]=EUR'), [])
      assert.deepEqual(await listed(`product=${shop.productIds.free}&product_revision_number=1`), everyone)
      assert.deepEqual(await listed('product_revision_number=2'), [])
    })

    test('what no version of the API knows is ignored', async () => {
      assert.deepEqual(await listed('flavor=salty'), everyone)
    })

    test('another site finds none of them', async () => {
      const other = await openOtherSite(shop, `other-${format}`)
      const asked = ['q=lovelace', `q=${fifth}`, 'metadata[color]=blue', 'coupon_code=TENTH', `customer_id=${ada.id}`]
      for (const query of asked) {
        const said = await say(`GET /subscriptions?${query}`, undefined, {
          key: other.apiKey,
          headers: { Host: `${other.subdomain}.localhost:${shop.port}` },
        })
        assert.equal(said.status, 200, said.text)
        assert.deepEqual(said.tree, [], query)
      }
    })
  })

  describe(`422 in ${format}`, () => {
    test('filters on what is not here are refused by their names, all at once', async () => {
      const said = await say(
        'GET /subscriptions?customer_id=ada&collection_method=prepaid&payment_gateways=1&product_price_point_id=2&group_status[]=primary&metadata=blue',
      )
      assert.equal(said.status, 422)
      assert.deepEqual(said.errors, [
        'Customer: is not a number.',
        'Collection method: must be one of automatic, invoice, remittance.',
        'Metadata: must name a field, as in metadata[color]=blue.',
        'payment_gateways: is no filter of this list.',
        'product_price_point_id: is no filter of this list.',
        'group_status: is no filter of this list.',
      ])
    })
  })
}
