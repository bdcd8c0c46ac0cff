/** The preview of allocations over the wire: what it shows, what it refuses, and that it is what the allocation then writes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { countRows } from './table-counts.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openStockedShop()
const { users, boxes, support, calls } = shop.components

type Row = { transaction_type?: string; type?: string; memo: string; amount_in_cents: number }
const asRow = ({ transaction_type, type, memo, amount_in_cents }: Row) => [
  (transaction_type ?? type)?.toLowerCase(),
  memo,
  amount_in_cents,
]

for (const format of formats) {
  const say = speaker(shop, format)
  const subscribe = async (changes: object = {}): Promise<number> =>
    (
      await say(
        'POST /subscriptions',
        signup({ components: [{ component_id: users, allocated_quantity: 1 }], ...changes }),
      )
    ).tree.subscription.id

  /** The list of allocations stands in a root of any name in XML. */
  const asked = (tree: object) => (format === 'json' ? tree : { allocation_preview: tree })

  test(`a preview in ${format} shows each row and the sums, writes nothing, and comes true`, async () => {
    const id = await subscribe()
    const wanted = asked({
      proration_upgrade_scheme: 'prorate-delay-capture',
      proration_downgrade_scheme: 'prorate',
      allocations: [
        { component_id: users, quantity: 0, memo: 'Ada leaves' },
        { component_id: boxes, quantity: 12 },
        { component_id: support, quantity: 1 },
      ],
    })
    const before = await countRows(shop)
    const { status, tree } = await say(`POST /subscriptions/${id}/allocations/preview`, wanted)
    assert.equal(status, 200)
    assert.deepEqual(await countRows(shop), before)
    const { line_items, allocations, ...rest } = tree.allocation_preview
    assert.deepEqual(rest, {
      start_date: '2027-01-15T12:00:00Z',
      end_date: '2027-02-15T12:00:00Z',
      period_type: 'recurring',
      subtotal_in_cents: 5200,
      total_discount_in_cents: 0,
      total_tax_in_cents: 0,
      total_in_cents: 5200,
      existing_balance_in_cents: 0,
      direction: 'upgrade',
      proration_scheme: 'prorate-delay-capture',
    })
    assert.deepEqual(allocations[0], {
      component_id: users,
      component_handle: 'users',
      subscription_id: id,
      quantity: 0,
      previous_quantity: 1,
      memo: 'Ada leaves',
      price_point_id: users,
      price_point_name: 'Original',
      price_point_handle: 'original',
      proration_upgrade_scheme: 'prorate-delay-capture',
      proration_downgrade_scheme: 'prorate',
    })
    assert.equal((await say(`POST /subscriptions/${id}/allocations`, wanted)).status, 201)
    const written = (await say(`GET /subscriptions/${id}/transactions?direction=asc`)).tree
    assert.deepEqual(line_items.map(asRow), written.slice(3).map(asRow))
    assert.deepEqual(
      line_items.map((line: Record<string, unknown>) => [
        line.amount_in_cents,
        line.component_id,
        line.component_handle,
        line.period_range_end,
        line.product_id,
      ]),
      [
        [-1500, users, 'users', '15 Feb 2027', null],
        [2200, boxes, 'boxes', '15 Feb 2027', null],
        [4500, support, 'support', '15 Feb 2027', null],
      ],
    )
  })

  test(`a preview in ${format} of what changes no price has no direction`, async () => {
    const id = await subscribe()
    const same = asked({ allocations: [{ component_id: users, quantity: 1 }] })
    const { tree } = await say(`POST /subscriptions/${id}/allocations/preview`, same)
    const { line_items, total_in_cents } = tree.allocation_preview
    assert.deepEqual([line_items, total_in_cents, 'direction' in tree.allocation_preview], [[], 0, false])
  })

  test(`a preview in ${format} of an unknown component names it`, async () => {
    const id = await subscribe()
    const tree = asked({ allocations: [{ component_id: 999, quantity: 2 }] })
    const message = 'Component: 999 could not be found.'
    const { status, errors } = await say(`POST /subscriptions/${id}/allocations/preview`, tree)
    const told = { kind: 'allocation', component_id: 999, on: 'base', message }
    assert.deepEqual([status, errors], [422, [format === 'json' ? told : message]])
  })

  test(`a refused preview in ${format} says of which component and what about it`, async () => {
    const id = await subscribe()
    const tree = asked({ allocations: [{ component_id: support, quantity: 2 }] })
    const message = 'Quantity: must be 0 or 1 for Support.'
    const told = { kind: 'allocation', component_id: support, on: 'quantity', message }
    const { errors } = await say(`POST /subscriptions/${id}/allocations/preview`, tree)
    assert.deepEqual(errors, [format === 'json' ? told : message])
  })

  test(`a preview in ${format} refuses what the allocation refuses`, async () => {
    const id = await subscribe()
    const path = `/subscriptions/${id}/allocations/preview`
    const metered = 'Allocations can only be updated for quantity and on/off components.'
    const cases: [object, number, string[]][] = [
      [{ allocations: [] }, 422, ['Allocations: cannot be blank.']],
      [{ allocations: [{ component_id: users }] }, 422, ['Quantity: cannot be blank.']],
      [
        { allocations: [{ component_id: users, quantity: -1 }] },
        422,
        ['Quantity: must be greater than or equal to 0.'],
      ],
      [{ allocations: [{ component_id: calls, quantity: 1 }] }, 422, [metered]],
      [{ allocations: [{ component_id: support, quantity: 2 }] }, 422, ['Quantity: must be 0 or 1 for Support.']],
      [{ allocations: [{ component_id: 1, quantity: 2 }] }, 422, ['Component: 1 could not be found.']],
    ]
    for (const [tree, status, messages] of cases) {
      const said = await say(`POST ${path}`, asked(tree))
      const words = said.errors.map((one: string | { message: string }) =>
        typeof one === 'string' ? one : one.message,
      )
      assert.deepEqual([said.status, words], [status, messages], JSON.stringify(tree))
    }
    const missing = await say(
      'POST /subscriptions/1/allocations/preview',
      asked({ allocations: [{ component_id: users, quantity: 1 }] }),
    )
    assert.equal(missing.status, 404)
    await say(`DELETE /subscriptions/${id}`)
    const over = await say(`POST ${path}`, asked({ allocations: [{ component_id: users, quantity: 2 }] }))
    const words =
      format === 'xml' ? over.errors : over.errors.map((one) => (one as unknown as { message: string }).message)
    assert.deepEqual(words, ['Components of a subscription that is canceled cannot be changed.'])
  })
}
