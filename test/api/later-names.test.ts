/** What later versions of the API call otherwise is understood under both names: collection by invoice, proration of allocations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openStockedShop()
const { users } = shop.components

const laterNames = ({ upgrade_charge: up, downgrade_credit: down, accrue_charge: waits }: Record<string, unknown>) => [
  up,
  down,
  String(waits),
]
const laterNamesOf = (up: string, down: string) => [
  { no: 'none', prorate: 'prorated', full: 'full' }[up.split('-')[0]!],
  down === 'prorate' ? 'prorated' : 'none',
  String(up.endsWith('delay-capture')),
]

for (const format of formats) {
  const say = speaker(shop, format)
  const buy = async (changes: object = {}) => (await say('POST /subscriptions', signup(changes))).tree.subscription

  test(`${format}: remittance is invoice, at a sign-up and in an update`, async () => {
    const bought = await buy({ payment_collection_method: 'remittance' })
    assert.equal(bought.payment_collection_method, 'invoice')
    const { id } = await buy()
    const change = { subscription: { payment_collection_method: 'remittance' } }
    const charge = { charge: { amount: '1.00', memo: 'Once', payment_collection_method: 'remittance' } }
    assert.equal((await say(`POST /subscriptions/${id}/charges`, charge)).status, 201)
    assert.equal((await say(`PUT /subscriptions/${id}`, change)).tree.subscription.payment_collection_method, 'invoice')
  })

  test(`${format}: upgrade_charge, accrue_charge and downgrade_credit are the proration schemes`, async () => {
    const { id } = await buy()
    const path = `/subscriptions/${id}/components/${users}/allocations`
    const cases: [fields: object, up: string, down: string][] = [
      [{ upgrade_charge: 'prorated', accrue_charge: true }, 'prorate-delay-capture', 'no-prorate'],
      [{ upgrade_charge: 'prorated', accrue_charge: false }, 'prorate-attempt-capture', 'no-prorate'],
      [{ upgrade_charge: 'full', accrue_charge: true }, 'full-price-delay-capture', 'no-prorate'],
      [{ upgrade_charge: 'full', accrue_charge: false }, 'full-price-attempt-capture', 'no-prorate'],
      [{ upgrade_charge: 'full' }, 'full-price-delay-capture', 'no-prorate'],
      [{ upgrade_charge: 'none', accrue_charge: false }, 'no-prorate', 'no-prorate'],
      [{ accrue_charge: false }, 'no-prorate', 'no-prorate'],
      [
        { proration_upgrade_scheme: 'prorate-delay-capture', accrue_charge: false },
        'prorate-attempt-capture',
        'no-prorate',
      ],
      [{ downgrade_credit: 'prorated' }, 'no-prorate', 'prorate'],
      [{ downgrade_charge: 'prorated' }, 'no-prorate', 'prorate'],
      [{ downgrade_credit: 'none', upgrade_charge: null }, 'no-prorate', 'no-prorate'],
    ]
    for (const [place, [fields, up, down]] of cases.entries()) {
      const { status, tree, text } = await say(`POST ${path}`, { allocation: { quantity: place + 1, ...fields } })
      assert.equal(status, 201, text)
      const { proration_upgrade_scheme, proration_downgrade_scheme } = tree.allocation
      assert.deepEqual([proration_upgrade_scheme, proration_downgrade_scheme], [up, down], JSON.stringify(fields))
      assert.deepEqual(laterNames(tree.allocation), laterNamesOf(up, down), JSON.stringify(fields))
    }
  })

  test(`${format}: of several allocations each may say it, or all of them together`, async () => {
    const { id } = await buy()
    const { tree } = await say(`POST /subscriptions/${id}/allocations`, {
      request: {
        upgrade_charge: 'full',
        accrue_charge: true,
        allocations: [
          { component_id: users, quantity: 1 },
          { component_id: users, quantity: 2, upgrade_charge: 'prorated' },
          { component_id: users, quantity: 3, proration_upgrade_scheme: 'no-prorate' },
        ],
      },
    })
    assert.deepEqual(
      tree.map((one: { proration_upgrade_scheme: string }) => one.proration_upgrade_scheme),
      ['full-price-delay-capture', 'prorate-delay-capture', 'no-prorate'],
    )
    const balance = (await say(`GET /subscriptions/${id}`)).tree.subscription.balance_in_cents
    assert.equal(balance, 3000)
  })

  test(`${format}: a full credit is refused by its name`, async () => {
    const { id } = await buy()
    const full = { allocation: { quantity: 1, downgrade_credit: 'full' } }
    const { status, errors } = await say(`POST /subscriptions/${id}/components/${users}/allocations`, full)
    assert.deepEqual([status, errors], [422, ['Downgrade credit: must be one of prorated, none.']])
  })
}
