/** Components of the catalog: every kind and scheme, exact prices, the rules of brackets, archiving, in JSON and in XML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openedAt, openOtherSite, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shops = { json: await openShop(), xml: await openShop() }

const gap =
  'Successive brackets may not have gaps in quantity (i.e. if one bracket ends at quantity 10, the next must begin at quantity 11)'

const users = { name: 'Users', unit_name: 'user', pricing_scheme: 'per_unit', unit_price: '15.00' }
const bracket = (starting_quantity: number, ending_quantity: number | null, unit_price: string) => ({
  starting_quantity,
  ending_quantity,
  unit_price,
})

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)
  const inFamily = `/product_families/${shop.familyId}`

  test(`${format}: a component of each kind is created and found by id and by handle`, async () => {
    const made = await say(`POST ${inFamily}/quantity_based_components`, {
      quantity_based_component: {
        ...users,
        handle: 'users',
        description: 'Who may log in',
        taxable: true,
        allow_fractional_quantities: true,
      },
    })
    assert.equal(made.status, 201, made.text)
    const { component } = made.tree
    assert.equal(made.headers.location, `${inFamily}/quantity_based_components/${component.id}`)
    const at = openedAt
    assert.deepEqual(component, {
      id: component.id,
      name: 'Users',
      handle: 'users',
      description: 'Who may log in',
      unit_name: 'user',
      unit_price: '15.0',
      pricing_scheme: 'per_unit',
      prices: [bracket(1, null, '15.0')],
      product_family_id: shop.familyId,
      product_family_name: 'Almanacs',
      price_per_unit_in_cents: null,
      default_price_point_id: component.id,
      default_price_point_name: 'Original',
      price_point_count: 1,
      price_points_url: `/components/${component.id}/price_points`,
      kind: 'quantity_based_component',
      archived: false,
      taxable: true,
      allow_fractional_quantities: true,
      recurring: true,
      accounting_code: null,
      tax_code: null,
      item_category: null,
      display_on_hosted_page: true,
      archived_at: null,
      created_at: at,
      updated_at: at,
    })
    for (const line of [
      `${inFamily}/components/${component.id}`,
      `${inFamily}/components/handle:users`,
      `${inFamily}/quantity_based_components/${component.id}`,
      '/components/lookup?handle=users',
    ]) {
      const read = await say(`GET ${line}`)
      assert.deepEqual([read.status, read.tree], [200, made.tree], line)
    }
  })

  test(`${format}: brackets may come in any order, a switch has one price, and all kinds are listed together`, async () => {
    const metered = await say(`POST ${inFamily}/metered_components`, {
      metered_component: {
        name: 'Text messages',
        unit_name: 'message',
        pricing_scheme: 'stairstep',
        prices: [bracket(1001, null, '7.5000'), bracket(1, 1000, '0.0001')],
      },
    })
    assert.equal(metered.status, 201, metered.text)
    assert.deepEqual(
      [metered.tree.component.unit_price, metered.tree.component.prices],
      [null, [bracket(1, 1000, '0.0001'), bracket(1001, null, '7.5')]],
    )
    const onOff = await say(`POST ${inFamily}/on_off_components`, {
      on_off_component: { name: 'Support', unit_price: 45 },
    })
    const { unit_name: unit, pricing_scheme: scheme, unit_price: price, prices } = onOff.tree.component
    assert.deepEqual([onOff.status, unit, scheme, price, prices], [201, 'on/off', null, '45.0', []])
    const listed = await say(`GET ${inFamily}/components`)
    assert.deepEqual(
      listed.tree.map((one: { name: string }) => one.name),
      ['Users', 'Text messages', 'Support'],
    )
  })

  test(`${format}: prices of eight decimals are read back as they were sent, as numbers and as text`, async () => {
    const sent = ['0.00000065', '0.00000001', '12.34567891', '999999.99999999', 0.00000065, 1e-8, 12.34567891]
    for (const [place, price] of sent.entries()) {
      const { tree, text } = await say(`POST ${inFamily}/metered_components`, {
        metered_component: { ...users, name: `Tiny ${place}`, unit_price: price },
      })
      const exact = String(sent[place % 4])
      assert.equal(tree.component?.unit_price, exact, text)
      const { component } = (await say(`GET ${inFamily}/components/${tree.component.id}`)).tree
      assert.deepEqual([component.unit_price, component.prices], [exact, [bracket(1, null, exact)]])
    }
  })

  test(`${format}: one bracket of the scheme per_unit is its unit price`, async () => {
    const { tree } = await say(`POST ${inFamily}/metered_components`, {
      metered_component: { ...users, name: 'Calls', unit_price: null, prices: [bracket(1, null, '0.0055')] },
    })
    assert.deepEqual([tree.component.unit_price, tree.component.prices], ['0.0055', [bracket(1, null, '0.0055')]])
  })

  const refusals: [what: string, kind: string, fields: object, errors: string[]][] = [
    [
      'nothing',
      'metered_component',
      {},
      ['Name: cannot be blank.', 'Unit name: cannot be blank.', 'Pricing scheme: cannot be blank.'],
    ],
    ['a switch without anything', 'on_off_component', {}, ['Name: cannot be blank.', 'Unit price: cannot be blank.']],
    ['no price', 'metered_component', { ...users, unit_price: null }, ['Unit price: cannot be blank.']],
    [
      'no bracket',
      'metered_component',
      { ...users, pricing_scheme: 'tiered', unit_price: null },
      ['At least 1 price bracket must be defined'],
    ],
    [
      'two prices per unit',
      'metered_component',
      { ...users, prices: [bracket(1, null, '1')] },
      ['Unit price: give either it or one price bracket, not both.'],
    ],
    [
      'two brackets per unit',
      'metered_component',
      { ...users, unit_price: '', prices: [bracket(1, 2, '1'), bracket(3, null, '1')] },
      ['Exactly 1 price bracket may be defined for the pricing scheme per_unit'],
    ],
    [
      'a ninth decimal',
      'metered_component',
      { ...users, unit_price: '0.000000011' },
      ['Unit price: must have at most 8 decimals.'],
    ],
    [
      'a price of 0',
      'metered_component',
      { ...users, unit_price: '0' },
      ['Unit price: must be greater than or equal to 0.00000001.'],
    ],
    [
      'a negative price',
      'on_off_component',
      { name: 'X', unit_price: '-1' },
      ['Unit price: must be greater than or equal to 0.00000001.'],
    ],
    ['a word', 'metered_component', { ...users, unit_price: 'dear' }, ['Unit price: is not a number.']],
    [
      'another scheme',
      'metered_component',
      { ...users, pricing_scheme: 'package' },
      ['Pricing scheme: must be one of per_unit, volume, tiered, stairstep.'],
    ],
    [
      'a long name',
      'metered_component',
      { ...users, name: 'x'.repeat(256) },
      ['Name: is too long (maximum is 255 characters).'],
    ],
    [
      'a handle of its own form',
      'metered_component',
      { ...users, name: 'H', handle: 'No Spaces' },
      [
        "Handle must start with a letter or number and may only contain lowercase letters, numbers, or the characters ':', '-', or '_'.",
      ],
    ],
    ['a name that is taken', 'metered_component', users, ['Name: must be unique - that value has been taken.']],
    [
      'a handle that is taken',
      'metered_component',
      { ...users, name: 'Others', handle: 'users' },
      ['Handle must be unique within a Site.'],
    ],
  ]
  const brackets: [what: string, prices: object[], errors: string[]][] = [
    ['a gap', [bracket(1, 10, '2'), bracket(12, 20, '1')], [gap]],
    ['an overlap', [bracket(1, 10, '2'), bracket(10, 20, '1')], ['Brackets may not overlap in quantity']],
    [
      'two open ends',
      [bracket(1, null, '2'), bracket(11, null, '1')],
      ['Ending quantity: may be blank only in the last bracket.'],
    ],
    [
      'an end before its start',
      [bracket(5, 4, '2')],
      ['Ending quantity: must be greater than or equal to the starting quantity.'],
    ],
    ['a bracket without a start', [{ ending_quantity: 4, unit_price: '2' }], ['Starting quantity: cannot be blank.']],
    ['a bracket without a price', [{ starting_quantity: 4 }], ['Unit price: cannot be blank.']],
    [
      'a bracket that starts below 0',
      [bracket(-1, 4, '2')],
      ['Starting quantity: must be greater than or equal to 0.'],
    ],
  ]

  test(`${format}: what is wrong with a component is told in words, and nothing is written`, async () => {
    const before = (await say('GET /components?include_archived=1')).tree.length
    for (const [what, kind, fields, errors] of refusals) {
      const refused = await say(`POST ${inFamily}/${kind}s`, { [kind]: fields })
      assert.deepEqual([refused.status, refused.errors], [422, errors], what)
    }
    for (const scheme of ['volume', 'tiered', 'stairstep']) {
      for (const [what, prices, errors] of brackets) {
        const refused = await say(`POST ${inFamily}/quantity_based_components`, {
          quantity_based_component: { name: 'B', unit_name: 'b', pricing_scheme: scheme, prices },
        })
        assert.deepEqual([refused.status, refused.errors], [422, errors], `${scheme}: ${what}`)
      }
    }
    assert.equal((await say('GET /components?include_archived=1')).tree.length, before)
  })

  test(`${format}: the lowest bracket may start anywhere`, async () => {
    const { status } = await say(`POST ${inFamily}/quantity_based_components`, {
      quantity_based_component: {
        name: 'Late',
        unit_name: 'one',
        pricing_scheme: 'volume',
        prices: [bracket(5, 10, '2')],
      },
    })
    assert.equal(status, 201)
  })

  test(`${format}: an archived component is listed only for those who ask, and frees its name`, async () => {
    const fields = { metered_component: { ...users, name: 'Old' } }
    const { tree } = await say(`POST ${inFamily}/metered_components`, fields)
    const { id } = tree.component
    const archived = await say(`DELETE ${inFamily}/components/${id}`)
    const gone = format === 'json' ? archived.tree : archived.tree.component
    assert.deepEqual([archived.status, gone.archived, gone.archived_at], [200, true, openedAt])
    const again = await say(`DELETE ${inFamily}/components/${id}`)
    assert.deepEqual([again.status, again.errors], [422, ['Component: is archived already.']])
    const names = async (query: string) =>
      (await say(`GET ${inFamily}/components${query}`)).tree.map((one: { name: string }) => one.name)
    assert.ok(!(await names('')).includes('Old'))
    assert.ok((await names('?include_archived=1')).includes('Old'))
    assert.equal((await say(`POST ${inFamily}/metered_components`, fields)).status, 201)
  })

  test(`${format}: what does not exist is a 404, before anything is said about the request`, async () => {
    for (const line of [
      `GET ${inFamily}/components/999`,
      `GET ${inFamily}/components/x`,
      `GET ${inFamily}/components/handle:nothing`,
      'GET /product_families/999/components',
      'GET /components/lookup?handle=nothing',
      `DELETE ${inFamily}/components/999`,
    ]) {
      assert.equal((await say(line)).status, 404, line)
    }
    assert.equal((await say('POST /product_families/999/metered_components', { metered_component: {} })).status, 404)
  })
}

test("another site's components do not exist", async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const path = `/product_families/${shop.familyId}/components`
  const { tree } = await say(`POST /product_families/${shop.familyId}/on_off_components`, {
    on_off_component: { name: 'Support', handle: 'support', unit_price: '1' },
  })
  const { apiKey } = await openOtherSite(shop)
  for (const line of [`GET ${path}`, `GET ${path}/${tree.component.id}`, 'GET /components/lookup?handle=support']) {
    assert.equal((await say(line, undefined, { key: apiKey })).status, 404, line)
  }
  assert.deepEqual((await say('GET /components', undefined, { key: apiKey })).tree, [])
})
