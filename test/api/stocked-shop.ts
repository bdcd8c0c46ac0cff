/** The shop with components to its products: one of each kind and kind of price. */
import { made, openShop, type Shop } from './shop.ts'

const tiers = [
  { starting_quantity: 1, ending_quantity: 10, unit_price: '2' },
  { starting_quantity: 11, ending_quantity: 20, unit_price: '1' },
]
const definitions = {
  quantity_based_component: [
    { name: 'Users', handle: 'users', unit_name: 'user', pricing_scheme: 'per_unit', unit_price: '15' },
    { name: 'Boxes', handle: 'boxes', unit_name: 'box', pricing_scheme: 'tiered', prices: tiers },
    {
      name: 'Fuel',
      handle: 'fuel',
      unit_name: 'liter',
      pricing_scheme: 'per_unit',
      unit_price: '1.5',
      allow_fractional_quantities: true,
    },
  ],
  on_off_component: [{ name: 'Support', handle: 'support', unit_price: '45' }],
  metered_component: [
    { name: 'Calls', handle: 'calls', unit_name: 'call', pricing_scheme: 'per_unit', unit_price: '0.0055' },
  ],
} as const

type ComponentHandle = (typeof definitions)[keyof typeof definitions][number]['handle']
export type Stocked = Shop & { components: Record<ComponentHandle, number> }

export async function openStockedShop(): Promise<Stocked> {
  const shop = await openShop()
  const ids: [string, number][] = []
  for (const [kind, all] of Object.entries(definitions)) {
    for (const definition of all) {
      const tree = await made(shop, `POST /product_families/${shop.familyId}/${kind}s.json`, { [kind]: definition })
      ids.push([definition.handle, tree.component.id])
    }
  }
  return { ...shop, components: Object.fromEntries(ids) as Stocked['components'] }
}
