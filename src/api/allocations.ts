/** What a subscription has of its components, and how that is changed: one at a time, or several at once. */
import { type AllocateComponent, allocateComponents } from '../actions/allocate-components.ts'
import { previewAllocations } from '../actions/preview-allocations.ts'
import { meteredRefused } from '../billing/allocation-steps.ts'
import type { SubscribedComponent } from '../billing/component.ts'
import { notFound, Refusal } from '../billing/refusal.ts'
import { listAllocationRecords, listAllocationSpans, listAllocationsOfRequest } from '../store/allocations.ts'
import type { Connection } from '../store/database.ts'
import { findOfferedComponent, listOfferedComponents } from '../store/subscription-components.ts'
import { allocationShape, presentAllocation } from '../views/allocation.ts'
import { allocationPreviewShape, presentAllocationPreview } from '../views/allocation-preview.ts'
import { presentSubscribedComponent, subscribedComponentShape } from '../views/component.ts'
import { type Answer, errors, list, resource } from '../wire/answer.ts'
import { InputErrors } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { readAllocation, readAllocations, readQuantity } from './allocation-input.ts'
import { componentNamedIn } from './components.ts'
import {
  type Act,
  acts,
  type Context,
  type Handler,
  idFrom,
  type Show,
  type SiteRequest,
  subscriptionFrom,
} from './handler.ts'
import { narrowOffered } from './offered-list.ts'

/** As the specification has it; a smaller page may be asked for. */
const pageSizes = { perPageDefault: 50, perPageMax: 50 }

/** What the subscription has of the component, both named in the path; that either does not exist comes before all else. */
export async function offeredOf(request: SiteRequest): Promise<SubscribedComponent & { subscriptionId: number }> {
  const { app, site } = request.context
  const subscriptionId = idFrom(request, 'subscription_id')
  const found = await findOfferedComponent(app.db, site.id, subscriptionId, componentNamedIn(request))
  if (found === undefined) throw notFound()
  return { ...found, subscriptionId }
}

async function presentOffered(
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  offered: SubscribedComponent,
): Promise<Answer> {
  const span = (await listAllocationSpans(connection, siteId, subscriptionId)).get(offered.component.id)
  return resource(200, 'component', presentSubscribedComponent(offered, subscriptionId, span), subscribedComponentShape)
}

const readOffered: Handler = async (request) => {
  const { subscriptionId, ...offered } = await offeredOf(request)
  const { app, site } = request.context
  return presentOffered(app.db, site.id, subscriptionId, offered)
}

const listOffered: Handler = async (request) => {
  const { app, site } = request.context
  const subscriptionId = await subscriptionFrom(request)
  const offered = narrowOffered(await listOfferedComponents(app.db, site.id, subscriptionId), request.query, site)
  const spans = await listAllocationSpans(app.db, site.id, subscriptionId)
  return list(
    'components',
    'component',
    offered.map((one) => presentSubscribedComponent(one, subscriptionId, spans.get(one.component.id))),
    subscribedComponentShape,
  )
}

const listPage: Handler = async (request) => {
  const { app, site } = request.context
  const { component, subscriptionId } = await offeredOf(request)
  const page = readPage(request.query, pageSizes)
  const records = await listAllocationRecords(app.db, site.id, { subscriptionId, componentId: component.id }, page)
  const shown = records.map((record) => presentAllocation(record, { isNew: false }))
  return list('allocations', 'allocation', shown, allocationShape)
}

const create: Act = async (app, request) => {
  const { component, subscriptionId } = await offeredOf(request)
  const wanted: AllocateComponent = {
    ...readAllocation(request.body, request.context.site),
    component: { id: component.id },
  }
  return allocateComponents(app, request.context.site.id, subscriptionId, [wanted])
}

const showNew: Show = async (connection, site, id) => {
  const [record] = await listAllocationsOfRequest(connection, site.id, id)
  return record && resource(201, 'allocation', presentAllocation(record, { isNew: true }), allocationShape)
}

const createSeveral: Act = async (app, request) => {
  const { site } = request.context
  const subscriptionId = await subscriptionFrom(request)
  return allocateComponents(app, site.id, subscriptionId, readAllocations(request.body, site))
}

const showSeveral: Show = async (connection, site, id) => {
  const records = await listAllocationsOfRequest(connection, site.id, id)
  const shown = records.map((record) => presentAllocation(record, { isNew: true }))
  return { ...list('allocations', 'allocation', shown, allocationShape), status: 201 }
}

const preview: Handler = async (request) => {
  const { app, site } = request.context
  const subscriptionId = await subscriptionFrom(request)
  let wanted: readonly AllocateComponent[] = []
  try {
    wanted = readAllocations(request.body, site)
    const read = await previewAllocations(app, site.id, subscriptionId, wanted)
    const shown = presentAllocationPreview(read, subscriptionId, site.timeZone)
    return resource(200, 'allocation_preview', shown, allocationPreviewShape)
  } catch (error) {
    const isRefused = error instanceof InputErrors || (error instanceof Refusal && error.kind === 'invalid')
    if (!isRefused) throw error
    const found = await Promise.all(
      wanted.map(({ component }) => findOfferedComponent(app.db, site.id, subscriptionId, component)),
    )
    return refusedPreview(error.messages, aboutOf(error.messages, found)?.component.id ?? onlyId(wanted))
  }
}

/** The component that is refused, where that is known: the metered one, or the only one. */
function aboutOf(
  messages: readonly string[],
  found: readonly (SubscribedComponent | undefined)[],
): SubscribedComponent | undefined {
  if (messages[0] === meteredRefused) return found.find((one) => one?.component.kind === 'metered_component')
  return found.length === 1 ? found[0] : undefined
}

/** The id that was asked for, also where there is no such component. */
const onlyId = ([one, ...others]: readonly AllocateComponent[]): number | undefined =>
  one !== undefined && others.length === 0 && 'id' in one.component ? one.component.id : undefined

/** JSON tells each refusal of a preview with the component that it is about. */
function refusedPreview(messages: readonly string[], componentId: number | undefined): Answer {
  const told = errors(422, messages)
  const json = {
    errors: messages.map((message) => ({
      kind: 'allocation',
      component_id: componentId ?? null,
      on: message.startsWith('Quantity: ') ? 'quantity' : 'base',
      message,
    })),
  }
  return told.content.kind === 'tree' ? { ...told, content: { ...told.content, json } } : told
}

/** The older way: nothing is charged for the rest of the period. */
const set: Act = async (app, request) => {
  const { component, subscriptionId } = await offeredOf(request)
  const wanted: AllocateComponent = {
    component: { id: component.id },
    quantity: readQuantity(request.body),
    memo: null,
    upgradeScheme: 'no-prorate',
    downgradeScheme: 'no-prorate',
  }
  return allocateComponents(app, request.context.site.id, subscriptionId, [wanted])
}

const showSet: Show = async (connection, site, id) => {
  const [record] = await listAllocationsOfRequest(connection, site.id, id)
  if (record === undefined) return undefined
  const { subscriptionId, componentId } = record.allocation
  const offered = await findOfferedComponent(connection, site.id, subscriptionId, { id: componentId })
  return offered && presentOffered(connection, site.id, subscriptionId, offered)
}

const ofSubscription = '/subscriptions/:subscription_id'

export const allocationRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: `${ofSubscription}/components`, handler: listOffered },
  { method: 'GET', path: `${ofSubscription}/components/:component_id`, handler: readOffered },
  { method: 'PUT', path: `${ofSubscription}/components/:component_id`, handler: acts(set, showSet) },
  { method: 'GET', path: `${ofSubscription}/components/:component_id/allocations`, handler: listPage },
  { method: 'POST', path: `${ofSubscription}/components/:component_id/allocations`, handler: acts(create, showNew) },
  { method: 'POST', path: `${ofSubscription}/allocations`, handler: acts(createSeveral, showSeveral) },
  { method: 'POST', path: `${ofSubscription}/allocations/preview`, handler: preview },
]
