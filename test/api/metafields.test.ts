/** The fields that a site adds to its customers and subscriptions, in JSON and in XML. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/store/sql.ts'
import { ada, made, openShop, type Shop } from './shop.ts'
import { formats, type Said, speaker } from './two-formats.ts'

const openWithCustomer = async (): Promise<{ shop: Shop; path: string }> => {
  const shop = await openShop()
  const { customer } = await made(shop, 'POST /customers.json', { customer: ada })
  return { shop, path: `/customers/${customer.id}/metadata` }
}
const opened = { json: await openWithCustomer(), xml: await openWithCustomer() }

const defaultScope = { csv: '0', statements: '0', invoices: '0', portal: '0', public_show: '0', public_edit: '0' }

const listEvents = ({ app, siteId }: Shop) =>
  app.db.rows<{ message: string; subscription_id: number | null; customer_id: number }>(sql`
    select e.message, e.subscription_id, e.customer_id from events e where e.site_id = ${siteId} order by e.id`)

/** The page inside of a list; XML wraps it in `results`. */
const pageOf = ({ tree }: Said) => tree.results ?? tree

for (const format of formats) {
  const { shop, path } = opened[format]
  const say = speaker(shop, format)

  describe(`metafields, in ${format}`, () => {
    test('are made, listed, changed and deleted with what stands in them', async () => {
      const scope = { ...defaultScope, csv: '1', hosted: ['monthly'] }
      const said = await say('POST /customers/metafields', {
        metafields: [
          { name: 'plan', scope, input_type: 'dropdown', enum: ['gold', '', 'silver'] },
          { name: 'free' },
          { name: 'color' },
        ],
      })
      assert.equal(said.status, 200)
      const [plan, free] = format === 'json' ? JSON.parse(said.text) : said.tree
      const { id: planId, ...rest } = plan
      assert.deepEqual(rest, { name: 'plan', scope, data_count: 0, input_type: 'dropdown', enum: ['gold', 'silver'] })
      assert.deepEqual([free.input_type, free.enum, free.scope], ['text', [], { ...defaultScope, hosted: [] }])

      const set = (value: string) => say(`POST ${path}`, { metadata: [{ name: 'plan', value }] })
      assert.deepEqual((await set('lead')).errors, ['Value: must be one of gold, silver.'])
      assert.equal((await set('gold')).status, 200)
      const change = { metafields: { current_name: 'plan', name: 'level', scope: { portal: 1 }, enum: ['lead'] } }
      const changed = await say('PUT /customers/metafields', change)
      assert.equal(changed.status, 200)
      const listed = pageOf(await say('GET /customers/metafields?name=level'))
      assert.equal(listed.total_count, 1)
      assert.deepEqual(listed.metafields, [
        {
          id: planId,
          name: 'level',
          scope: { ...defaultScope, portal: '1', hosted: [] },
          data_count: 1,
          input_type: 'dropdown',
          enum: ['lead'],
        },
      ])
      assert.equal(pageOf(await say(`GET ${path}`)).metadata[0].value, 'gold')
      const gone = await say('DELETE /customers/metafields?name=level')
      assert.deepEqual([gone.status, gone.text], [200, 'true'])
      assert.equal((await say('DELETE /customers/metafields?name=level')).status, 404)
      assert.equal((await say('DELETE /customers/metafields')).status, 404)
      const { message, subscription_id, customer_id } = (await listEvents(shop)).at(-1)!
      assert.match(message, /\(level\) changed for Customer \d+ from 'gold' to ''\.$/)
      assert.deepEqual([subscription_id, `/customers/${customer_id}/metadata`], [null, path])
    })

    test('that are made again are changed', async () => {
      const post = (metafields: object[]) => say('POST /customers/metafields', { metafields })
      const fieldsIn = (said: Said) => (format === 'json' ? JSON.parse(said.text) : said.tree)
      const [made] = fieldsIn(await post([{ name: 'again', scope: { csv: 1 } }]))
      const said = await post([{ name: 'again', input_type: 'radio', enum: ['a', 'b'] }, { name: 'and new' }])
      assert.equal(said.status, 200)
      const [again, fresh] = fieldsIn(said)
      assert.deepEqual(again, { ...made, input_type: 'radio', enum: ['a', 'b'] })
      assert.deepEqual([fresh.name, fresh.input_type], ['and new', 'text'])
      const count = () => say('GET /customers/metafields?name=again').then((found) => pageOf(found).total_count)
      assert.equal(await count(), 1)
      assert.deepEqual((await post([{ name: 'again', enum: [] }])).errors, ['Enum: cannot be blank.'])
    })

    test('are refused in one sentence', async () => {
      for (const line of ['POST /customers/metafields', 'PUT /customers/metafields', `POST ${path}`, `PUT ${path}`]) {
        const { status, text } = await say(line, { metafields: [], metadata: [] })
        const sentence = line.includes('metadata') ? 'Metadata: cannot be blank.' : 'Metafields: cannot be blank.'
        assert.equal(status, 422)
        if (format === 'json') assert.deepEqual(JSON.parse(text), { error: sentence })
        else assert.match(text, new RegExp(`<errors>\\s*<error>${sentence}</error>\\s*</errors>`))
      }
    })

    test('are refused by name', async () => {
      const taken = 'Metafield name must be unique for the Attachment Type'
      const cases: [string, object, string][] = [
        ['POST', { nothing: 'x' }, 'Metafields: cannot be blank.'],
        ['POST', { metafields: ['x'] }, 'Metafields: each must be an object.'],
        ['PUT', { metafields: [{ name: 'x' }, 'x'] }, 'Metafields: each must be an object.'],
        ['POST', { metafields: [{ name: null }] }, 'Name: cannot be blank.'],
        ['POST', { metafields: [{ name: 'twice' }, { name: 'twice' }] }, taken],
        [
          'POST',
          { metafields: [{ name: 'x', input_type: 'slider' }] },
          'Input type: must be one of text, radio, dropdown, balance_tracker.',
        ],
        ['POST', { metafields: [{ name: 'x', input_type: 'radio' }] }, 'Enum: cannot be blank.'],
        ['POST', { metafields: [{ name: 'x', scope: 'all' }] }, 'Scope: must be an object.'],
        ['POST', { metafields: [{ name: 'x', scope: { csv: 'perhaps' } }] }, 'Scope csv: must be true or false.'],
        [
          'PUT',
          { metafields: [{ name: 'unheard of', input_type: 'text' }] },
          'Name: there is no metafield of that name.',
        ],
        ['PUT', { metafields: [{ current_name: 'color', name: 'free' }] }, taken],
      ]
      for (const [method, tree, error] of cases) {
        const said = await say(`${method} /customers/metafields`, tree)
        assert.deepEqual([said.status, said.errors], [422, [error]], JSON.stringify(tree))
      }
      assert.equal(pageOf(await say('GET /customers/metafields?name=x')).total_count, 0)
    })
  })
}

test('a site has at most 200 metafields for each type of resource, however many ask at once; and is cleared of them', async (t) => {
  const shop = await openShop(t)
  const { customer } = await made(shop, 'POST /customers.json', { customer: ada })
  const names = Array.from({ length: 199 }, (_, place) => ({ name: `field ${place}` }))
  assert.equal((await shop.ask('POST /customers/metafields.json', { body: { metafields: names } })).status, 200)
  const racing = await Promise.all(
    ['one', 'two', 'three'].map((name) =>
      shop.ask(`POST /customers/${customer.id}/metadata.json`, { body: { metadata: [{ name, value: name }] } }),
    ),
  )
  assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 422, 422])
  assert.deepEqual(racing.find(({ status }) => status === 422)!.json, {
    error: 'Metafields: a site has at most 200 for each resource type.',
  })
  assert.equal(
    (await shop.ask('POST /subscriptions/metafields.json', { body: { metafields: [{ name: 'x' }] } })).status,
    200,
  )
  const count = async () => (await shop.ask('GET /customers/metafields.json')).json.total_count
  await shop.ask('POST /sites/clear_data.json?cleanup_scope=customers')
  assert.deepEqual([await count(), (await shop.ask('GET /customers/metadata.json')).json.total_count], [200, 0])
  await shop.ask('POST /sites/clear_data.json?cleanup_scope=all')
  assert.equal(await count(), 0)
})
