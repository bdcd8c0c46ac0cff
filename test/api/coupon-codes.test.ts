/** The subcodes of coupons: added, sorted, listed, replaced and removed, in JSON and in XML. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { made, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const tenPercent = { name: 'Ten percent', percentage: '10' }
const shops = { json: await openShop(), xml: await openShop() }

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)
  const { familyId } = shop

  describe(`a coupon, in ${format}`, () => {
    test('has subcodes that are added, sorted, listed, replaced and removed', async () => {
      const { id } = (await say('POST /coupons', { coupon: { ...tenPercent, code: 'MAIN' } })).tree.coupon
      assert.equal((await say('POST /coupons', { coupon: { ...tenPercent, code: 'FIRST' } })).status, 201)
      const send = async (line: string, codes: readonly string[]) => {
        const { status, tree } = await say(line, { codes })
        assert.equal(status, 200)
        return format === 'json' ? tree : tree.coupon_codes
      }
      assert.deepEqual(await send(`POST /coupons/${id}/codes`, ['sub1', 'SUB2', 'sub 3', 'Sub1', 'main', 'first']), {
        created_codes: ['SUB1', 'SUB2'],
        duplicate_codes: ['SUB1', 'MAIN', 'FIRST'],
        invalid_codes: ['SUB 3'],
      })
      const listed = async () => {
        const { tree } = await say(`GET /coupons/${id}/codes?per_page=10`)
        return format === 'json' ? tree.codes : tree
      }
      assert.deepEqual(await listed(), ['SUB1', 'SUB2'])
      assert.equal((await say('GET /coupons/validate?code=sub1')).tree.coupon.id, id)
      const replaced = await send(`PUT /product_families/${familyId}/coupons/${id}/codes`, ['SUB2', '20%OFF', 'A.B'])
      assert.deepEqual(replaced.created_codes, ['SUB2', '20%OFF', 'A.B'])
      assert.deepEqual(await listed(), ['20%OFF', 'A.B', 'SUB2'])
      assert.equal((await say(`DELETE /coupons/${id}/codes/20%25off`)).status, 200)
      assert.equal((await say(`DELETE /coupons/${id}/codes/A.B`)).status, 200)
      assert.equal((await say(`DELETE /coupons/${id}/codes/20%25OFF`)).status, 404)
      assert.equal((await say(`DELETE /coupons/${id}/codes/MAIN`)).status, 404)
      assert.deepEqual(await listed(), ['SUB2'])
      const none = await say(`POST /coupons/${id}/codes`, {})
      assert.equal(none.status, 200)
      const wrong = await say(`POST /coupons/${id}/codes`, { codes: 'SUB9' })
      assert.deepEqual([wrong.status, wrong.errors], [422, ['Codes: must be a list.']])
      assert.equal((await say('POST /coupons/1/codes', { codes: ['X'] })).status, 404)
    })
  })
}

test('a repeated request for codes is answered as the first time', async () => {
  const { coupon } = await made(shops.json, 'POST /coupons.json', { coupon: { ...tenPercent, code: 'AGAIN' } })
  const send = () =>
    shops.json.ask(`POST /coupons/${coupon.id}/codes.json`, {
      body: { codes: ['R1', 'R2'] },
      headers: { 'Idempotency-Key': 'codes' },
    })
  assert.deepEqual((await send()).json, { created_codes: ['R1', 'R2'], duplicate_codes: [], invalid_codes: [] })
  assert.deepEqual((await send()).json, { created_codes: ['R1', 'R2'], duplicate_codes: [], invalid_codes: [] })
})
