/** What is refused by name: the SDKs send it, and read why not. */
import type { Walker } from '../walker.ts'
import type { Catalog } from './catalog.ts'
import { card } from './people.ts'
import { someone } from './signups.ts'

const isRefused = { refusedWith: /is not supported|must be USD/ }

export async function walkRefusals(walker: Walker, { familyId }: Catalog): Promise<void> {
  const buy = (more: object) => {
    const subscription = { product_handle: 'monthly', customer_attributes: someone(), credit_card_attributes: card }
    return walker.call('createSubscription', { body: { subscription: { ...subscription, ...more } } }, isRefused)
  }
  await buy({ offer_id: 7 })
  await buy({ group: { target: { type: 'self' } } })
  await buy({ currency: 'EUR' })
  await buy({ prepaid_configuration: { initial_funding_amount_in_cents: 100 } })
  const component = { name: 'Seats', unit_name: 'seat', pricing_scheme: 'per_unit', unit_price: '1' }
  await walker.call(
    'createQuantityBasedComponent',
    {
      productFamilyId: String(familyId),
      body: { quantity_based_component: { ...component, upgrade_charge: 'prorated', downgrade_credit: 'none' } },
    },
    isRefused,
  )
}
