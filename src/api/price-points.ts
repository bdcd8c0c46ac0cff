/** The default price points of products and components: each has one, which is read here by itself and in lists. */
import type { Product } from '../billing/catalog.ts'
import type { Component } from '../billing/component.ts'
import { isDefaultPricePoint } from '../billing/price-point.ts'
import { notFound } from '../billing/refusal.ts'
import { findProduct, listProducts } from '../store/catalog.ts'
import { findComponent, listComponents } from '../store/components.ts'
import {
  componentPricePointShape,
  presentComponentPricePoint,
  presentProductPricePoint,
  productPricePointShape,
} from '../views/price-point.ts'
import { listUnder, resource } from '../wire/answer.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { componentNamedIn } from './components.ts'
import type { Context, Handler, SiteRequest } from './handler.ts'
import { idFrom } from './handler.ts'
import { readNarrowing } from './list-input.ts'

const oneOfComponent = (component: Component) =>
  resource(200, 'price_point', presentComponentPricePoint(component), componentPricePointShape)
const ofComponents = (components: readonly Component[]) =>
  listUnder('price_points', 'price_point', components.map(presentComponentPricePoint), componentPricePointShape)
const oneOfProduct = (product: Product) =>
  resource(200, 'price_point', presentProductPricePoint(product), productPricePointShape)
const ofProducts = (products: readonly Product[]) =>
  listUnder('price_points', 'price_point', products.map(presentProductPricePoint), productPricePointShape)

async function componentOf(request: SiteRequest): Promise<Component> {
  const { app, site } = request.context
  const found = await findComponent(app.db, site.id, componentNamedIn(request))
  if (found === undefined) throw notFound()
  return found.component
}

/** The id in the path, or `handle:<handle>`. */
async function productOf(request: SiteRequest): Promise<Product> {
  const { app, site } = request.context
  const name = request.params.product_id ?? ''
  const by = name.startsWith('handle:')
    ? { handle: name.slice('handle:'.length) }
    : { id: idFrom(request, 'product_id') }
  const found = await findProduct(app.db, site.id, by)
  if (found === undefined) throw notFound()
  return found.product
}

function refuseOther({ params }: SiteRequest, ownerId: number): void {
  if (!isDefaultPricePoint(ownerId, params.price_point_id ?? '')) throw notFound()
}

/** There is one; a second page is empty. */
const onFirstPage = <Owner>(request: SiteRequest, owner: Owner): Owner[] =>
  readPage(request.query).offset === 0 ? [owner] : []

const listOfComponent: Handler = async (request) => ofComponents(onFirstPage(request, await componentOf(request)))
const listOfProduct: Handler = async (request) => ofProducts(onFirstPage(request, await productOf(request)))

const readOfComponent: Handler = async (request) => {
  const component = await componentOf(request)
  refuseOther(request, component.id)
  return oneOfComponent(component)
}

const readOfProduct: Handler = async (request) => {
  const product = await productOf(request)
  refuseOther(request, product.id)
  return oneOfProduct(product)
}

const allOfComponents: Handler = async ({ context: { app, site }, query }) => {
  const part = { ...readPage(query), familyId: null, includeArchived: false }
  const found = await listComponents(app.db, site.id, part, readNarrowing(query, site.timeZone))
  return ofComponents(found.map(({ component }) => component))
}

const allOfProducts: Handler = async ({ context: { app, site }, query }) => {
  const part = { ...readPage(query), familyId: null, includeArchived: false }
  const found = await listProducts(app.db, site.id, part, readNarrowing(query, site.timeZone))
  return ofProducts(found.map(({ product }) => product))
}

export const pricePointRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/components_price_points', handler: allOfComponents },
  { method: 'GET', path: '/components/:component_id/price_points', handler: listOfComponent },
  { method: 'GET', path: '/components/:component_id/price_points/:price_point_id', handler: readOfComponent },
  { method: 'GET', path: '/products_price_points', handler: allOfProducts },
  { method: 'GET', path: '/products/:product_id/price_points', handler: listOfProduct },
  { method: 'GET', path: '/products/:product_id/price_points/:price_point_id', handler: readOfProduct },
]
