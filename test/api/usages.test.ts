/** Usage of metered components: recorded, listed by every filter, billed at the renewal, and refused in words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { openedAt, openOtherSite, signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { formats, speaker } from './two-formats.ts'

const shops = { json: await openStockedShop(), xml: await openStockedShop() }

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)
  const calls = shop.components.calls
  const users = shop.components.users
  const subscribe = async (changes: object = {}): Promise<number> =>
    (await say('POST /subscriptions', signup(changes))).tree.subscription.id

  test(`${format}: usage is recorded, adds up, and is told`, async () => {
    const id = await subscribe()
    const path = `/subscriptions/${id}/components/${calls}/usages`
    const made = await say(`POST ${path}`, { usage: { quantity: 1000, memo: 'January <1>' } })
    assert.equal(made.status, 200, made.text)
    assert.deepEqual(made.tree.usage, {
      id: made.tree.usage.id,
      memo: 'January <1>',
      created_at: openedAt.replace('Z', '+00:00'),
      quantity: 1000,
      component_id: calls,
      component_handle: 'calls',
      subscription_id: id,
    })
    const back = await say(`POST ${path}`, { usage: { quantity: '-250.0' } })
    assert.deepEqual([back.status, back.tree.usage.quantity, back.tree.usage.memo], [200, -250, null])
    const { tree } = await say(`GET /subscriptions/${id}/components/${calls}`)
    assert.equal(tree.component.unit_balance, 750)
    const [event] = (await say(`GET /subscriptions/${id}/events`)).tree
    assert.equal(event.key, 'metered_usage')
    assert.equal(event.message, "Recorded -250 calls of usage (total: 750) for Ada Lovelace's subscription")
    assert.deepEqual(event.event_specific_data, {
      previous_unit_balance: '1000',
      new_unit_balance: 750,
      usage_quantity: -250,
      component_id: calls,
      component_handle: 'calls',
      memo: '',
    })
  })

  test(`${format}: usages are listed newest first, by ids, days and pages`, async () => {
    const id = await subscribe()
    const path = `/subscriptions/${id}/components/${calls}/usages`
    const ids: number[] = []
    for (const quantity of [1, 2, 3]) ids.push((await say(`POST ${path}`, { usage: { quantity } })).tree.usage.id)
    const quantities = async (query: string) =>
      (await say(`GET ${path}${query}`)).tree.map((one: { quantity: number }) => one.quantity)
    assert.deepEqual(await quantities(''), [3, 2, 1])
    assert.deepEqual(await quantities(`?since_id=${ids[1]}`), [3, 2])
    assert.deepEqual(await quantities(`?max_id=${ids[1]}`), [2, 1])
    assert.deepEqual(await quantities('?per_page=2&page=2'), [1])
    assert.deepEqual(await quantities('?since_date=2027-01-15'), [3, 2, 1])
    assert.deepEqual(await quantities('?since_date=2027-01-16'), [])
    assert.deepEqual(await quantities('?until_date=2027-01-16'), [3, 2, 1])
    assert.deepEqual(await quantities('?until_date=2027-01-15'), [], 'until a day is until its first moment')
    for (const [query, error] of [
      ['?since_date=tomorrow', 'Since date: must be a date (YYYY-MM-DD).'],
      ['?until_date=2027-02-30', 'Until date: must be a date (YYYY-MM-DD).'],
      ['?since_id=x', 'Since id: is not a number.'],
    ] as const) {
      const refused = await say(`GET ${path}${query}`)
      assert.deepEqual([refused.status, refused.errors], [422, [error]], query)
    }
  })

  test(`${format}: what is wrong with usage is told in words, and nothing is written`, async () => {
    const id = await subscribe()
    const path = `/subscriptions/${id}/components/${calls}/usages`
    const cases: [component: number, usage: object, error: string][] = [
      [calls, {}, 'Quantity: cannot be blank.'],
      [calls, { quantity: 'x' }, 'Quantity: is not a number.'],
      [calls, { quantity: 1e13 }, 'Quantity: must be less than or equal to 1000000000000.'],
      [calls, { quantity: 1, memo: 'x'.repeat(65_536) }, 'Memo: is too long (maximum is 65535 characters).'],
      [users, { quantity: 1 }, 'Usage can only be recorded for metered components.'],
    ]
    for (const [component, usage, error] of cases) {
      const refused = await say(`POST /subscriptions/${id}/components/${component}/usages`, { usage })
      assert.deepEqual([refused.status, refused.errors], [422, [error]])
    }
    await say(`DELETE /subscriptions/${id}`)
    const late = await say(`POST ${path}`, { usage: { quantity: 1 } })
    assert.deepEqual(late.errors, ['Usage of a subscription that is canceled cannot be recorded.'])
    assert.deepEqual((await say(`GET ${path}`)).tree, [])
  })

  test(`${format}: what does not exist is a 404, before anything is said about the request`, async () => {
    const id = await subscribe()
    for (const path of [
      `/subscriptions/999/components/${calls}/usages`,
      `/subscriptions/${id}/components/999/usages`,
    ]) {
      assert.equal((await say(`GET ${path}`)).status, 404, path)
      assert.equal((await say(`POST ${path}`, { usage: {} })).status, 404, path)
    }
  })
}

test("another site's usage cannot be recorded or read", async () => {
  const shop = shops.json
  const say = speaker(shop, 'json')
  const { tree } = await say('POST /subscriptions', signup())
  const path = `/subscriptions/${tree.subscription.id}/components/${shop.components.calls}/usages`
  const { apiKey: key } = await openOtherSite(shop)
  assert.equal((await say(`GET ${path}`, undefined, { key })).status, 404)
  assert.equal((await say(`POST ${path}`, { usage: { quantity: 1 } }, { key })).status, 404)
})

test('parallel usage loses nothing, and the renewal bills all of it once', async () => {
  const shop = shops.json
  const say = speaker(shop, 'json')
  const { tree } = await say('POST /subscriptions', signup())
  const { id } = tree.subscription
  const path = `/subscriptions/${id}/components/${shop.components.calls}`
  await Promise.all(Array.from({ length: 10 }, () => say(`POST ${path}/usages`, { usage: { quantity: 100 } })))
  assert.equal((await say(`GET ${path}`)).tree.component.unit_balance, 1000)
  await shop.moveClock('2027-03-20T00:00:00Z')
  assert.equal((await say(`GET ${path}`)).tree.component.unit_balance, 0)
  const rows = (await say(`GET /subscriptions/${id}/transactions`)).tree.filter(
    ({ kind }: { kind: string }) => kind === 'metered_component',
  )
  assert.deepEqual(
    rows.map((row: { memo: string; amount_in_cents: number }) => [row.memo, row.amount_in_cents]),
    [['Calls: 1000 calls', 550]],
  )
})

test('the audit finds no difference after all of this', async () => {
  for (const { app } of Object.values(shops)) {
    const { differences, text } = await verify(app)
    assert.equal(differences, 0, text)
  }
})
