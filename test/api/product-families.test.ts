/** Product families: created, listed, read and looked up, in JSON and in XML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shops = {
  json: await openShop(undefined, { timeZone: 'America/New_York' }),
  xml: await openShop(undefined, { timeZone: 'America/New_York' }),
}

for (const format of formats) {
  const say = speaker(shops[format], format)

  test(`${format}: product families are created with a handle made from the name, and read back by id and by handle`, async () => {
    const made = await say('POST /product_families', {
      product_family: { name: `Acme Projects (${format})`, description: 'Plans & tools', accounting_code: '42' },
    })
    assert.equal(made.status, 201)
    const { product_family: family } = made.tree
    assert.deepEqual(Object.keys(family), [
      'id',
      'name',
      'handle',
      'accounting_code',
      'description',
      'created_at',
      'updated_at',
    ])
    assert.equal(family.handle, `acme-projects-${format}`)
    assert.equal(family.accounting_code, '42')
    assert.equal(family.created_at, '2027-01-15T07:00:00-05:00')
    assert.equal(made.headers.location, `/product_families/${family.id}`)
    for (const path of [
      `/product_families/${family.id}`,
      `/product_families/handle:${family.handle}`,
      `/product_families/lookup?handle=${family.handle}`,
    ]) {
      const read = await say(`GET ${path}`)
      assert.equal(read.status, 200)
      assert.deepEqual(read.tree, made.tree, path)
    }
    const { tree: families } = await say('GET /product_families')
    assert.deepEqual(families.at(-1), family)
  })

  test(`${format}: product families are refused without a name, and under a handle that is taken`, async () => {
    const blank = await say('POST /product_families', { product_family: { handle: 'x', name: ' ' } })
    assert.equal(blank.status, 422)
    assert.deepEqual(blank.errors, ['Name: cannot be blank.'])
    const first = { product_family: { name: 'Ledgers', handle: `ledgers-${format}` } }
    assert.equal((await say('POST /product_families', first)).status, 201)
    const second = await say('POST /product_families', first)
    assert.equal(second.status, 422)
    assert.deepEqual(second.errors, ['API Handle: must be unique - that value has been taken.'])
  })

  test(`${format}: product families that do not exist are a 404`, async () => {
    for (const path of [
      '/product_families/999',
      '/product_families/x',
      '/product_families/handle:nobody',
      '/product_families/lookup?handle=no',
      '/product_families/lookup',
    ]) {
      assert.equal((await say(`GET ${path}`)).status, 404, path)
    }
    const products = await say('GET /product_families/999/products')
    assert.equal(products.status, 404)
    assert.equal(products.text, 'A valid product_family_id is required')
    assert.equal((await say('POST /product_families/999/products', { product: {} })).status, 404)
  })
}

test('a name without Latin letters gives a handle all the same', async (t) => {
  const say = speaker(await openShop(t), 'json')
  const made = await say('POST /product_families', { product_family: { name: '日記' } })
  assert.equal(made.tree.product_family.handle, `family-${made.tree.product_family.id}`)
  const accents = await say('POST /product_families', { product_family: { name: 'Überzeit – Café' } })
  assert.equal(accents.tree.product_family.handle, 'uberzeit-cafe')
})
