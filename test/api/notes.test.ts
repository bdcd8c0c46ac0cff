/** Notes about subscriptions, in JSON and in XML. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/store/sql.ts'
import { goodCard, grace, made, openOtherSite, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const openWithSubscription = async () => {
  const shop = await openShop()
  return { shop, ...(await made(shop, 'POST /subscriptions.json', signup())) }
}
const opened = { json: await openWithSubscription(), xml: await openWithSubscription() }

for (const format of formats) {
  const { shop, subscription } = opened[format]
  const say = speaker(shop, format)
  const path = `/subscriptions/${subscription.id}/notes`
  const at = '2027-01-15T12:00:00+00:00'

  describe(`a note, in ${format}`, () => {
    test('is written, read, listed sticky ones first, rewritten and deleted', async () => {
      const first = await say(`POST ${path}`, { note: { body: 'Called: <wait> & see', sticky: true } })
      assert.equal(first.status, 201)
      const { id, ...note } = first.tree.note
      const terms = { body: 'Called: <wait> & see', subscription_id: subscription.id, sticky: true }
      assert.deepEqual(note, { ...terms, created_at: at, updated_at: at })
      const second = await say(`POST ${path}`, { note: { body: 'Paid' } })
      assert.equal(second.tree.note.sticky, false)
      assert.deepEqual((await say(`GET ${path}/${id}`)).tree, first.tree)
      assert.deepEqual((await say(`GET ${path}`)).tree, [first.tree.note, second.tree.note])
      assert.deepEqual((await say(`GET ${path}?per_page=1&page=2`)).tree, [second.tree.note])
      const changed = await say(`PUT ${path}/${id}`, { note: { sticky: null } })
      assert.equal(changed.status, 201)
      assert.deepEqual((await say(`GET ${path}`)).tree, [second.tree.note, changed.tree.note])
      assert.deepEqual(changed.tree.note, { ...first.tree.note, sticky: false })
      assert.equal((await say(`PUT ${path}/${id}`, { note: { body: 'Moved' } })).tree.note.body, 'Moved')
      const gone = await say(`DELETE ${path}/${id}`)
      assert.deepEqual([gone.status, gone.text], [200, ''])
      for (const line of [`GET ${path}/${id}`, `PUT ${path}/${id}`, `DELETE ${path}/${id}`]) {
        assert.equal((await say(line)).status, 404, line)
      }
      assert.deepEqual((await say(`GET ${path}`)).tree, [second.tree.note])
    })

    test('is refused by name, and nothing is written', async () => {
      const before = (await say(`GET ${path}`)).tree
      const [{ id }] = before
      const blank = 'Body: cannot be blank.'
      const bad: [string, object, string][] = [
        [`POST ${path}`, { note: {} }, blank],
        [`POST ${path}`, { other: { body: 'x' } }, blank],
        [`POST ${path}`, { note: { body: ' ', sticky: true } }, blank],
        [`PUT ${path}/${id}`, { note: { body: null } }, blank],
        [`POST ${path}`, { note: { body: ['a', 'b'] } }, 'Body: must be a string.'],
        [`POST ${path}`, { note: { body: 'x'.repeat(65_536) } }, 'Body: is too long (maximum is 65535 characters).'],
        [`PUT ${path}/${id}`, { note: { sticky: 'perhaps' } }, 'Sticky: must be true or false.'],
      ]
      for (const [line, tree, error] of bad) {
        const said = await say(line, tree)
        assert.deepEqual([said.status, said.errors], [422, [error]], line)
      }
      const page = await say(`GET ${path}?page=0`)
      assert.deepEqual([page.status, page.errors], [422, ['invalid page: 0']])
      assert.deepEqual((await say(`GET ${path}`)).tree, before)
    })

    test('is found under its own subscription and site only, and goes with its customer', async () => {
      const buyer = signup({ customer_attributes: grace, payment_profile_attributes: goodCard })
      const other = await made(shop, 'POST /subscriptions.json', buyer)
      const otherPath = `/subscriptions/${other.subscription.id}/notes`
      const { tree } = await say(`POST ${otherPath}`, { note: { body: 'Hers' } })
      const { id } = tree.note
      const { apiKey: key } = await openOtherSite(shop)
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? { note: { body: '' } } : undefined
        assert.equal((await say(`${method} ${path}/${id}`, body)).status, 404, method)
        assert.equal((await say(`${method} ${otherPath}/${id}`, body, { key })).status, 404, `${method} elsewhere`)
      }
      assert.equal((await say('POST /subscriptions/999/notes', { note: {} })).status, 404)
      assert.equal((await say(`GET ${otherPath}`, undefined, { key })).status, 404)
      assert.equal((await say(`DELETE /customers/${other.subscription.customer.id}?cascade=true`)).status, 204)
      assert.equal((await say(`GET ${otherPath}`)).status, 404)
      const kept = await shop.app.db.rows(sql`
        select from notes where site_id = ${shop.siteId} and subscription_id = ${other.subscription.id}`)
      assert.equal(kept.length, 0)
    })

    test('repeated under one Idempotency-Key is written once', async () => {
      const headers = { 'Idempotency-Key': 'note' }
      const [first, second] = [
        await say(`POST ${path}`, { note: { body: 'Once' } }, { headers }),
        await say(`POST ${path}`, { note: { body: 'Once' } }, { headers }),
      ]
      assert.equal(second.text, first.text)
      assert.equal((await say(`GET ${path}`)).tree.length, 2)
    })
  })
}
