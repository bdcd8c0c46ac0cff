/** Inputs that define components, with every wrong value of each field. */
import type { Place } from './bad-input-place.ts'
import { type Endpoint, within } from './bad-input-subscriptions.ts'
import { choice, decimal, flag, list, longTextMax, text } from './bad-values.ts'

const wordy = { max: longTextMax }
const needed = (label: string) => text(label, { needed: true })

/** Of components, created and changed. */
const known = {
  accounting_code: text('Accounting code'),
  tax_code: text('Tax code'),
  item_category: choice('Item category'),
  display_on_hosted_page: flag('Display on hosted page'),
}

/** Of the catalog: what is not of prices may be changed at any time. */
export const definitionEndpoints = ({ own, shop }: Place): Endpoint[] => [
  {
    line: `POST /product_families/${shop.familyId}/quantity_based_components`,
    body: {
      quantity_based_component: { name: 'Seats', unit_name: 'seat', pricing_scheme: 'per_unit', unit_price: '2' },
    },
    fields: within('quantity_based_component', {
      name: needed('Name'),
      unit_name: needed('Unit name'),
      handle: text('Handle', { or: [['no handle', 'A B']] }),
      description: text('Description', wordy),
      taxable: flag('Taxable'),
      ...known,
      pricing_scheme: choice('Pricing scheme', { needed: true }),
      unit_price: decimal('Unit price', { or: [['nothing', 0]] }),
      prices: list('Prices'),
      allow_fractional_quantities: flag('Allow fractional quantities'),
      recurring: flag('Recurring'),
    }),
  },
  {
    line: `PUT /components/${own.component}`,
    body: { component: { description: 'Seats' } },
    fields: within('component', {
      name: text('Name'),
      unit_name: text('Unit name'),
      handle: text('Handle', { or: [['no handle', 'A B']] }),
      description: text('Description', wordy),
      ...known,
    }),
  },
]
