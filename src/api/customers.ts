/** Customers: create, list and search, read, look up by reference, update, delete. */
import { createCustomer } from '../actions/create-customer.ts'
import { deleteCustomer } from '../actions/delete-customer.ts'
import { updateCustomer } from '../actions/update-customer.ts'
import type { Customer } from '../billing/customer.ts'
import { notFound } from '../billing/refusal.ts'
import { findCustomer, findCustomerByReference, findCustomersByWords, listCustomers } from '../store/customers.ts'
import type { SiteRow } from '../store/sites.ts'
import { customerShape, presentCustomer } from '../views/customer.ts'
import { type Answer, empty, list, resource } from '../wire/answer.ts'
import { boolean, object, readInput, wrapped, wrappedChange } from '../wire/input.ts'
import { readDirection, readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { readCustomerChange, readNewCustomer } from './customer-input.ts'
import {
  type Act,
  acts,
  actsOn,
  type Context,
  type Exists,
  type Handler,
  idFrom,
  type Show,
  shows,
  textFrom,
} from './handler.ts'
import { readDated } from './list-input.ts'
import { readMetafieldValues } from './metadata-input.ts'
import { Problems } from './problems.ts'

const pageSizes = { perPageDefault: 50, perPageMax: 200 }

const present = (customer: Customer, site: SiteRow, status = 200): Answer =>
  resource(
    status,
    'customer',
    presentCustomer(customer, site.timeZone),
    customerShape,
    status === 201 ? { Location: `/customers/${customer.id}` } : undefined,
  )

const show =
  (status: number): Show =>
  async (connection, site, id) => {
    const customer = await findCustomer(connection, site.id, id)
    return customer && present(customer, site, status)
  }

const create: Act = async (app, { context: { site }, body }) => {
  const tree = wrapped(body, 'customer')
  const problems = new Problems()
  const details = problems.gather(() => readNewCustomer(tree))
  const metafields = problems.gather(() => readMetafieldValues(tree.metafields))
  problems.tell()
  return createCustomer(app, site.id, details!, metafields!)
}

const update: Act = async (app, request) => {
  const { site } = request.context
  const id = idFrom(request, 'customer_id')
  if ((await findCustomer(app.db, site.id, id)) === undefined) throw notFound()
  return updateCustomer(app, site.id, id, readCustomerChange(wrappedChange(request.body, 'customer', 'Customer')))
}

const remove: Act = (app, request) => {
  const { cascade } = readInput(object({ cascade: boolean('Cascade') }), request.query)
  const id = idFrom(request, 'customer_id')
  return deleteCustomer(app, request.context.site.id, id, { cascade: cascade ?? false })
}

const isCustomer: Exists = async (connection, { id: siteId }, id) =>
  (await findCustomer(connection, siteId, id)) !== undefined

const lookUp: Handler = async ({ context: { app, site }, query }) => {
  const reference = textFrom(query, 'reference')
  const customer = reference === undefined ? undefined : await findCustomerByReference(app.db, site.id, reference)
  if (customer === undefined) throw notFound()
  return present(customer, site)
}

/** With `reference` it is the older form of the lookup, and shows one customer. */
const listPage: Handler = async (request) => {
  const { context, query } = request
  if (textFrom(query, 'reference') !== undefined) return lookUp(request)
  const { app, site } = context
  const part = { ...readPage(query, pageSizes), direction: readDirection(query, 'asc') }
  const narrowing = readDated(query, site.timeZone)
  const words = textFrom(query, 'q')
  const customers =
    words === undefined
      ? await listCustomers(app.db, site.id, part, narrowing)
      : await findCustomersByWords(app.db, site.id, words, part, narrowing)
  return list(
    'customers',
    'customer',
    customers.map((customer) => presentCustomer(customer, site.timeZone)),
    customerShape,
  )
}

export const customerRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/customers', handler: listPage },
  { method: 'POST', path: '/customers', handler: acts(create, show(201)) },
  { method: 'GET', path: '/customers/lookup', handler: lookUp },
  { method: 'GET', path: '/customers/:customer_id', handler: shows('customer_id', show(200)) },
  { method: 'PUT', path: '/customers/:customer_id', handler: acts(update, show(200)) },
  {
    method: 'DELETE',
    path: '/customers/:customer_id',
    handler: actsOn('customer_id', isCustomer, remove, async () => empty(204)),
  },
]
