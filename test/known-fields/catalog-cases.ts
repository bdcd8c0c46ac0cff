/** Families, products, components, coupons, taxes. */
import type { Say } from '../api/two-formats.ts'
import type { Case, Cases, Opened } from './cases.ts'
import { done, type World } from './world.ts'

/** A request about something of the catalog, which is made first where its path says `:id`. */
const about =
  (line: string, root: string | null, options: Options = {}): Case['open'] =>
  async (world: World, say: Say): Promise<Opened> => {
    const family = `/product_families/${world.shop.familyId}`
    const path = line.replace('/product_families/:family', family)
    const { first, body } = options
    const made = first && (await done(say, first.line.replace('/product_families/:family', family), first.tree(world)))
    const id = first && made[first.root].id
    return {
      line: path.replace(':id', String(id)),
      root,
      body: body?.(world) ?? {},
      reads: (options.reads ?? []).map((read) =>
        read.replace('/product_families/:family', family).replace(':id', String(id)),
      ),
    }
  }

type First = { readonly line: string; readonly root: string; readonly tree: (world: World) => object }
type Options = {
  readonly first?: First
  readonly body?: (world: World) => object
  readonly reads?: readonly string[]
}

const product = ({ unique }: World) => ({
  name: 'Almanac',
  handle: unique(),
  price_in_cents: 1000,
  interval: 1,
  interval_unit: 'month',
})
const aProduct: First = {
  line: 'POST /product_families/:family/products',
  root: 'product',
  tree: (world) => ({ product: product(world) }),
}
const trial = (name: string) => () => ({
  trial_price_in_cents: 100,
  trial_interval: 2,
  trial_interval_unit: 'month',
  [name]: undefined,
})
const productCase = (open: Case['open']): Case => ({
  open,
  values: { handle: ({ unique }) => [unique()], request_credit_card: () => [false, true] },
  with: {
    initial_charge_after_trial: () => ({ ...trial('')(), initial_charge_in_cents: 500 }),
    trial_price_in_cents: trial('trial_price_in_cents'),
    trial_interval: () => ({ trial_price_in_cents: 100, trial_interval: 2, trial_interval_unit: 'month' }),
    trial_interval_unit: trial(''),
    trial_type: trial(''),
    expiration_interval: () => ({ expiration_interval: 3, expiration_interval_unit: 'month' }),
    expiration_interval_unit: () => ({ expiration_interval: 3, expiration_interval_unit: 'month' }),
  },
})

const component = ({ unique }: World) => ({
  name: unique(),
  handle: unique(),
  unit_name: 'part',
  pricing_scheme: 'per_unit',
  unit_price: '2.00',
})
const tiers = () => ({
  pricing_scheme: 'tiered',
  unit_price: undefined,
  prices: [{ starting_quantity: 1, unit_price: '3.00' }],
})
const componentCase = (kind: string, body: (world: World) => object = component): Case => ({
  open: about(`POST /product_families/:family/${kind}s`, kind, { body }),
  values: {
    name: ({ unique }) => [`Part ${unique()}`],
    handle: ({ unique }) => [unique()],
    recurring: () => [false],
    'prices.starting_quantity': () => [0],
    'prices.ending_quantity': () => [20],
  },
  with: {
    pricing_scheme: tiers,
    'prices.starting_quantity': tiers,
    'prices.ending_quantity': tiers,
    'prices.unit_price': tiers,
  },
  // What is used, or on, is billed in every period.
  refused: kind === 'quantity_based_component' ? [] : ['recurring'],
})

const aComponent: First = {
  line: 'POST /product_families/:family/quantity_based_components',
  root: 'component',
  tree: (world) => ({ quantity_based_component: component(world) }),
}
const changed = (line: string): Case => ({
  ...componentCase('quantity_based_component'),
  open: about(line, 'component', { first: aComponent }),
})

const coupon = ({ unique }: World) => ({ name: 'Sale', code: unique().toUpperCase(), percentage: 10 })
const aCoupon: First = {
  line: 'POST /product_families/:family/coupons',
  root: 'coupon',
  tree: (world) => ({ coupon: coupon(world) }),
}
const flat = () => ({ percentage: undefined })
const couponCase = (open: Case['open'], isNew: boolean): Case => ({
  open,
  values: {
    code: ({ unique }) => [unique().toUpperCase()],
    product_family_id: ({ shop }) => [shop.familyId],
    start_date: () => ['2027-02-02'],
    end_date: () => ['2027-09-09'],
    restricted_products: ({ shop }) => [{ [shop.productIds.monthly]: true }],
    restricted_components: ({ componentIds }) => [{ [componentIds.seats]: true }],
    'coupon_restrictions.item_type': () => ['Component'],
    'coupon_restrictions.item_id': ({ shop }) => [shop.productIds.monthly],
  },
  with: {
    amount: flat,
    amount_in_cents: flat,
    duration_period_count: () => ({ recurring: true }),
    'coupon_restrictions.item_type': ({ componentIds }) => ({
      coupon_restrictions: [{ item_id: componentIds.seats }],
    }),
    'coupon_restrictions.item_id': ({ shop }) => ({
      coupon_restrictions: [{ item_type: 'Product', item_id: shop.productIds.free }],
    }),
    compounding_strategy: () => ({ stackable: true }),
  },
  // In the path already, or the only family there is.
  apart: isNew ? ['product_family_id'] : [],
})
const inFamily = '/product_families/:family/coupons'
const codes = (line: string): Case => ({
  open: about(line, null, {
    first: aCoupon,
    body: ({ unique }) => ({ codes: [unique().toUpperCase()] }),
    reads: ['/coupons/:id/codes'],
  }),
  values: { codes: ({ unique }) => [['OTHER', unique().toUpperCase()]] },
})

const tax = { name: 'Levy', rate: '5.0', country: 'FR' }
const aTax: First = { line: 'POST /taxes', root: 'tax', tree: () => ({ tax }) }
const taxCase = (open: Case['open']): Case => ({
  open,
  values: { country: () => ['IT'], state: () => ['Lazio'] },
})

export const catalogCases: Cases = {
  'POST /product_families': {
    open: about('POST /product_families', 'product_family', { body: ({ unique }) => ({ name: unique() }) }),
    values: { handle: ({ unique }) => [unique()] },
  },
  'POST /product_families/:product_family_id/products': productCase(
    about('POST /product_families/:family/products', 'product', { body: product }),
  ),
  'PUT /products/:product_id': productCase(
    about('PUT /products/:id', 'product', { first: aProduct, reads: ['/products/:id'] }),
  ),
  'POST /product_families/:product_family_id/metered_components': componentCase('metered_component'),
  'POST /product_families/:product_family_id/quantity_based_components': componentCase('quantity_based_component'),
  'POST /product_families/:product_family_id/on_off_components': componentCase('on_off_component', ({ unique }) => ({
    name: unique(),
    handle: unique(),
    unit_price: '2.00',
  })),
  'PUT /components/:component_id': changed('PUT /components/:id'),
  'PUT /product_families/:product_family_id/components/:component_id': changed(
    'PUT /product_families/:family/components/:id',
  ),
  'POST /coupons': couponCase(about('POST /coupons', 'coupon', { body: coupon }), true),
  'PUT /coupons/:coupon_id': couponCase(about('PUT /coupons/:id', 'coupon', { first: aCoupon }), false),
  'POST /product_families/:product_family_id/coupons': couponCase(
    about(`POST ${inFamily}`, 'coupon', { body: coupon }),
    true,
  ),
  'PUT /product_families/:product_family_id/coupons/:coupon_id': couponCase(
    about(`PUT ${inFamily}/:id`, 'coupon', { first: aCoupon }),
    false,
  ),
  'POST /coupons/:coupon_id/codes': codes('POST /coupons/:id/codes'),
  'PUT /coupons/:coupon_id/codes': codes('PUT /coupons/:id/codes'),
  'POST /product_families/:product_family_id/coupons/:coupon_id/codes': codes(`POST ${inFamily}/:id/codes`),
  'PUT /product_families/:product_family_id/coupons/:coupon_id/codes': codes(`PUT ${inFamily}/:id/codes`),
  'POST /taxes': taxCase(about('POST /taxes', 'tax', { body: () => tax })),
  'PUT /taxes/:tax_id': taxCase(about('PUT /taxes/:id', 'tax', { first: aTax })),
}
