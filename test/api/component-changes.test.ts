/** A component's details may be changed at any time, and what it costs only while no subscription has it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { made, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const inFamily = `/product_families/${shop.familyId}`
const create = async (fields: object, kind = 'quantity_based_component'): Promise<number> =>
  (await made(shop, `POST ${inFamily}/${kind}s.json`, { [kind]: fields })).component.id
const counted = { unit_name: 'seat', pricing_scheme: 'per_unit', unit_price: '10' }
const tiers = [
  { starting_quantity: 1, ending_quantity: 10, unit_price: '2.0' },
  { starting_quantity: 11, ending_quantity: null, unit_price: '1.0' },
]

for (const format of formats) {
  const say = speaker(shop, format)
  const change = (id: number, fields: object) => say(`PUT /components/${id}`, { component: fields })
  const sold = async (name: string): Promise<number> => {
    const id = await create({ ...counted, name, handle: name })
    await made(shop, 'POST /subscriptions.json', signup({ components: [{ component_id: id, allocated_quantity: 1 }] }))
    return id
  }

  test(`${format}: what a component is known by is changed and read back, also once it is sold`, async () => {
    const id = await sold(`known-${format}`)
    const fields = {
      name: `Known ${format}`,
      handle: `renamed-${format}`,
      description: 'Who may sit',
      unit_name: 'chair',
      accounting_code: 'A-1',
      tax_code: 'P0000000',
      item_category: 'Physical Goods',
      display_on_hosted_page: false,
    }
    const changed = await change(id, fields)
    assert.equal(changed.status, 200, changed.text)
    for (const [field, value] of Object.entries(fields)) assert.equal(changed.tree.component[field], value, field)
    assert.deepEqual((await say(`GET ${inFamily}/components/handle:${fields.handle}`)).tree, changed.tree)
    const line = `PUT ${inFamily}/components/handle:${fields.handle}`
    const cleared = await say(line, { component: { description: '', tax_code: null, handle: null } })
    const { description, tax_code, handle, accounting_code } = cleared.tree.component
    assert.deepEqual([description, tax_code, handle, accounting_code], [null, null, null, 'A-1'])
    const whole = await change(id, cleared.tree.component)
    assert.deepEqual([whole.status, whole.tree], [200, cleared.tree], 'what is read may be sent back')
  })

  test(`${format}: what a component costs is refused by name once it is sold, and nothing of the request is done`, async () => {
    const id = await sold(`priced-${format}`)
    const before = (await say(`GET ${inFamily}/components/${id}`)).tree
    const fields = {
      name: 'Another name',
      unit_price: '11',
      taxable: true,
      recurring: false,
      allow_fractional_quantities: true,
    }
    const { status, errors } = await change(id, fields)
    const sentence = 'cannot be changed, since subscriptions have the component; make another one.'
    const labels = ['Unit price', 'Taxable', 'Recurring', 'Allow fractional quantities']
    assert.deepEqual([status, errors], [422, labels.map((label) => `${label}: ${sentence}`)])
    const tiered = await change(id, { pricing_scheme: 'tiered', prices: tiers })
    assert.deepEqual(
      tiered.errors,
      ['Pricing scheme', 'Unit price', 'Prices'].map((label) => `${label}: ${sentence}`),
    )
    assert.deepEqual((await say(`GET ${inFamily}/components/${id}`)).tree, before)
  })

  test(`${format}: a component that nobody has may change its price, and is sold at that`, async () => {
    const id = await create({ ...counted, name: `Unsold ${format}` })
    const { tree } = await change(id, { pricing_scheme: 'tiered', prices: tiers, taxable: true, recurring: false })
    const { pricing_scheme, unit_price, prices, taxable, recurring } = tree.component
    assert.deepEqual([pricing_scheme, unit_price, prices, taxable, recurring], ['tiered', null, tiers, true, false])
    const volume = (await change(id, { pricing_scheme: 'volume', recurring: true })).tree.component
    assert.deepEqual([volume.pricing_scheme, volume.prices], ['volume', tiers])
    const components = [{ component_id: id, allocated_quantity: 12 }]
    const { tree: preview } = await say('POST /subscriptions/preview', signup({ components }))
    assert.equal(preview.subscription_preview.current_billing_manifest.total_in_cents, 5000 + 1200)
    const each = (await change(id, { pricing_scheme: 'per_unit', unit_price: '3' })).tree.component
    assert.deepEqual([each.pricing_scheme, each.unit_price, each.prices.length], ['per_unit', '3.0', 1])
  })

  test(`${format}: a switch changes its one price, and takes no scheme`, async () => {
    const id = await create({ name: `Switch ${format}`, unit_price: '45' }, 'on_off_component')
    const { component } = (await change(id, { unit_price: '46', unit_name: 'lamp' })).tree
    assert.deepEqual([component.unit_price, component.pricing_scheme, component.unit_name], ['46.0', null, 'on/off'])
  })

  test(`${format}: a change is refused as a creation is`, async () => {
    const id = await create({ ...counted, name: `Refused ${format}` })
    const other = `Other ${format}`
    await create({ ...counted, name: other, handle: `other-${format}` })
    const refusals: [object, string[]][] = [
      [{ name: '' }, ['Name: cannot be blank.']],
      [{ name: other }, ['Name: must be unique - that value has been taken.']],
      [{ handle: `other-${format}` }, ['Handle must be unique within a Site.']],
      [
        { item_category: 'Toys' },
        [
          'Item category: must be one of Business Software, Consumer Software, Digital Services, Physical Goods, Other.',
        ],
      ],
      [{ pricing_scheme: 'tiered' }, ['At least 1 price bracket must be defined']],
      [{ unit_price: '-1' }, ['Unit price: must be greater than or equal to 0.00000001.']],
    ]
    for (const [fields, messages] of refusals) {
      const { status, errors } = await change(id, fields)
      assert.deepEqual([status, errors], [422, messages], JSON.stringify(fields))
    }
    assert.deepEqual((await say(`PUT /components/${id}`, { wrong: {} })).errors, ['Component: cannot be blank.'])
    for (const line of ['/components/999', `${inFamily}/components/999`, '/product_families/999/components/1']) {
      assert.equal((await say(`PUT ${line}`, { component: { name: 'N' } })).status, 404, line)
    }
    const metered = await create({ ...counted, name: `Metered ${format}` }, 'metered_component')
    const once = await change(metered, { recurring: false })
    assert.deepEqual(once.errors, ['Recurring: only a quantity-based component can be charged once.'])
  })
}
