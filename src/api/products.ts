/** Products: list, read, look up by handle, change, archive; they are created in their families. */
import { archiveProduct } from '../actions/archive-product.ts'
import { updateProduct } from '../actions/update-product.ts'
import { notFound } from '../billing/refusal.ts'
import { findProduct, listProducts, type ProductInFamily } from '../store/catalog.ts'
import type { Connection } from '../store/database.ts'
import type { SiteRow } from '../store/sites.ts'
import { presentProduct, productShape } from '../views/product.ts'
import { type Answer, list, resource } from '../wire/answer.ts'
import { boolean, object, readInput, wrappedChange } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Query, Route } from '../wire/request.ts'
import { type Act, acts, type Context, type Handler, idFrom, type Show, shows, textFrom } from './handler.ts'
import { readNarrowing } from './list-input.ts'
import { readProductChange } from './product-input.ts'

const present = ({ product, family }: ProductInFamily, site: SiteRow, status = 200): Answer =>
  resource(
    status,
    'product',
    presentProduct(product, family, site.timeZone),
    productShape,
    status === 201 ? { Location: `/products/${product.id}` } : undefined,
  )

export const showProduct =
  (status: number): Show =>
  async (connection, site, id) => {
    const found = await findProduct(connection, site.id, { id })
    return found && present(found, site, status)
  }

const presentByHandle = async (site: SiteRow, connection: Connection, handle: string | undefined): Promise<Answer> => {
  const found = handle === undefined ? undefined : await findProduct(connection, site.id, { handle })
  if (found === undefined) throw notFound()
  return present(found, site)
}

const lookUp: Handler = ({ context: { app, site }, query }) => presentByHandle(site, app.db, textFrom(query, 'handle'))

const readByHandle: Handler = ({ context: { app, site }, params }) => presentByHandle(site, app.db, params.handle)

const archivedInput = object({ include_archived: boolean('Include archived') })

/** What is archived is listed only for those who ask. Throws `InputErrors`. */
export const includesArchived = (query: Query): boolean =>
  readInput(archivedInput, { include_archived: textFrom(query, 'include_archived') }).include_archived === true

/** A page of the products of one family, or of all of them. */
export async function listProductPage(
  connection: Connection,
  site: SiteRow,
  query: Query,
  familyId: number | null,
): Promise<Answer> {
  const part = { ...readPage(query), familyId, includeArchived: includesArchived(query) }
  const found = await listProducts(connection, site.id, part, readNarrowing(query, site.timeZone))
  const presented = found.map(({ product, family }) => presentProduct(product, family, site.timeZone))
  return list('products', 'product', presented, productShape)
}

const listAll: Handler = ({ context: { app, site }, query }) => listProductPage(app.db, site, query, null)

const update: Act = async (app, request) => {
  const { site } = request.context
  const id = idFrom(request, 'product_id')
  if ((await findProduct(app.db, site.id, { id })) === undefined) throw notFound()
  return updateProduct(app, site.id, id, readProductChange(wrappedChange(request.body, 'product', 'Product')))
}

const archive: Act = (app, request) => archiveProduct(app, request.context.site.id, idFrom(request, 'product_id'))

export const productRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/products', handler: listAll },
  { method: 'GET', path: '/products/lookup', handler: lookUp },
  { method: 'GET', path: '/products/handle/:handle', handler: readByHandle },
  { method: 'GET', path: '/products/:product_id', handler: shows('product_id', showProduct(200)) },
  { method: 'PUT', path: '/products/:product_id', handler: acts(update, showProduct(200)) },
  { method: 'DELETE', path: '/products/:product_id', handler: acts(archive, showProduct(200)) },
]
