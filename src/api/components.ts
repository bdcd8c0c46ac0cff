/** Components of the catalog: create in a family, list, read by id or handle, change, archive. */

import type { App } from '../actions/app.ts'
import { archiveComponent } from '../actions/archive-component.ts'
import { createComponent } from '../actions/create-component.ts'
import { updateComponent } from '../actions/update-component.ts'
import type { ComponentKind } from '../billing/component.ts'
import { notFound } from '../billing/refusal.ts'
import { type ComponentInFamily, type ComponentNamed, findComponent, listComponents } from '../store/components.ts'
import { componentShape, presentComponent } from '../views/component.ts'
import { type Answer, bare, list, resource } from '../wire/answer.ts'
import { wrapped, wrappedChange } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { readComponentChange } from './component-change-input.ts'
import { readNewComponent } from './component-input.ts'
import { type Act, acts, type Context, type Handler, idFrom, type Show, type SiteRequest, textFrom } from './handler.ts'
import { readNarrowing } from './list-input.ts'
import { familyOf } from './product-families.ts'
import { includesArchived } from './products.ts'

/** Clients that do not page get every component that a family is likely to have. */
const pageSizes = { perPageDefault: 200, perPageMax: 200 }

const present = ({ component, familyName }: ComponentInFamily): Answer =>
  resource(200, 'component', presentComponent(component, familyName), componentShape)

/** Clients read what was archived without a wrapper. */
const showArchived: Show = async (connection, site, id) => {
  const found = await findComponent(connection, site.id, { id })
  return found && bare(200, 'component', presentComponent(found.component, found.familyName), componentShape)
}

const showNew: Show = async (connection, site, id) => {
  const found = await findComponent(connection, site.id, { id })
  if (found === undefined) return undefined
  const { component } = found
  const Location = `/product_families/${component.productFamilyId}/${component.kind}s/${component.id}`
  return { ...present(found), status: 201, headers: { Location } }
}

const createOfKind =
  (kind: ComponentKind): Act =>
  async (app, request) => {
    const family = await familyOf(request)
    if (family === undefined) throw notFound()
    return createComponent(app, family.siteId, family.id, readNewComponent(kind, wrapped(request.body, kind)))
  }

/** The id in the path, or `handle:<handle>`. What is neither names nothing that exists. */
export function componentNamedIn(request: SiteRequest): ComponentNamed {
  const name = request.params.component_id ?? ''
  return name.startsWith('handle:') ? { handle: name.slice('handle:'.length) } : { id: idFrom(request, 'component_id') }
}

async function componentOf(request: SiteRequest): Promise<ComponentInFamily> {
  const { app, site } = request.context
  const family = await familyOf(request)
  const found = family && (await findComponent(app.db, site.id, componentNamedIn(request), family.id))
  if (found === undefined) throw notFound()
  return found
}

const read: Handler = async (request) => present(await componentOf(request))

const lookUp: Handler = async ({ context: { app, site }, query }) => {
  const handle = textFrom(query, 'handle')
  const found = handle === undefined ? undefined : await findComponent(app.db, site.id, { handle })
  if (found === undefined) throw notFound()
  return present(found)
}

async function listPage({ context: { app, site }, query }: SiteRequest, familyId: number | null): Promise<Answer> {
  const part = { ...readPage(query, pageSizes), familyId, includeArchived: includesArchived(query) }
  const found = await listComponents(app.db, site.id, part, readNarrowing(query, site.timeZone))
  const presented = found.map(({ component, familyName }) => presentComponent(component, familyName))
  return list('components', 'component', presented, componentShape)
}

const listAll: Handler = (request) => listPage(request, null)

const listOfFamily: Handler = async (request) => {
  const family = await familyOf(request)
  if (family === undefined) throw notFound()
  return listPage(request, family.id)
}

const archive: Act = async (app, request) =>
  archiveComponent(app, request.context.site.id, (await componentOf(request)).component.id)

const change = (app: App, request: SiteRequest, { component: { siteId, id } }: ComponentInFamily): Promise<number> =>
  updateComponent(app, siteId, id, readComponentChange(wrappedChange(request.body, 'component', 'Component')))

const updateInFamily: Act = async (app, request) => change(app, request, await componentOf(request))

const update: Act = async (app, request) => {
  const found = await findComponent(app.db, request.context.site.id, componentNamedIn(request))
  if (found === undefined) throw notFound()
  return change(app, request, found)
}

const show: Show = async (connection, site, id) => {
  const found = await findComponent(connection, site.id, { id })
  return found && present(found)
}

const inFamily = '/product_families/:product_family_id'

const routesOfKind = (kind: ComponentKind): Route<Context>[] => [
  { method: 'POST', path: `${inFamily}/${kind}s`, handler: acts(createOfKind(kind), showNew) },
  { method: 'GET', path: `${inFamily}/${kind}s/:component_id`, handler: read },
]

export const componentRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/components', handler: listAll },
  { method: 'GET', path: '/components/lookup', handler: lookUp },
  { method: 'PUT', path: '/components/:component_id', handler: acts(update, show) },
  { method: 'GET', path: `${inFamily}/components`, handler: listOfFamily },
  { method: 'GET', path: `${inFamily}/components/:component_id`, handler: read },
  { method: 'PUT', path: `${inFamily}/components/:component_id`, handler: acts(updateInFamily, show) },
  { method: 'DELETE', path: `${inFamily}/components/:component_id`, handler: acts(archive, showArchived) },
  ...routesOfKind('metered_component'),
  ...routesOfKind('quantity_based_component'),
  ...routesOfKind('on_off_component'),
]
