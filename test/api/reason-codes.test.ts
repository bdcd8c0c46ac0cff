/** The reasons for which customers leave, in JSON and in XML. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openOtherSite, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const noBudget = { code: 'NOBUDGET', description: 'Has no money left' }

const shops = { json: await openShop(), xml: await openShop() }

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)

  describe(`a reason code, in ${format}`, () => {
    test('is made, read, listed by position, changed and deleted', async () => {
      const first = await say('POST /reason_codes', { reason_code: noBudget })
      assert.equal(first.status, 201)
      const { id, ...rest } = first.tree.reason_code
      assert.equal(first.headers.location, `/reason_codes/${id}`)
      const at = '2027-01-15T12:00:00+00:00'
      assert.deepEqual(rest, { site_id: shop.siteId, ...noBudget, position: 1, created_at: at, updated_at: at })
      const moved = { code: 'MOVED', description: 'Moved to <b> & c', position: 7 }
      const second = await say('POST /reason_codes', { reason_code: moved })
      const third = await say('POST /reason_codes', { reason_code: { code: 'ELSE', description: 'Something else' } })
      assert.equal(third.tree.reason_code.position, 8)
      assert.deepEqual((await say(`GET /reason_codes/${id}`)).tree, first.tree)
      const changed = await say(`PUT /reason_codes/${id}`, { reason_code: { description: 'Broke', position: 9 } })
      assert.deepEqual(changed.tree.reason_code, { ...first.tree.reason_code, description: 'Broke', position: 9 })
      const inOrder = [second, third, changed].map(({ tree }) => tree.reason_code)
      assert.deepEqual((await say('GET /reason_codes')).tree, inOrder)
      assert.deepEqual((await say('GET /reason_codes?page=2&per_page=2')).tree, inOrder.slice(2))
      assert.deepEqual((await say(`PUT /reason_codes/${id}`, changed.tree)).tree, changed.tree)
      const ahead = await say(`PUT /reason_codes/${id}`, { reason_code: { position: 0 } })
      assert.deepEqual([ahead.status, ahead.tree.reason_code.position], [200, 0])
      assert.equal((await say('GET /reason_codes')).tree[0].id, id)
      const gone = await say(`DELETE /reason_codes/${id}`)
      assert.deepEqual([gone.status, format === 'json' ? gone.tree : gone.tree.result], [200, { ok: 'ok' }])
      for (const line of [`GET /reason_codes/${id}`, `PUT /reason_codes/${id}`, `DELETE /reason_codes/${id}`]) {
        assert.equal((await say(line)).status, 404, line)
      }
    })

    test('is refused under the name of its root where that is missing', async () => {
      for (const body of [undefined, { other: noBudget }]) {
        const said = await say('POST /reason_codes', body)
        const told = { reason_code: "can't be blank" }
        assert.deepEqual([said.status, said.tree], [422, { errors: told }], JSON.stringify(body))
      }
    })

    test('is refused by name, and nothing is written', async () => {
      const before = (await say('GET /reason_codes')).tree
      const [moved] = before
      const put = `PUT /reason_codes/${moved.id}`
      const post = 'POST /reason_codes'
      const blank = ['Code: cannot be blank.', 'Description: cannot be blank.']
      const bad: [string, object, string[]][] = [
        [post, { reason_code: {} }, blank],
        [post, { reason_code: null }, blank],
        [post, { reason_code: { code: null, description: ' ' } }, blank],
        [post, { reason_code: { ...noBudget, code: 'MOVED' } }, ['Code: This code is already in use.']],
        [put, { reason_code: { code: 'ELSE' } }, ['Code: This code is already in use.']],
        [put, { reason_code: { code: '' } }, ['Code: cannot be blank.']],
        [put, { reason_code: { description: null } }, ['Description: cannot be blank.']],
        [
          post,
          { reason_code: { ...noBudget, code: 'x'.repeat(256) } },
          ['Code: is too long (maximum is 255 characters).'],
        ],
        [post, { reason_code: { ...noBudget, description: ['a', 'b'] } }, ['Description: must be a string.']],
        [post, { reason_code: { ...noBudget, position: 'first' } }, ['Position: is not a number.']],
        [post, { reason_code: { ...noBudget, position: -1 } }, ['Position: must be greater than or equal to 0.']],
      ]
      for (const [line, tree, errors] of bad) {
        const said = await say(line, tree)
        assert.deepEqual([said.status, said.errors], [422, errors], `${line} ${JSON.stringify(tree).slice(0, 80)}`)
      }
      assert.deepEqual((await say('GET /reason_codes?page=-1')).errors, ['invalid page: -1'])
      assert.deepEqual((await say('GET /reason_codes')).tree, before)
    })

    test('of another site does not exist, and its code is free there', async () => {
      const [{ id, code, description }] = (await say('GET /reason_codes')).tree
      const { apiKey: key } = await openOtherSite(shop)
      assert.equal((await say(`GET /reason_codes/${id}`, undefined, { key })).status, 404)
      assert.equal((await say(`PUT /reason_codes/${id}`, { reason_code: { code: '' } }, { key })).status, 404)
      assert.equal((await say(`DELETE /reason_codes/${id}`, undefined, { key })).status, 404)
      assert.equal((await say('POST /reason_codes', { reason_code: { code, description } }, { key })).status, 201)
    })

    test('goes when the whole site is cleared, and stays when its customers are', async () => {
      await say('POST /sites/clear_data?cleanup_scope=customers')
      assert.equal((await say('GET /reason_codes')).tree.length, 2)
      await say('POST /sites/clear_data?cleanup_scope=all')
      assert.deepEqual((await say('GET /reason_codes')).tree, [])
    })
  })
}
