/** Product families: create, list, read, look up by handle, and the products of one. */
import { createProduct } from '../actions/create-product.ts'
import { createProductFamily } from '../actions/create-product-family.ts'
import type { ProductFamily } from '../billing/catalog.ts'
import { notFound } from '../billing/refusal.ts'
import { findProductFamily, listProductFamilies, type Named } from '../store/catalog.ts'
import type { SiteRow } from '../store/sites.ts'
import { presentProductFamily, productFamilyShape } from '../views/product-family.ts'
import { type Answer, list, plain, resource } from '../wire/answer.ts'
import { longTextMax, object, readInput, text, wrapped } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, type Handler, type Show, type SiteRequest, textFrom } from './handler.ts'
import { readDated } from './list-input.ts'
import { readNewProduct } from './product-input.ts'
import { listProductPage, showProduct } from './products.ts'

export const productFamilyInput = object({
  name: text('Name', { required: true }),
  handle: text('API Handle'),
  description: text('Description', { max: longTextMax }),
  accounting_code: text('Accounting code'),
})

/** Clients that do not page get every family that a site is likely to have. */
const pageSizes = { perPageDefault: 200, perPageMax: 200 }

const present = (family: ProductFamily, site: SiteRow, status = 200): Answer =>
  resource(
    status,
    'product_family',
    presentProductFamily(family, site.timeZone),
    productFamilyShape,
    status === 201 ? { Location: `/product_families/${family.id}` } : undefined,
  )

const showNew: Show = async (connection, site, id) => {
  const family = await findProductFamily(connection, site.id, { id })
  return family && present(family, site, 201)
}

const create: Act = (app, { context: { site }, body }) => {
  const fields = readInput(productFamilyInput, wrapped(body, 'product_family'))
  return createProductFamily(app, site.id, {
    name: fields.name,
    handle: fields.handle?.trim() || null,
    description: fields.description || null,
    accountingCode: fields.accounting_code || null,
  })
}

/** The id in the path, or `handle:<handle>`. */
export function familyOf({ context: { app, site }, params }: SiteRequest): Promise<ProductFamily | undefined> {
  const name = params.product_family_id ?? ''
  const by: Named | undefined = name.startsWith('handle:')
    ? { handle: name.slice('handle:'.length) }
    : /^\d{1,15}$/.test(name)
      ? { id: Number(name) }
      : undefined
  return by === undefined ? Promise.resolve(undefined) : findProductFamily(app.db, site.id, by)
}

const read: Handler = async (request) => {
  const family = await familyOf(request)
  if (family === undefined) throw notFound()
  return present(family, request.context.site)
}

const lookUp: Handler = async ({ context: { app, site }, query }) => {
  const handle = textFrom(query, 'handle')
  const family = handle === undefined ? undefined : await findProductFamily(app.db, site.id, { handle })
  if (family === undefined) throw notFound()
  return present(family, site)
}

const listPage: Handler = async ({ context: { app, site }, query }) => {
  const families = await listProductFamilies(
    app.db,
    site.id,
    readPage(query, pageSizes),
    readDated(query, site.timeZone),
  )
  const presented = families.map((family) => presentProductFamily(family, site.timeZone))
  return list('product_families', 'product_family', presented, productFamilyShape)
}

const listItsProducts: Handler = async (request) => {
  const { app, site } = request.context
  const family = await familyOf(request)
  if (family === undefined) return plain(404, 'A valid product_family_id is required')
  return listProductPage(app.db, site, request.query, family.id)
}

const createInFamily: Act = async (app, request) => {
  const family = await familyOf(request)
  if (family === undefined) throw notFound()
  return createProduct(app, family.siteId, family.id, readNewProduct(wrapped(request.body, 'product')))
}

export const productFamilyRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/product_families', handler: listPage },
  { method: 'POST', path: '/product_families', handler: acts(create, showNew) },
  { method: 'GET', path: '/product_families/lookup', handler: lookUp },
  { method: 'GET', path: '/product_families/:product_family_id', handler: read },
  { method: 'GET', path: '/product_families/:product_family_id/products', handler: listItsProducts },
  {
    method: 'POST',
    path: '/product_families/:product_family_id/products',
    handler: acts(createInFamily, showProduct(201)),
  },
]
