/** Values for a site's own fields that come with a new customer or subscription: written with them, told of, or refused with them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { sql } from '../../src/store/sql.ts'
import { ada, decliningCard, grace, openShop, type Shop, signup } from './shop.ts'
import { countRows } from './table-counts.ts'
import { formats, type Said, speaker } from './two-formats.ts'

const open = async (): Promise<Shop> => {
  const shop = await openShop()
  const metafields = [{ name: 'plan', input_type: 'dropdown', enum: ['gold', 'silver'] }, { name: 'color' }]
  await shop.ask('POST /subscriptions/metafields.json', { body: { metafields } })
  return shop
}
const shops = { json: await open(), xml: await open() }

const pageOf = ({ tree }: Said) => (tree.results ?? tree).metadata

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)
  const valuesOf = async (path: string) =>
    Object.fromEntries(
      pageOf(await say(`GET ${path}/metadata`)).map((one: { name: string; value: string }) => [one.name, one.value]),
    )
  const newestEvents = (count: number) =>
    shop.app.db.rows<{ key: string; message: string; data: Record<string, unknown>; subscription: number | null }>(sql`
      select e.key, e.message, e.event_specific_data as data, e.subscription_id as subscription
      from events e where e.site_id = ${shop.siteId} order by e.id desc limit ${count}`)

  test(`a sign-up in ${format} brings values for its own fields and its customer's, and makes those that are missing`, async () => {
    const said = await say(
      'POST /subscriptions',
      signup({
        metafields: { plan: 'gold', shoe_size: 42, color: null },
        customer_attributes: { ...ada, metafields: { hobby: 'engines & <looms>' } },
      }),
    )
    assert.equal(said.status, 201, said.text)
    const { id, customer } = said.tree.subscription
    assert.deepEqual(await valuesOf(`/subscriptions/${id}`), { plan: 'gold', shoe_size: '42' })
    assert.deepEqual(await valuesOf(`/customers/${customer.id}`), { hobby: 'engines & <looms>' })
    const told = (await newestEvents(3)).reverse()
    assert.deepEqual(
      told.map(({ key, message, subscription }) => [key, message, subscription]),
      [
        [`Custom field (hobby) changed for Customer ${customer.id} from '' to 'engines & <looms>'.`, null],
        [`Custom field (plan) changed for Subscription ${id} from '' to 'gold'.`, id],
        [`Custom field (shoe_size) changed for Subscription ${id} from '' to '42'.`, id],
      ].map(([message, subscription]) => ['custom_field_value_change', message, subscription]),
    )
    const { event_type, old_value, new_value, resource_type, resource_id } = told[1]!.data
    assert.deepEqual(
      [event_type, old_value, new_value, resource_type, resource_id],
      ['created', null, 'gold', 'Subscription', id],
    )
  })

  test(`a customer in ${format} is made with values, and a sign-up of theirs leaves those alone`, async () => {
    const said = await say('POST /customers', { customer: { ...grace, metafields: { hobby: 'compilers' } } })
    assert.equal(said.status, 201, said.text)
    const { id } = said.tree.customer
    const keys = (await newestEvents(2)).map(({ key }) => key)
    assert.deepEqual(keys, ['custom_field_value_change', 'customer_create'])
    const attributes = { ...grace, metafields: { hobby: 'bugs' } }
    const bought = await say(
      'POST /subscriptions',
      signup({ customer_id: id, customer_attributes: attributes, product_handle: 'free', metafields: {} }),
    )
    assert.equal(bought.status, 201, bought.text)
    assert.deepEqual(await valuesOf(`/customers/${id}`), { hobby: 'compilers' })
  })

  test(`values in ${format} that cannot be written are refused by name, with all else that is wrong, and nothing is written`, async () => {
    const cases: [unknown, string][] = [
      ['red', 'Metafields: must be an object.'],
      [{ plan: 'lead' }, 'Metafields plan: must be one of gold, silver.'],
      [{ color: 'x'.repeat(2049) }, 'Metafields color: is too long (maximum is 2048 characters).'],
      [{ color: 'ö'.repeat(1025) }, 'Metafields color: is too long (maximum is 2048 bytes).'],
      [{ color: { red: 1 } }, 'Metafields color: must be a string.'],
      [{ ['n'.repeat(256)]: 'x' }, 'Metafields name: is too long (maximum is 255 characters).'],
    ]
    const before = await countRows(shop)
    for (const path of ['/subscriptions', '/subscriptions/preview']) {
      for (const [metafields, message] of cases) {
        const said = await say(`POST ${path}`, signup({ metafields, payment_profile_attributes: decliningCard }))
        assert.deepEqual([said.status, said.errors], [422, [message]], JSON.stringify(metafields))
      }
    }
    const both = await say('POST /subscriptions', signup({ metafields: { plan: 'lead' }, product_handle: 'none' }))
    assert.equal(both.errors.length, 2)
    const attributes = { ...ada, metafields: 'x' }
    const ofCustomer = await say('POST /subscriptions', signup({ customer_attributes: attributes }))
    assert.deepEqual(ofCustomer.errors, ['Metafields: must be an object.'])
    const customer = await say('POST /customers', { customer: { ...ada, email: '', metafields: 'x' } })
    assert.deepEqual(customer.errors, ['Email address: cannot be blank.', 'Metafields: must be an object.'])
    assert.deepEqual(await countRows(shop), before)
  })

  test(`a sign-up in ${format} whose payment is declined makes no field`, async () => {
    const said = await say(
      'POST /subscriptions',
      signup({ payment_profile_attributes: decliningCard, metafields: { new_field: 'x' } }),
    )
    assert.equal(said.status, 422)
    const { tree } = await say('GET /subscriptions/metafields?name=new_field')
    assert.equal((tree.results ?? tree).total_count, 0)
  })
}

test('a field beyond the 200 that a site may have is refused before money is asked for', async () => {
  const shop = shops.json
  const metafields = Array.from({ length: 197 }, (_, place) => ({ name: `field ${place}` }))
  assert.equal((await shop.ask('POST /subscriptions/metafields.json', { body: { metafields } })).status, 200)
  const calls = async () => (await shop.ask('GET /bogus_gateway/calls.json?per_page=200')).json.length
  const before = await calls()
  const said = await shop.ask('POST /subscriptions.json', { body: signup({ metafields: { one: '1', two: '2' } }) })
  assert.deepEqual(said.json.errors, ['Metafields: a site has at most 200 for each resource type.'])
  assert.equal(await calls(), before)
  const racing = await Promise.all(
    ['one', 'two', 'three'].map((name) =>
      shop.ask('POST /subscriptions.json', { body: signup({ metafields: { plan: 'gold', [name]: name } }) }),
    ),
  )
  const { json } = await shop.ask('GET /subscriptions/metafields.json')
  assert.ok(json.total_count <= 200)
  assert.ok(racing.some(({ status }) => status === 422))
  for (const { app } of Object.values(shops)) {
    const { text, differences } = await verify(app)
    assert.equal(differences, 0, text)
  }
})
