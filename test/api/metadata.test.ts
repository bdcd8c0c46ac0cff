/** Metafields and metadata of customers and subscriptions, and the events that tell of them, in JSON and in XML. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/store/sql.ts'
import { goodCard, grace, made, openOtherSite, openShop, type Shop, signup } from './shop.ts'
import { formats, type Said, speaker } from './two-formats.ts'

const openWithSubscription = async (): Promise<{ shop: Shop; id: number; customerId: number }> => {
  const shop = await openShop()
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
  return { shop, id: subscription.id, customerId: subscription.customer.id }
}
const opened = { json: await openWithSubscription(), xml: await openWithSubscription() }

for (const format of formats) {
  const { shop, id, customerId } = opened[format]
  const say = speaker(shop, format)
  const paths = { subscription: `/subscriptions/${id}/metadata`, customer: `/customers/${customerId}/metadata` }
  const owners = { subscription: id, customer: customerId } as const

  /** The page inside of a list; XML wraps it in `results`. */
  const pageOf = ({ tree }: Said) => tree.results ?? tree
  const valuesIn = (said: Said) =>
    (said.tree.results ?? said.tree).metadata.map((one: { name: string; value: string }) => [one.name, one.value])
  const values = async (path: string) => valuesIn(await say(`GET ${path}`))
  const events = async (key = 'custom_field_value_change') =>
    await shop.app.db.rows<{ message: string; data: object; subscription: number | null; customer: number }>(sql`
      select e.message, e.event_specific_data as data, e.subscription_id as subscription, e.customer_id as customer
      from events e where e.site_id = ${shop.siteId} and e.key = ${key} order by e.id`)

  describe(`metadata, in ${format}`, () => {
    for (const type of ['subscription', 'customer'] as const) {
      const path = paths[type]
      const owner = owners[type]
      const Type = type === 'customer' ? 'Customer' : 'Subscription'

      test(`of a ${type} is set, listed, changed, moved and removed, and each step has its event`, async () => {
        const before = (await events()).length
        const set = await say(`POST ${path}`, {
          metadata: [
            { name: 'color', value: 'blue' },
            { name: 'size', value: '<10> & more' },
          ],
        })
        assert.equal(set.status, 200)
        const written: Record<string, unknown>[] = format === 'json' ? JSON.parse(set.text) : set.tree
        assert.deepEqual(
          written.map(({ id: _, metafield_id, ...rest }) => rest),
          [
            { resource_id: owner, name: 'color', value: 'blue' },
            { resource_id: owner, name: 'size', value: '<10> & more' },
          ],
        )
        const ids = written.map((one) => Number(one.id))
        assert.ok(ids[0]! < ids[1]!, `each value has a number of its own: ${ids}`)
        const listed: { id: number }[] = pageOf(await say(`GET ${path}`)).metadata
        assert.deepEqual(
          listed.map((one) => Number(one.id)),
          ids,
        )
        const changed = await say(`PUT ${path}`, { metadata: { name: 'color', value: 'red' } })
        assert.equal(changed.status, 200)
        assert.deepEqual(await values(path), [
          ['color', 'red'],
          ['size', '<10> & more'],
        ])
        const again = await say(`PUT ${path}`, { metadata: [{ name: 'color', value: 'red' }] })
        assert.equal(again.status, 200)
        await say(`PUT ${path}`, { metadata: [{ current_name: 'size', name: 'weight' }] })
        assert.deepEqual(await values(path), [
          ['color', 'red'],
          ['weight', '<10> & more'],
        ])
        const gone = await say(`DELETE ${path}?name=color`)
        assert.deepEqual([gone.status, gone.text], [200, 'true'])
        assert.equal((await say(`DELETE ${path}?name=color`)).status, 404)
        assert.equal((await say(`DELETE ${path}?names[]=weight&names[]=nothing`)).status, 200)
        assert.deepEqual(await values(path), [])
        const told = (await events()).slice(before)
        assert.deepEqual(
          told.map(({ message }) => message),
          [
            ['color', '', 'blue'],
            ['size', '', '<10> & more'],
            ['color', 'blue', 'red'],
            ['size', '<10> & more', ''],
            ['weight', '', '<10> & more'],
            ['color', 'red', ''],
            ['weight', '<10> & more', ''],
          ].map(([name, from, to]) => `Custom field (${name}) changed for ${Type} ${owner} from '${from}' to '${to}'.`),
        )
        for (const one of told) {
          assert.deepEqual([one.subscription, one.customer], [type === 'subscription' ? id : null, customerId])
        }
      })

      test(`of a ${type}: the event says what became of which field`, async () => {
        const before = (await events()).length
        const set = (value: string) => say(`PUT ${path}`, { metadata: { name: 'color', value } })
        const { text, tree } = await set('blue')
        await set('red')
        await say(`DELETE ${path}?name=color`)
        const [color] = format === 'json' ? JSON.parse(text) : tree
        const told = (await events()).slice(before)
        const whose = {
          resource_type: Type,
          resource_id: owner,
          metafield_name: 'color',
          metafield_id: color.metafield_id,
        }
        assert.deepEqual(
          told.map(({ data }) => data),
          [
            { ...whose, event_type: 'created', old_value: null, new_value: 'blue' },
            { ...whose, event_type: 'updated', old_value: 'blue', new_value: 'red' },
            { ...whose, event_type: 'deleted', old_value: 'red', new_value: null },
          ],
        )
      })

      const bad: [string, object, string][] = [
        ['nothing', {}, 'Metadata: cannot be blank.'],
        ['null', { metadata: null }, 'Metadata: cannot be blank.'],
        ['an empty list', { metadata: [] }, 'Metadata: cannot be blank.'],
        ['no name', { metadata: [{ value: 'x' }] }, 'Name: cannot be blank.'],
        ['a blank name', { metadata: { name: ' ', value: 'x' } }, 'Name: cannot be blank.'],
        ['no value', { metadata: [{ name: 'bad' }] }, 'Value: cannot be blank.'],
        ['a list for a value', { metadata: [{ name: 'bad', value: ['a', 'b'] }] }, 'Value: must be a string.'],
        [
          'a long name',
          { metadata: [{ name: 'n'.repeat(256), value: 'x' }] },
          'Name: is too long (maximum is 255 characters).',
        ],
        [
          'a long value',
          { metadata: [{ name: 'bad', value: 'v'.repeat(2049) }] },
          'Value: is too long (maximum is 2048 characters).',
        ],
        [
          'a value of more bytes',
          { metadata: [{ name: 'bad', value: 'é'.repeat(1025) }] },
          'Value: is too long (maximum is 2048 bytes).',
        ],
        [
          'a field that is not there',
          { metadata: [{ current_name: 'bad', name: 'worse', value: 'x' }] },
          'Current name: there is no metadata of that name.',
        ],
        [
          'one bad among good ones',
          {
            metadata: [
              { name: 'bad', value: 'x' },
              { name: 'worse', value: '' },
            ],
          },
          'Value: cannot be blank.',
        ],
      ]
      test(`of a ${type} is refused by name, and nothing is written`, async () => {
        const before = (await events()).length
        for (const [what, tree, error] of bad) {
          for (const method of ['POST', 'PUT']) {
            const said = await say(`${method} ${path}`, Object.keys(tree).length === 0 ? { nothing: 'x' } : tree)
            assert.deepEqual([said.status, said.errors], [422, [error]], `${method} ${what}`)
          }
        }
        assert.deepEqual(await values(path), [])
        assert.equal((await events()).length, before)
        const names = pageOf(await say(`GET /${type}s/metafields`)).metafields.map((one: { name: string }) => one.name)
        assert.deepEqual(names, ['color', 'size', 'weight'])
      })

      test(`of a ${type} that does not exist, or is another site's, is a 404`, async () => {
        const { apiKey: key } = await openOtherSite(shop)
        const tree = { metadata: [{ name: 'bad', value: '' }] }
        for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
          const body = method === 'POST' || method === 'PUT' ? tree : undefined
          assert.equal((await say(`${method} /${type}s/999/metadata`, body)).status, 404, method)
          assert.equal((await say(`${method} ${path}`, body, { key })).status, 404, `${method} elsewhere`)
        }
        await shop.app.db.run(sql`update sites set subdomain = ${`gone-${format}-${type}`} where subdomain = 'beta'`)
      })
    }

    test('is counted and cut into pages, for one resource and for all of a type', async () => {
      const other = await made(
        shop,
        'POST /subscriptions.json',
        signup({ customer_attributes: grace, payment_profile_attributes: goodCard }),
      )
      const otherId: number = other.subscription.id
      for (const path of [paths.subscription, `/subscriptions/${otherId}/metadata`]) {
        await say(`POST ${path}`, { metadata: ['a', 'b', 'c'].map((name) => ({ name, value: `${name}!` })) })
      }
      const { metadata, ...counts } = pageOf(await say(`GET ${paths.subscription}?per_page=2&page=2`))
      assert.deepEqual(counts, { total_count: 3, current_page: 2, total_pages: 2, per_page: 2 })
      assert.deepEqual(
        metadata.map((one: { name: string }) => one.name),
        ['c'],
      )
      assert.equal(pageOf(await say('GET /subscriptions/metadata')).total_count, 6)
      const one = pageOf(await say(`GET /subscriptions/metadata?resource_ids[]=${otherId}&direction=desc`))
      assert.deepEqual(
        one.metadata.map((row: { name: string; resource_id: number }) => [row.resource_id, row.name]),
        ['c', 'b', 'a'].map((name) => [otherId, name]),
      )
      assert.equal(pageOf(await say('GET /customers/metadata')).total_count, 0)
      assert.equal((await say('GET /subscriptions/metadata?resource_ids[]=x')).status, 422)
      const dated = await say('GET /subscriptions/metadata?with_deleted=true')
      assert.deepEqual([dated.status, dated.errors], [422, ['with_deleted: is no filter of this list.']])
      const told = await say(`GET /subscriptions/${otherId}/events?per_page=1`)
      assert.equal(told.tree[0].event_specific_data.new_value, 'c!')
      const customer: number = other.subscription.customer.id
      assert.equal((await say(`DELETE /customers/${customer}?cascade=true`)).status, 204)
      assert.equal(pageOf(await say('GET /subscriptions/metadata')).total_count, 3)
    })

    test('repeated under one Idempotency-Key is answered alike and told once', async () => {
      const before = (await events()).length
      const headers = { 'Idempotency-Key': 'once' }
      const tree = { metadata: [{ name: 'once', value: '1' }] }
      const first = await say(`POST ${paths.customer}`, tree, { headers })
      await say(`PUT ${paths.customer}`, { metadata: [{ name: 'once', value: '2' }] })
      assert.equal((await say(`POST ${paths.customer}`, tree, { headers })).text, first.text)
      assert.deepEqual(await values(paths.customer), [['once', '2']])
      assert.equal((await events()).length, before + 2)
    })
  })
}

test('XML of metadata has dashes in its names, inside of results', async () => {
  const { text } = await opened.xml.shop.ask('GET /subscriptions/metadata.xml?per_page=1')
  assert.match(
    text,
    /^<\?xml .*\?>\s*<results><total-count type="integer">3<\/total-count><current-page type="integer">1<\/current-page><total-pages type="integer">3<\/total-pages><per-page type="integer">1<\/per-page><metadata type="array"><metadatum><id type="integer">\d+<\/id><resource-id type="integer">\d+<\/resource-id><name>a<\/name><value>a!<\/value><metafield-id type="integer">\d+<\/metafield-id><\/metadatum><\/metadata><\/results>\s*$/,
  )
})
