/** What can be wrong with components, allocations, usage, money by hand, migrations, coupons, taxes, and what is noted of subscriptions. */
import type { Place } from './bad-input-place.ts'
import { type Endpoint, productPricePoints, within } from './bad-input-subscriptions.ts'
import { type Bad, choice, count, date, decimal, flag, id, list, longTextMax, text, tree, wrong } from './bad-values.ts'

const wordy = { max: longTextMax }
const schemes = {
  proration_upgrade_scheme: choice('Proration upgrade scheme'),
  proration_downgrade_scheme: choice('Proration downgrade scheme'),
  upgrade_charge: choice('Upgrade charge'),
  accrue_charge: flag('Accrue charge'),
  downgrade_credit: choice('Downgrade credit'),
  downgrade_charge: choice('Downgrade charge'),
}
const pricePoint = { price_point_id: text('Price point id') }
const allocation = {
  quantity: decimal('Quantity', { needed: true }),
  memo: text('Memo', wordy),
  ...pricePoint,
  ...schemes,
}

const allocations = {
  allocations: list('Allocations', { needed: true }),
  ...schemes,
  ...within('allocations.0', { component_id: text('Component', { needed: true }), ...allocation }),
}

export const componentEndpoints = ({ own, shop }: Place): Endpoint[] => {
  const one = `/subscriptions/${own.subscription}`
  const several = { allocations: [{ component_id: own.component, quantity: 3 }] }
  const metered = wrong('Allocations can only be updated for quantity and on/off components', [
    'metered',
    shop.components.calls,
  ])
  return [
    {
      line: `POST ${one}/components/${own.component}/allocations`,
      body: { allocation: { quantity: 2 } },
      fields: within('allocation', allocation),
    },
    { line: `POST ${one}/allocations`, body: several, isBare: true, fields: allocations },
    { line: `POST ${one}/allocations/preview`, body: several, isBare: true, fields: allocations },
    { line: `POST ${one}/allocations`, body: several, isBare: true, fields: { 'allocations.0.component_id': metered } },
    {
      line: `PUT ${one}/components/${own.component}`,
      body: { component: { allocated_quantity: 2 } },
      fields: within('component', {
        allocated_quantity: decimal('Allocated quantity', { needed: true }),
        enabled: flag('Enabled'),
      }),
    },
    {
      line: `POST ${one}/components/${own.metered}/usages`,
      body: { usage: { quantity: 5 } },
      fields: within('usage', {
        quantity: wrong('Quantity', ['missing', undefined], ['null', null], ['no number', 'x'], ['a tree', { a: 1 }]),
        memo: text('Memo', wordy),
      }),
    },
  ]
}

const amountIn = (label: string): Record<string, Bad> => ({
  amount: wrong(
    label,
    ['missing', undefined],
    ['null', null],
    ['blank', ''],
    ['no number', 'ten'],
    ['a tree', { a: 1 }],
    ['too precise', '1.234'],
    ['too large', '1'.repeat(30)],
  ),
  amount_in_cents: wrong(label, ['no number', 'ten'], ['a tree', { a: 1 }], ['no whole number', 1.5]),
})
const notNegative = { amount: wrong('Amount', ['negative', '-1.00']) }
const neededMemo = text('Memo', { ...wordy, needed: true })

/** Both tables' complaints about one field. */
const joined = (...tables: Readonly<Record<string, Bad>>[]): Record<string, Bad> => {
  const all: Record<string, Bad> = {}
  for (const [name, field] of tables.flatMap((table) => Object.entries(table))) {
    all[name] = { label: field.label, values: [...(all[name]?.values ?? []), ...field.values] }
  }
  return all
}

const migrations = (place: Place): Endpoint[] =>
  ['/preview', ''].map((path) => ({
    line: `POST /subscriptions/${place.own.subscription}/migrations${path}`,
    body: { migration: { product_id: place.shop.productIds.monthly } },
    fields: within('migration', {
      product_id: id('Product', {
        needed: true,
        or: [
          ['of another site', place.foreign.product],
          ['archived', place.archived.product],
        ],
      }),
      product_handle: text('Product', { or: [['unknown', 'no-such-product']] }),
      ...productPricePoints,
      include_trial: flag('Include trial'),
      include_initial_charge: flag('Include initial charge'),
      include_coupons: flag('Include coupons'),
      preserve_period: flag('Preserve period'),
      proration: tree('Proration'),
      'proration.preserve_period': flag('Preserve period'),
    }),
  }))

export const moneyEndpoints = (place: Place): Endpoint[] => {
  const one = `/subscriptions/${place.own.subscription}`
  const sum = { amount: '1.00', memo: 'Help' }
  return [
    {
      line: `POST ${one}/charges`,
      body: { charge: sum },
      fields: within('charge', {
        ...joined(amountIn('Amount'), notNegative),
        memo: neededMemo,
        use_negative_balance: flag('Use negative balance'),
        delay_capture: flag('Delay capture'),
        accrue_on_failure: flag('Accrue on failure'),
        taxable: flag('Taxable'),
        payment_collection_method: choice('Payment collection method'),
      }),
    },
    {
      line: `POST ${one}/adjustments`,
      body: { adjustment: sum },
      fields: within('adjustment', {
        ...amountIn('Amount'),
        memo: text('Memo', wordy),
        adjustment_method: choice('Adjustment method'),
      }),
    },
    {
      line: `POST ${one}/credits`,
      body: { credit: sum },
      fields: within('credit', { ...joined(amountIn('Amount'), notNegative), memo: text('Memo', wordy) }),
    },
    {
      line: `POST ${one}/payments`,
      body: { payment: sum },
      fields: within('payment', { ...joined(amountIn('Amount'), notNegative), memo: text('Memo', wordy) }),
    },
    {
      line: `POST ${one}/refunds`,
      body: { refund: { ...sum, payment_id: place.payment } },
      fields: within('refund', {
        ...joined(amountIn('Amount'), notNegative, { amount: wrong('Amount', ['nothing', '0'], ['too much', '9999']) }),
        memo: neededMemo,
        payment_id: id('Payment', { needed: true, or: [['unknown', 1]] }),
        external: flag('External'),
      }),
    },
    ...migrations(place),
  ]
}

const couponFields = {
  code: text('Code', { or: [['no code', 'a b']] }),
  name: text('Name'),
  description: text('Description', wordy),
  recurring: flag('Recurring'),
  duration_period_count: count('Duration period count', { or: [['nothing', 0]] }),
  allow_negative_balance: flag('Allow negative balance'),
  stackable: flag('Stackable'),
  compounding_strategy: choice('Compounding strategy'),
  conversion_limit: count('Conversion limit', { or: [['nothing', 0]] }),
  percentage: decimal('Percentage', { or: [['too much', 101]] }),
  start_date: date('Start date'),
  end_date: date('End date'),
  exclude_mid_period_allocations: flag('Exclude mid period allocations'),
  apply_on_cancel_at_end_of_period: flag('Apply on cancel at end of period'),
  apply_on_subscription_expiration: flag('Apply on subscription expiration'),
  restricted_products: tree('Restricted products', { or: [['unknown', { 9: true }]] }),
  restricted_components: tree('Restricted components', { or: [['a word', { users: true }]] }),
  coupon_restrictions: list('Coupon restrictions', { or: [['no item', [{ item_type: 'Product' }]]] }),
}
const needed = (label: string): Bad => text(label, { needed: true })
const tax = {
  name: text('Name'),
  rate: decimal('Rate', { or: [['too much', 101]] }),
  country: text('Country', { or: [['no country', 'Germany']] }),
  state: text('State'),
}

export const priceEndpoints = ({ own }: Place): Endpoint[] => [
  {
    line: `POST /product_families/${own.family}/coupons`,
    body: { coupon: { name: 'Ten', code: 'TEN', percentage: 10 } },
    fields: within('coupon', {
      ...couponFields,
      name: needed('Name'),
      code: needed('Code'),
      amount_in_cents: wrong('Percentage', ['both', 100]),
    }),
  },
  {
    line: `PUT /coupons/${own.coupon}`,
    body: { coupon: { name: 'Half' } },
    fields: within('coupon', couponFields),
  },
  {
    line: `POST /subscriptions/${own.subscription}/add_coupon`,
    body: { code: 'HALF' },
    isBare: true,
    fields: { code: text('Code', { needed: true }) },
  },
  {
    line: `POST /subscriptions/${own.subscription}/add_coupon`,
    body: { code: 'HALF' },
    isBare: true,
    fields: { code: wrong('Coupon', ['archived', 'GONE'], ['unknown', 'NO-SUCH']) },
  },
  {
    line: 'POST /taxes',
    body: { tax: { name: 'VAT', rate: 20, country: 'FR' } },
    fields: within('tax', {
      ...tax,
      name: needed('Name'),
      rate: decimal('Rate', { needed: true }),
      country: needed('Country'),
    }),
  },
  { line: `PUT /taxes/${own.tax}`, body: { tax: { name: 'VAT' } }, fields: within('tax', tax) },
]

export const recordEndpoints = ({ own }: Place): Endpoint[] => {
  const one = `/subscriptions/${own.subscription}`
  const value = text('Value', {
    max: 2048,
    or: [
      ['missing', undefined],
      ['null', null],
      ['blank', ''],
    ],
  })
  const metadatum = { name: text('Name'), value }
  return [
    {
      line: `POST ${one}/notes`,
      body: { note: { body: 'Call' } },
      fields: within('note', { body: text('Body', { ...wordy, needed: true }), sticky: flag('Sticky') }),
    },
    {
      line: `PUT ${one}/notes/${own.note}`,
      body: { note: { sticky: true } },
      fields: within('note', { body: text('Body', wordy), sticky: flag('Sticky') }),
    },
    {
      line: 'POST /api_keys',
      body: { api_key: { name: 'Shop' } },
      fields: within('api_key', { name: text('Name') }),
    },
    {
      line: 'POST /reason_codes',
      body: { reason_code: { code: 'S', description: 'So' } },
      fields: within('reason_code', {
        code: text('Code', { needed: true, or: [['taken', 'R']] }),
        description: text('Description', { ...wordy, needed: true }),
        position: count('Position'),
      }),
    },
    {
      line: `PUT /reason_codes/${own.reason}`,
      body: { reason_code: { description: 'Because' } },
      fields: within('reason_code', {
        code: text('Code'),
        description: text('Description', wordy),
        position: count('Position'),
      }),
    },
    ...[one, `/customers/${own.customer}`].map((path) => ({
      line: `POST ${path}/metadata`,
      body: { metadata: [{ name: 'color', value: 'red' }] },
      fields: { metadata: list('Metadata', { needed: true }), ...within('metadata.0', metadatum) },
    })),
  ]
}
