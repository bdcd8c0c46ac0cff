/** What is sold: families, products, components of every kind, coupons of every kind. */
import type { Walker } from '../walker.ts'

export type Catalog = {
  familyId: number
  products: Record<'monthly' | 'trial' | 'expiring' | 'other', number>
  users: number
  calls: number
  support: number
}

const month = { interval: 1, interval_unit: 'month', description: 'Sun and moon', require_credit_card: true }

const productBodies = {
  monthly: {
    ...month,
    name: 'Monthly',
    handle: 'monthly',
    price_in_cents: 5000,
    accounting_code: 'M-1',
    initial_charge_in_cents: 700,
    taxable: true,
  },
  'paid-trial': {
    ...month,
    name: 'Paid trial',
    handle: 'paid-trial',
    price_in_cents: 4700,
    trial_price_in_cents: 100,
    trial_interval: 1,
    trial_interval_unit: 'month',
    initial_charge_in_cents: 300,
    initial_charge_after_trial: true,
  },
  trial: {
    ...month,
    name: 'Trial',
    handle: 'trial',
    price_in_cents: 4900,
    trial_price_in_cents: 0,
    trial_interval: 14,
    trial_interval_unit: 'day',
    trial_type: 'payment_expected',
  },
  expiring: {
    ...month,
    name: 'Expiring',
    handle: 'expiring',
    price_in_cents: 900,
    interval: 7,
    interval_unit: 'day',
    expiration_interval: 14,
    expiration_interval_unit: 'day',
  },
  'free-trial': {
    ...month,
    name: 'Free trial',
    handle: 'free-trial',
    price_in_cents: 4800,
    trial_price_in_cents: 0,
    trial_interval: 14,
    trial_interval_unit: 'day',
    trial_type: 'no_obligation',
    require_credit_card: false,
  },
  other: { ...month, name: 'Other', handle: 'other', price_in_cents: 7700 },
}

export async function walkCatalog(walker: Walker): Promise<Catalog> {
  const { product_family: family } = await walker.call('createProductFamily', {
    body: { product_family: { name: 'Almanacs', description: 'All of them', handle: 'almanacs' } },
  })
  await walker.call('readProductFamily', { id: family.id })
  await walker.call('listProductFamilies', {})
  const products = await makeProducts(walker, family.id)
  const components = await makeComponents(walker, family.id)
  await readPricePoints(walker, products.trial, components.calls)
  return { familyId: family.id, products, ...components }
}

/** Each product and component has one, and can be read by it. */
async function readPricePoints(walker: Walker, productId: number, componentId: number): Promise<void> {
  const ofProduct = await walker.call('listProductPricePoints', { productId })
  await walker.call('readProductPricePoint', { productId, pricePointId: ofProduct.price_points[0].id })
  await walker.call('listAllProductPricePoints', { perPage: 20 })
  const ofComponent = await walker.call('listComponentPricePoints', { componentId })
  await walker.call('readComponentPricePoint', { componentId, pricePointId: ofComponent.price_points[0].id })
  await walker.call('listAllComponentPricePoints', { perPage: 20 })
}

async function makeProducts(walker: Walker, familyId: number): Promise<Catalog['products']> {
  const made: Record<string, number> = {}
  for (const [handle, product] of Object.entries(productBodies)) {
    const body = { product: { ...product } }
    made[handle] = (await walker.call('createProduct', { productFamilyId: String(familyId), body })).product.id
  }
  const products = made as Catalog['products']
  const changed = { ...productBodies.other, name: 'Another', description: 'Not the first', price_in_cents: 7800 }
  await walker.call('updateProduct', { productId: products.other, body: { product: changed } })
  await walker.call('readProduct', { productId: products.monthly })
  await walker.call('readProductByHandle', { apiHandle: 'trial' })
  await walker.call('listProducts', { perPage: 3 })
  await walker.call('listProductsForProductFamily', { productFamilyId: String(familyId), page: 1 })
  const leaving = { ...month, name: 'Leaving', handle: 'leaving', price_in_cents: 100 }
  const { product } = await walker.call('createProduct', {
    productFamilyId: String(familyId),
    body: { product: leaving },
  })
  await walker.call('archiveProduct', { productId: product.id })
  await walker.call('listProducts', { includeArchived: true })
  return products
}

const tiers = [
  { starting_quantity: 1, ending_quantity: 10, unit_price: '2' },
  { starting_quantity: 11, unit_price: '1.5' },
]

/** It is charged once. */
const settingUp = {
  name: 'Setting up',
  handle: 'setting-up',
  unit_name: 'hour',
  pricing_scheme: 'per_unit',
  unit_price: '99',
  recurring: false,
}

async function makeComponents(walker: Walker, id: number): Promise<Pick<Catalog, 'users' | 'calls' | 'support'>> {
  const productFamilyId = String(id)
  const make = async (operation: string, body: object): Promise<number> =>
    (await walker.call(operation, { productFamilyId, body })).component.id
  const users = await make('createQuantityBasedComponent', {
    quantity_based_component: {
      name: 'Users',
      handle: 'users',
      unit_name: 'user',
      description: 'Who may look',
      pricing_scheme: 'per_unit',
      unit_price: '15',
      taxable: true,
      allow_fractional_quantities: true,
    },
  })
  for (const pricing_scheme of ['tiered', 'volume', 'stairstep']) {
    const named = { name: `Boxes ${pricing_scheme}`, handle: `boxes-${pricing_scheme}`, unit_name: 'box' }
    await make('createQuantityBasedComponent', {
      quantity_based_component: { ...named, pricing_scheme, prices: tiers },
    })
  }
  const calls = await make('createMeteredComponent', {
    metered_component: {
      name: 'Calls',
      handle: 'calls',
      unit_name: 'call',
      description: 'To the observatory',
      pricing_scheme: 'per_unit',
      unit_price: '0.00012345',
      taxable: true,
    },
  })
  const support = await make('createOnOffComponent', {
    on_off_component: {
      name: 'Support',
      handle: 'support',
      description: 'Day and night',
      unit_price: '45.5',
      taxable: true,
    },
  })
  await make('createQuantityBasedComponent', { quantity_based_component: settingUp })
  await changeComponents(walker, id, calls, support)
  const leaving = await make('createOnOffComponent', { on_off_component: { name: 'Leaving', unit_price: '1' } })
  await walker.call('archiveComponent', { productFamilyId: id, componentId: String(leaving) })
  await walker.call('readComponent', { productFamilyId: id, componentId: String(users) })
  await walker.call('findComponent', { handle: 'calls' })
  await walker.call('listComponents', { includeArchived: true })
  await walker.call('listComponentsForProductFamily', { productFamilyId: id })
  return { users, calls, support }
}

async function changeComponents(walker: Walker, id: number, calls: number, support: number): Promise<void> {
  const renamed = { handle: 'help', name: 'Help', description: 'By night', accounting_code: 'H-1' }
  await walker.call('updateComponent', { componentId: String(support), body: { component: renamed } })
  await walker.call('updateProductFamilyComponent', {
    productFamilyId: id,
    componentId: String(calls),
    body: { component: { name: 'Calls out', description: 'To any observatory' } },
  })
}
