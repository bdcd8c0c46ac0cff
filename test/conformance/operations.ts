/** Every operation that an official SDK knows, and whether a route of ours serves it: those of TypeScript as its own source says them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '../../src/api/routes.ts'

const controllers = join(import.meta.dirname, '../../node_modules/@maxio-com/advanced-billing-sdk/src/controllers')

export type Operation = {
  name: string
  method: string
  /** Without the suffix of the format; parameters are names after a colon. */
  path: string
  /** The names of its arguments in their order. */
  takes: readonly string[]
  /** The name of the model that its body has, if it has one. */
  model?: string
  /** What stands in its query, with the model of each that has one: `filter` is an object of fields. */
  queries?: readonly { readonly name: string; readonly model: string | undefined }[]
}

/** `async readSite(...) { ... createRequest('GET', '/site.json')`. */
function operationsIn(source: string): Operation[] {
  return [...source.matchAll(/\n {2}async (\w+)\(([\s\S]*?)\n {2}\}\n/g)].map(([, name = '', body = '']) => {
    const [, method = '', fixed] = /createRequest\(\s*'(\w+)'(?:,\s*'([^']*)')?/.exec(body) ?? []
    const built = /appendTemplatePath`([^`]*)`/.exec(body)?.[1]
    const path = (fixed ?? built ?? '').replace(/\.json$/, '').replaceAll(/\$\{mapped\.(\w+)\}/g, ':$1')
    const prepared = /prepareArgs\(\{([\s\S]*?)\}\);/.exec(body)?.[1] ?? ''
    const takes = [...prepared.matchAll(/(\w+): \[/g)].map(([, argument = '']) => argument)
    const [, model] = /body: \[body, (?:optional\()?(\w+)Schema/.exec(body) ?? []
    const types = new Map([...prepared.matchAll(/(\w+): \[([\s\S]*?)\](?=,)/g)].map(([, key, type]) => [key, type]))
    const queries = [...body.matchAll(/req\.query\(\s*'([^']+)',\s*mapped\.(\w+)/g)].map(([, query = '', key]) => ({
      name: query,
      model: /(\w+)Schema/.exec(types.get(key) ?? '')?.[1],
    }))
    return { name, method, path, takes, queries, ...(model !== undefined && { model }) }
  })
}

const ofTypeScript = readdirSync(controllers)
  .filter((file) => file.endsWith('Controller.ts'))
  .flatMap((file) => operationsIn(readFileSync(join(controllers, file), 'utf8')))

const renewals = '/subscriptions/:subscriptionId/scheduled_renewals'
const items = `${renewals}/:configurationId/configuration_items`

/** What the SDKs of other languages, which are of a later day, know beside those. */
const later: readonly Operation[] = Object.entries({
  cloneComponentPricePoint: 'POST /components/:componentId/price_points/:pricePointId/clone',
  updateInvoice: 'PUT /subscriptions/:subscriptionId/invoices/:uid',
  deleteInvoice: 'DELETE /subscriptions/:subscriptionId/invoices/:uid',
  deliverProformaInvoice: 'POST /proforma_invoices/:proformaInvoiceUid/deliveries',
  listServiceCredits: 'GET /subscriptions/:subscriptionId/service_credits/list',
  createScheduledRenewalConfiguration: `POST ${renewals}`,
  listScheduledRenewalConfigurations: `GET ${renewals}`,
  readScheduledRenewalConfiguration: `GET ${renewals}/:id`,
  updateScheduledRenewalConfiguration: `PUT ${renewals}/:id`,
  scheduleScheduledRenewalLockIn: `PUT ${renewals}/:id/schedule_lock_in`,
  lockInScheduledRenewalImmediately: `PUT ${renewals}/:id/immediate_lock_in`,
  unpublishScheduledRenewalConfiguration: `PUT ${renewals}/:id/unpublish`,
  cancelScheduledRenewalConfiguration: `PUT ${renewals}/:id/cancel`,
  createScheduledRenewalConfigurationItem: `POST ${items}`,
  updateScheduledRenewalConfigurationItem: `PUT ${items}/:id`,
  deleteScheduledRenewalConfigurationItem: `DELETE ${items}/:id`,
}).map(([name, line]) => {
  const [method = '', path = ''] = line.split(' ')
  return { name, method, path, takes: [] }
})

export const operations: readonly Operation[] = [...ofTypeScript, ...later]

const segments = (path: string): string[] => path.split('/').slice(1)
const isName = (segment: string | undefined): boolean => segment?.startsWith(':') ?? false

/** A name in one stands for a name in the other; `:resourceType` for both types. */
const leadsTo = (asked: string, served: string): boolean => {
  const [theirs, ours] = [segments(asked), segments(served)]
  return (
    theirs.length === ours.length &&
    theirs.every((segment, place) =>
      segment === ':resourceType'
        ? ours[place] === 'subscriptions' || ours[place] === 'customers'
        : isName(segment)
          ? isName(ours[place])
          : segment === ours[place],
    )
  )
}

/** `METHOD path` of the route of ours that serves it, as the description of the API names it; undefined where there is none. */
export const routeOf = ({ method, path }: Operation): string | undefined => {
  const found = routes.find((route) => route.method === method && leadsTo(path, route.path))
  return found && `${method} ${found.path}`
}

export const isServed = (operation: Operation): boolean => routeOf(operation) !== undefined

export const served: readonly Operation[] = operations.filter(isServed)

/** The same operation is `listCustomers`, `list_customers` or `listCustomers`, by language. */
export const plainName = (name: string): string => name.replaceAll('_', '').toLowerCase()
