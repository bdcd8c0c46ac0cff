/** Metafields and metadata: the fields that a site adds to its customers and subscriptions, and the values in them. */
import { createMetafields } from '../actions/create-metafields.ts'
import { deleteMetadata } from '../actions/delete-metadata.ts'
import { deleteMetafield } from '../actions/delete-metafield.ts'
import { setMetadata } from '../actions/set-metadata.ts'
import { updateMetafields } from '../actions/update-metafields.ts'
import { type Metadatum, metafieldsMax, type ResourceType, resourceTypes } from '../billing/metafield.ts'
import { notFound, Refusal } from '../billing/refusal.ts'
import { findCustomer } from '../store/customers.ts'
import { listMetadata, listMetafields, type Resource } from '../store/metadata.ts'
import { findSubscription } from '../store/subscriptions.ts'
import {
  countedShape,
  dashed,
  metadataShape,
  metafieldsShape,
  presentCounted,
  presentMetadatum,
  presentMetafield,
} from '../views/metadata.ts'
import { type Answer, oneError, plain } from '../wire/answer.ts'
import { InputErrors } from '../wire/input.ts'
import { readDirection, readPage } from '../wire/paging.ts'
import type { Query, Route } from '../wire/request.ts'
import type { Shape } from '../wire/shape.ts'
import { type Act, acts, type Context, type Handler, idFrom, type SiteRequest, textFrom } from './handler.ts'
import { refuseFilters } from './list-input.ts'
import { readMetadata, readMetafieldChanges, readNewMetafields } from './metadata-input.ts'

/** JSON as it stands, XML with dashes. */
const show = (root: string, tree: unknown, shape: Shape): Answer => ({
  status: 200,
  content: { kind: 'tree', root, json: tree, xml: dashed(tree), shape },
})

/** The customer or subscription of the path. That there is none comes before what is wrong with the request about it. */
async function resourceFrom(request: SiteRequest, type: ResourceType): Promise<Resource> {
  const { app, site } = request.context
  const id = idFrom(request, `${type}_id`)
  const exists =
    type === 'customer'
      ? (await findCustomer(app.db, site.id, id)) !== undefined
      : await findSubscription(app.db, site.id, id)
  if (!exists) throw notFound()
  return { type, id }
}

const partFrom = (query: Query) => ({ ...readPage(query), direction: readDirection(query, 'asc') })

/** All values of a name that may be sent more than once. */
const allFrom = (query: Query, ...names: string[]): string[] => names.flatMap((name) => query[name] ?? [])

async function showMetadata({ context: { app, site }, query }: SiteRequest, type: ResourceType, ids: number[] | null) {
  const part = partFrom(query)
  const { rows, count } = await listMetadata(app.db, site.id, type, ids, part)
  return show('results', presentCounted('metadata', rows.map(presentMetadatum), { ...part, count }), countedShape)
}

const listOfResource =
  (type: ResourceType): Handler =>
  async (request) =>
    showMetadata(request, type, [(await resourceFrom(request, type)).id])

/** The list is not narrowed by time, and what was deleted is gone. */
const undated = ['date_field', 'start_date', 'end_date', 'start_datetime', 'end_datetime', 'with_deleted']

const listOfType =
  (type: ResourceType): Handler =>
  async (request) => {
    refuseFilters(request.query, undated)
    const ids = allFrom(request.query, 'resource_ids')
    if (!ids.every((id) => /^\d{1,15}$/.test(id))) throw new InputErrors(['Resource ids: is not a number.'])
    return showMetadata(request, type, ids.length === 0 ? null : ids.map(Number))
  }

/** Which values were set is known to the act alone, so each request has its own place to tell it. */
const set =
  (type: ResourceType): Handler =>
  (request) => {
    let metadata: Metadatum[] = []
    const act: Act = async (app) => {
      const resource = await resourceFrom(request, type)
      return setMetadata(app, request.context.site.id, resource, readMetadata(request.body), (told) => {
        metadata = told
      })
    }
    return acts(act, async () => show('metadata', metadata.map(presentMetadatum), metadataShape))(request)
  }

const remove = (type: ResourceType): Handler => {
  const act: Act = async (app, request) => {
    const resource = await resourceFrom(request, type)
    return deleteMetadata(app, request.context.site.id, resource, allFrom(request.query, 'name', 'names'))
  }
  return acts(act, async () => plain(200, 'true'))
}

const listFields =
  (type: ResourceType): Handler =>
  async ({ context: { app, site }, query }) => {
    const part = partFrom(query)
    const name = textFrom(query, 'name') ?? null
    const { rows, count } = await listMetafields(app.db, site.id, type, { ...part, name, ids: null })
    const presented = rows.map(({ metafield, dataCount }) => presentMetafield(metafield, dataCount))
    return show('results', presentCounted('metafields', presented, { ...part, count }), countedShape)
  }

const writeFields =
  (type: ResourceType, write: (request: SiteRequest, tell: (ids: number[]) => void) => Act): Handler =>
  (request) => {
    let ids: number[] = []
    const act = write(request, (told) => {
      ids = told
    })
    return acts(act, async (connection, site) => {
      const part = { perPage: metafieldsMax, offset: 0, direction: 'asc', name: null, ids } as const
      const { rows } = await listMetafields(connection, site.id, type, part)
      const presented = rows.map(({ metafield, dataCount }) => presentMetafield(metafield, dataCount))
      return show('metafields', presented, metafieldsShape)
    })(request)
  }

const createFields = (type: ResourceType): Handler =>
  writeFields(
    type,
    ({ context: { site }, body }, tell) =>
      async (app) =>
        createMetafields(app, site.id, type, readNewMetafields(body), tell),
  )

const updateFields = (type: ResourceType): Handler =>
  writeFields(
    type,
    ({ context: { site }, body }, tell) =>
      async (app) =>
        updateMetafields(app, site.id, type, readMetafieldChanges(body), tell),
  )

const removeField = (type: ResourceType): Handler => {
  const act: Act = (app, { context: { site }, query }) =>
    deleteMetafield(app, site.id, type, textFrom(query, 'name') ?? '')
  return acts(act, async () => plain(200, 'true'))
}

/** Clients look for what is wrong under `error` here, and not in a list. */
const inOneSentence =
  (handler: Handler): Handler =>
  async (request) => {
    try {
      return await handler(request)
    } catch (error) {
      const isRefused = error instanceof InputErrors || (error instanceof Refusal && error.kind === 'invalid')
      if (!isRefused) throw error
      return oneError(422, error.messages.join(' '))
    }
  }

export const metadataRoutes: readonly Route<Context>[] = resourceTypes.flatMap((type): Route<Context>[] => {
  const metafields = `/${type}s/metafields`
  const metadata = `/${type}s/:${type}_id/metadata`
  return [
    { method: 'GET', path: metafields, handler: listFields(type) },
    { method: 'POST', path: metafields, handler: inOneSentence(createFields(type)) },
    { method: 'PUT', path: metafields, handler: inOneSentence(updateFields(type)) },
    { method: 'DELETE', path: metafields, handler: removeField(type) },
    { method: 'GET', path: `/${type}s/metadata`, handler: listOfType(type) },
    { method: 'GET', path: metadata, handler: listOfResource(type) },
    { method: 'POST', path: metadata, handler: inOneSentence(set(type)) },
    { method: 'PUT', path: metadata, handler: inOneSentence(set(type)) },
    { method: 'DELETE', path: metadata, handler: remove(type) },
  ]
})
