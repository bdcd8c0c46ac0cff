/** A component that is not recurring is charged once, in full: when it is allocated, or with the first assessment that charges. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { made, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

type Shop = Awaited<ReturnType<typeof openShop>>

const definition = { name: 'Onboarding', handle: 'onboarding', unit_name: 'hour', pricing_scheme: 'per_unit' }

/** With onboarding at 20.00 an hour, charged once, and seats at 10.00 a month. */
async function open(t: Parameters<typeof openShop>[0]) {
  const shop = await openShop(t)
  const path = `POST /product_families/${shop.familyId}/quantity_based_components.json`
  const create = async (fields: object): Promise<number> =>
    (await made(shop, path, { quantity_based_component: { ...definition, ...fields } })).component.id
  const hours = await create({ unit_price: '20', recurring: false })
  const seats = await create({ name: 'Seats', handle: 'seats', unit_price: '10' })
  return { ...shop, hours, seats }
}

const subscribe = async (shop: Shop & { hours: number }, changes: object = {}) =>
  (
    await made(
      shop,
      'POST /subscriptions.json',
      signup({ components: [{ component_id: shop.hours, allocated_quantity: 3 }], ...changes }),
    )
  ).subscription.id as number

/** What was charged for components: when, the memo, and the amount. */
async function charges(shop: Shop, id: number): Promise<unknown[]> {
  const { json } = await shop.ask(`GET /subscriptions/${id}/transactions.json?direction=asc&per_page=200`)
  return json
    .map(({ transaction }: { transaction: Record<string, string> }) => transaction)
    .filter(({ kind }: { kind: string }) => kind === 'quantity_based_component')
    .map((row: Record<string, string>) => [row.created_at!.slice(0, 10), row.memo, row.amount_in_cents])
}

async function heldOf(shop: Shop & { hours: number }, id: number): Promise<unknown[]> {
  const { json } = await shop.ask(`GET /subscriptions/${id}/components/${shop.hours}.json`)
  return [json.component.allocated_quantity, json.component.recurring]
}

async function assertSound(shop: Shop): Promise<void> {
  const { differences, text } = await verify(shop.app)
  assert.equal(differences, 0, text)
}

const once = 'Onboarding: 3 hours'

for (const format of formats) {
  test(`in ${format} a component that is charged once is read back as such, and only quantities are`, async (t) => {
    const shop = await open(t)
    const say = speaker(shop, format)
    const { tree } = await say(`GET /product_families/${shop.familyId}/components/${shop.hours}`)
    assert.equal(tree.component.recurring, false)
    const { tree: other } = await say(`GET /product_families/${shop.familyId}/components/${shop.seats}`)
    assert.equal(other.component.recurring, true)
    for (const kind of ['metered_component', 'on_off_component']) {
      const fields = kind === 'on_off_component' ? { name: 'Switch' } : { ...definition, handle: null, name: 'Metered' }
      const wanted = { [kind]: { ...fields, unit_price: '1', recurring: false } }
      const { status, errors } = await say(`POST /product_families/${shop.familyId}/${kind}s`, wanted)
      assert.deepEqual([status, errors], [422, ['Recurring: only a quantity-based component can be charged once.']])
    }
  })

  test(`in ${format} it is charged with the sign-up as previewed, and with no renewal`, async (t) => {
    const shop = await open(t)
    const say = speaker(shop, format)
    const wanted = signup({
      components: [
        { component_id: shop.hours, allocated_quantity: 3 },
        { component_id: shop.seats, allocated_quantity: 2 },
      ],
    })
    const { tree: preview } = await say('POST /subscriptions/preview', wanted)
    const { current_billing_manifest: now, next_billing_manifest: next } = preview.subscription_preview
    assert.deepEqual([now.total_in_cents, next.total_in_cents], [5000 + 6000 + 2000, 5000 + 2000])
    const line = now.line_items.find(({ component_id }: { component_id: number }) => component_id === shop.hours)
    assert.deepEqual([line.memo, line.period_range_start, line.period_range_end], [once, null, null])
    const { tree } = await say('POST /subscriptions', wanted)
    const { id, total_revenue_in_cents: paid } = tree.subscription
    assert.equal(paid, 13_000)
    assert.deepEqual(await heldOf(shop, id), [0, false])
    const { tree: renewal } = await say(`POST /subscriptions/${id}/renewals/preview`)
    assert.equal(renewal.renewal_preview.total_in_cents, 7000)
    await shop.moveClock('2027-04-01T00:00:00Z')
    assert.deepEqual(
      (await charges(shop, id)).filter((row) => (row as string[])[1] === once),
      [['2027-01-15', once, 6000]],
    )
    await assertSound(shop)
  })

  test(`in ${format} an allocation charges it in full as previewed, whenever it is made, each time anew`, async (t) => {
    const shop = await open(t)
    const say = speaker(shop, format)
    const id = await subscribe(shop)
    await shop.moveClock('2027-02-01T00:00:00Z')
    for (const scheme of [{}, { proration_upgrade_scheme: 'prorate-attempt-capture' }]) {
      const tree = { preview: { allocations: [{ component_id: shop.hours, quantity: 3, ...scheme }] } }
      const asked = format === 'json' ? tree.preview : tree
      const { tree: preview } = await say(`POST /subscriptions/${id}/allocations/preview`, asked)
      const { total_in_cents, direction } = preview.allocation_preview
      assert.deepEqual([total_in_cents, direction], [6000, 'upgrade'])
      const path = `/subscriptions/${id}/components/${shop.hours}/allocations`
      const { status, tree: allocated } = await say(`POST ${path}`, { allocation: { quantity: 3, ...scheme } })
      assert.deepEqual([status, allocated.allocation.quantity, allocated.allocation.previous_quantity], [201, 3, 0])
      assert.deepEqual(await heldOf(shop, id), [0, false])
    }
    const { tree: subscription } = await say(`GET /subscriptions/${id}`)
    assert.equal(subscription.subscription.balance_in_cents, 6000, 'the first waits for the renewal to be collected')
    await shop.moveClock('2027-03-20T00:00:00Z')
    assert.deepEqual(await charges(shop, id), [
      ['2027-01-15', once, 6000],
      ['2027-02-01', once, 6000],
      ['2027-02-01', once, 6000],
    ])
    const { tree: renewed } = await say(`GET /subscriptions/${id}`)
    assert.deepEqual([renewed.subscription.balance_in_cents, renewed.subscription.total_revenue_in_cents], [0, 33_000])
    await assertSound(shop)
  })
}

test('it waits for the first assessment that charges: after a trial, an import, a delayed start', async (t) => {
  const shop = await open(t)
  const trial = await subscribe(shop, { product_handle: 'card-trial' })
  const imported = await subscribe(shop, { next_billing_at: '2027-02-01' })
  const calendar = { snap_day: 20, calendar_billing_first_charge: 'delayed' }
  const delayed = await subscribe(shop, { calendar_billing: calendar })
  for (const id of [trial, imported, delayed]) {
    assert.deepEqual(await charges(shop, id), [])
    assert.deepEqual(await heldOf(shop, id), [3, false])
  }
  await shop.moveClock('2027-05-01T00:00:00Z')
  assert.deepEqual(await charges(shop, trial), [['2027-02-15', once, 6000]])
  assert.deepEqual(await charges(shop, imported), [['2027-02-01', once, 6000]])
  assert.deepEqual(await charges(shop, delayed), [['2027-01-20', once, 6000]])
  await assertSound(shop)
})

test('it is charged in full where the first period is shorter than a month', async (t) => {
  const shop = await open(t)
  const id = await subscribe(shop, { calendar_billing: { snap_day: 20 } })
  assert.deepEqual(await charges(shop, id), [['2027-01-15', once, 6000]])
})

test('what an update sets waits for the renewal and can be set to less until then', async (t) => {
  const shop = await open(t)
  const id = await subscribe(shop, { components: [] })
  for (const allocated_quantity of [5, 3]) {
    const components = [{ component_id: shop.hours, allocated_quantity }]
    await shop.ask(`PUT /subscriptions/${id}.json`, { body: { subscription: { components } } })
    assert.deepEqual(await heldOf(shop, id), [allocated_quantity, false])
  }
  const { json } = await shop.ask(`POST /subscriptions/${id}/renewals/preview.json`)
  assert.equal(json.renewal_preview.total_in_cents, 11_000)
  await shop.moveClock('2027-04-01T00:00:00Z')
  assert.deepEqual(await charges(shop, id), [['2027-02-15', once, 6000]])
  await assertSound(shop)
})

test('a migration gives nothing of it back, and charges what waits', async (t) => {
  const shop = await open(t)
  const migration = { product_handle: 'with-setup-fee', include_initial_charge: false }
  const charged = await subscribe(shop)
  const plain = await subscribe(shop, { components: [] })
  const waiting = await subscribe(shop, { components: [] })
  const components = [{ component_id: shop.hours, allocated_quantity: 3 }]
  await shop.ask(`PUT /subscriptions/${waiting}.json`, { body: { subscription: { components } } })
  await shop.moveClock('2027-02-01T00:00:00Z')
  const preview = async (id: number) =>
    (await shop.ask(`POST /subscriptions/${id}/migrations/preview.json`, { body: { migration } })).json.migration
  assert.deepEqual(await preview(charged), await preview(plain))
  assert.equal((await preview(waiting)).charge_in_cents, 5000 + 6000)
  for (const id of [charged, waiting]) {
    assert.equal((await shop.ask(`POST /subscriptions/${id}/migrations.json`, { body: { migration } })).status, 200)
    assert.deepEqual(await heldOf(shop, id), [0, false])
  }
  await shop.moveClock('2027-04-01T00:00:00Z')
  assert.deepEqual(await charges(shop, charged), [['2027-01-15', once, 6000]])
  assert.deepEqual(await charges(shop, waiting), [['2027-02-01', once, 6000]])
  await assertSound(shop)
})
